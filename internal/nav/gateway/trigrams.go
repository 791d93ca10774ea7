package gateway

import (
	"path/filepath"
	"runtime"
	"slices"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

const trigramsName = "rag_trigrams.bin"

// StaleTrigrams says when trigrams are built again: when more than one in so many
// of the files is not as it was.
const StaleTrigrams = 50

// TrigramsPath is where the trigrams of a tree are.
func TrigramsPath(tree *disk.Folder) string {
	return filepath.Join(tree.Root(), artifact.Dir, trigramsName)
}

// An accelerator tells which files may have a match. It may be older than the
// graph: changed are the files that are not as they were then.
type accelerator struct {
	trigrams *scan.Trigrams
	Changed  []string
}

// Accelerate opens the trigrams of a tree; nil when there are none that can be used.
func Accelerate(tree *disk.Folder, m *fresh.Manifest) *accelerator {
	dir, err := OpenArtifacts(tree)
	if err != nil {
		return nil
	}
	info, err := dir.Lstat(trigramsName)
	if _ = dir.Close(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	t, err := scan.Open(TrigramsPath(tree))
	if err != nil {
		return nil
	}
	a := &accelerator{trigrams: t}
	runtime.AddCleanup(a, func(t *scan.Trigrams) { _ = t.Close() }, t)
	a.Changed = scan.Differing(t, m.Files())
	return a
}

// Candidates are the files that may have a match: all for a pattern that says
// too little.
func (a *accelerator) Candidates(m *match.Matcher, delta *fresh.Delta) (paths []string, ok bool) {
	found, ok, err := a.trigrams.Candidates(m)
	if runtime.KeepAlive(a); err != nil || !ok {
		return nil, false
	}
	changed := slices.Concat(a.Changed, delta.Changed, delta.Added, delta.Deleted)
	slices.Sort(changed)
	return scan.Overlay(found, slices.Compact(changed)), true
}
