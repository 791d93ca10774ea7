package scan

import (
	"math"
	"slices"
	"sync"
)

// A queue hands out parts of the lists of files in order, and knows when the
// first of them have enough matches. What it decides depends on the parts that
// are complete from the first one on, never on who was faster.
type queue struct {
	limit int // 0 is none
	parts []part

	mu       sync.Mutex
	next     int // to be taken
	complete int // all parts before it are
	lines    int // that match in these
	last     int // the part with which there are enough, -1 before that is known
	failed   []error
}

// A part is a few files of a source that follow each other, and what was found in them.
type part struct {
	source int
	paths  []string
	extra  bool // of no use once there are enough matches before it
	over   bool

	matches []Match // the first of them
	counts  []Count
	lines   int
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

// newQueue makes parts of sources. Lines of counted files, which the sources share,
// are of use when there are enough matches; fewer of each source if it has more.
func newQueue(sources []Source, limit, counted int) *queue {
	q := &queue{limit: limit, last: -1, failed: make([]error, len(sources))}
	size := firstPart
	cut := func(source int, paths []string, extra bool) {
		for len(paths) > 0 {
			n := min(size, len(paths))
			q.parts = append(q.parts, part{source: source, paths: paths[:n], extra: extra})
			paths = paths[n:]
			size = min(2*size, mostPart)
		}
	}
	most := share(sources, counted)
	for i, s := range sources {
		n := min(most, len(s.Paths))
		cut(i, s.Paths[:n], false)
		cut(i, s.Paths[n:], true)
	}
	return q
}

// share is how many files of each source are as many together as counted at most,
// where those that have fewer leave the rest to others.
func share(sources []Source, counted int) int {
	sizes := make([]int, len(sources))
	for i, s := range sources {
		sizes[i] = len(s.Paths)
	}
	slices.Sort(sizes)
	for i, n := range sizes {
		if left := len(sizes) - i; n > counted/left {
			return counted / left
		}
		counted -= n
	}
	return math.MaxInt
}

// take is the next part to search.
func (q *queue) take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.next < len(q.parts) {
		q.next++
		if i := q.next - 1; q.last < 0 || !q.parts[i].extra {
			return i, true
		}
	}
	return 0, false
}

// room is how many more matches may be returned, at most.
func (q *queue) room() int {
	if q.limit == 0 {
		return math.MaxInt
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(0, q.limit-q.lines)
}

// past reports whether a part is of no use any more.
func (q *queue) past(i int) bool {
	if q.limit == 0 || !q.parts[i].extra {
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
		q.lines += q.parts[q.complete].lines
		if q.limit > 0 && q.lines > q.limit {
			q.last = q.complete
		}
		q.complete++
	}
}

// fail takes note of a source that can't be read.
func (q *queue) fail(source int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failed[source] == nil {
		q.failed[source] = err
	}
}

// results joins the parts that count: those up to the last and, behind it, those in
// which lines are counted.
func (q *queue) results() []Result {
	all := make([]Result, len(q.failed))
	for i, err := range q.failed {
		all[i].Err = err
	}
	room := q.limit
	if room == 0 {
		room = math.MaxInt
	}
	for i := range q.parts {
		p := &q.parts[i]
		r := &all[p.source]
		switch {
		case q.last >= 0 && i > q.last && p.extra:
			r.Truncated, r.Uncounted = true, true
		case !p.over, q.last < 0 && i >= q.complete:
			r.Left += len(p.paths)
		default:
			n := min(room, len(p.matches))
			room -= n
			r.add(p, n)
		}
	}
	return all
}

// add takes up a part, with the first of its matches.
func (r *Result) add(p *part, matches int) {
	r.Matches = append(r.Matches, p.matches[:matches]...)
	r.Counts = append(r.Counts, p.counts...)
	r.Uncounted = r.Uncounted || slices.ContainsFunc(p.counts, func(c Count) bool { return c.AtLeast })
	r.Truncated = r.Truncated || r.Uncounted || matches < p.lines
	r.Files += p.files
	r.Bytes += p.bytes
	r.Skipped.Add(p.skipped)
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
