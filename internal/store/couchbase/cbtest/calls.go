package cbtest

import "sync"

// maxCalls is how many calls are remembered.
const maxCalls = 10_000

// A Call is one request that reached the node.
type Call struct {
	// Service is "kv", "search", "query" or "mgmt".
	Service string
	// Op is the command name, "CMD_SET", or the HTTP method and path,
	// "POST /query/service".
	Op string
	// Body is the HTTP request body, or of a key-value command
	// "bucket.scope.collection/key", followed by " durability=LEVEL" when the
	// client asked for one (majority, majorityAndPersistToActive,
	// persistToMajority).
	Body string
}

// callLog is a ring of the last maxCalls calls.
type callLog struct {
	mu    sync.Mutex
	calls []Call
	next  int // where the next one goes, once calls is full
}

func (l *callLog) add(c Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.calls) < maxCalls {
		l.calls = append(l.calls, c)
		return
	}
	l.calls[l.next] = c
	l.next = (l.next + 1) % maxCalls
}

// Calls returns the last 10,000 requests, oldest first.
func (n *Node) Calls() []Call {
	l := &n.calls
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Call, 0, len(l.calls))
	out = append(out, l.calls[l.next:]...)
	return append(out, l.calls[:l.next]...)
}

// ResetCalls forgets all calls.
func (n *Node) ResetCalls() {
	n.calls.mu.Lock()
	defer n.calls.mu.Unlock()
	n.calls.calls, n.calls.next = nil, 0
}
