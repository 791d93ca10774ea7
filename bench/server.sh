# Sourced by the benchmarks: an api-server on a data directory and a port of its own.

# start_server DATA-DIR sets server_pid and server_url; stop_server ends it.
start_server() {
  local data=$1 log=$1/server.log
  mkdir -p "$data"
  bin/api-server --addr 127.0.0.1:0 --store "embedded:$data" --log-level warn >"$log" 2>&1 &
  server_pid=$!
  trap stop_server EXIT
  for _ in $(seq 600); do
    server_url=http://$(sed -n 's/.*"address": *"\([^"]*\)".*/\1/p' "$data/owner.json" 2>/dev/null || true)
    if [ "$server_url" != http:// ] && curl -fsS "$server_url/readyz" >/dev/null 2>&1; then return; fi
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
}
