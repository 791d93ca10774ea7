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
# changelogs, and 20 more repositories. DOCUMENTED=1 asks by sentences of documentation
# that is kept, which has questions and an index of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${RAGNAV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ragnav-bench}/quality
set=$work/set data=$work/data
[ -z "${DOCUMENTED:-}" ] || set=$work/set-documented data=$work/data-documented ASK=
[ "${KEEP:-1}" = 1 ] || rm -rf "$set" "$data"
mkdir -p "$work"

bench/quality/fetch.sh "$work/fetched"
go build -o bin/ ./cmd/ragnav
go build -o "$work/bench" ./bench/quality
if [ ! -f "$set/questions.jsonl" ]; then
  "$work/bench" make -out "$set" -fetched "$work/fetched" ${ASK:+-ask "$ASK"} ${DOCUMENTED:+-documented}
fi
for dir in "$set"/src/*/; do
  bin/ragnav index --quiet --store "embedded:$data" --repo-id "$(basename "$dir")" "$dir"
done
"$work/bench" run -set "$set" -data "$data" "$@"
