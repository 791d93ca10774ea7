package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// ours is what the graph says.
type ours struct {
	world   *resolve.Memory
	refs    int
	uses    map[place][]target
	outside map[place]bool // known to be outside of the module
	extract time.Duration
	resolve time.Duration
	bytes   int
}

// A target is a declaration that a use may mean.
type target struct {
	at   place
	tier resolve.Tier
}

// read extracts the facts of all Go files of a folder, and resolves their
// references.
func read(dir string, untyped bool) (*ours, error) {
	o := &ours{uses: map[place][]target{}, outside: map[place]bool{}}
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil || !strings.HasSuffix(name, ".go") && d.Name() != "go.mod" && d.Name() != "go.work" {
			return err
		}
		b, err := os.ReadFile(name)
		texts[filepath.ToSlash(rel)] = string(b)
		o.bytes += len(b)
		return err
	})
	if err != nil {
		return nil, err
	}
	var files []facts.File
	start := time.Now()
	for p, text := range texts {
		extract := golang.Extract
		switch filepath.Base(p) {
		case "go.mod":
			extract = golang.ExtractModule
		case "go.work":
			extract = golang.ExtractWorkspace
		}
		if f, err := extract(p, text); err == nil {
			if untyped {
				forget(&f)
			}
			files = append(files, f)
		}
	}
	o.extract = time.Since(start)
	o.world = resolve.NewMemory(files)
	r := resolve.New(o.world, languages.All())
	start = time.Now()
	all := make([][]resolve.Resolution, o.world.Len())
	for id := range o.world.Len() {
		all[id] = r.Refs(resolve.FileID(id))
	}
	o.resolve = time.Since(start)
	for id, list := range all {
		o.keep(o.world.File(resolve.FileID(id)), list)
	}
	return o, nil
}

// forget takes away what is known of receivers.
func forget(f *facts.File) {
	for i := range f.Refs {
		if r := &f.Refs[i]; r.Of != facts.Nothing {
			r.Of, r.Bare = facts.Nothing, false
		}
	}
}

func (o *ours) keep(f *facts.File, list []resolve.Resolution) {
	o.refs += len(list)
	for i, res := range list {
		use := place{f.Path, f.Refs[i].Line, f.Refs[i].Column}
		if res.External {
			o.outside[use] = true
		}
		for _, id := range res.Targets {
			def := o.world.File(id.File)
			s := def.Symbols[id.Index]
			o.uses[use] = append(o.uses[use], target{place{def.Path, s.Line, s.Column}, res.Tier})
		}
	}
}
