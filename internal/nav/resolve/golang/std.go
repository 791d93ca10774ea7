package golang

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// stdText says which methods interfaces of the standard library have, in the form
// of facts.Symbol.Shape ("io.Writer", a tab, "Write([]uint8)(int,error)"), and which
// types are others by another name ("os.FileInfo=io/fs.FileInfo"). It is what
// bench/graph/stdlib writes.
//
//go:embed std.txt
var stdText string

// A standard is what is known of the standard library.
type standard struct {
	sets     map[string]goMethods // of interfaces, by import path and name
	aliases  map[string]string    // likewise, what they stand for
	names    map[string]bool      // of all methods
	packages map[string]bool      // that have such interfaces, by import path
}

// goStd is what is known of the standard library.
var goStd = sync.OnceValue(func() standard {
	std := standard{
		sets: map[string]goMethods{}, aliases: map[string]string{}, names: map[string]bool{}, packages: map[string]bool{},
	}
	text := stdText + "sync.Mutex\tLock()()\tTryLock()(bool)\tUnlock()()\n" // which many types embed
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if alias, of, ok := strings.Cut(line, "="); ok {
			std.aliases[alias] = of
			continue
		}
		name, methods, _ := strings.Cut(line, "\t")
		set := goMethods{}
		for m := range strings.SplitSeq(methods, "\t") {
			i := strings.IndexByte(m, '(')
			set[m[:i]] = goMethod{id: resolve.SymbolID{File: -1, Index: -1}, shape: m[i:]}
			std.names[m[:i]] = true
		}
		std.sets[name] = set
		if i := strings.LastIndexByte(name, '.'); i > 0 {
			std.packages[name[:i]] = true
		}
	}
	for alias, of := range std.aliases {
		if set, ok := std.sets[of]; ok {
			std.sets[alias] = set
			std.packages[alias[:strings.LastIndexByte(alias, '.')]] = true
		}
	}
	return std
})

// goStdOf are the methods of a base type that is not of the repository, false
// if they are not known.
func goStdOf(q *resolve.Query, f resolve.FileID, base facts.Expr) (goMethods, bool) {
	name := base.LastName()
	if n := base.Node(); n.Op == facts.OpMember {
		i, imported := goImportNames(q, f).local[n.Of.LastName()]
		if !imported {
			return nil, false
		}
		name = q.File(f).Imports[i].Path + "." + n.Name
	}
	set, known := goStd().sets[name]
	return set, known
}
