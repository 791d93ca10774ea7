#!/bin/sh
# twice.sh COMMAND [ARGUMENT…]
# Runs what asks a registry, and once more if it fails: mostly that is by chance. It says what failed.
"$@" && exit
echo "FAILED: $*; trying it once more" >&2
sleep 10
"$@" && exit
status=$?
echo "FAILED twice: $*" >&2
exit "$status"
