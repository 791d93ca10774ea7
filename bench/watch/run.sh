#!/usr/bin/env bash
# Builds the server and measures how long an edit takes to be found on a synthetic repository.
#
#   bench/watch/run.sh [-files N] [-edits N]
set -euo pipefail
cd "$(dirname "$0")/../.."
CGO_ENABLED=0 go build -o bin/ ./cmd/api-server
go run ./bench/watch "$@"
