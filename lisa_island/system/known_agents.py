"""Which programs are agents: by the name of the program, of the script it runs, or a mark they set.

Names match whole and exactly: `pi` is an agent, `pip` and `pi.txt` are not.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

PROGRAMS: dict[str, str] = {
    "aider": "aider",
    "amp": "amp",
    "agy": "antigravity",
    "auggie": "auggie",
    "claude": "claude",
    "claude-code": "claude",
    "claude-code-acp": "claude",
    "cline": "cline",
    "codex": "codex",
    "codex-acp": "codex",
    "codex-linux-sandbox": "codex",
    "copilot": "copilot",
    "crush": "crush",
    "cursor-agent": "cursor-agent",
    "droid": "droid",
    "gemini": "gemini",
    "goose": "goose",
    "goosed": "goose",
    "kilocode": "kilocode",
    "kimi": "kimi",
    "kiro-cli": "kiro",
    "lisa": "lisa",
    "opencode": "opencode",
    "openhands": "openhands",
    "pi": "pi",
    "plandex": "plandex",
    "qodercli": "qoder",
    "qwen": "qwen",
    "vibe": "vibe",
}
# Packages whose script has a name of no meaning (cli.js, index.js).
PACKAGES: dict[str, str] = {
    "@anthropic-ai/claude-code": "claude",
    "@augmentcode/auggie": "auggie",
    "@badlogic/pi-coding-agent": "pi",
    "@earendil-works/pi-coding-agent": "pi",
    "@github/copilot": "copilot",
    "@google/gemini-cli": "gemini",
    "@kilocode/cli": "kilocode",
    "@mariozechner/pi-coding-agent": "pi",
    "@openai/codex": "codex",
    "@qwen-code/qwen-code": "qwen",
    "@sourcegraph/amp": "amp",
    "opencode-ai": "opencode",
    "share/claude/versions": "claude",
}
# Set by agents for the commands they run; a hint that survives where the chain of parents was cut.
MARKS: dict[str, str] = {
    "AI_AGENT": "agent",
    "AMP_CURRENT_THREAD_ID": "amp",
    "ANTIGRAVITY_AGENT": "antigravity",
    "AUGMENT_AGENT": "auggie",
    "CLAUDECODE": "claude",
    "CLAUDE_CODE_ENTRYPOINT": "claude",
    "CLINE_ACTIVE": "cline",
    "CODEX_CI": "codex",
    "CODEX_SANDBOX": "codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "codex",
    "CODEX_THREAD_ID": "codex",
    "COPILOT_CLI": "copilot",
    "CURSOR_AGENT": "cursor-agent",
    "GEMINI_CLI": "gemini",
    "GOOSE_TERMINAL": "goose",
    "OPENCODE": "opencode",
    "PI_CODING_AGENT": "pi",
    "QWEN_CODE": "qwen",
}

_INTERPRETER = re.compile(
    r"(?:node|nodejs|bun|bunx|deno|npx|npm|pnpm|tsx|python[0-9.]*|pypy[0-9.]*|uv|uvx|pipx|ruby|perl|env|sh|bash|dash|zsh)"
)
_TAKES_A_VALUE = frozenset({"-r", "--require", "--import", "--loader", "-X", "-W", "--env-file"})
_RUNS_TEXT = frozenset({"-c", "-e", "--eval", "-p", "--print"})
_SUBCOMMANDS = frozenset({"run", "exec", "x", "tool", "dlx"})
# `codex-x86_64-unknown-linux-musl` is how a release is unpacked, `.claude-wrapped` how Nix wraps.
_PLATFORM = re.compile(r"-(?:x86_64|aarch64|arm64|amd64|x64|linux|darwin|windows|win32).*")
_NIX = re.compile(r"\.(.+)-wrapped_*")


def agent_in(comm: str, exe: str, argv: Sequence[str]) -> str:
    """The agent that a process is, by its kernel name, its file and its arguments; "" for none."""
    for path in (comm, exe, argv[0] if argv else ""):
        if found := agent_at(path):
            return found
    if not argv or not (_is_interpreter(argv[0]) or _is_interpreter(exe)):
        return ""
    return next((found for path in scripts(argv[1:]) if (found := agent_at(path))), "")


def agent_at(path: str) -> str:
    """The agent whose program or script has this path."""
    inside = "/" + path.replace("\\", "/") + "/"
    for package, agent in PACKAGES.items():
        if f"/{package}/" in inside:
            return agent
    return PROGRAMS.get(_plain(PurePath(path.replace("\\", "/")).name), "")


def scripts(arguments: Sequence[str]) -> Iterable[str]:
    """What an interpreter was told to run: a file, a module, or the tool of a tool runner."""
    waiting = iter(arguments)
    for argument in waiting:
        if argument in _RUNS_TEXT:
            return
        if argument == "-m":
            yield next(waiting, "").partition(".")[0]
            return
        if argument in _TAKES_A_VALUE:
            next(waiting, None)
        elif argument in _SUBCOMMANDS or argument.startswith("-") or "=" in argument:
            continue
        else:
            # `npx @openai/codex@latest` names a version; a path keeps its own "@".
            yield argument
            yield re.sub(r"(?<=.)@[^/@]*$", "", argument)
            return


def mark_in(environ: Mapping[str, str]) -> str:
    """The agent that has marked this environment; "" for none."""
    for name, agent in MARKS.items():
        if environ.get(name, "").lower() not in ("", "0", "false"):
            return agent
    return ""


def _plain(name: str) -> str:
    name = name.lower().removesuffix(".exe").removesuffix(".cmd")
    for suffix in (".js", ".mjs", ".cjs"):
        name = name.removesuffix(suffix)
    if wrapped := _NIX.fullmatch(name):
        name = wrapped[1]
    return _PLATFORM.sub("", name)


def _is_interpreter(path: str) -> bool:
    return bool(_INTERPRETER.fullmatch(_plain(PurePath(path.replace("\\", "/")).name.lstrip("-"))))
