#!/usr/bin/env bash
# Runs a command on a desktop of its own: Xvfb, a private session bus on which nothing starts by itself,
# openbox, an unlocked gnome-keyring, and a home folder that is thrown away. Your own are not touched.
#   packaging/rig.sh [--desktop openbox|mutter|sway] [--screen WxH] [--compositor] [--input ibus|fcitx5]
#                    [--keep] COMMAND [ARGUMENT...]
# --desktop mutter is GNOME's Wayland compositor with XWayland, for which Qt gets its X11 plug-in; sway is plain
# Wayland. --compositor is for openbox. --input runs an input method with Pinyin chosen, as its users have it.
# --keep leaves the home folder behind and prints where. The command finds in its environment:
#   LISA_RIG=1, LISA_RIG_DESKTOP, LISA_RIG_INPUT, LISA_RIG_KEYRING_PID, LISA_RIG_KEYRING_PASSWORD,
#   LISA_RIG_WM_PID, with openbox LISA_RIG_SERVER_PID
# Exit code: the command's own; 70 when the desktop did not come up.

set -euo pipefail

broken() {
    printf 'rig: %s\n' "$*" >&2
    cat "$RIG"/*.log >&2 2>/dev/null || true
    exit 70
}

# Waits up to 20 s for a condition that no program here reports by itself.
until_true() {
    local what=$1 tries
    shift
    for ((tries = 0; tries < 200; tries++)); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    broken "$what did not come up"
}

on_bus() {
    dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
        "string:$1" | grep -q 'boolean true'
}

# An input method and what its users have in their environment. No candidate window: nobody looks.
start_input() {
    export GSETTINGS_BACKEND=memory
    case $1 in
        ibus)
            export QT_IM_MODULE=ibus XMODIFIERS=@im=ibus
            ibus-daemon --panel=disable --emoji-extension=disable --config=/usr/libexec/ibus-memconf \
                >"$RIG/ibus.log" 2>&1 &
            # The first command only says that it failed.
            until_true ibus sh -c 'ibus engine libpinyin; ibus engine | grep -qx libpinyin'
            ;;
        fcitx5)
            export QT_IM_MODULE=fcitx XMODIFIERS=@im=fcitx
            mkdir -p "$XDG_CONFIG_HOME/fcitx5"
            printf '[Behavior]\nActiveByDefault=True\n' >"$XDG_CONFIG_HOME/fcitx5/config"
            cat >"$XDG_CONFIG_HOME/fcitx5/profile" <<PROFILE
[Groups/0]
Name=Default
Default Layout=us
DefaultIM=pinyin

[Groups/0/Items/0]
Name=pinyin

[GroupOrder]
0=Default
PROFILE
            fcitx5 >"$RIG/fcitx5.log" 2>&1 &
            until_true fcitx5 on_bus org.fcitx.Fcitx5
            ;;
    esac
}

start_openbox() {
    openbox --sm-disable >"$RIG/openbox.log" 2>&1 &
    export LISA_RIG_WM_PID=$!
    until_true openbox sh -c 'xprop -root _NET_SUPPORTING_WM_CHECK | grep -q "window id"'
    [[ $LISA_RIG_COMPOSITOR != 1 ]] || xcompmgr >"$RIG/compositor.log" 2>&1 &
}

start_mutter() {
    mkdir -p "$XDG_CONFIG_HOME/glib-2.0/settings"
    # On a busy machine a key's release comes late, and programs would repeat it.
    printf '[org/gnome/desktop/peripherals/keyboard]\nrepeat=false\n' >"$XDG_CONFIG_HOME/glib-2.0/settings/keyfile"
    GSETTINGS_BACKEND=keyfile mutter --wayland --headless --virtual-monitor "$LISA_RIG_SCREEN" >"$RIG/mutter.log" 2>&1 &
    export LISA_RIG_WM_PID=$! XDG_SESSION_TYPE=wayland XDG_CURRENT_DESKTOP=GNOME
    until_true mutter grep -q "Using Wayland display name" "$RIG/mutter.log"
    WAYLAND_DISPLAY=$(sed -n "s/.*Using Wayland display name '\(.*\)'.*/\1/p" "$RIG/mutter.log")
    DISPLAY=$(sed -n 's/.*Using public X11 display \(:[0-9]*\),.*/\1/p' "$RIG/mutter.log")
    XAUTHORITY=$(echo "$XDG_RUNTIME_DIR"/.mutter-Xwaylandauth.*)
    export WAYLAND_DISPLAY DISPLAY XAUTHORITY QT_QPA_PLATFORM=xcb
    # The first client brings XWayland up.
    until_true XWayland xprop -root _NET_SUPPORTING_WM_CHECK
}

start_sway() {
    local as=()
    # On a busy machine a key's release comes late, and programs would repeat it.
    printf 'xwayland disable\noutput * resolution %s\ninput * repeat_rate 0\n' "$LISA_RIG_SCREEN" >"$RIG/sway.conf"
    # sway refuses to run as root.
    ((UID)) || as=(unshare --user --map-user=1000 --map-group=1000)
    WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman \
        "${as[@]}" sway --config "$RIG/sway.conf" >"$RIG/sway.log" 2>&1 &
    export LISA_RIG_WM_PID=$! XDG_SESSION_TYPE=wayland XDG_CURRENT_DESKTOP=sway QT_QPA_PLATFORM=wayland
    until_true sway sh -c 'echo "$XDG_RUNTIME_DIR"/wayland-*.lock "$XDG_RUNTIME_DIR"/sway-ipc.* | grep -vq "[*]"'
    SWAYSOCK=$(echo "$XDG_RUNTIME_DIR"/sway-ipc.*)
    WAYLAND_DISPLAY=$(basename "$XDG_RUNTIME_DIR"/wayland-*.lock .lock)
    export SWAYSOCK WAYLAND_DISPLAY
}

