package golang

import (
	"go/build/constraint"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Systems and architectures that variants of files are told apart by.
var (
	goSystems = []string{
		"linux", "darwin", "windows", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "illumos", "aix", "android",
		"ios",
		"plan9", "js", "wasip1", "hurd", "nacl", "zos",
	}
	goArchitectures = []string{
		"amd64", "arm64", "386", "arm", "wasm", "ppc64le", "ppc64", "riscv64", "s390x", "mips", "mipsle", "mips64",
		"mips64le", "loong64",
	}
	goUnix = []string{
		"linux", "darwin", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "illumos", "aix",
		"android", "ios", "hurd",
	}
	// goImplied are tags that a system has beside its own.
	goImplied = map[string]string{"android": "linux", "illumos": "solaris", "ios": "darwin"}
)

// goConfigs is how many systems and architectures there are together; number
// 0 is linux/amd64.
const goConfigs = 18 * 14

// goBuild is when a file is built.
type goBuild struct {
	set  [(goConfigs + 63) / 64]uint64 // the configurations in which it can be built, given the right other tags
	tags []string                      // the other tags that it speaks of
	rank int                           // twice the first configuration in which it is built, and one if that needs flags
	key  goBuildKey
	expr constraint.Expr // or nil
}

type goBuildKey struct{ system, arch, expr string }

// maxTags bounds how many tags are tried in all combinations.
const maxTags = 6

// A goFile is the key of when a file is built.
type goFile resolve.FileID

// goBuildOf says when a file is built, nil if always.
func goBuildOf(q *resolve.Query, f resolve.FileID) *goBuild {
	return resolve.Once(q, goFile(f), func() *goBuild { return findGoBuild(q, f) })
}

func findGoBuild(q *resolve.Query, f resolve.FileID) *goBuild {
	file := q.File(f)
	if file.Build == "" && !strings.Contains(path.Base(file.Path), "_") {
		return nil
	}
	system, arch := goSuffix(file.Path)
	if system == "" && arch == "" && file.Build == "" {
		return nil
	}
	key := goBuildKey{system, arch, file.Build}
	return resolve.Once(q, key, func() *goBuild { return newGoBuild(key) })
}

func newGoBuild(key goBuildKey) *goBuild {
	b := &goBuild{key: key, rank: 2 * goConfigs}
	if expr, err := constraint.Parse("//go:build " + key.expr); err == nil {
		b.expr = expr
		b.tags = otherTags(expr)
	}
	for n := range goConfigs {
		if b.holds(n, func(tag string) bool { return tag == "cgo" }) {
			b.rank = min(b.rank, 2*n)
		}
		if anyOf(b.tags, func(tag func(string) bool) bool { return b.holds(n, tag) }) {
			b.set[n/64] |= 1 << (n % 64)
			b.rank = min(b.rank, 2*n+1)
		}
	}
	return b
}

// holds reports whether the file is built in a configuration with other tags.
func (b *goBuild) holds(n int, other func(string) bool) bool {
	system, arch := goSystems[n/len(goArchitectures)], goArchitectures[n%len(goArchitectures)]
	tag := func(t string) bool {
		switch {
		case t == system || t == arch || goImplied[system] == t:
			return true
		case t == "unix":
			return slices.Contains(goUnix, system)
		case isGoPlatform(t):
			return false
		case strings.HasPrefix(t, "go1.") || t == "gc":
			return true
		}
		return other(t)
	}
	return (b.key.system == "" || tag(b.key.system)) && (b.key.arch == "" || b.key.arch == arch) &&
		(b.expr == nil || b.expr.Eval(tag))
}

func isGoPlatform(t string) bool {
	return slices.Contains(goSystems, t) || slices.Contains(goArchitectures, t)
}

// otherTags are the tags of an expression that are no platforms.
func otherTags(x constraint.Expr) []string {
	var out []string
	var walk func(x constraint.Expr)
	walk = func(x constraint.Expr) {
		switch x := x.(type) {
		case *constraint.TagExpr:
			t := x.Tag
			if !isGoPlatform(t) && t != "unix" && t != "gc" && !strings.HasPrefix(t, "go1.") && !slices.Contains(out, t) {
				out = append(out, t)
			}
		case *constraint.NotExpr:
			walk(x.X)
		case *constraint.AndExpr:
			walk(x.X)
			walk(x.Y)
		case *constraint.OrExpr:
			walk(x.X)
			walk(x.Y)
		}
	}
	walk(x)
	return out
}

// anyOf reports whether something holds for any combination of tags.
func anyOf(tags []string, holds func(tag func(string) bool) bool) bool {
	n := min(len(tags), maxTags)
	for bits := range 1 << n {
		if holds(func(t string) bool { i := slices.Index(tags, t); return i >= 0 && i < n && bits>>i&1 == 1 }) {
			return true
		}
	}
	return false
}

// goSuffix is the system and architecture that the name of a file says.
func goSuffix(p string) (system, arch string) {
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(p), ".go"), "_test")
	_, rest, ok := strings.Cut(name, "_")
	if !ok {
		return "", ""
	}
	parts := strings.Split(rest, "_")
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
func goTogether(q *resolve.Query, a, b resolve.FileID) bool {
	if a == b {
		return true
	}
	x, y := goBuildOf(q, a), goBuildOf(q, b)
	if x == nil || y == nil || x.key == y.key {
		return true
	}
	type pair struct{ a, b goBuildKey }
	return resolve.Once(q, pair{x.key, y.key}, func() bool { return x.together(y) })
}

func (b *goBuild) together(c *goBuild) bool {
	tags := slices.Clone(b.tags)
	for _, t := range c.tags {
		if !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
	}
	for n := range goConfigs {
		if b.set[n/64]&c.set[n/64]&(1<<(n%64)) == 0 {
			continue
		}
		if len(b.tags) == 0 || len(c.tags) == 0 ||
			anyOf(tags, func(tag func(string) bool) bool { return b.holds(n, tag) && c.holds(n, tag) }) {
			return true
		}
	}
	return false
}

// Narrow implements Language: variants that are never built together with the
// file are taken away, and the one of linux/amd64 comes first.
func (Language) Narrow(q *resolve.Query, from resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	var out []resolve.SymbolID
	for _, id := range list {
		if goTogether(q, from, id.File) && (isGoTest(q.File(from).Path) || !isGoTest(q.File(id.File).Path)) {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return list
	}
	slices.SortStableFunc(out, func(a, b resolve.SymbolID) int { return goRank(q, a) - goRank(q, b) })
	return out
}

// goRank puts the configurations of most users first.
func goRank(q *resolve.Query, id resolve.SymbolID) int {
	if b := goBuildOf(q, id.File); b != nil {
		return b.rank
	}
	return 0
}

// Usual implements Language: what goUsual leaves of those that the file can mean.
func (l Language) Usual(q *resolve.Query, from resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if list = l.Narrow(q, from, list); len(list) > 1 {
		return goUsual(q, list)
	}
	return list
}

// goUsual leaves out variants that are built with flags only, where the first
// one is built without: a value has the type that it has in most builds.
func goUsual(q *resolve.Query, list []resolve.SymbolID) []resolve.SymbolID {
	if goRank(q, list[0])%2 != 0 {
		return list
	}
	out := list[:1:1]
	for _, id := range list[1:] {
		if goRank(q, id)%2 == 0 || goTogether(q, list[0].File, id.File) {
			out = append(out, id)
		}
	}
	return out
}
