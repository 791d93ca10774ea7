#!/usr/bin/env bash
# Builds ragnav with the grammars and measures indexing trees, or a made-up repository:
#
#   bench/index/run.sh NAME=FOLDER…
#   bench/index/run.sh -synthetic 50000
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
CGO_ENABLED=1 go build -o "$bin/" ./cmd/ragnav
CGO_ENABLED=1 go build -o "$bin/bench" ./bench/index
if [ $# -eq 0 ]; then
  set -- "go=$(go env GOROOT)/src"
fi
"$bin/bench" -bin "$bin" "$@"
