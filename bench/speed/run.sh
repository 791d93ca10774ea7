#!/usr/bin/env bash
# Builds the programs and measures them on a source tree (default: the Go standard library).
#
#   bench/speed/run.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
CGO_ENABLED=0 go build -o bin/ ./cmd/api-server ./cmd/ragnav
go run ./bench/speed -source "${1:-$(go env GOROOT)/src}"
