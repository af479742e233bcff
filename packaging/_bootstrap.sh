# Shared by try.sh and check.sh: finds a Python, brings uv, asks for system libraries.
# Sourced, never run. Nothing is downloaded but packages, and nothing downloaded reaches a shell.
# shellcheck shell=bash

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
UV_VERSION=$(sed -n 's/^uv==\([0-9.]*\).*/\1/p' "$ROOT/packaging/uv.txt")
UV_HOME=$ROOT/.tools/uv
UV=$UV_HOME/bin/uv

# Somebody else's environment must not leak into ours.
unset VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHOME UV_PYTHON UV_PROJECT_ENVIRONMENT
# The system's certificates: a company's own authority counts here as it does for pip.
export UV_PYTHON_DOWNLOADS=never UV_PYTHON_PREFERENCE=only-system UV_SYSTEM_CERTS=1
[[ -t 2 ]] || export UV_NO_PROGRESS=1

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# Prints the path of a real interpreter (no shim, no venv), 3.11 first: the version all tests ran on.
find_python() {
    local name path
    for name in "${LISA_PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3; do
        [[ -n $name ]] || continue
        for path in "$(command -v "$name" || true)" "${HOME:-/nowhere}"/.pyenv/versions/*/bin/"$name"; do
            [[ -x $path ]] || continue
            "$path" -I -c '
import os, sys
if sys.version_info < (3, 11): sys.exit(1)
print(os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable))' 2>/dev/null && return
        done
    done
    return 1
}

# Prints the packages of the named sections of apt.txt.
listed() {
    local section
    for section in "$@"; do
        awk -v want="[$section]" '/^\[/ { on = ($1 == want); next } on && $1 !~ /^#/ && NF { print $1 }' \
            "$ROOT/packaging/apt.txt"
    done
}

# Prints those of the given packages that are not installed.
absent() {
    local name
    for name in "$@"; do
        # No pipe: dpkg-query fails whenever one of the two names is unknown, and one always is.
        grep -qx installed <(dpkg-query -W -f '${db:Status-Status}\n' "$name" "${name}t64" 2>/dev/null) ||
            printf '%s\n' "$name"
    done
}

# Installs what is missing of the given packages; asks first when that takes another user's rights.
need_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "No apt here: packaging/apt.txt names the libraries that Qt needs; your system has its own names for them."
        return
    fi
    local missing
    mapfile -t missing < <(absent "$@")
    ((${#missing[@]})) || return 0
    local line=(apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}")
    if (($(id -u) == 0)); then
        say "Installing ${#missing[@]} system packages: ${missing[*]}"
        export DEBIAN_FRONTEND=noninteractive
        local log
        log=$(mktemp)
        # apt's hundreds of lines are worth reading only when it fails.
        { apt-get -qq update || true; "${line[@]}" -qq; } >"$log" 2>&1 </dev/null || {
            cat "$log" >&2
            fail "apt-get could not install the packages above. Mend that and run this again."
        }
        rm -f "$log"
        return
    fi
    say "These system packages are missing. This line installs them:"
    say "    sudo apt-get install --no-install-recommends ${missing[*]}"
    [[ -t 0 ]] || fail "Nothing was installed: there is no terminal to ask on. Run the line above, then this again."
    command -v sudo >/dev/null || fail "Nothing was installed: there is no sudo. Run the line as root, then this again."
    local answer
    read -r -p "Run it now? [y/N] " answer
    [[ $answer == [yY]* ]] || fail "Nothing was installed. Run the line above yourself, then this again."
    sudo "${line[@]}" >&2 || fail "apt-get could not install the packages above. Mend that and run this again."
}

# Puts the pinned uv into .tools/, from PyPI or the mirror that pip is set to, its hash checked by pip.
bring_uv() {
    [[ $("$UV" --version 2>/dev/null) == "uv $UV_VERSION"* ]] && return
    say "Bringing uv $UV_VERSION into .tools/"
    mkdir -p "$ROOT/.tools"
    local fresh
    fresh=$(mktemp -d "$ROOT/.tools/uv.XXXXXX")
    PIP_ROOT_USER_ACTION=ignore PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1 "$PYTHON" -m pip install --quiet \
        --target "$fresh" --no-deps --only-binary :all: --require-hashes -r "$ROOT/packaging/uv.txt" >&2 || {
        rm -rf "$fresh"
        fail "pip could not install uv $UV_VERSION; see its message above."
    }
    rm -rf "$UV_HOME"
    mv "$fresh" "$UV_HOME"
}

# bootstrap SECTION...: after it PYTHON and UV are set and the libraries of the sections are there.
bootstrap() {
    local wanted
    PYTHON=$(find_python) || {
        need_packages python3
        PYTHON=$(find_python) || fail "Python 3.11 or later is needed and was not found on PATH."
    }
    mapfile -t wanted < <(listed "$@")
    if [[ ! -x $UV ]] && ! "$PYTHON" -m pip --version >/dev/null 2>&1; then
        wanted+=(python3-pip)
    fi
    need_packages "${wanted[@]}"
    bring_uv
}

# environment DIR ARG...: makes or renews the environment in DIR with `uv sync ARG...`.
environment() {
    local where=$1
    shift
    # A running interpreter is kept whichever it is; a fresh or broken one is made from PYTHON.
    "$where/bin/python" -c '' 2>/dev/null || "$UV" venv --quiet --clear --python "$PYTHON" "$where"
    UV_PROJECT_ENVIRONMENT=$where "$UV" sync --quiet --project "$ROOT" "$@"
}
