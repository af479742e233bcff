"""The table: what was measured, the figures, their ratio and the target beside it."""

import os
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Line:
    """One measure. `value` is compared with `target` (at most); `target` None is for information alone."""

    name: str
    figures: str
    value: float
    unit: str = "x"
    target: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        return "met" if self.value <= self.target else "MISSED"

    def cells(self) -> list[str]:
        """The columns of the table."""
        wanted = "" if self.target is None else f"<= {_short(self.target)} {self.unit}"
        return [self.name, self.figures, f"{_short(self.value)} {self.unit}", wanted, self.verdict, self.note]


def _short(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}"


HEAD = ["measure", "raw figures", "value", "target", "", "note"]


@dataclass(slots=True)
class Table:
    """Grows line by line; each is printed when it is there."""

    lines: list[Line] = field(default_factory=list)

    def add(self, line: Line) -> None:
        """Keep and print one line."""
        self.lines.append(line)
        load = os.getloadavg()[0]
        print(f"  {line.name}: {line.figures} -> {' '.join(line.cells()[2:5])} (load {load:.1f})", flush=True)

    def markdown(self) -> str:
        """The whole of it."""
        rows = [HEAD, ["---"] * len(HEAD), *(line.cells() for line in self.lines)]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)
