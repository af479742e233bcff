# Sourced by try.sh after _bootstrap.sh: makes `lisa-island` a command of this user, and takes it away again.
# Nothing here needs another user's rights; the same call twice does no more than once.
# shellcheck shell=bash

# Sets where things go; nothing is created.
places() {
    [[ -n ${HOME:-} ]] || fail "HOME is not set, so there is no place to install to."
    DATA_HOME=${XDG_DATA_HOME:-$HOME/.local/share}
    [[ $DATA_HOME == /* ]] || DATA_HOME=$HOME/.local/share
    APP=$DATA_HOME/lisa-island
    PROGRAM=$APP/venv/bin/lisa-island
    LINK=$HOME/.local/bin/lisa-island
    LOGIN=${XDG_CONFIG_HOME:-$HOME/.config}/autostart/lisa-island.desktop
}

# Runs the installation's own Python on place.py.
place() { "$APP/venv/bin/python" -I "$ROOT/packaging/desktop/place.py" "$@"; }

# Whether a process of this installation runs: it would lose its own files.
is_running() {
    local line
    for line in /proc/[0-9]*/cmdline; do
        # A process may end while it is looked at.
        [[ $(tr '\0' '\n' 2>/dev/null <"$line" | head -n 1) == "$APP"/venv/bin/* ]] && return
    done 2>/dev/null
    return 1
}

need_quiet() {
    ! is_running || fail "LISA Island is running from $APP. Quit it first (lisa-island quit), then run this again. $1"
}

install_island() {
    places
    need_quiet "Nothing was changed."
    if [[ (-e $LINK || -L $LINK) && $(readlink "$LINK") != "$PROGRAM" ]]; then
        fail "$LINK is there already and is not ours. Move it away, then run this again. Nothing was changed."
    fi
    bootstrap run
    say "Installing into $APP"
    mkdir -p "$APP" "${LINK%/*}"
    # The package itself goes in whole, so that this folder of code may be deleted afterwards.
    environment "$APP/venv" --frozen --no-dev --no-editable --reinstall-package lisa-island
    ln -sfn "$PROGRAM" "$LINK"
    place launcher "$DATA_HOME"
    ask_for_login
    say "Installed: the command lisa-island ($LINK) and a launcher entry."
    [[ ":$PATH:" == *":${LINK%/*}:"* ]] ||
        say "${LINK%/*} is not on your PATH. Log in again (many systems add it then), or call $LINK."
    say "To take it away: packaging/try.sh --remove"
}

# Off until chosen: without a terminal nobody is asked and nothing is set.
ask_for_login() {
    local answer=
    case $(place autostart) in
        ours) say "It starts at login, as before. Change that in Settings, General." && return ;;
        another) say "Another LISA Island starts at login, as before: see $LOGIN" && return ;;
    esac
    if [[ -t 0 ]]; then
        read -r -p "Start LISA Island when you log in? [y/N] " answer || true
    fi
    if [[ $answer == [yY]* ]]; then
        place autostart on
        say "It starts at login from now on. Change that in Settings, General."
    else
        say "It does not start at login. Change that in Settings, General."
    fi
}

# Removes the folder and those above it that held nothing else; never the owner's own top folders.
prune() {
    local folder=$1
    while [[ $folder != "$DATA_HOME" && ${folder##*/} != .* && -n $folder ]]; do
        rmdir -- "$folder" 2>/dev/null || return 0
        folder=${folder%/*}
    done
}

remove_island() {
    places
    need_quiet "Nothing was removed."
    local gone=() kept=() path
    # Asked while there is still somebody who knows.
    mapfile -t kept < <(place data 2>/dev/null || "$ROOT/.venv/bin/python" "$ROOT/packaging/desktop/place.py" data 2>/dev/null)
    # An entry that starts another LISA Island is not ours to remove.
    ! grep -qxF "TryExec=$PROGRAM" "$LOGIN" 2>/dev/null || gone+=("$LOGIN")
    [[ $(readlink "$LINK" 2>/dev/null) != "$PROGRAM" ]] || gone+=("$LINK")
    for path in "$DATA_HOME/applications/lisa-island.desktop" \
        "$DATA_HOME"/icons/hicolor/*/apps/lisa-island.{png,svg} \
        "$DATA_HOME/icons/hicolor/symbolic/apps/lisa-island-symbolic.svg" "$APP/venv"; do
        [[ ! -e $path ]] || gone+=("$path")
    done
    if ((${#gone[@]})); then
        say "Removing:"
        for path in "${gone[@]}"; do
            say "    $path"
            rm -rf -- "$path"
            [[ $path == "$LINK" ]] || prune "${path%/*}"
        done
    else
        say "LISA Island is not installed here; nothing was removed."
    fi
    name_data "${kept[@]}"
}

name_data() {
    if (($#)); then
        say "Your data stays:"
        printf '    %s\n' "$@" >&2
        say "To delete it: .venv/bin/lisa-island erase, in this folder of code; packaging/try.sh makes that command."
    fi
    say "A key in the system keyring stays too, under the service lisa-island, and so does this folder of code."
}
