"""Git repositories on this machine: what is read, the rows, the evidence."""

WORDS: dict[str, tuple[str, str]] = {
    "agent.git": ("git", "git"),
    "settings.local.git": ("git", "git"),
    "settings.local.git.hint": (
        "Looks for repositories below your home folder, four folders deep, and asks git status of those in use: "
        "branch, counts, names of changed files. No message, author or content is kept, nothing is written.",
        "在主目录下四层之内查找仓库，并对正在使用的仓库询问 git status：分支、计数、已更改文件的名称。"
        "绝不保留提交信息、作者或内容，也不写入任何内容。",
    ),
    "row.local.clean": ("Nothing to commit", "没有待提交的更改"),
    "row.local.changes": ("Uncommitted changes", "有未提交的更改"),
    "row.local.ahead": ("Commits to push", "有待推送的提交"),
    "row.local.behind": ("Commits to pull", "有待拉取的提交"),
    "row.local.diverged": ("Commits to push and to pull", "有待推送和待拉取的提交"),
    "row.local.conflicts": ("Conflicts to resolve", "有冲突待解决"),
    "row.local.rebasing": ("A rebase is under way", "变基进行中"),
    "row.local.merging": ("A merge is under way", "合并进行中"),
    "row.local.cherry-picking": ("A cherry-pick is under way", "拣选进行中"),
    "row.local.reverting": ("A revert is under way", "还原进行中"),
    "row.local.bisecting": ("A bisection is under way", "二分查找进行中"),
    "row.local.seen": ("Used lately", "最近使用过"),
    "row.local.git-refused": ("git does not answer for it", "git 拒绝回答"),
    "row.local.git-late": ("git takes too long here", "git 在此处耗时过长"),
    "detail.changed": ("changed files", "已更改文件"),
    "detail.ahead": ("commits ahead", "领先提交"),
    "detail.behind": ("commits behind", "落后提交"),
    "why.signal.git-files": ("its own files", "其自身文件"),
    "why.signal.git-status": ("git status", "git status"),
    "why.git.clean": ("git says that nothing is changed", "git 表示没有更改"),
    "why.git.changes": ("git says that files are changed", "git 表示有文件已更改"),
    "why.git.ahead": ("git says that commits are not pushed", "git 表示有提交尚未推送"),
    "why.git.behind": ("git says that known commits are not merged", "git 表示有已知提交尚未合并"),
    "why.git.diverged": ("git says that both sides have commits", "git 表示两边都有提交"),
    "why.git.conflicts": ("git says that files are in conflict", "git 表示有文件冲突"),
    "why.git.under-way": (
        "The mark of something unfinished has stood for ten seconds or more",
        "未完成操作的标记已存在至少十秒",
    ),
    "why.git.refused": ("git refuses to read this repository", "git 拒绝读取此仓库"),
    "why.git.late": ("git did not answer in three seconds", "git 三秒内没有回答"),
    "why.git.absent": (
        "Its last action is recorded; there is no git here to ask",
        "记录了最后一次操作；本机没有 git 可询问",
    ),
    "why.git.not-asked": (
        "Its last action is recorded; git is not asked, for the repository's settings would start a program",
        "记录了最后一次操作；未询问 git，因为该仓库的设置会启动程序",
    ),
    "why.git.unasked": (
        "Its last action is recorded; git was not asked yet",
        "记录了最后一次操作；尚未询问 git",
    ),
    "would.git.under-way": (
        "its end, or an hour of rest, which takes it off the list",
        "操作结束，或静置一小时后移出列表",
    ),
    "would.git.changes": ("an hour of rest takes it off the list", "静置一小时后移出列表"),
    "would.git.clean": ("an hour of rest takes it off the list", "静置一小时后移出列表"),
    "fact.local.git.cut": (
        "on; there are more folders than are looked at: name yours in LISA_ISLAND_FOLDERS",
        "开启；文件夹过多，未全部查看：请在 LISA_ISLAND_FOLDERS 中指定",
    ),
    "fact.local.git.hints": (
        "on; changes come as hints, and every five seconds",
        "开启；变更由系统提示，并每五秒检查",
    ),
    "fact.local.git.absent": ("on; git is not installed", "开启；未安装 git"),
}
