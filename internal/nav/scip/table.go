package scip

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Hash is the SHA-256 of a file's bytes.
type Hash [32]byte

// A Table is what indexes say of the files of a repository, as they were when
// it was made. The first graph completes it; from then on it never changes.
type Table struct {
	Made    time.Time
	Sources []Source
	files   []file // in order of path
	symbols []symbol
	bound   bool
	once    sync.Once
	tells   map[int32][]told // what of each file implements something, once asked
}

// A Source is an index that a table was made of.
type Source struct {
	Path    string // in the repository; "" of one that was given
	Tool    string
	Size    int64
	ModTime time.Time
}

// A file is what is used where in one.
type file struct {
	path string
	hash Hash
	uses []use // in order of position
}

// A use is a symbol at a place that does not declare it: line and column from
// 1, the column in bytes.
type use struct{ line, column, symbol int32 }

// A symbol is something that is used.
type symbol struct {
	name     string // its last one, "" if there is none
	declared bool   // somewhere in the indexes
	targets  []target
	// implements are the symbols that it implements or overrides, of the table.
	implements []int32
}

// A target is a declaration: before it is bound a place, then the nth symbol of
// a file that has a qualified name.
type target struct {
	file         int32
	line, column int32 // not kept
	length       int32 // of the name at the place; not kept
	qualified    string
	nth          int32
}

// A Report tells what came of indexes.
type Report struct {
	Documents int      // that were taken
	Missing   []string // documents whose files are not in the repository, or are not listed
	Changed   []string // documents that were not made of the files as they are
}

// Text is what a file has in it; ok is false when it can't be known, or is
// newer than the index that asks.
type Text func(path string) (text string, hash Hash, ok bool)

// A maker makes a table.
type maker struct {
	t      *Table
	report Report
	read   Text
	known  func(path string) bool
	number map[string]int32
	seen   map[string]bool // paths of documents that were taken
}

// An Input is an index and where it is from.
type Input struct {
	Data []byte
	Source
}

// newTable makes a table of indexes; of two that tell of one file the first
// counts. Their paths are below the folder that most of their documents are
// found in: that of the index, that which it names, or the root. known tells
// which files there are.
func newTable(inputs []Input, root string, known func(path string) bool, read Text) (*Table, Report, error) {
	m := maker{t: &Table{}, read: read, known: known, number: map[string]int32{}, seen: map[string]bool{}}
	for i, in := range inputs {
		var meta Metadata
		below := in.below(root, known, &meta)
		err := Read(in.Data, func(Metadata) error { return nil }, func(d Document) error {
			d.Path = path.Join(below, d.Path)
			m.document(i, &d)
			return nil
		})
		if err != nil {
			return nil, m.report, err
		}
		in.Tool, in.Size = strings.TrimSpace(meta.ToolName+" "+meta.ToolVersion), int64(len(in.Data))
		m.t.Sources = append(m.t.Sources, in.Source)
	}
	m.finish()
	return m.t, m.report, nil
}

// below is the folder that the paths of an index are below.
func (in *Input) below(root string, known func(string) bool, meta *Metadata) string {
	var paths []string
	_ = fields(in.Data, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			*meta = (&decoder{}).metadata(v.bytes)
		case 2:
			return fields(v.bytes, func(n protowire.Number, v value) error {
				if n == 1 {
					paths = append(paths, string(v.bytes))
				}
				return nil
			})
		}
		return nil
	})
	best, most := "", 0
	for _, dir := range []string{"", path.Dir(in.Path), inside(root, meta.ProjectRoot)} {
		n := 0
		for _, p := range paths {
			if known(path.Join(dir, p)) {
				n++
			}
		}
		if n > most {
			best, most = dir, n
		}
	}
	return best
}

// inside is the path below root that a URI names, "" if it is none.
func inside(root, uri string) string {
	p, isFile := strings.CutPrefix(uri, "file://")
	rest, below := strings.CutPrefix(strings.TrimSuffix(p, "/"), strings.TrimSuffix(root, "/")+"/")
	if !isFile || !below {
		return ""
	}
	return rest
}

// document takes one document, unless it was made of another text.
func (m *maker) document(input int, d *Document) {
	switch {
	case m.seen[d.Path]:
		return
	case !m.known(d.Path):
		m.report.Missing = append(m.report.Missing, d.Path)
		return
	}
	text, hash, ok := m.read(d.Path)
	if !ok || d.Text != "" && d.Text != text {
		m.report.Changed = append(m.report.Changed, d.Path)
		return
	}
	m.seen[d.Path] = true
	r := reader{lines: strings.Split(text, "\n"), encoding: encodingOf(d)}
	f, n := file{path: d.Path, hash: hash}, int32(len(m.t.files)) //nolint:gosec // of files
	number := func(name string) int32 {
		if IsLocal(name) {
			return m.symbol(fmt.Sprintf("%d %s:%s", input, d.Path, name), name)
		}
		return m.symbol(name, name)
	}
	var definitions []func()
	for i := range d.Occurrences {
		o := &d.Occurrences[i]
		at, name := r.place(o)
		if name == "" || o.Symbol == "" {
			continue
		}
		s := number(o.Symbol)
		if o.Roles&Definition == 0 {
			f.uses = append(f.uses, use{at.line, at.column, s})
			continue
		}
		at.file, at.length = n, int32(len(name)) //nolint:gosec // of a line
		definitions = append(definitions, func() {
			m.t.symbols[s].declared = true
			m.t.symbols[s].targets = append(m.t.symbols[s].targets, at)
		})
	}
	if r.isOther() {
		m.report.Changed = append(m.report.Changed, d.Path)
		return
	}
	m.report.Documents++
	for _, define := range definitions {
		define()
	}
	m.implementations(d, number)
	m.t.files = append(m.t.files, f)
}

