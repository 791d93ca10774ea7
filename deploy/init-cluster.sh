#!/bin/sh
# Makes a fresh Couchbase node a cluster of one, or gives one that was made
# before the memory quotas of today, and waits until its services answer. Runs in
# the Couchbase image. COUCHBASE_HOST, COUCHBASE_USERNAME, COUCHBASE_PASSWORD and
# DATA_MB, INDEX_MB, SEARCH_MB (MiB) say what and how.
set -eu
# The most seconds that services may take to come up.
patience=${PATIENCE:-180}

quotas="--cluster-ramsize $DATA_MB --cluster-index-ramsize $INDEX_MB --cluster-fts-ramsize $SEARCH_MB"

# shellcheck disable=SC2086 # quotas is several words
if out=$(couchbase-cli cluster-init -c "$COUCHBASE_HOST" --cluster-name ragnav \
  --cluster-username "$COUCHBASE_USERNAME" --cluster-password "$COUCHBASE_PASSWORD" \
  --services data,index,query,fts --update-notifications 0 $quotas 2>&1); then
  echo "the cluster is made"
else
  case $out in
  *"already initialized"*) ;;
  *)
    printf 'the cluster could not be made: %s\n' "$out" >&2
    exit 1
    ;;
  esac
  out=$(couchbase-cli setting-cluster -c "$COUCHBASE_HOST" -u "$COUCHBASE_USERNAME" -p "$COUCHBASE_PASSWORD" $quotas 2>&1) || {
    printf 'the cluster is there, but does not take the settings: %s\n' "$out" >&2
    echo "If it was made with another password, put that into deploy/.env; to start anew: docker compose -f deploy/docker-compose.yml down --volumes" >&2
    exit 1
  }
  echo "the cluster is there"
fi

# answers PORT PATH reports whether a service does.
answers() {
  curl -fsS -o /dev/null --max-time 5 -u "$COUCHBASE_USERNAME:$COUCHBASE_PASSWORD" "http://$COUCHBASE_HOST:$1$2" 2>/dev/null
}

waited=0
until answers 8093 /admin/ping && answers 8094 /api/ping; do
  if [ "$waited" -ge "$patience" ]; then
    echo "the Query and Search services did not answer within $patience seconds; see: docker compose -f deploy/docker-compose.yml logs couchbase" >&2
    exit 1
  fi
  sleep 2
  waited=$((waited + 2))
done
echo "Query and Search answer"
