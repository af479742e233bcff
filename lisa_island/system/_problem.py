"""What went wrong with a file and was mended or worked around: (catalogue key, values)."""

Problem = tuple[str, dict[str, str]]
