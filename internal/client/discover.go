package client

import (
	"context"
	"time"
)

// answerLimit is how long a server that announced itself may take to answer.
const answerLimit = 2 * time.Second

// Discover returns a client of the ragnav server at addr, host:port as it was
// announced, or nil when none answers there: it is gone, does not listen yet,
// or something else has taken the address.
func Discover(ctx context.Context, addr string, o Options) *Client {
	if addr == "" {
		return nil
	}
	probe, err := New(addr, Options{HTTP: o.HTTP})
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	if _, err := probe.Version(ctx); err != nil {
		return nil
	}
	c, err := New(addr, o)
	if err != nil {
		return nil
	}
	return c
}
