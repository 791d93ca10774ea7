package resolve

import (
	"go/build/constraint"
	"path"
	"slices"
	"strings"
)

// Systems and architectures that variants of files are told apart by.
var (
	goSystems = []string{
		"linux", "darwin", "windows", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "illumos", "aix", "android", "ios",
		"plan9", "js", "wasip1", "hurd", "nacl", "zos",
	}
	goArchitectures = []string{
		"amd64", "arm64", "386", "arm", "wasm", "ppc64le", "ppc64", "riscv64", "s390x", "mips", "mipsle", "mips64", "mips64le", "loong64",
	}
	goUnix = []string{"linux", "darwin", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "illumos", "aix", "android", "ios", "hurd"}
	// goImplied are tags that a system has beside its own.
	goImplied = map[string]string{"android": "linux", "illumos": "solaris", "ios": "darwin"}
)

// Tags that are neither a system nor an architecture are tried in three ways:
// as in a build without flags, none, all.
const goModes = 3

// goConfigs is how many configurations there are; number 0 is a build without
// flags for linux/amd64.
const goConfigs = 18 * 14 * goModes

// goBuilds is the set of configurations that a file is built in.
type goBuilds [(goConfigs + 63) / 64]uint64

type goBuildsKey struct{ system, arch, expr string }

// goBuildsOf are the configurations of a file, nil if it is built in all.
func goBuildsOf(q *Query, f FileID) *goBuilds {
	file := q.File(f)
	system, arch := goSuffix(file.Path)
	if system == "" && arch == "" && file.Build == "" {
		return nil
	}
	return Once(q, goBuildsKey{system, arch, file.Build}, func() *goBuilds {
		expr, err := constraint.Parse("//go:build " + file.Build)
		if err != nil {
			expr = nil
		}
		set := &goBuilds{}
		n := 0
		for _, s := range goSystems {
			for _, a := range goArchitectures {
				for mode := range goModes {
					tag := func(t string) bool { return goTag(t, s, a, mode) }
					if (system == "" || tag(system)) && (arch == "" || arch == a) && (expr == nil || expr.Eval(tag)) {
						set[n/64] |= 1 << (n % 64)
					}
					n++
				}
			}
		}
		return set
	})
}

func goTag(t, system, arch string, mode int) bool {
	switch {
	case t == system || t == arch || goImplied[system] == t:
		return true
	case t == "unix":
		return slices.Contains(goUnix, system)
	case slices.Contains(goSystems, t) || slices.Contains(goArchitectures, t):
		return false
	case strings.HasPrefix(t, "go1.") || t == "gc":
		return true
	}
	switch mode {
	case 0:
		return t == "cgo"
	case 1:
		return false
	}
	return true
}

// goSuffix is the system and architecture that the name of a file says.
func goSuffix(p string) (system, arch string) {
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(p), ".go"), "_test")
	i := strings.IndexByte(name, '_')
	if i < 0 {
		return "", ""
	}
	parts := strings.Split(name[i+1:], "_")
	last := parts[len(parts)-1]
	if slices.Contains(goArchitectures, last) {
		arch = last
		if len(parts) > 1 && slices.Contains(goSystems, parts[len(parts)-2]) {
			system = parts[len(parts)-2]
		}
	} else if slices.Contains(goSystems, last) {
		system = last
	}
	return system, arch
}

// goTogether reports whether two files can be in one build.
func goTogether(q *Query, a, b FileID) bool {
	if a == b {
		return true
	}
	x, y := goBuildsOf(q, a), goBuildsOf(q, b)
	if x == nil || y == nil {
		return true
	}
	for i := range x {
		if x[i]&y[i] != 0 {
			return true
		}
	}
	return false
}

// Narrow implements Narrowing: variants that are never built together with the
// file are taken away, and the one of linux/amd64 comes first.
func (goLanguage) Narrow(q *Query, from FileID, list []SymbolID) []SymbolID {
	var out []SymbolID
	for _, id := range list {
		if goTogether(q, from, id.File) && (isGoTest(q.File(from).Path) || !isGoTest(q.File(id.File).Path)) {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return list
	}
	slices.SortStableFunc(out, func(a, b SymbolID) int { return goRank(q, a) - goRank(q, b) })
	return out
}

// goRank puts the configurations of most users first.
func goRank(q *Query, id SymbolID) int {
	set := goBuildsOf(q, id.File)
	if set == nil {
		return 0
	}
	for i, word := range set {
		for bit := range 64 {
			if word&(1<<bit) != 0 {
				return i*64 + bit
			}
		}
	}
	return goConfigs
}
