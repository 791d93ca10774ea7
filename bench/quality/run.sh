#!/usr/bin/env bash
# Measures retrieval quality: fetches the repositories of the judged set,
# indexes them in a data directory of its own, asks, and prints the tables.
#
#   bench/quality/run.sh [flags of bench/quality: -split dev, -v, -only ragnav-hybrid …]
#
# RAGNAV_BENCH_DIR (default: the user's cache directory) keeps the sources and
# the index, so that a second run only indexes what changed; KEEP=0 starts afresh.
# SCORING=bleve has the store on the tests' Couchbase node, which scores words as
# a real server does; SCORING=reference there, as the embedded store does.
set -euo pipefail
cd "$(dirname "$0")/../.."
source bench/server.sh

work=${RAGNAV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ragnav-bench}
[ "${KEEP:-1}" = 1 ] || rm -rf "$work/data"
mkdir -p "$work"

# module PATH@VERSION prints the folder of a Go module, downloaded when needed.
# Started outside of any module, so that this project's go.mod has no say.
module() { (cd "$work" && GOFLAGS=-mod=mod go mod download -json "$1") | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }

std=$(go env GOROOT)/src
gogit=$(module github.com/go-git/go-git/v5@v5.16.2)
cobra=$(module github.com/spf13/cobra@v1.10.2)
tornado=$work/tornado-6.5.2
if [ ! -d "$tornado" ]; then
  python3 -m pip download --quiet --no-deps --no-binary tornado --dest "$work" tornado==6.5.2
  tar -xzf "$tornado.tar.gz" -C "$work"
fi
roots=(-root "std=$std" -root "go-git=$gogit" -root "tornado=$tornado" -root "cobra=$cobra")

go build -o bin/ ./cmd/api-server ./cmd/ragnav
go run ./bench/quality -check "${roots[@]}"
store=embedded:$work/data
if [ -n "${SCORING:-}" ]; then
  start_node "$work/node" "$SCORING"
  store=$node_store
fi
start_server "$store" "$work/data"
for repo in "std=$std" "go-git=$gogit" "tornado=$tornado" "cobra=$cobra"; do
  bin/ragnav index --quiet --server "$server_url" --repo-id "${repo%%=*}" "${repo#*=}"
done
go run ./bench/quality -server "$server_url" "${roots[@]}" "$@"
