#!/bin/sh
# gotest.sh [FLAG…] PACKAGE…
# Runs go test. Tests make and remove very many small files: in memory where there is room (tmpdir.sh). What go builds
# stays on the disk; where, is said to go alone, in its file of settings, since t.TempDir prefers GOTMPDIR.
set -e
build=$(go env GOTMPDIR)
known=$(go env GOENV)
settings=$(mktemp)
trap 'rm -f "$settings"' EXIT
if [ -f "$known" ]; then
    grep -v '^GOTMPDIR=' "$known" >"$settings" || true # there may be nothing else in it
fi
echo "GOTMPDIR=${build:-${TMPDIR:-/tmp}}" >>"$settings"
unset GOTMPDIR
GOENV=$settings TMPDIR=$("$(dirname "$0")/tmpdir.sh") go test -vet=off -timeout 20m -ldflags='-s -w' "$@"
