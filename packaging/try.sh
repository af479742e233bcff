#!/usr/bin/env bash
# Sets LISA Island up in this folder and runs its demo: no key, no network, nothing of yours touched.
#   packaging/try.sh [ARGUMENTS OF lisa-island demo]
#   packaging/try.sh --install   makes lisa-island a command of yours, with launcher entry and icon
#   packaging/try.sh --remove    takes all of that away and names what data stays
# Needs Python 3.11 or later. The demo writes only to .tools/ and .venv/ here, and to the caches of pip and uv.

# shellcheck source=packaging/_bootstrap.sh
source "$(dirname "${BASH_SOURCE[0]}")/_bootstrap.sh"
# shellcheck source=packaging/_install.sh
source "$ROOT/packaging/_install.sh"

if [[ ${1:-} == --install || ${1:-} == --remove ]]; then
    (($# == 1)) || fail "$1 takes nothing more."
    "${1#--}_island"
    exit
fi

bootstrap run
# --inexact: a developer's tools in the same environment stay.
environment "$ROOT/.venv" --frozen --no-dev --inexact
exec "$ROOT/.venv/bin/lisa-island" demo "$@"
