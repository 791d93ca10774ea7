package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

func sym(path, name string, set func(*candidate)) *candidate {
	c := &candidate{Header: &models.Header{
		ID: models.SymbolID("o/r", path, name, 1), Type: models.TypeSymbol, RepoID: "o/r", FilePath: path,
		SymbolName: name, QualifiedName: name, Kind: "func", StartLine: 1, EndLine: 9,
		Language: "Go",
	}}
	set(c)
	return c
}

func file(path string, bm25 float64) *candidate {
	return &candidate{
		bm25: bm25,
		Header: &models.Header{
			ID: models.FileID("o/r", path), Type: models.TypeFile, RepoID: "o/r", FilePath: path, Language: "Go",
		},
	}
}

func folder(path string, bm25 float64) *candidate {
	return &candidate{
		bm25:   bm25,
		Header: &models.Header{ID: models.ModuleID("o/r", path), Type: models.TypeModule, RepoID: "o/r", FilePath: path},
	}
}

func written(c *candidate, language string) *candidate {
	c.Language = language
	return c
}

func long(c *candidate, lines int) *candidate {
	c.EndLine = lines
	return c
}

func poolOf(cs ...*candidate) pool {
	p := pool{byID: map[models.DocumentID]*candidate{}}
	for _, c := range cs {
		p.byID[c.ID], p.all = c, append(p.all, c)
	}
	return p
}

func scores(bm25, cosine float64) func(*candidate) {
	return func(c *candidate) { c.bm25, c.cosine, c.known = bm25, cosine, true }
}

