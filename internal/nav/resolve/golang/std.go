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
// types are others by another name ("os.FileInfo=io/fs.FileInfo"), and what functions,
// methods, fields and variables give that leads to such an interface
// ("net/http.Client.Do():net/http.Response", "net/http.Response.Body:io.ReadCloser"). It is
// what bench/graph/stdlib writes.
//
//go:embed std.txt
var stdText string

// A standard is what is known of the standard library.
type standard struct {
	sets     map[string]goMethods // of interfaces, by import path and name
	aliases  map[string]string    // likewise, what they stand for
	names    map[string]bool      // of all methods
	packages map[string]bool      // that have such interfaces, by import path
	gives    map[string][]string  // what functions and the like give: types by import path and name, "" of no interest
}

// goMutex is a struct that many types embed, whose methods are known as those of the
// interfaces are. Calls of them reach nothing else.
const goMutex = "sync.Mutex"

// goStd is what is known of the standard library.
var goStd = sync.OnceValue(func() standard {
	std := standard{
		sets: map[string]goMethods{}, aliases: map[string]string{}, names: map[string]bool{}, packages: map[string]bool{},
		gives: map[string][]string{},
	}
	text := stdText + goMutex + "\tLock()()\tTryLock()(bool)\tUnlock()()\n"
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if alias, of, ok := strings.Cut(line, "="); ok {
			std.aliases[alias] = of
			continue
		}
		if of, types, ok := strings.Cut(line, ":"); ok {
			std.gives[of] = strings.Split(types, "\t")
			slash := strings.LastIndexByte(of, '/')
			std.packages[of[:slash+1+strings.IndexByte(of[slash+1:], '.')]] = true
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

// goStdType is the type by its import path and name of what a name of the standard library
// is: that of the fields and variables in it.
func goStdType(name string) string {
	slash := strings.LastIndexByte(name, '/')
	pkg, rest, ok := strings.Cut(name[slash+1:], ".")
	if !ok {
		return name
	}
	out := name[:slash+1] + pkg
	for part := range strings.SplitSeq(rest, ".") {
		out += "." + part
		if types := goStd().gives[out]; len(types) > 0 {
			out = types[0]
		}
	}
	return out
}

// goStdResults are what a function of the standard library gives, nil if nothing that is of
// interest.
func goStdResults(name string) *resolve.Signature {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil
	}
	types := goStd().gives[goStdType(name[:i])+name[i:]+"()"]
	if types == nil {
		return nil
	}
	sig := &resolve.Signature{}
	for _, t := range types {
		list := strings.HasPrefix(t, "[]")
		out := facts.External
		if t = strings.TrimPrefix(t, "[]"); t != "" {
			dot := strings.LastIndexByte(t, '.')
			out = facts.Name(goQuote + t[:dot] + goQuote).Member(t[dot+1:])
		}
		if list {
			out = facts.List(out)
		}
		sig.Results = append(sig.Results, out)
	}
	return sig
}

// goQuote is around the import path of a package where it stands for that, whatever the file
// names it.
const goQuote = `"`