# The second half: runs inside the private bus, with the scrubbed environment.
if [[ ${1:-} == --inside ]]; then
    shift
    exec 2>&4 4>&-
    : >"$RIG/up"
    trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
    "start_$LISA_RIG_DESKTOP"
    printf %s "$LISA_RIG_KEYRING_PASSWORD" |
        gnome-keyring-daemon --foreground --unlock --components=secrets \
            --control-directory="$XDG_RUNTIME_DIR/keyring" >"$RIG/keyring.log" 2>&1 &
    export LISA_RIG_KEYRING_PID=$!
    until_true gnome-keyring on_bus org.freedesktop.secrets
    [[ -z ${LISA_RIG_INPUT:-} ]] || start_input "$LISA_RIG_INPUT"
    status=0
    "$@" || status=$?
    exit "$status"
fi

desktop=openbox screen=3840x2160 compositor=0 input= keep=0
while [[ ${1:-} == --* ]]; do
    case $1 in
        --desktop) desktop=$2 && shift 2 ;;
        --screen) screen=$2 && shift 2 ;;
        --compositor) compositor=1 && shift ;;
        --input) input=$2 && shift 2 ;;
        --keep) keep=1 && shift ;;
        *) printf 'rig: unknown option %s\n' "$1" >&2 && exit 2 ;;
    esac
done
(($#)) || { sed -n '2,12s/^# //p' "$0" >&2 && exit 2; }

# Short names: a unix socket's path has 107 bytes at most.
RIG=$(mktemp -d /tmp/rig.XXXXXX)
home=$RIG/home run=$RIG/run
mkdir -m 700 "$home" "$run" "$RIG/tmp"
server=
stragglers() { grep -lzx "RIG=$RIG" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3; }
# Runs once, whatever ends the rig.
clear_up() {
    # What the command left running knows this rig by name; it would outlive its screen and its bus.
    stragglers | xargs -r kill 2>/dev/null || true
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    wait 2>/dev/null || true
    stragglers | xargs -r kill -KILL 2>/dev/null || true
    if ((keep)); then printf 'rig: kept %s\n' "$RIG" >&2; else rm -rf "$RIG"; fi
}
trap clear_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The X server of openbox; the others bring their own.
start_xvfb() {
    local cookie number
    # One cookie for whichever number the server picks: the server ignores the number, clients do not.
    cookie=$(mcookie)
    xauth -q -f "$RIG/xauth" add :0 . "$cookie" 2>/dev/null
    mkfifo "$RIG/display"
    # -noreset: without it the server forgets its monitors when the last window closes.
    Xvfb -displayfd 3 -noreset -nolisten tcp -auth "$RIG/xauth" -screen 0 "${screen}x24" \
        3>"$RIG/display" >"$RIG/xvfb.log" 2>&1 &
    server=$!
    read -r -t 20 number <"$RIG/display" || broken "Xvfb did not start"
    xauth -q -f "$RIG/xauth" add ":$number" . "$cookie" 2>/dev/null
    x11=(DISPLAY=":$number" XAUTHORITY="$RIG/xauth" QT_QPA_PLATFORM=xcb LISA_RIG_SERVER_PID="$server")
}
x11=()
case $desktop in
    openbox) start_xvfb ;;
    mutter | sway) ;;
    *) printf 'rig: unknown desktop %s\n' "$desktop" >&2 && exit 2 ;;
esac

# A bus that starts no services: what is absent stays absent until a test puts it there.
cat >"$RIG/bus.conf" <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <keep_umask/>
  <listen>unix:dir=$run</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
CONF

kept=()
for name in TERM COLUMNS CI NO_COLOR FORCE_COLOR LISA_ISLAND_LANG; do
    [[ -z ${!name:-} ]] || kept+=("$name=${!name}")
done
status=0
# The bus daemon's own complaints go to a log; the command gets the real stderr back.
env -i "${kept[@]}" PATH="$PATH" LANG=C.UTF-8 SHELL=/bin/sh USER="$(id -un)" LOGNAME="$(id -un)" \
    HOME="$home" TMPDIR="$RIG/tmp" LISA_HOME="$home/.lisa" \
    XDG_RUNTIME_DIR="$run" XDG_CONFIG_HOME="$home/.config" XDG_DATA_HOME="$home/.local/share" \
    XDG_STATE_HOME="$home/.local/state" XDG_CACHE_HOME="$home/.cache" \
    "${x11[@]}" RIG="$RIG" LISA_RIG=1 LISA_RIG_DESKTOP="$desktop" LISA_RIG_SCREEN="$screen" \
    LISA_RIG_COMPOSITOR="$compositor" LISA_RIG_INPUT="$input" LISA_RIG_KEYRING_PASSWORD=rig \
    dbus-run-session --config-file="$RIG/bus.conf" -- bash "$0" --inside "$@" \
    4>&2 2>"$RIG/bus.log" || status=$?
[[ -e $RIG/up ]] || broken "the session bus did not start"
exit "$status"
