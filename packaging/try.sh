#!/usr/bin/env bash
# Sets LISA Island up in this folder and runs its demo: no key, no network, nothing of yours touched.
#   packaging/try.sh [ARGUMENTS OF lisa-island demo]
# Needs Python 3.11 or later. Writes only to .tools/ and .venv/ here, and to the caches of pip and uv.

# shellcheck source=packaging/_bootstrap.sh
source "$(dirname "${BASH_SOURCE[0]}")/_bootstrap.sh"

bootstrap run
# --inexact: a developer's tools in the same environment stay.
environment "$ROOT/.venv" --frozen --no-dev --inexact
exec "$ROOT/.venv/bin/lisa-island" demo "$@"
