#!/bin/sh
# Runs test/ollama with the Ollama that RAGNAV_TEST_OLLAMA names, or the one in the path.
set -eu
RAGNAV_TEST_OLLAMA=${RAGNAV_TEST_OLLAMA:-$(command -v ollama || true)}
if [ -z "$RAGNAV_TEST_OLLAMA" ]; then
	echo "SKIPPED: no Ollama; build github.com/ollama/ollama (CONTRIBUTING.md says how) and name the program by RAGNAV_TEST_OLLAMA"
	exit 0
fi
make build
RAGNAV_TEST_BIN=$(pwd)/bin
export RAGNAV_TEST_OLLAMA RAGNAV_TEST_BIN
exec go test -count=1 ./test/ollama