func (m *maker) symbol(key, name string) int32 {
	n, ok := m.number[key]
	if !ok {
		n = int32(len(m.t.symbols)) //nolint:gosec // fewer than bytes of an index
		m.number[key] = n
		m.t.symbols = append(m.t.symbols, symbol{name: nameOf(name)})
	}
	return n
}

// finish puts the files in order.
func (m *maker) finish() {
	order := make([]int32, len(m.t.files)) // new numbers
	byPath := slices.SortedFunc(maps.Keys(maps.Collect(slices.All(m.t.files))), func(a, b int) int {
		return strings.Compare(m.t.files[a].path, m.t.files[b].path)
	})
	files := make([]file, len(byPath))
	for now, was := range byPath {
		order[was], files[now] = int32(now), m.t.files[was] //nolint:gosec // of files
		slices.SortFunc(files[now].uses, compareUses)
		files[now].uses = slices.Compact(files[now].uses)
	}
	m.t.files = files
	for i := range m.t.symbols {
		for j := range m.t.symbols[i].targets {
			to := &m.t.symbols[i].targets[j]
			to.file = order[to.file]
		}
	}
	slices.Sort(m.report.Missing)
	slices.Sort(m.report.Changed)
}

func compareUses(a, b use) int {
	switch {
	case a.line != b.line:
		return int(a.line - b.line)
	case a.column != b.column:
		return int(a.column - b.column)
	}
	return int(a.symbol - b.symbol)
}

// A reader finds places in a text, and out whether it is the one that an index
// was made of.
type reader struct {
	lines        []string
	encoding     Encoding
	outside      bool // a place is not in the text
	named, other int  // places of symbols that have a name, and those where something else stands
}

// place is where an occurrence is, and the name that stands there: "" when that
// is none.
func (r *reader) place(o *Occurrence) (at target, name string) {
	g := o.Range
	if int(g.StartLine) >= len(r.lines) || int(g.EndLine) >= len(r.lines) {
		r.outside = true
		return at, ""
	}
	line := r.lines[g.StartLine]
	from, ok := r.encoding.offset(line, g.StartChar)
	to, ok2 := r.encoding.offset(r.lines[g.EndLine], g.EndChar)
	if !ok || !ok2 {
		r.outside = true
		return at, ""
	}
	if g.StartLine != g.EndLine || from >= to {
		return at, ""
	}
	name, _, _ = strings.Cut(line[from:to], " as ") // of Python, an import with what it is renamed to
	to = from + len(name)
	if want := nameOf(o.Symbol); isName(want) && !isModule(o.Symbol) {
		r.named++
		if want != name || !standsAlone(line, from, to) {
			r.other++
		}
	}
	if !isName(name) {
		return at, ""
	}
	return target{line: g.StartLine + 1, column: int32(from) + 1}, name //nolint:gosec // of a line
}

// isOther reports whether an index was made of another text: a place is not in
// this one, or at too many of them something else stands than the symbol's
// name. Imports that rename are few.
func (r *reader) isOther() bool { return r.outside || r.other*4 > r.named+8 }

func isName(s string) bool {
	for i, c := range s {
		if c != '_' && c != '$' && c != '#' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

// standsAlone reports whether what is before and behind a name is part of none.
func standsAlone(line string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:from])
	behind, _ := utf8.DecodeRuneInString(line[to:])
	return !isWord(before) && !isWord(behind)
}

func isWord(c rune) bool {
	return c == '_' || c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// Revision changes with what the table says, and of which texts.
func (t *Table) Revision() string {
	h := sha256.New()
	for i := range t.files {
		f := &t.files[i]
		fmt.Fprintf(h, "%s\x00%x %d\n", f.path, f.hash, f.uses)
	}
	for i := range t.symbols {
		s := &t.symbols[i]
		fmt.Fprintf(h, "%s %t\n", s.name, s.declared)
		if len(s.implements) > 0 {
			fmt.Fprintf(h, "%d\n", s.implements)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// IsOf reports whether a table was made of what Find found, or is younger: an
// index that somebody gave stays until a build leaves another one.
func (t *Table) IsOf(found []Source) bool {
	same := slices.EqualFunc(t.Sources, found, func(a, b Source) bool {
		return a.Path == b.Path && a.Size == b.Size && a.ModTime.Equal(b.ModTime)
	})
	given := slices.ContainsFunc(t.Sources, func(s Source) bool { return s.Path == "" })
	return same || given && !slices.ContainsFunc(found, func(s Source) bool { return s.ModTime.After(t.Made) })
}

// Len is the number of files, 0 of no table.
func (t *Table) Len() int {
	if t == nil {
		return 0
	}
	return len(t.files)
}

// find is the number of a file.
func (t *Table) find(p string) (int, bool) {
	return slices.BinarySearchFunc(t.files, p, func(f file, p string) int { return strings.Compare(f.path, p) })
}

// telling are the declarations of a file that implement something. The table is
// bound.
func (t *Table) telling(file int32) []told {
	t.once.Do(func() {
		all := map[int32][]told{}
		for i := range t.symbols {
			s := &t.symbols[i]
			for _, at := range s.targets {
				if len(s.implements) > 0 {
					all[at.file] = append(all[at.file], told{at.qualified, at.nth, s.implements})
				}
			}
		}
		t.tells = all
	})
	return t.tells[file]
}
