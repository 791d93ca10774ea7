package nav

import (
	"context"
	"iter"
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

// Trigrams pay for trees of some size; they are built again when more than one
// in staleTrigrams of the files is not as it was.
const (
	trigramFiles  = 1000
	staleTrigrams = 50
)

func trigramsPath(tree *disk.Folder) string {
	return filepath.Join(tree.Root(), artifact.Dir, trigramsName)
}

// An accelerator tells which files may have a match. It may be older than the
// graph: changed are the files that are not as they were then.
type accelerator struct {
	trigrams *scan.Trigrams
	changed  []string
}

// accelerate opens the trigrams of a tree; nil when there are none that can be used.
func accelerate(tree *disk.Folder, m *fresh.Manifest) *accelerator {
	dir, err := openArtifacts(tree)
	if err != nil {
		return nil
	}
	info, err := dir.Lstat(trigramsName)
	if _ = dir.Close(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	t, err := scan.Open(trigramsPath(tree))
	if err != nil {
		return nil
	}
	a := &accelerator{trigrams: t}
	runtime.AddCleanup(a, func(t *scan.Trigrams) { _ = t.Close() }, t)
	known := make(map[string]fresh.Hash, t.Len())
	for f := range t.Files() {
		known[f.Path] = f.Hash
	}
	for p, hash := range m.Files() {
		if was, ok := known[p]; !ok || was != hash {
			a.changed = append(a.changed, p)
		}
		delete(known, p)
	}
	for p := range known {
		a.changed = append(a.changed, p)
	}
	slices.Sort(a.changed)
	return a
}

// candidates are the files that may have a match: all for a pattern that says
// too little.
func (a *accelerator) candidates(m *match.Matcher, delta *fresh.Delta) (paths []string, ok bool) {
	found, ok, err := a.trigrams.Candidates(m)
	if runtime.KeepAlive(a); err != nil || !ok {
		return nil, false
	}
	changed := slices.Concat(a.changed, delta.Changed, delta.Added, delta.Deleted)
	slices.Sort(changed)
	return scan.Overlay(found, slices.Compact(changed)), true
}

// trigrams builds the trigrams of a large tree, unless those that are there are
// nearly right. They make answers faster and are never missed.
func (b *builder) trigrams(ctx context.Context) error {
	if b.manifest.Len() < trigramFiles {
		return nil
	}
	if a := accelerate(b.tree, b.manifest); a != nil && !b.req.Full && len(a.changed) <= b.manifest.Len()/staleTrigrams {
		return nil
	}
	return scan.Create(ctx, trigramsPath(b.tree), b.contents(ctx))
}

// contents are the files of the manifest with their content. Those that can't be
// read, or changed since, are searched whatever is in them.
func (b *builder) contents(ctx context.Context) iter.Seq2[scan.File, error] {
	var paths []string
	for p := range b.manifest.Files() {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return func(yield func(scan.File, error) bool) {
		for _, p := range paths {
			hash, _ := b.manifest.Hash(p)
			f := scan.File{Path: p, Hash: hash}
			content, stat, err := b.tree.Read(ctx, p, b.listed.MaxFileSize)
			if ctx.Err() != nil {
				yield(f, ctx.Err())
				return
			}
			if f.Content, f.Size, f.ModTime = content, stat.Size, stat.ModTime; err != nil || hashOf(content) != hash {
				f.Content, f.Unread = nil, true
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}
