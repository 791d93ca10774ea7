package httpapi

import (
	"net"
	"net/http"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/fault"
)

// secure sets the headers that keep a browser from doing anything with a reply
// but read it. The page replaces the policy with one of its own.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
}

// knownHost refuses requests under a name that is not the server's: a web page
// could otherwise point a name of its own at this machine and read the replies
// (DNS rebinding). An IP address can't be pointed elsewhere.
func knownHost(log *zap.Logger, hosts []string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !hostAllowed(hosts, r.Host) {
				writeError(w, r, log, fault.New(fault.Forbidden,
					"this server does not answer for the host %.100q; call it by its address, or start it with --allowed-hosts",
					r.Host))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func hostAllowed(hosts []string, host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	switch {
	case host == "": // HTTP/1.0; no browser does that
		return true
	case net.ParseIP(strings.Trim(name, "[]")) != nil:
		return true
	case name == "localhost", strings.HasSuffix(name, ".localhost"):
		return true
	}
	return slices.Contains(hosts, name) || slices.Contains(hosts, "*")
}

// sameOrigin refuses what another web site's page makes a browser send (CSRF).
func sameOrigin(log *zap.Logger) func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeError(w, r, log, fault.New(fault.Forbidden,
			"requests from pages of other sites are refused; use this server's own page, or a program"))
	}))
	return protection.Handler
}
