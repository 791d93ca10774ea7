package mcpapi

import (
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The revision from which on a request stands alone; older ones have sessions.
const stateless = "2026-07-28"

// sessionTimeout is for how long a session without requests is kept.
const sessionTimeout = 30 * time.Minute

// Handler serves a server over HTTP (streamable HTTP of all revisions). Host and
// Origin must have been checked before.
func Handler(s *mcp.Server) http.Handler {
	same := func(*http.Request) *mcp.Server { return s }
	alone := mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{
		Stateless: true, DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
	sessions := mcp.NewStreamableHTTPHandler(same,
		&mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout, DisableLocalhostProtection: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		re, r := rejecting(w, r)
		defer re.end()
		if r.Header.Get("Mcp-Protocol-Version") >= stateless {
			alone.ServeHTTP(re, r)
			return
		}
		sessions.ServeHTTP(re, r)
	})
}
