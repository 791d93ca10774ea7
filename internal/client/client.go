// Package client talks to an api-server: it does the operations of package op
// over HTTP.
package client

import (
	"net/http"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

// Options adjust a Client. The zero value is usable.
type Options struct {
	// HTTP does the requests. The default has no limit but the context's.
	HTTP  *http.Client
	Token string // to send, "" for none
	// OnReply sees the body of every enveloped reply, errors included, exactly
	// as the server wrote it.
	OnReply func(body []byte)
}

// A Client is a connection to one server. Its methods may be called
// concurrently if Options.OnReply may. They return *fault.Error: what the
// server's envelope says, RAG_UNAVAILABLE when no server answers at the
// address, or a context error.
type Client struct {
	base    string
	http    *http.Client
	token   string
	onReply func([]byte)
}

// New returns a client of the server at base: "http://127.0.0.1:8080" or, for
// short, "127.0.0.1:8080". It sends nothing.
func New(base string, o Options) (*Client, error) {
	base, err := normalise(base)
	if err != nil {
		return nil, err
	}
	c := &Client{base: base, http: o.HTTP, token: o.Token, onReply: o.OnReply}
	if c.http == nil {
		c.http = &http.Client{}
	}
	if c.onReply == nil {
		c.onReply = func([]byte) {}
	}
	return c, nil
}

// URL is the server's address, without a slash at the end.
func (c *Client) URL() string { return c.base }

func normalise(base string) (string, error) {
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	req, err := http.NewRequest(http.MethodGet, base, http.NoBody) //nolint:noctx // never sent: it checks the URL
	if err != nil || req.URL.Host == "" || (req.URL.Scheme != "http" && req.URL.Scheme != "https") {
		return "", fault.New(fault.InvalidRequest, "%q is not the URL of a server; write it as http://127.0.0.1:8080", base)
	}
	return strings.TrimRight(base, "/"), nil
}
