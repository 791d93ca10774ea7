package scan

import "sync"

// A queue hands out parts of the list of files in order, and knows when the
// first of them have enough matches. What it decides depends on the parts that
// are complete from the first one on, never on who was faster.
type queue struct {
	limit int // 0 is none
	parts []part

	mu       sync.Mutex
	next     int // to be taken
	complete int // all parts before it are
	matches  int // in these
	last     int // the part with which there are enough, -1 before that is known
}

// A part is a few files that follow each other, and what was found in them.
type part struct {
	paths   []string
	over    bool
	matches []Match
	files   int
	bytes   int64
	skipped Skipped
}

// Parts are small at first, so that a search that finds enough at once reads
// little, and large enough later that files of one folder stay together.
const (
	firstPart = 8
	mostPart  = 128
)

func newQueue(paths []string, limit int) *queue {
	q := &queue{limit: limit, last: -1}
	for size := firstPart; len(paths) > 0; size = min(2*size, mostPart) {
		n := min(size, len(paths))
		q.parts = append(q.parts, part{paths: paths[:n]})
		paths = paths[n:]
	}
	return q
}

// take is the next part to search.
func (q *queue) take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last >= 0 || q.next == len(q.parts) {
		return 0, false
	}
	q.next++
	return q.next - 1, true
}

// full reports whether a part has more matches than can be returned.
func (q *queue) full(p *part) bool { return q.limit > 0 && len(p.matches) > q.limit }

// past reports whether the part comes after those that have enough.
func (q *queue) past(i int) bool {
	if q.limit == 0 {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.last >= 0 && i > q.last
}

// done is called when a part was searched.
func (q *queue) done(i int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.parts[i].over = true
	for q.last < 0 && q.complete < len(q.parts) && q.parts[q.complete].over {
		q.matches += len(q.parts[q.complete].matches)
		if q.limit > 0 && q.matches > q.limit {
			q.last = q.complete
		}
		q.complete++
	}
}

// result joins the parts up to the last that counts.
func (q *queue) result() Result {
	r := Result{Matches: make([]Match, 0, q.matches)}
	for i := range q.parts[:q.complete] {
		p := &q.parts[i]
		r.Matches = append(r.Matches, p.matches...)
		r.Files += p.files
		r.Bytes += p.bytes
		r.Skipped.Add(p.skipped)
	}
	if q.last >= 0 {
		r.Matches, r.Truncated = r.Matches[:q.limit], true
		return r
	}
	for i := range q.parts[q.complete:] {
		r.Left += len(q.parts[q.complete+i].paths)
	}
	return r
}

// Add counts more.
func (s *Skipped) Add(more Skipped) {
	s.Binary += more.Binary
	s.TooLarge += more.TooLarge
	s.Gone += more.Gone
	s.Submodules += more.Submodules
	s.Unreadable += more.Unreadable
	s.Secret += more.Secret
	s.Sparse += more.Sparse
}
