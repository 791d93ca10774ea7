package openai

import "time"

// HurryUp makes pauses between attempts short.
func (c *Client) HurryUp() { c.server.FirstWait = time.Millisecond }
