package inotify

import (
	"os"
	"slices"
	"sync"
)

// A Shared queue is one that several read, each with watches of its own: a user may
// have 128 queues on most systems. What is lost for one is lost for all. The zero value
// is ready for use; it is open while somebody reads it.
type Shared struct {
	mu      sync.Mutex
	queue   *Queue
	readers map[int][]*Reader // by watch
	open    int
}

// Open is a reader of the queue. Close it.
func (s *Shared) Open() (*Reader, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == 0 {
		queue, err := Open()
		if err != nil {
			return nil, err
		}
		s.queue, s.readers = queue, map[int][]*Reader{}
	}
	s.open++
	return &Reader{shared: s}, nil
}

// maxWaiting is how many events wait for one reader.
const maxWaiting = 4096

// A Reader has a part of a Shared queue, as if it was a Queue.
type Reader struct {
	shared *Shared

	// What follows is guarded by the lock of the queue.
	watches      []int
	waiting      []Event
	lost, closed bool
}

// Watch is Queue.Watch.
func (r *Reader) Watch(folder int) (int, error) {
	s := r.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.closed {
		return 0, os.ErrClosed
	}
	watch, err := s.queue.Watch(folder)
	if err == nil && !slices.Contains(s.readers[watch], r) {
		s.readers[watch] = append(s.readers[watch], r)
		r.watches = append(r.watches, watch)
	}
	return watch, err
}

// Drain is Queue.Drain.
func (r *Reader) Drain(tell func(Event)) error {
	s := r.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.closed {
		return os.ErrClosed
	}
	if err := s.queue.Drain(s.take); err != nil {
		for _, of := range s.readers {
			for _, other := range of {
				other.lost = true
			}
		}
		r.lost = true
	}
	if r.lost {
		return ErrLost
	}
	for _, e := range r.waiting {
		tell(e)
	}
	r.waiting = r.waiting[:0]
	return nil
}

// take hands an event on.
func (s *Shared) take(e Event) {
	for _, r := range s.readers[e.Watch] {
		if n := len(r.waiting); n > 0 && r.waiting[n-1] == e {
			continue
		}
		if r.waiting = append(r.waiting, e); len(r.waiting) > maxWaiting {
			r.lost, r.waiting = true, nil
		}
	}
}

// Close ends the watches that nobody else has.
func (r *Reader) Close() error {
	s := r.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	if s.open--; s.open == 0 {
		err := s.queue.Close()
		s.queue, s.readers = nil, nil
		return err
	}
	for _, w := range r.watches {
		left := slices.DeleteFunc(s.readers[w], func(other *Reader) bool { return other == r })
		if s.readers[w] = left; len(left) == 0 {
			delete(s.readers, w)
			s.queue.unwatch(w)
		}
	}
	return nil
}
