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
	from  int // matches before it are not wanted
	parts []part

	of []int // how many files each source has

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
	before int  // lines at its beginning that are known not to be wanted
	over   bool

	matches []Match // the first of them, behind those that were passed
	passed  int
	counted
}

// Counted is what is known of a part beside its matches.
type counted struct {
	counts  []Count
	lines   int
	files   int
	bytes   int64
	skipped Skipped
}

// Known is how many lines match in files that were searched for a page of a list, so
// that the next one goes on where that ended. The zero value knows nothing.
type Known struct {
	of    []int      // how many files each source has
	parts []*counted // nil: it was not searched
}

// Size is about how many files it is of.
func (k Known) Size() (n int) {
	for _, p := range k.parts {
		if n++; p != nil {
			n += len(p.counts)
		}
	}
	return n
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
	q := &queue{limit: limit, last: -1, failed: make([]error, len(sources)), of: make([]int, len(sources))}
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
		q.of[i] = len(s.Paths)
		n := min(most, len(s.Paths))
		cut(i, s.Paths[:n], false)
		cut(i, s.Paths[n:], true)
	}
	return q
}

// skip leaves out what is known of parts that have no line from a place on, up to the
// limit: those before it, and behind it where lines are counted.
func (q *queue) skip(from int, known *Known) {
	q.from = from
	if known == nil || q.limit == 0 || !slices.Equal(known.of, q.of) || len(known.parts) != len(q.parts) {
		return
	}
	lines := 0
	for i, k := range known.parts {
		if k == nil || slices.ContainsFunc(k.counts, func(c Count) bool { return c.AtLeast }) {
			break // from here on nothing is known of places
		}
		p := &q.parts[i]
		if k.lines == 0 || lines+k.lines <= from || lines >= q.limit {
			p.counted, p.passed, p.over = *k, k.lines, true
		}
		p.before = from - lines
		lines += k.lines
	}
	q.advance()
}

// known is what is known of the parts now.
func (q *queue) known() Known {
	k := Known{of: q.of, parts: make([]*counted, len(q.parts))}
	for i := range q.parts {
		p := &q.parts[i]
		if left := p.extra && q.last >= 0 && i > q.last; p.over && !left && q.failed[p.source] == nil {
			all := p.counted // without what else is in the queue
			k.parts[i] = &all
		}
	}
	return k
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
		if i := q.next - 1; !q.parts[i].over && (q.last < 0 || !q.parts[i].extra) {
			return i, true
		}
	}
	return 0, false
}

// room is how many matches of a part may be returned, at most.
func (q *queue) room(p *part) int {
	if q.limit == 0 {
		return math.MaxInt
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(0, q.limit-q.lines-p.passed)
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
	q.advance()
}

// advance finds the parts that are complete from the first one on.
func (q *queue) advance() {
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
	limit, at := q.limit, 0 // at is how many lines are in the parts before
	if limit == 0 {
		limit = math.MaxInt
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
			first := min(max(0, q.from-at-p.passed), len(p.matches))
			end := min(max(first, limit-at-p.passed), len(p.matches))
			r.add(p, p.matches[first:end])
			r.Truncated = r.Truncated || at+p.lines > limit
			at += p.lines
		}
	}
	return all
}

// add takes up a part, with some of its matches.
func (r *Result) add(p *part, matches []Match) {
	r.Matches = append(r.Matches, matches...)
	r.Counts = append(r.Counts, p.counts...)
	r.Uncounted = r.Uncounted || slices.ContainsFunc(p.counts, func(c Count) bool { return c.AtLeast })
	r.Truncated = r.Truncated || r.Uncounted
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
	s.NoText += more.NoText
	s.Secret += more.Secret
	s.OddNames += more.OddNames
	s.Closed += more.Closed
	s.Sparse += more.Sparse
}
