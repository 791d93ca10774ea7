# Sourced by the benchmarks: an api-server with a store and a port of its own.

# start_server STORE DIR sets server_pid and server_url; its log is in DIR.
# stop_server ends it.
start_server() {
  local store=$1 log=$2/server.log
  mkdir -p "$2"
  bin/api-server --addr 127.0.0.1:0 --store "$store" --log-level warn >"$log" 2>&1 &
  server_pid=$!
  trap stop_server EXIT
  for _ in $(seq 600); do
    server_url=$(sed -n 's|^ragnav is at \(http://[^ ]*\).*|\1|p' "$log")
    if [ -n "$server_url" ] && curl -fsS "$server_url/readyz" >/dev/null 2>&1; then return; fi
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.1
  done
  echo "api-server did not start:" >&2
  cat "$log" >&2
  return 1
}

stop_server() {
  trap - EXIT
  if kill "$server_pid" 2>/dev/null; then wait "$server_pid" 2>/dev/null || true; fi
  if [ -n "${node_pid:-}" ]; then kill "$node_pid" 2>/dev/null || true; fi
}

# start_node DIR starts the Couchbase node of the tests, prepares it for
# a store and sets node_pid and node_store. It keeps everything in memory.
start_node() {
  mkdir -p "$1"
  go build -o "$1/node" ./bench/node
  : >"$1/node.log"
  tail -f /dev/null --pid=$$ | "$1/node" >"$1/node.log" &
  node_pid=$!
  until grep -q couchbase: "$1/node.log"; do kill -0 "$node_pid"; sleep 0.1; done
  node_store=$(cat "$1/node.log")/ragnav.code
  export RAGNAV_COUCHBASE_USERNAME=Administrator RAGNAV_COUCHBASE_PASSWORD=password
  bin/ragnav setup couchbase --quiet --store "$node_store"
}