func TestRank(t *testing.T) {
	test := func(c *candidate) { c.Test = true }
	kind := func(k string) func(*candidate) { return func(c *candidate) { c.Kind = k } }
	lines := func(n int) func(*candidate) { return func(c *candidate) { c.EndLine = n } }
	qualified := func(name string) func(*candidate) {
		return func(c *candidate) { c.Kind, c.QualifiedName = "method", name }
	}
	language := func(l string) func(*candidate) { return func(c *candidate) { c.Language = l } }
	both := func(fs ...func(*candidate)) func(*candidate) {
		return func(c *candidate) {
			for _, f := range fs {
				f(c)
			}
		}
	}
	for _, tt := range []struct {
		name  string
		level models.Level
		query string
		found found
		want  []string // ids without their prefix
	}{
		{
			name: "both legs beat one", level: models.LevelSymbol, query: "read all bytes",
			found: found{own: poolOf(sym("a.go", "A", scores(10, 0)), sym("b.go", "B", scores(9, 0.5)),
				sym("c.go", "C", scores(0, 0.6)))},
			want: []string{"b.go:B", "c.go:C", "a.go:A"},
		},
		{
			name: "exact identifier first", level: models.LevelSymbol, query: "ServeMux",
			found: found{own: poolOf(sym("a.go", "NewServeMux", scores(10, 0.9)), sym("b.go", "ServeMux", scores(4, 0.3)))},
			want:  []string{"b.go:ServeMux", "a.go:NewServeMux"},
		},
		{
			name: "exact case before other case", level: models.LevelSymbol, query: "Open",
			found: found{own: poolOf(sym("a.go", "open", scores(10, 0.5)), sym("b.go", "Open", scores(9.9, 0.5)))},
			want:  []string{"b.go:Open", "a.go:open"},
		},
		{
			name: "a type before what is called like it", level: models.LevelSymbol, query: "Container",
			found: found{own: poolOf(
				sym("a.php", "Container", both(scores(10, 0.9), kind("property"))), sym("b.php", "container", scores(10, 0.9)),
				sym("c.php", "Container", both(scores(2, 0.1), kind("class"))), sym("d.php", "Container", scores(9, 0.8)))},
			want: []string{"c.php:Container", "d.php:Container", "a.php:Container", "b.php:container"},
		},
		{
			name: "what a file exports is called like the file, or its folder", level: models.LevelSymbol, query: "createLogger",
			found: found{own: poolOf(sym("lib/logger.js", "createLoggerDir", scores(9, 0.9)),
				sym("lib/create-logger.js", "exports", scores(1, 0.1)), sym("createLogger/index.js", "default", scores(0, 0.1)),
				sym("createLogger/other.js", "default", scores(1, 0.1)))},
			want: []string{
				"createLogger/index.js:default", "lib/create-logger.js:exports", "lib/logger.js:createLoggerDir",
				"createLogger/other.js:default",
			},
		},
		{
			name: "a definition before a prototype", level: models.LevelSymbol, query: "inflate",
			found: found{own: poolOf(sym("z.h", "inflate", both(scores(10, 0.9), lines(1))),
				sym("z.c", "inflate", both(scores(5, 0.3), lines(80))))},
			want: []string{"z.c:inflate", "z.h:inflate"},
		},
		{
			name: "a misspelt name", level: models.LevelSymbol, query: "ServeMxu",
			found: found{own: poolOf(sym("a.go", "ServeHTTP", scores(10, 0.9)), sym("b.go", "ServeMux", scores(0, 0.1)))},
			want:  []string{"b.go:ServeMux", "a.go:ServeHTTP"},
		},
		{
			name: "longer names before what is only like a part of one", level: models.LevelSymbol, query: "AllowedFilters",
			found: found{own: poolOf(sym("Filters.php", "getFilters", scores(10, 0.9)),
				sym("b.php", "MAX_ALLOWEDFILTERS", both(scores(1, 0.1), kind("const"))),
				sym("c.php", "setAllowedFilters", scores(5, 0.5)),
				sym("d_test.php", "testAllowedFilters", both(scores(9, 0.8), test)),
				sym("e.php", "allowedFilters", both(scores(1, 0.1), kind("property"))))},
			want: []string{
				"e.php:allowedFilters", "c.php:setAllowedFilters", "d_test.php:testAllowedFilters", "b.php:MAX_ALLOWEDFILTERS",
				"Filters.php:getFilters",
			},
		},
		{
			name: "a name with a sign", level: models.LevelSymbol, query: "valid?",
			found: found{own: poolOf(sym("a.rb", "validate", scores(10, 0.9)), sym("b.rb", "valid?", scores(1, 0.1)))},
			want:  []string{"b.rb:valid?", "a.rb:validate"},
		},
		{
			name: "other files before the third of one", level: models.LevelSymbol, query: "how is a frame read",
			found: found{own: poolOf(sym("a.go", "A", scores(10, 0.5)), sym("a.go", "B", scores(9, 0.5)),
				sym("a.go", "C", scores(9, 0.4)), sym("b.go", "D", scores(7, 0.3)))},
			want: []string{"a.go:A", "b.go:D", "a.go:B", "a.go:C"},
		},
		{
			name: "what a header documents is found where it is defined", level: models.LevelSymbol, query: "read all bytes",
			found: found{own: poolOf(sym("io.h", "read_all", scores(9, 0.9)), sym("b.c", "read_more", scores(8, 0.8)),
				sym("io.c", "read_all", scores(2, 0.1)))},
			want: []string{"io.c:read_all", "b.c:read_more", "io.h:read_all"},
		},
		{
			name: "so is its file", level: models.LevelFile, query: "read all bytes",
			found: found{symbols: poolOf(sym("io.h", "read_all", scores(9, 0.9)), sym("b.c", "read_more", scores(8, 0.8)),
				sym("io.c", "read_all", scores(2, 0.1)))},
			want: []string{"io.c", "b.c", "io.h"},
		},
		{
			name: "what only a header has stays first", level: models.LevelSymbol, query: "read all bytes",
			found: found{own: poolOf(sym("io.h", "read_all", scores(9, 0.9)), sym("io.c", "read_more", scores(8, 0.8)))},
			want:  []string{"io.h:read_all", "io.c:read_more"},
		},
		{
			name: "what does it before its types", level: models.LevelSymbol, query: "read all bytes",
			found: found{own: poolOf(sym("index.d.ts", "A", scores(10, 0.9)), sym("b.pyi", "B", scores(10, 0.9)),
				sym("lib/read.js", "C", scores(8, 0.8)))},
			want: []string{"lib/read.js:C", "b.pyi:B", "index.d.ts:A"},
		},
		{
			name: "tests are demoted", level: models.LevelSymbol, query: "read all bytes",
			found: found{own: poolOf(sym("a_test.go", "TestA", both(scores(10, 0.5), test)), sym("b.go", "B", scores(6, 0.4)))},
			want:  []string{"b.go:B", "a_test.go:TestA"},
		},
		{
			name: "so are examples, and elements of markup", level: models.LevelSymbol, query: "read all bytes",
			found: found{own: poolOf(
				sym("Samples/a.go", "A", scores(10, 0.5)), sym("b.html", "b", both(scores(8.4, 0.47), kind("element"))),
				sym("sampler/c.go", "C", scores(8, 0.45)))},
			want: []string{"sampler/c.go:C", "b.html:b", "Samples/a.go:A"},
		},
		{
			name: "and data, unless it is asked for", level: models.LevelSymbol, query: "cached requests",
			found: found{own: poolOf(sym("a.json", "A", both(scores(10, 0.6), language("JSON"))),
				sym("b.go", "B", scores(7, 0.5)), sym("docs/c.go", "C", scores(10, 0.55)))},
			want: []string{"b.go:B", "docs/c.go:C", "a.json:A"},
		},
		{
			name: "and texts of no known language", level: models.LevelSymbol, query: "cached requests",
			found: found{own: poolOf(sym("a.conf2", "A", both(scores(10, 0.6), language(""))),
				sym("b.go", "B", scores(7, 0.5)))},
			want: []string{"b.go:B", "a.conf2:A"},
		},
		{
			name: "asked for", level: models.LevelSymbol, query: "the yaml of cached requests",
			found: found{own: poolOf(sym("a.yml", "A", both(scores(10, 0.6), language("YAML"))),
				sym("b.go", "B", scores(7, 0.5)))},
			want: []string{"a.yml:A", "b.go:B"},
		},
		{
			name: "asked how something is done types are behind what does it", level: models.LevelSymbol,
			query: "how are requests cached",
			found: found{own: poolOf(sym("a.go", "A", both(scores(10, 0.5), kind("struct"))),
				sym("b.go", "B", scores(9, 0.45)))},
			want: []string{"b.go:B", "a.go:A"},
		},
		{
			name: "asked where it is done they are not", level: models.LevelSymbol, query: "where are requests cached",
			found: found{own: poolOf(sym("a.go", "A", both(scores(10, 0.5), kind("struct"))),
				sym("b.go", "B", scores(9, 0.45)))},
			want: []string{"a.go:A", "b.go:B"},
		},
		{
			name: "asked for what is done, where there is more", level: models.LevelSymbol, query: "cached requests",
			found: found{own: poolOf(sym("a.go", "A", both(scores(10, 0.5), lines(2))),
				sym("b.go", "B", both(scores(9, 0.48), lines(60))))},
			want: []string{"b.go:B", "a.go:A"},
		},
		{
			name: "not for what is described", level: models.LevelSymbol, query: "Returns the requests that are in the cache",
			found: found{own: poolOf(sym("a.go", "A", both(scores(10, 0.5), lines(2))),
				sym("b.go", "B", both(scores(9, 0.48), lines(60))))},
			want: []string{"a.go:A", "b.go:B"},
		},
		{
			name: "the whole file speaks for its symbols", level: models.LevelSymbol, query: "cached requests",
			found: found{
				own:   poolOf(sym("a.go", "A", scores(10, 0.5)), sym("b.go", "B", scores(8, 0.45))),
				files: likeFiles{{"o/r", "a.go"}: 0.3, {"o/r", "b.go"}: 1},
			},
			want: []string{"b.go:B", "a.go:A"},
		},
		{
			name: "prototypes stand behind definitions", level: models.LevelSymbol, query: "remove a node",
			found: found{own: poolOf(sym("a.h", "list_remove", both(scores(10, 0.5), lines(2))),
				sym("a.c", "list_remove", scores(9.5, 0.48)))},
			want: []string{"a.c:list_remove", "a.h:list_remove"},
		},
		{
			name: "the kind that the query speaks of", level: models.LevelSymbol,
			query: "the interface that wraps reading",
			found: found{own: poolOf(sym("a.go", "Read", scores(10, 0.5)), sym("b.go", "R", both(scores(9, 0.45),
				kind("interface"))))},
			want: []string{"b.go:R", "a.go:Read"},
		},
		{
			name: "a type before its constructors", level: models.LevelSymbol, query: "list without range checks",
			found: found{own: poolOf(sym("A.java", "FastList", both(scores(9, 0.5), qualified("FastList.FastList"))),
				sym("B.java", "FastList", both(scores(8.5, 0.48), kind("class"))))},
			want: []string{"B.java:FastList", "A.java:FastList"},
		},
		{
			name: "what something is, is not a function", level: models.LevelSymbol, query: "a pool of idle connections",
			found: found{own: poolOf(sym("a.go", "Idle", scores(10, 0.5)), sym("b.go", "B", both(scores(9, 0.45),
				kind("struct"))))},
			want: []string{"b.go:B", "a.go:Idle"},
		},
		{
			name: "likeness counts from what is common on", level: models.LevelSymbol, query: "read all bytes",
			found: found{own: poolOf(sym("a.go", "A", scores(10, 0.5)), sym("b.go", "B", scores(9, 0.54)))},
			want:  []string{"b.go:B", "a.go:A"},
		},
		{
			name: "likeness to a question counts whole", level: models.LevelSymbol, query: "why are bytes dropped",
			found: found{own: poolOf(sym("a.go", "A", scores(10, 0.5)), sym("b.go", "B", scores(9, 0.54)))},
			want:  []string{"a.go:A", "b.go:B"},
		},
		{
			name: "a name that is mentioned", level: models.LevelSymbol, query: "items of an IndexSet",
			found: found{own: poolOf(sym("a.rs", "IndexSet", scores(7, 0.45)), sym("b.rs", "Iter", scores(10, 0.6)))},
			want:  []string{"a.rs:IndexSet", "b.rs:Iter"},
		},
		{
			name: "unless asked for", level: models.LevelSymbol, query: "test of read all bytes",
			found: found{own: poolOf(sym("a_test.go", "TestA", both(scores(10, 0.5), test)), sym("b.go", "B", scores(6, 0.4)))},
			want:  []string{"a_test.go:TestA", "b.go:B"},
		},
		{
			name: "ties go by path", level: models.LevelSymbol, query: "x y",
			found: found{own: poolOf(sym("b.go", "X", scores(1, 0)), sym("a.go", "X", scores(1, 0)))},
			want:  []string{"a.go:X", "b.go:X"},
		},
		{
			name: "a file ranks by its best symbol", level: models.LevelFile, query: "read all bytes",
			found: found{
				own:     poolOf(file("a.go", 10), file("b.go", 8)),
				symbols: poolOf(sym("b.go", "B", scores(5, 0.6)), sym("a.go", "A", scores(1, 0.1))),
			},
			want: []string{"b.go", "a.go"},
		},
		{
			name: "a class before the interface that it implements", level: models.LevelFile, query: "how are menus built",
			found: found{own: poolOf(file("MenuService.java", 10), file("Menu.java", 9.5), file("MenuServiceImpl.java", 9.4),
				file("IRoles.cs", 9), file("Roles.cs", 8.5))},
			want: []string{"Menu.java", "MenuServiceImpl.java", "Roles.cs", "MenuService.java", "IRoles.cs"},
		},
		{
			name: "what an interface documents is found where it is done", level: models.LevelSymbol, query: "build the menus",
			found: found{own: poolOf(
				sym("A.java", "build", both(scores(10, 0.5), qualified("MenuService.build"))),
				sym("B.java", "build", both(scores(2, 0.1), qualified("MenuServiceImpl.build"))),
				sym("C.java", "build", both(scores(3, 0.2), qualified("Other.build"))))},
			want: []string{"B.java:build", "A.java:build", "C.java:build"},
		},
		{
			name: "a file with more in it before a short one", level: models.LevelFile, query: "read all bytes",
			found: found{own: poolOf(long(file("b.go", 10), 200), long(file("a.go", 10), 9))},
			want:  []string{"b.go", "a.go"},
		},
		{
			name: "code before what examples, scripts and workflows do with it", level: models.LevelFile,
			query: "how are versions compared",
			found: found{
				own: poolOf(file("examples/a.go", 12), file("scripts/a.go", 11), file(".github/a.go", 10), file("a.go", 9)),
			},
			want: []string{"a.go", "examples/a.go", "scripts/a.go", ".github/a.go"},
		},
		{
			name: "code before what builds it", level: models.LevelFile, query: "where is the network layer",
			found: found{own: poolOf(written(file("CMakeLists.txt", 10), "CMake"), file("net.c", 9))},
			want:  []string{"net.c", "CMakeLists.txt"},
		},
		{
			name: "Nix is code like others", level: models.LevelFile, query: "where is the network layer",
			found: found{own: poolOf(written(file("net.nix", 10), "Nix"), file("net.c", 9))},
			want:  []string{"net.nix", "net.c"},
		},
		{
			name: "what builds it, where that is asked for", level: models.LevelFile, query: "how is the network layer built",
			found: found{own: poolOf(written(file("CMakeLists.txt", 10), "CMake"), file("net.c", 9))},
			want:  []string{"CMakeLists.txt", "net.c"},
		},
		{
			name: "a folder of that name before one with something of that name", level: models.LevelModule,
			query: "middleware",
			found: found{
				own:     poolOf(folder("lib", 9), folder("lib/middleware", 3)),
				symbols: poolOf(sym("lib/app.go", "middleware", scores(5, 0.6)), sym("lib/middleware/a.go", "A", scores(1, 0.1))),
			},
			want: []string{"lib/middleware", "lib"},
		},
		{
			name: "a file known by a symbol only", level: models.LevelFile, query: "ServeMux",
			found: found{own: poolOf(file("a.go", 10)), symbols: poolOf(sym("b.go", "ServeMux", scores(5, 0.6)))},
			want:  []string{"b.go", "a.go"},
		},
		{
			name: "unlike all of them, still in order", level: models.LevelSymbol, query: "x y",
			found: found{own: poolOf(sym("a.go", "A", scores(0, -0.4)), sym("b.go", "B", scores(0, -0.1)))},
			want:  []string{"b.go:B", "a.go:A"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, h := range rank(tt.level, asks(tt.query), tt.found, math.MaxInt).hits {
				got = append(got, string(h.ID))
			}
			var want []string
			for _, w := range tt.want {
				want = append(want, fmt.Sprintf("%s:o/r:%s", tt.level, w))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsExample(t *testing.T) {
	for path, want := range map[string]bool{
		"examples/a.go": true, "x/_examples/a.go": true, "iOS Example/App.swift": true, "example_app/lib/a.dart": true,
		"benchmark/a.js": true, "Sources/Documentation.docc/Steps/a.swift": true, "scripts/a.sh": true, ".github/a.js": true,
		"docs/a.js": true, "doc-values/a.go": false, "resample/a.c": false, "src/example.go": false, "a.go": false,
		"client-dist/a.js": true, "os/win32/a.c": true, "x-win32/a.c": false, "tests/app.go": true,
		"a-tests/app.go": false,
	} {
		if got := isExample(path); got != want {
			t.Errorf("%s: an example: %v, want %v", path, got, want)
		}
	}
}

// Symbols speak for a file in the order in which they are found at level symbol.
func TestSpeakers(t *testing.T) {
	q := asks("how is the pager chosen")
	words := []Word{{Text: "pager", In: 5, Of: 1000}, {Text: "chosen", In: 3, Of: 1000}}
	q.cover = newCover(fts.NewAnalyser, wording{all: words})
	kind := sym("a.go", "PagerSource", scores(9, 0.6))
	kind.Kind = "enum"
	symbols := func() pool {
		return poolOf(kind, sym("a.go", "A", scores(10, 0.55)), sym("a.go", "choosePager", scores(9, 0.5)))
	}
	var got, want []models.DocumentID
	files := rank(models.LevelFile, q, found{own: poolOf(file("a.go", 10)), symbols: symbols()}, 1)
	for _, sp := range files.hits[0].speakers {
		got = append(got, sp.ID)
	}
	for _, h := range rank(models.LevelSymbol, q, found{own: symbols()}, math.MaxInt).hits {
		want = append(want, h.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" || want[0] != "symbol:o/r:a.go:choosePager" {
		t.Errorf("speakers (-level symbol +level file):\n%s", diff)
	}
}

// Who names a part of a name, and all of its other words, means it.
func TestWithin(t *testing.T) {
	q := asks("the default BodyLimit config")
	var words []Word
	for _, word := range New(nil, nil, nil).words.countable(q.Text) {
		words = append(words, Word{Text: word.text, In: 5, Of: 1000})
	}
	q.cover = newCover(fts.NewAnalyser, wording{all: words})
	for name, want := range map[string]bool{
		"DefaultBodyLimitConfig": true, "bodyLimitConfig": true, "BodyLimitWithSkipper": false, "DefaultConfig": false,
		"BodyLimit": false, // has it, which is more
	} {
		if got := within(q, q.Identifiers[0], &models.Header{SymbolName: name}); got != want {
			t.Errorf("within(%s) = %v", name, got)
		}
	}
}

// What a qualified name ends in is of what it begins with, and of nothing else.
func TestWithinQualified(t *testing.T) {
	q := asks("convert nodes to std::map")
	words := []Word{{Text: "nodes", In: 5, Of: 1000}, {Text: "map", In: 5, Of: 1000}}
	q.cover = newCover(fts.NewAnalyser, wording{all: words})
	if within(q, q.Identifiers[0], &models.Header{SymbolName: "nodeMap"}) {
		t.Error("std::map is nodeMap")
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct{ in, want string }{{"", ""}, {"äöü", "äö"}, {"ab", "ab"}, {"a", "a"}} {
		if got := cut(test.in, 2); got != test.want {
			t.Errorf("cut(%q, 2) = %q, want %q", test.in, got, test.want)
		}
	}
}

// The first hits are those of the whole order, whatever few are asked for.
func TestOrderOfTheFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 33))
	for n := range 300 {
		var some, all []*hit
		for i := range n {
			h := hit{Header: &models.Header{
				RepoID: "o/r", FilePath: fmt.Sprint(rng.IntN(1 + n/8)), StartLine: i,
				ID: models.DocumentID(fmt.Sprint(i)),
			}, score: rounded(float64(rng.IntN(1+n))/float64(1+n)*4 - 0.5)}
			if rng.IntN(9) == 0 {
				h.parts[partIdentifier] = 1
			}
			other := h
			some, all = append(some, &h), append(all, &other)
		}
		first, q := rng.IntN(30), goal{Intent: intent.Intent{Text: "one two"}}
		apart := n%4 > 0
		order(some, first, q, apart)
		slices.SortFunc(all, before)
		if apart {
			damp(q, all, map[place]bool{})
			slices.SortFunc(all, before)
		}
		for i := range min(first, n) {
			if diff := cmp.Diff(all[i], some[i], cmp.AllowUnexported(hit{})); diff != "" {
				t.Fatalf("hit %d of the first %d of %d (-want +got):\n%s", i, first, n, diff)
			}
		}
	}
}

// TestTraced: a stack trace has the paths of files, below the folder where they were built.
func TestTraced(t *testing.T) {
	q := asks("panic: nil map\n\t/home/ci/app/lib/store/open.go:17 +0x29\n\t/usr/go/src/net/http/server.go:2")
	for file, want := range map[string]float64{
		"lib/store/open.go": weightTraced, "store/open.go": weightTraced, "open.go": 0, "lib/open.go": 0,
		"http/server.go": weightTraced, "lib/server.go": 0,
	} {
		if got := pathMatch(q, file); got != want {
			t.Errorf("%s has %v, want %v", file, got, want)
		}
	}
}
