"""The owner's pull requests on GitHub: what is asked, the rows, the evidence."""

_NEXT = ("the next answer, 90 seconds after the last", "下一次查询结果（上次之后 90 秒）")
_OPEN = (
    "draft",
    "checks-failed",
    "checks-running",
    "merge-conflicts",
    "changes-requested",
    "approved",
    "review",
)

WORDS: dict[str, tuple[str, str]] = {
    **{f"would.github-pr.{rule}": _NEXT for rule in _OPEN},
    "agent.github-pr": ("GitHub", "GitHub"),
    "settings.local.github-pr": ("GitHub pull requests", "GitHub 拉取请求"),
    "settings.local.github-pr.hint": (
        "Asks your own gh, every 90 seconds, for the state of your pull requests. gh connects to GitHub with the "
        "sign-in it has; no token passes through here, and no title or text is asked for.",
        "每 90 秒通过你自己的 gh 查询你的拉取请求状态。gh 使用其已有登录连接 GitHub；"
        "令牌不会经过这里，也不会请求标题或正文。",
    ),
    "row.local.draft": ("A draft", "草稿"),
    "row.local.checks-failed": ("Checks failed", "检查未通过"),
    "row.local.checks-running": ("Checks are running", "检查进行中"),
    "row.local.merge-conflicts": ("In conflict with its base", "与目标分支有冲突"),
    "row.local.changes-requested": ("Changes were requested", "需要修改"),
    "row.local.approved": ("Approved", "已批准"),
    "row.local.review": ("Waits for a review", "等待审阅"),
    "row.local.merged": ("Merged", "已合并"),
    "row.local.closed": ("Closed", "已关闭"),
    "why.signal.gh": ("GitHub, by your gh", "GitHub（通过你的 gh）"),
    "why.github-pr.draft": ("GitHub says that it is a draft", "GitHub 表示这是草稿"),
    "why.github-pr.checks-failed": (
        "GitHub says that checks of its newest commit failed",
        "GitHub 表示最新提交的检查未通过",
    ),
    "why.github-pr.checks-running": (
        "GitHub says that checks of its newest commit run or are awaited",
        "GitHub 表示最新提交的检查正在运行或等待中",
    ),
    "why.github-pr.merge-conflicts": (
        "GitHub says that it cannot be merged as it is",
        "GitHub 表示目前无法合并",
    ),
    "why.github-pr.changes-requested": (
        "GitHub says that a review asks for changes",
        "GitHub 表示有审阅要求修改",
    ),
    "why.github-pr.approved": ("GitHub says that it is approved", "GitHub 表示已获批准"),
    "why.github-pr.review": (
        "GitHub says that it is open, no check failed, and no review decided",
        "GitHub 表示它处于打开状态，没有检查失败，也没有审阅结论",
    ),
    "why.github-pr.merged": ("GitHub says that it was merged", "GitHub 表示已合并"),
    "why.github-pr.closed": ("GitHub says that it was closed", "GitHub 表示已关闭"),
    "why.github-pr.new-status": (
        "GitHub names a state that we do not know",
        "GitHub 给出了未知状态",
    ),
    "fact.local.github-pr.sweeps": ("on; asked every 90 seconds", "开启；每 90 秒查询一次"),
    "fact.local.github-pr.absent": ("on; gh is not installed", "开启；未安装 gh"),
    "fact.local.github-pr.signed-out": (
        "on; gh is not signed in: run gh auth login",
        "开启；gh 未登录：请运行 gh auth login",
    ),
    "fact.local.github-pr.late": ("on; gh does not answer in time", "开启；gh 未及时响应"),
    "fact.local.github-pr.failed": ("on; gh could not ask GitHub", "开启；gh 无法查询 GitHub"),
}
