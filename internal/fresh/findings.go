package fresh

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// lookers look at a tree in parallel: more than four wait for each other in the
// kernel.
func lookers() int { return min(parallel.Processors(), 4) }

// chunks for each looker: one that is held up leaves its work to the others,
// and at the end none waits for long.
const chunks = 32

// Findings are what of a state looks different, or is racy.
type findings struct {
	files []change
	dirs  []change
	rules []ruleChange
}

// A change is a new look at the file or folder of that index.
type change struct {
	at int
	stat
}

// A ruleChange is a new look at a rule of a folder.
type ruleChange struct {
	dir, at int
	stat
}

// look looks at every folder and file of a state.
func look(ctx context.Context, tree *disk.Folder, s *state) (findings, error) {
	return lookBy(ctx, tree, s, lookers(), func() {})
}

// lookBy is look on so many threads, each of which calls rest after each part of
// its work.
func lookBy(ctx context.Context, tree *disk.Folder, s *state, lookers int, rest func()) (findings, error) {
	root, err := openTree(tree)
	if err != nil {
		return findings{}, err
	}
	defer root.close()
	bounds := s.split(lookers * chunks)
	found := make([]findings, len(bounds)-1)
	var next atomic.Int64
	group, ctx := parallel.NewGroup(ctx)
	for range lookers {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(found); i = int(next.Add(1)) - 1 {
				l := looker{state: s, root: root, found: &found[i]}
				if err := l.lookAll(ctx, span(bounds[i], bounds[i+1])); err != nil {
					return err
				}
				rest()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return findings{}, err
	}
	return join(found), nil
}

// lookAmong looks at some folders of a state, in order, and at their files.
func lookAmong(ctx context.Context, tree *disk.Folder, s *state, dirs []int) (found findings, err error) {
	if len(dirs) == 0 {
		return found, nil
	}
	root, err := openTree(tree)
	if err != nil {
		return found, err
	}
	defer root.close()
	l := looker{state: s, root: root, found: &found}
	err = l.lookAll(ctx, slices.Values(dirs))
	return found, err
}

// span are the numbers from a to before b.
func span(a, b int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := a; i < b && yield(i); i++ {
		}
	}
}

func join(parts []findings) findings {
	var all findings
	for _, g := range parts {
		all.files = append(all.files, g.files...)
		all.dirs = append(all.dirs, g.dirs...)
		all.rules = append(all.rules, g.rules...)
	}
	return all
}

// A looker goes through a range of folders, with the way to the last one open.
type looker struct {
	state *state
	root  place
	way   []step
	found *findings
}

// A step is an open folder below the root.
type step struct {
	dir int
	place
}

func (l *looker) lookAll(ctx context.Context, dirs iter.Seq[int]) error {
	defer l.back(0)
	for i := range dirs {
		if err := ctx.Err(); err != nil {
			return err
		}
		here, err := l.open(i)
		if err != nil && !absent(err) {
			return err
		}
		if err != nil {
			here = nil
		}
		if err := l.lookInto(i, here); err != nil {
			return err
		}
	}
	return nil
}

// open opens a folder by the folder that holds it.
func (l *looker) open(i int) (place, error) {
	if i == 0 {
		return l.root, nil
	}
	d := &l.state.dirs[i]
	for len(l.way) > 0 && l.way[len(l.way)-1].dir > d.parent {
		l.back(len(l.way) - 1)
	}
	holder, err := l.root, error(nil)
	if d.parent > 0 {
		if len(l.way) > 0 && l.way[len(l.way)-1].dir == d.parent {
			holder = l.way[len(l.way)-1].place
		} else if holder, err = l.open(d.parent); err != nil {
			return nil, err
		}
	}
	name := d.path
	if d.parent > 0 {
		name = name[len(l.state.dirs[d.parent].path)+1:]
	}
	here, err := holder.inner(name)
	if err != nil {
		return nil, err
	}
	l.way = append(l.way, step{i, here})
	return here, nil
}

// back closes all but the first n steps of the way.
func (l *looker) back(n int) {
	for _, s := range l.way[n:] {
		s.close()
	}
	l.way = l.way[:n]
}

// lookInto looks at a folder and its files; here is nil where there is none.
func (l *looker) lookInto(i int, here place) error {
	d := &l.state.dirs[i]
	seen, err := lookHere(here)
	if err != nil {
		return err
	}
	if !d.outside && (d.mark.racy || !d.mark.sameFolder(seen)) {
		l.found.dirs = append(l.found.dirs, change{i, seen})
	}
	for n := range d.rules {
		r := &d.rules[n]
		if seen, err = lookFor(here, r.name); err != nil {
			return err
		}
		if r.mark.racy || r.mark.stat != seen {
			l.found.rules = append(l.found.rules, ruleChange{i, n, seen})
		}
	}
	files := l.state.files[d.first:d.end]
	report := func(n int, seen stat) { l.found.files = append(l.found.files, change{d.first + n, seen}) }
	if here == nil {
		return differing(files, func(string) (stat, error) { return stat{}, nil }, report)
	}
	return here.differing(files, report)
}

// differing is place.differing by one look after the other.
func differing(files []file, look func(name string) (stat, error), report func(i int, seen stat)) error {
	for i := range files {
		f := &files[i]
		if f.unlisted {
			continue
		}
		seen, err := look(f.name)
		if err != nil {
			return err
		}
		if f.mark.racy || f.mark.stat != seen {
			report(i, seen)
		}
	}
	return nil
}

func lookHere(here place) (stat, error) {
	if here == nil {
		return stat{}, nil
	}
	return here.stat()
}

func lookFor(here place, name string) (stat, error) {
	if here == nil {
		return stat{}, nil
	}
	return here.look(name)
}
