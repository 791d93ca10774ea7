#!/usr/bin/env bash
# Measures the live scan against ripgrep, and trigram look-ups, on a tree of source code.
#
#   bench/scan/run.sh [FOLDER] [more flags of bench/scan]
#
# Without a folder it makes one of more than 1 GB, a git work tree, from the Go module cache, the Go
# sources, Python's library and C headers of this machine, in a temporary folder that it removes.
set -euo pipefail
cd "$(dirname "$0")/../.."
tree="${1:-}"
shift || true
if [ -z "$tree" ]; then
	tree="$(mktemp -d)"
	trap 'rm -rf "$tree"' EXIT
	cp -r "$(go env GOROOT)/src" "$tree/goroot"
	for folder in "$(go env GOMODCACHE)"/*/ /usr/lib/python3* /usr/include; do
		case "$folder" in */cache/) continue ;; esac
		cp -r "$folder" "$tree/" 2>/dev/null || true
	done
	chmod -R u+w "$tree"
	git -C "$tree" init -q
	git -C "$tree" -c core.compression=0 add -A
fi
CGO_ENABLED=0 go build -o bin/scan-bench ./bench/scan
bin/scan-bench -tree "$tree" "$@"
