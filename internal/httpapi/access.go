package httpapi

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/fault"
)

// Access is how requests show who they are from.
type Access struct {
	Token    string // that all must send; "" for none
	OwnToken string // that the person who runs the server may send instead
	Open     bool   // without a token, everybody may do what a remote caller may
}

// open are the routes that tell nothing of what is indexed.
var open = map[string]bool{"/healthz": true, "/readyz": true, "/version": true, "/openapi.yaml": true}

// identified gives requests their level, or refuses them.
func identified(log *zap.Logger, a Access) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			level, err := a.level(r)
			if err != nil && !open[r.URL.Path] {
				// A browser asks for a password then: that is the token.
				w.Header()["Www-Authenticate"] = []string{`Bearer realm="ragnav"`, `Basic realm="ragnav", charset="UTF-8"`}
				writeError(w, r, log, err)
				return
			}
			next.ServeHTTP(w, r.WithContext(access.With(r.Context(), level)))
		})
	}
}

// level is what a request may do. Chat programs send some key also to servers that
// want none: those take it for none.
func (a Access) level(r *http.Request) (access.Level, error) {
	token := sentToken(r)
	switch {
	case access.Same(token, a.OwnToken):
		return access.Owner, nil
	case access.Same(token, a.Token):
		return access.Remote, nil
	case token != "" && a.Token != "":
		return access.Reader, fault.New(fault.Unauthenticated,
			"the token, or API key, is not the one of this server: set RAGNAV_API_TOKEN to what the server was started "+
				"with, or send that")
	case token != "" && !strings.HasPrefix(r.URL.Path, chatPaths):
		return access.Reader, fault.New(fault.Unauthenticated,
			"the token, or API key, is not the one of this server: send what is in the file api-token of its data "+
				"directory")
	case a.Token != "":
		return access.Reader, fault.New(fault.Unauthenticated,
			"this server wants a token: send \"Authorization: Bearer TOKEN\", or set RAGNAV_API_TOKEN for ragnav")
	case a.Open:
		return access.Remote, nil
	}
	uid, known := peerOf(r.Context())
	switch {
	case !known:
		return access.Reader, nil
	case uid == os.Getuid() || uid == 0:
		return access.Owner, nil
	}
	return access.Reader, fault.New(fault.Unauthenticated,
		"this server is another user's of this machine; start one of your own, or ask for one with RAGNAV_API_TOKEN")
}

// sentToken is the token of a request: that of a program, or the password that
// a browser asked for.
func sentToken(r *http.Request) string {
	if _, password, ok := r.BasicAuth(); ok {
		return password
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

type peerKey struct{}

// withPeer remembers who is at the other end of a connection, asked once when
// it matters.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, sync.OnceValues(func() (int, bool) { return access.PeerUID(c) }))
}

func peerOf(ctx context.Context) (uid int, known bool) {
	if ask, ok := ctx.Value(peerKey{}).(func() (int, bool)); ok {
		return ask()
	}
	return 0, false
}
