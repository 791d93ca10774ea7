#!/usr/bin/env bash
# fuzz.sh TIME runs every fuzz target of the project for TIME, one after another.
# Inputs are made smaller in 100 tries at most: go takes a minute for each one that is new
# otherwise, in which nothing else is tried, and may go on when TIME is over.
set -euo pipefail
go test -list '^Fuzz' ./... | awk '/^Fuzz/ {t[n++] = $1} /^ok/ {for (i = 0; i < n; i++) print $2, t[i]; n = 0}' |
  while read -r package target; do
    echo "$package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 100x "$package"
  done
