package cbtest

// revEpoch changes only when a cluster loses its history.
const revEpoch = 1

// clusterConfig is the configuration that clients poll; b may be nil.
func (n *Node) clusterConfig(b *bucket, rev int64) map[string]any {
	c := map[string]any{
		"rev": rev, "revEpoch": revEpoch,
		"nodesExt":               n.nodes(),
		"clusterCapabilitiesVer": []int{1, 0},
		"clusterCapabilities":    n.capabilities(),
	}
	if b != nil {
		n.addBucketConfig(c, b)
	}
	return c
}

func (n *Node) nodes() []any {
	return []any{map[string]any{
		"thisNode": true, "hostname": host, "nodeUUID": "cbtest",
		"services": map[string]int{"kv": n.kv, "mgmt": n.http, "n1ql": n.http, "fts": n.http},
	}}
}

// capabilities tell gocb what it may use: without them it refuses scoped
// indexes and vector queries before it sends anything.
func (n *Node) capabilities() map[string][]string {
	search := []string{}
	if n.version.vectorSearch() {
		search = append(search, "vectorSearch")
	}
	if n.version.scopedSearch() {
		search = append(search, "scopedSearchIndex")
	}
	return map[string][]string{"n1ql": {"enhancedPreparedStatements"}, "search": search}
}

func (n *Node) addBucketConfig(c map[string]any, b *bucket) {
	owners := make([][]int, vbuckets) // all on node 0
	for i := range owners {
		owners[i] = []int{0}
	}
	c["name"], c["uuid"], c["nodeLocator"] = b.name, b.uuid, "vbucket"
	c["nodes"] = []any{map[string]any{"hostname": hostPort(n.http), "ports": map[string]int{"direct": n.kv}}}
	c["vBucketServerMap"] = map[string]any{
		"hashAlgorithm": "CRC", "numReplicas": 0, "serverList": []string{hostPort(n.kv)}, "vBucketMap": owners,
	}
	c["bucketCapabilitiesVer"] = ""
	c["bucketCapabilities"] = []string{
		"collections", "durableWrite", "preserveExpiry", "xattr", "cccp", "nodesExt",
		"cbhello", "touch", "couchapi",
	}
}
