#!/bin/sh
# optional.sh 'HOW TO GET IT' TOOL [ARGUMENT…]
# Runs a tool that a contributor need not have. Without it, says so in one line
# and how to get it; where CI=true that is a failure.
hint=$1
shift
if command -v "$1" >/dev/null 2>&1; then
  exec "$@"
fi
echo "SKIPPED: $1 is not installed; get it with: $hint" >&2
[ "${CI:-}" != true ]
