package fresh

import (
	"slices"

	"github.com/ragnav/ragnav/internal/repo/listing"
)

func (k *knowledge) versions(paths []string) map[string]Version {
	if len(paths) == 0 {
		return nil
	}
	all := make(map[string]Version, len(paths))
	for _, p := range paths {
		all[p] = Version{k.files[k.find(p)].mark}
	}
	return all
}

// knows reports whether a path is known to be a listed file or a folder of the
// layout, or a repository of its own.
func (k *knowledge) knows(p string) bool {
	if i := k.find(p); i >= 0 && !k.files[i].unlisted && k.files[i].mark.kind != folder {
		return true
	}
	if i := k.findDir(p); i >= 0 && k.dirs[i].mark.kind == folder {
		return true
	}
	return k.nested[p]
}

// ignoreFolders takes note of folders that rules exclude.
func (k *knowledge) ignoreFolders(dirs []string) {
	for _, p := range dirs {
		if len(k.ignored) < maxIgnored {
			k.ignored[p] = folder
		}
	}
}

// ignoreFiles takes note of files that were asked about and are not listed. They
// are still the ones that were seen before, so that they were there when asked about.
func (k *knowledge) ignoreFiles(r reacher, n names, listed []string) error {
	for _, p := range n.files {
		if len(k.ignored) >= maxIgnored || slices.Contains(listed, p) || n.seen[p].kind != regular {
			continue
		}
		now, err := r.look(p)
		if err != nil {
			return err
		}
		if now == n.seen[p] {
			k.ignored[p] = regular
		}
	}
	return nil
}

// A knowledge is what a manifest holds and the last check learnt. It does not
// change once it is published.
type knowledge struct {
	*state

	unlisted bool // the files are of records: what decides about new ones is not known
	compared bool // a check was made without knowing that
	git      bool
	limits   listing.Limits
	settings string          // of git
	deciders []decider       // files outside the folders that decide about a listing
	nested   map[string]bool // folders with an entry ".git": whether they are repositories of their own
	// ignored is what is known to be left out for as long as the rules stay and
	// it is of that kind. It spares questions, and need not be complete.
	ignored map[string]kind

	index indexed
	odd   []int // the files of state that are not as in the manifest, or were not so when last looked at
	// exposed are the folders, in order, with something that can change without an
	// event.
	exposed []int
}

// findOdd finds the files that can be in a delta, and the folders that no
// watcher can vouch for.
func (k *knowledge) findOdd() {
	k.odd = nil
	k.findExposed()
	most := largest(k.limits)
	for i := range k.files {
		if f := &k.files[i]; !f.inBase || !f.same || f.unsure || !f.listed(most) {
			k.odd = append(k.odd, i)
		}
	}
}

// findExposed finds the folders that have to be looked at each time: writes by
// another name of a file are told to that name's folder.
//
// What is racy is not among them. It was looked at with the watches set, or a look
// at everything, which reports what is racy, came after they were; so that what is
// written to it since then gives an event.
func (k *knowledge) findExposed() {
	k.exposed = nil
	for i := range k.dirs {
		d := &k.dirs[i]
		if slices.ContainsFunc(d.rules, func(r rule) bool { return r.mark.linked }) ||
			k.anyLinked(d) {
			k.exposed = append(k.exposed, i)
		}
	}
}

func (k *knowledge) anyLinked(d *dir) bool {
	for i := d.first; i < d.end; i++ {
		if f := &k.files[i]; f.mark.linked && !f.unlisted {
			return true
		}
	}
	return false
}
