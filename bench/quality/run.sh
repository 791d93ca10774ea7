#!/usr/bin/env bash
# Measures the order of search results: fetches the packages of repositories.txt,
# makes the questions, indexes in a data directory of its own, asks, and prints the
# tables.
#
#   bench/quality/run.sh [flags of `bench/quality run`: -half dev, -v, -only exact …]
#
# RAGNAV_BENCH_DIR (default: the user's cache directory) keeps what was fetched and
# the index, so that a second run only asks; KEEP=0 makes questions and index anew.
# ASK=DIR takes in what `bench/ask make` wrote there: questions by commits and
# changelogs, and 20 more repositories.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${RAGNAV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ragnav-bench}/quality
[ "${KEEP:-1}" = 1 ] || rm -rf "$work/set" "$work/data"
mkdir -p "$work"

bench/quality/fetch.sh "$work/fetched"
go build -o bin/ ./cmd/ragnav
go build -o "$work/bench" ./bench/quality
if [ ! -f "$work/set/questions.jsonl" ]; then
  "$work/bench" make -out "$work/set" -fetched "$work/fetched" ${ASK:+-ask "$ASK"}
fi
for dir in "$work"/set/src/*/; do
  bin/ragnav index --quiet --store "embedded:$work/data" --repo-id "$(basename "$dir")" "$dir"
done
"$work/bench" run -set "$work/set" -data "$work/data" "$@"
