"""Which kind of work a tool does, from its name alone: one of six words. The name itself goes no further.

The exact names stand before the beginnings, and an MCP server's own beginning is left off.
"""

import re

ACTIONS = ("type", "archive", "server", "whiteboard", "phone", "delegate")

_EXACT = {
    "delegate": "agent task subagent dispatch_agent spawn_agent spawn_agents workflow",
    "archive": "read ls glob grep find search list notebookread view read_file list_directory search_files "
    "codebase_search ripgrep cat",
    "type": "edit write multiedit notebookedit apply_patch str_replace patch create write_file "
    "replace_in_file",
    "server": "bash shell exec local_shell exec_command shell_command run_shell_command run_command terminal "
    "killshell bashoutput write_stdin",
    "whiteboard": "todowrite todoread todo_write update_plan exitplanmode exit_plan_mode enterplanmode plan "
    "taskcreate taskupdate tasklist taskget tasks save_memory",
    "phone": "webfetch websearch web_fetch web_search fetch browser curl askuserquestion ask_user question "
    "google_web_search",
}
_BEGINNINGS = (
    ("archive", ("read_", "list_", "search_", "grep_", "find_", "glob_")),
    ("type", ("write_", "edit_", "create_", "apply_", "notebook")),
    ("server", ("bash_", "shell_", "exec_", "run_", "terminal_", "kill")),
    ("whiteboard", ("todo", "plan_", "task_")),
    ("phone", ("web", "browser", "fetch_", "http", "ask_")),
)
_BY_NAME = {name: action for action, names in _EXACT.items() for name in names.split()}
_MCP = re.compile(r"mcp__.+?__")


def action_of(tool: str) -> str:
    """One of `ACTIONS`; what nobody knows is typing at its own desk."""
    name = _MCP.sub("", tool[:200].lower(), count=1).replace("-", "_").strip()
    if name in _BY_NAME:
        return _BY_NAME[name]
    return next((a for a, begins in _BEGINNINGS if name.startswith(begins)), "type")
