#!/usr/bin/env bash
# Measures what agents pay for answers: fetches the repositories of the
# questions at pinned versions, indexes them in a data directory of its own, asks
# by both policies, and prints the tables.
#
#   bench/tokens/run.sh [flags of bench/tokens: -v, -truth, -only ID]
#
# RAGNAV_BENCH_DIR (default: the user's cache directory) keeps the sources and
# the index, so that a second run only asks; KEEP=0 starts afresh.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=${RAGNAV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ragnav-bench}/tokens
[ "${KEEP:-1}" = 1 ] || rm -rf "$work"
src=$work/src
mkdir -p "$src"

# take NAME FOLDER makes a copy of a folder the repository of that name.
take() { cp -R "$2" "$src/$1.new" && chmod -R u+w "$src/$1.new" && mv "$src/$1.new" "$src/$1"; }

if [ ! -d "$src/go-git" ]; then
  take go-git "$(cd "$work" && GOFLAGS=-mod=mod go mod download -json github.com/go-git/go-git/v5@v5.16.2 | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')"
fi
if [ ! -d "$src/scrapy" ]; then
  python3 -m pip download --quiet --no-deps --no-binary scrapy --dest "$work" scrapy==2.13.3
  tar -xzf "$work/scrapy-2.13.3.tar.gz" -C "$work"
  take scrapy "$work/scrapy-2.13.3"
fi
if [ ! -d "$src/rxjs" ]; then
  (cd "$work" && npm pack --silent rxjs@7.8.2 >/dev/null && tar -xzf rxjs-7.8.2.tgz)
  take rxjs "$work/package/src"
fi
if [ ! -d "$src/hyper" ]; then
  mkdir -p "$work/crate/src"
  : >"$work/crate/src/lib.rs"
  printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nhyper = { version = "=1.7.0", default-features = false }\n' >"$work/crate/Cargo.toml"
  (cd "$work/crate" && cargo vendor --quiet vendor >/dev/null)
  take hyper "$work/crate/vendor/hyper"
fi
if [ ! -d "$src/commons-lang3" ]; then
  (cd "$work" && mvn -q -B dependency:copy -Dartifact=org.apache.commons:commons-lang3:3.18.0:jar:sources -DoutputDirectory=jar)
  mkdir -p "$work/commons-lang3"
  python3 -m zipfile -e "$work"/jar/commons-lang3-3.18.0-sources.jar "$work/commons-lang3"
  take commons-lang3 "$work/commons-lang3"
fi

go build -o bin/ ./cmd/ragnav
go build -o "$work/bench" ./bench/tokens
export RAGNAV_STORE=embedded:$work/data
roots=()
for repo in go-git scrapy rxjs hyper commons-lang3; do
  bin/ragnav index --quiet --repo-id "$repo" "$src/$repo"
  roots+=(-root "$repo=$src/$repo")
done
"$work/bench" -ragnav bin/ragnav "${roots[@]}" "$@"
