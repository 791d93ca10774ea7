package openai

import (
	"sync"
	"time"
)

// A pace is how many tokens go into one request. It begins with few, doubles while
// the server is quick and halves while it is slow: a small model on a processor
// reads 300 tokens a second, one on a card 100,000, and a request that takes too
// long is lost.
type pace struct {
	mu          sync.Mutex
	limit, most int
	target      time.Duration // that a request should take, at most
}

const firstTokens = 2048

func newPace(most int, timeout time.Duration) *pace {
	return &pace{limit: min(firstTokens, most), most: most, target: timeout / 8}
}

func (p *pace) tokens() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.limit
}

// took takes note of how long a request of that many tokens was under way.
func (p *pace) took(d time.Duration, tokens int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case d > p.target:
		p.limit = max(1, min(p.limit, tokens)/2)
	case d < p.target/4 && tokens > p.limit/2:
		p.limit = min(p.most, 2*p.limit)
	}
}
