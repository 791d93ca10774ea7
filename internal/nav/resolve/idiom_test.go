//go:build cgo

package resolve_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// TestIdioms checks the small projects of testdata/idioms: a folder a language,
// an idiom a file. Marks in comments say what the names on their line are:
//
//	def:NAME        declared here; def:NAME/LABEL where several things have that name
//	use:NAME        means what is declared as NAME and nothing else; use:NAME/LABEL,LABEL that with those labels
//	use:ALIAS=NAME  is another name for that
//	none:NAME       means nothing of the project
//	hidden:NAME     is no symbol
//	named:PATH      is what users of the project call what is declared here, as crate.name
//	reaches:NAME    is called of a type of another module, which what is declared as NAME implements, and nothing else
//	unsure:NAME     is called of something of another module, and it is not known whether that is so
//	overrides:NAME  what is declared here overrides or implements that, and nothing else
//
// Every use of what has a def is marked: another one fails the test.
func TestIdioms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "idioms", "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			checkIdiom(t, ar.Files)
		})
	}
}

// A mark is one of the words above.
type idiomMark struct {
	file   resolve.FileID
	line   int
	verb   string
	name   string
	labels []string // NAME or NAME/LABEL
}

type idiom struct {
	*testing.T

	world  *resolve.Memory
	r      *resolve.Resolver
	labels map[resolve.SymbolID]string // of what has a def
	used   map[idiomUse]bool
}

type idiomUse struct {
	file resolve.FileID
	line int
	name string
}

func checkIdiom(t *testing.T, sources []txtar.File) {
	world := extracted(t, sources)
	x := &idiom{t, world, resolve.New(world, languages.All()), map[resolve.SymbolID]string{}, map[idiomUse]bool{}}
	marks := x.read(sources)
	for _, m := range marks {
		if m.verb == "def" || m.verb == "hidden" {
			x.declared(m)
		}
	}
	for _, m := range marks {
		switch m.verb {
		case "use", "none":
			x.means(m)
		case "overrides":
			x.overrides(m)
		case "reaches", "unsure":
			x.reaches(m)
		case "named":
			m.labels = x.names(x.symbols(m, ""))
			x.compare(m, x.r.Named(strings.FieldsFunc(m.name, func(r rune) bool { return r == '.' || r == ':' })))
		}
	}
	x.complete()
}

var idiomMarks = regexp.MustCompile(`\b(def|use|none|hidden|named|overrides|reaches|unsure):([^\s/]+)(?:/(\S+))?`)

func (x *idiom) read(sources []txtar.File) []idiomMark {
	var marks []idiomMark
	for _, s := range sources {
		file, _ := x.world.ByPath(s.Name)
		for n, line := range strings.Split(string(s.Data), "\n") {
			for _, found := range idiomMarks.FindAllStringSubmatch(line, -1) {
				name, label, alias := strings.Cut(found[2], "=")
				if !alias {
					label = name
				}
				m := idiomMark{file: file, line: n + 1, verb: found[1], name: name, labels: []string{label}}
				if found[3] != "" {
					m.labels = strings.Split(label+"/"+strings.ReplaceAll(found[3], ",", ","+label+"/"), ",")
				}
				marks = append(marks, m)
			}
		}
	}
	return marks
}

// declared looks for the symbols of a mark.
func (x *idiom) declared(m idiomMark) {
	found := x.symbols(m, m.name)
	if (len(found) > 0) != (m.verb == "def") {
		x.Errorf("%s: %d symbols %s", x.at(m.file, m.line), len(found), m.name)
	}
	for _, id := range found {
		x.labels[id] = m.labels[0]
	}
}

// symbols are those on the line of a mark, by name if that is given.
func (x *idiom) symbols(m idiomMark, name string) []resolve.SymbolID {
	var out []resolve.SymbolID
	for i, s := range x.world.File(m.file).Symbols {
		if s.Line == m.line && (name == "" || s.Name == name) {
			out = append(out, resolve.SymbolID{File: m.file, Index: int32(i)})
		}
	}
	return out
}

// means checks what the names on the line of a mark stand for.
func (x *idiom) means(m idiomMark) {
	x.used[idiomUse{m.file, m.line, m.name}] = true
	any := false
	for i, ref := range x.world.File(m.file).Refs {
		if ref.Line != m.line || ref.Name != m.name {
			continue
		}
		any = true
		x.compare(m, x.r.Ref(m.file, i).Targets)
	}
	if !any && m.verb == "use" {
		x.Errorf("%s: %s is not used", x.at(m.file, m.line), m.name)
	}
}

// overrides checks what a declaration on the line of a mark overrides.
func (x *idiom) overrides(m idiomMark) {
	var all []resolve.SymbolID
	for _, id := range x.symbols(m, "") {
		all = append(all, x.r.Overrides(id)...)
	}
	x.compare(m, all)
}

// reaches checks what the calls on the line of a mark may reach that none of them names.
func (x *idiom) reaches(m idiomMark) {
	var reached, unsure []resolve.SymbolID
	for i, ref := range x.world.File(m.file).Refs {
		if ref.Line != m.line || ref.Name != m.name && m.name != "nothing" {
			continue
		}
		reached = append(reached, x.r.Dispatched(m.file, i).Targets...)
		for id := range x.labels {
			if x.r.Undecided(m.file, i, id) {
				unsure = append(unsure, id)
			}
		}
	}
	if m.verb == "unsure" {
		x.compare(m, unsure)
		reached = nil
		m.name = "nothing"
	}
	x.compare(m, reached)
}

func (x *idiom) compare(m idiomMark, got []resolve.SymbolID) {
	want := m.labels
	if m.name == "nothing" || m.verb == "none" {
		want = nil
	}
	if got := x.names(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		x.Errorf("%s: %s: got %v, want %v", x.at(m.file, m.line), m.name, got, want)
	}
}

// names are the labels of symbols, or where they are.
func (x *idiom) names(list []resolve.SymbolID) []string {
	var out []string
	for _, id := range list {
		label := x.labels[id]
		if label == "" {
			label = x.at(id.File, x.world.File(id.File).Symbols[id.Index].Line)
		}
		out = append(out, label)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// complete reports uses of what has a def that have no mark.
func (x *idiom) complete() {
	for f := range resolve.FileID(x.world.Len()) {
		for i, ref := range x.world.File(f).Refs {
			for _, id := range x.r.Ref(f, i).Targets {
				if x.labels[id] != "" && !x.used[idiomUse{f, ref.Line, ref.Name}] {
					x.Errorf("%s: %s is used without a mark", x.at(f, ref.Line), x.labels[id])
				}
			}
		}
	}
}

func (x *idiom) at(f resolve.FileID, line int) string {
	return fmt.Sprintf("%s:%d", x.world.File(f).Path, line)
}
