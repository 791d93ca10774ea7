#!/bin/sh
# What Intelephense, a language server, says of names in the PHP of a folder, for ../java/compare.py:
#
#   bench/graph/php/gold.sh DIR [NAMES [SEED [variables]]] > GOLD.tsv      so many names, taken at random: 1500, 1
#   go run ./bench/graph/dump DIR .php > DUMP.json
#   python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]
#
# It needs php with mbstring, which finds the names, and npm. The server is free to use and not part of this project.
# It infers types as far as it can, and is no compiler: where it says nothing, or "declaration is no symbol", read.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=${RAGNAV_BENCH_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/ragnav-intelephense}
server=$tools/node_modules/intelephense/lib/intelephense.js
if [ ! -e "$server" ]; then
  npm install --silent --no-save --prefix "$tools" intelephense@1.18.5 >&2
fi
exec node "$here/gold.js" "$server" "$@"
