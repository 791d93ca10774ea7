#!/usr/bin/env bash
# Measures how long it takes to learn whether 50,000 files are as a manifest says, beside git status.
#
#   bench/fresh/run.sh [-files N] [-folders N] [-rounds N]
set -euo pipefail
cd "$(dirname "$0")/../.."
go run ./bench/fresh "$@"
