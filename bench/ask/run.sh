#!/usr/bin/env bash
# Measures answers: makes the questions, indexes the repositories in a data
# directory of its own, asks, and prints the table.
#
#   bench/ask/run.sh CLONES [flags of `bench/ask run`: -split dev, -v, -search …]
#
# CLONES/OWNER/NAME is a clone of each repository of repositories.txt.
# RAGNAV_BENCH_DIR (default: the user's cache directory) keeps the set and the
# index, so that a second run only asks; KEEP=0 starts afresh.
set -euo pipefail
cd "$(dirname "$0")/../.."
source bench/server.sh

clones=${1:?which folder has the clones}
shift
work=${RAGNAV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ragnav-bench}/ask
[ "${KEEP:-1}" = 1 ] || rm -rf "$work"
mkdir -p "$work"

go build -o bin/ ./cmd/api-server ./cmd/ragnav
go build -o "$work/bench" ./bench/ask
names=$(awk 'NF == 5 { print $4 }' bench/ask/repositories.txt)
if [ ! -f "$work/questions.jsonl" ]; then
  sources=()
  for name in $names; do sources+=("$name=$(git -C "$clones/$name" rev-parse --absolute-git-dir)"); done
  "$work/bench" make -out "$work" "${sources[@]}"
fi
start_server "embedded:$work/data" "$work/data"
for name in $names; do
  bin/ragnav index --quiet --server "$server_url" --repo-id "$name" "$work/src/$name"
done
"$work/bench" run -set "$work" -server "$server_url" "$@"
