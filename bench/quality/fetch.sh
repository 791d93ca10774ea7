#!/usr/bin/env bash
# Fetches the packages of repositories.txt with the package managers' own clients.
#
#   bench/quality/fetch.sh DIR     makes DIR/PACKAGE of each, without what is there already
#
# It needs go, pip, npm, mvn, cargo and, for the packages of Debian, apt-get. What
# can't be had is told and left out: the figures are then of fewer repositories.
set -uo pipefail
list=$(cd "$(dirname "$0")" && pwd)/repositories.txt
mkdir -p "$1" && cd "$1" || exit 1
tmp=$(mktemp -d) && trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT

from_go() { cp -r "$(cd "$tmp" && GOFLAGS=-mod=mod go mod download -json "$1@$2" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')" "$tmp/out"; }
from_pip() { python3 -m pip download --quiet --no-deps --only-binary :all: -d "$tmp/get" "$1==$2" && unpack zip; }
from_npm() { mkdir "$tmp/get" && (cd "$tmp/get" && npm pack --silent "$1@$2" >/dev/null) && unpack tar; }
from_mvn() {
  local group=${1%:*} name=${1#*:}
  mvn -q -B dependency:get -Dtransitive=false "-Dartifact=$1:$2:jar:sources" >/dev/null &&
    mkdir "$tmp/get" && cp "$HOME/.m2/repository/${group//.//}/$name/$2/$name-$2-sources.jar" "$tmp/get/" && unpack zip
}
from_cargo() {
  mkdir -p "$tmp/get/src" && touch "$tmp/get/src/lib.rs" &&
    printf '[package]\nname = "get"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' "$1" "$2" >"$tmp/get/Cargo.toml" &&
    (cd "$tmp/get" && cargo vendor --quiet --versioned-dirs out >/dev/null) && mv "$tmp/get/out/$1-$2"* "$tmp/out"
}
from_apt() { mkdir "$tmp/get" && (cd "$tmp/get" && apt-get download -qq "$1=$2" >/dev/null 2>&1) && mkdir "$tmp/out" && dpkg-deb -x "$tmp"/get/*.deb "$tmp/out"; }
unpack() {
  mkdir "$tmp/out"
  case $1 in
    zip) python3 -m zipfile -e "$tmp"/get/* "$tmp/out" ;;
    tar) tar -xzf "$tmp"/get/* -C "$tmp/out" --strip-components=1 ;;
  esac
}

while read -r half _ client package folder; do
  [[ $half == \#* ]] && continue
  name=${package%@*} version=${package##*@}
  to=$(basename "${name//:/\/}")
  [[ $name == *github.com* ]] && to=$(basename "${name%/v[0-9]}")
  [ -d "$to" ] && continue
  if "from_$client" "$name" "$version" </dev/null && [ -d "$tmp/out/$folder" ]; then
    cp -rL "$tmp/out/${folder:-.}" "$to" 2>/dev/null && chmod -R u+w "$to"
  else
    echo "$package can't be had from $client; it is left out" >&2
  fi
  chmod -R u+w "$tmp" && rm -rf "$tmp/out" "$tmp/get"
done <"$list"
