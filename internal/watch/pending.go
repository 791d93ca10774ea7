package watch

import (
	"maps"
	"slices"
	"time"
)

// maxPaths is how many paths are kept apart; more are "anything".
const maxPaths = 200

// A change is what a source learned.
type change struct {
	path string // that changed, relative; "" for none
	all  bool   // anything may have changed
	git  bool   // git is at work: wait longer, if there is something to wait for
	lost bool   // the root is not what it was
}

// pending is what has changed since the last update.
type pending struct {
	paths       map[string]bool
	all         bool
	git         bool
	first, last time.Time
}

func (p *pending) empty() bool { return !p.all && len(p.paths) == 0 }

// add takes note of a change that was learned of now.
func (p *pending) add(now time.Time, c change) {
	switch {
	case c.all:
		p.all = true
	case c.path != "":
		if p.paths == nil {
			p.paths = map[string]bool{}
		}
		p.paths[c.path] = true
		p.all = p.all || len(p.paths) > maxPaths
	case !c.git || p.empty():
		return
	}
	if p.all {
		p.paths = nil
	}
	p.git = p.git || c.git
	if p.first.IsZero() {
		p.first = now
	}
	p.last = now
}

// gitQuiet is how many times longer than else nothing must have changed when
// git was at work: it first moves the index and then HEAD.
const gitQuiet = 5

// due is when the update is to begin.
func (p *pending) due(quiet, longest time.Duration) time.Time {
	if p.git {
		quiet *= gitQuiet
	}
	due := p.last.Add(quiet)
	if limit := p.first.Add(longest); due.After(limit) {
		return limit
	}
	return due
}

// list is what an update is to look at; none when that is everything.
func (p *pending) list() []string {
	if p.all {
		return nil
	}
	return slices.Sorted(maps.Keys(p.paths))
}

// restore puts back what an update did not get to.
func (p *pending) restore(now time.Time, failed pending) {
	p.add(now, change{all: failed.all})
	for path := range failed.paths {
		p.add(now, change{path: path})
	}
}
