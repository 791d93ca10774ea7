package cbtest

import (
	"context"
	"sync"
	"time"
)

// lagStep is how often the lag is asked for again while a mutation waits.
const lagStep = 2 * time.Millisecond

// A feed is a mutation on its way to the search index; without json it deletes.
type feed struct {
	bucket          *bucket
	collection, key string // collection is "scope.collection"
	json            []byte
	vbucket         int
	seqno           uint64
	at              time.Time
}

// The feeder hands mutations to the search engines, in order, and knows how far
// it has got. Without a lag it does so while the writer waits.
type feeder struct {
	lag  func() time.Duration
	stop chan struct{}
	done chan struct{}

	mu       sync.Mutex
	queue    []feed
	added    chan struct{} // holds one value while the queue may have entries
	progress chan struct{} // closed and replaced when something was fed
}

func startFeeder(lag func() time.Duration) *feeder {
	f := &feeder{
		lag: lag, stop: make(chan struct{}), done: make(chan struct{}),
		added: make(chan struct{}, 1), progress: make(chan struct{}),
	}
	if lag == nil {
		close(f.done)
	} else {
		go f.run()
	}
	return f
}

func (f *feeder) close() {
	close(f.stop)
	<-f.done
}

func (f *feeder) add(m feed) {
	if f.lag == nil {
		f.apply(m)
		return
	}
	m.at = time.Now()
	f.mu.Lock()
	f.queue = append(f.queue, m)
	f.mu.Unlock()
	select {
	case f.added <- struct{}{}:
	default:
	}
}

func (f *feeder) apply(m feed) {
	if m.json != nil {
		m.bucket.search.put(m.collection, m.key, m.json)
	} else {
		m.bucket.search.delete(m.collection, m.key)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	m.bucket.fed[m.vbucket] = m.seqno
	close(f.progress)
	f.progress = make(chan struct{})
}

func (f *feeder) run() {
	defer close(f.done)
	for {
		m, ok := f.head()
		if !ok {
			select {
			case <-f.added:
				continue
			case <-f.stop:
				return
			}
		}
		if !f.await(m) {
			return
		}
		f.apply(m)
	}
}

func (f *feeder) head() (feed, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 {
		return feed{}, false
	}
	m := f.queue[0]
	f.queue[0] = feed{}
	f.queue = f.queue[1:]
	return m, true
}

// await returns when m is as old as the lag, or false when the feeder stops.
func (f *feeder) await(m feed) bool {
	for {
		left := f.lag() - time.Since(m.at)
		if left <= 0 {
			return true
		}
		t := time.NewTimer(min(left, lagStep))
		select {
		case <-t.C:
		case <-f.stop:
			t.Stop()
			return false
		}
	}
}

// reach waits until the index of b has every vBucket at its sequence number, or
// returns a vBucket that it waited for in vain and false when ctx ends.
func (f *feeder) reach(ctx context.Context, b *bucket, want map[int]uint64) (int, bool) {
	for {
		vb, reached, progress := f.behind(b, want)
		if reached {
			return 0, true
		}
		select {
		case <-progress:
		case <-ctx.Done():
			return vb, false
		}
	}
}

func (f *feeder) behind(b *bucket, want map[int]uint64) (vb int, reached bool, progress <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for vb, seqno := range want {
		if b.fed[vb] < seqno {
			return vb, false, f.progress
		}
	}
	return 0, true, f.progress
}
