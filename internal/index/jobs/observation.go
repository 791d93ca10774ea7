package jobs

import "time"

// An observation is what this process has seen of another holder.
type observation struct {
	pulse pulse
	since time.Time // when this pulse was first seen
	last  time.Time // when it was last looked at
	moved bool      // it was seen to change
}

// A life is what is known of a job's holder.
type life int

const (
	unclear life = iota // not watched for long enough
	alive
	dead
)

// observe takes note of a job's pulse. It returns what that tells of its holder,
// and for how long nothing was heard of it.
func (b *Board) observe(rec Record) (life, time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	s, known := b.seen[rec.Job.ID]
	switch {
	case !known:
		s = observation{pulse: rec.pulse, since: now}
	case s.pulse != rec.pulse:
		s = observation{pulse: rec.pulse, since: now, moved: true}
	case now.Sub(s.last) > b.TTL/2:
		s.since = now // nobody looked meanwhile: the holder may have been away as this process was
	}
	s.last = now
	b.seen[rec.Job.ID] = s
	quiet := now.Sub(s.since)
	switch {
	case rec.Holder == "" || quiet >= b.TTL:
		return dead, quiet
	case s.moved:
		return alive, quiet
	}
	return unclear, quiet
}

// overlook forgets the observations of jobs that are not among those.
func (b *Board) overlook(watched map[string]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.seen {
		if !watched[id] {
			delete(b.seen, id)
		}
	}
}
