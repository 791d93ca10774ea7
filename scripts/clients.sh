#!/bin/sh
# Tries MCP clients that are not ours on bin/ragnav and bin/api-server. Without
# Node, says so in one line; where CI=true that is a failure.
set -e
cd "$(dirname "$0")/../test/clients"
if ! command -v npm >/dev/null 2>&1; then
  echo "SKIPPED: npm is not installed; get it with: apt-get install npm, or https://nodejs.org" >&2
  [ "${CI:-}" != true ]
  exit
fi
if [ ! -e node_modules/installed ] || [ package.json -nt node_modules/installed ]; then
  ../../scripts/twice.sh npm install --no-package-lock --no-audit --no-fund --loglevel=error </dev/null
  touch node_modules/installed
fi
exec node --test --test-reporter=spec
