#!/bin/sh
# Brings up Couchbase and api-server with docker compose, and indexes a
# repository on them. Can be run again at any time, with another repository too.
#
#   deploy/up.sh [FOLDER-or-git-URL]     # default: the current folder
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
repo=${1:-.}

fail() {
  echo "couchbase-up: $*" >&2
  exit 1
}

if [ -d "$repo" ]; then
  SOURCE_DIR=$(CDPATH='' cd -- "$repo" && pwd -P)
  SOURCE_NAME=$(basename -- "$SOURCE_DIR" | tr -c 'A-Za-z0-9._\n-' '-')
  export SOURCE_DIR SOURCE_NAME
  target=/src/$SOURCE_NAME
else
  case $repo in
  *://* | *@*:*) target=$repo ;;
  *) fail "$repo is neither a folder nor a git URL; say: make couchbase-up REPO=…" ;;
  esac
fi

elsewhere="or use a cluster that you have: docs/couchbase.md"
command -v docker >/dev/null 2>&1 || fail "NOTHING WAS STARTED: docker is not installed (https://docs.docker.com/get-docker/); $elsewhere"
docker compose version >/dev/null 2>&1 || fail "NOTHING WAS STARTED: docker has no compose plugin (https://docs.docker.com/compose/install/); $elsewhere"
docker info >/dev/null 2>&1 || fail "NOTHING WAS STARTED: the docker daemon does not answer; start it, $elsewhere"

compose() { docker compose -f "$here/docker-compose.yml" "$@"; }
api() { compose exec -T api-server ragnav --server http://127.0.0.1:8080 "$@"; }

VERSION=$(git -C "$here" describe --tags --always --dirty 2>/dev/null || true)
export VERSION
compose up --detach --build || fail "it did not come up; see: docker compose -f deploy/docker-compose.yml logs"

waited=0
until compose exec -T api-server wget -q -O /dev/null http://127.0.0.1:8080/readyz 2>/dev/null; do
  if [ "$waited" -ge "${PATIENCE:-120}" ]; then
    api doctor || true
    fail "api-server is not ready; see the checks above, and: docker compose -f deploy/docker-compose.yml logs api-server"
  fi
  sleep 2
  waited=$((waited + 2))
done

api index "$target"
echo "ragnav is at http://$(compose port api-server 8080), Couchbase's console at http://$(compose port couchbase 8091)"
