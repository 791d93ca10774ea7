package nav_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/scip"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Runs of a value that comes from elsewhere: the text does not tell whose Do it is.
var unclear = map[string]string{
	"go.mod": "module example.com/m\n\nrequire example.com/far v1.0.0\n",
	"a.go":   "package m\n\ntype A struct{}\n\nfunc (A) Do() {}\n",
	"b.go":   "package m\n\ntype B struct{}\n\nfunc (B) Do() {}\n",
	"use.go": "package m\n\nimport \"example.com/far\"\n\nfunc run() {\n\tx := far.Get()\n\tx.Do()\n}\n\n" +
		"func sure() { A{}.Do() }\n",
}

// indexed is an index of texts: symbols by the words that stand for them, which
// "def:" marks in the list of places.
func indexed(t *testing.T, files map[string]string, places map[string][]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := scip.NewWriter(&b)
	if err := w.Metadata(scip.Metadata{ToolName: "told"}); err != nil {
		t.Fatal(err)
	}
	for path, list := range places {
		d := scip.Document{Path: path, Encoding: scip.UTF8}
		for _, place := range list { // word of the line:its first word there:symbol
			if from, to, is := strings.Cut(place, " implements "); is {
				d.Symbols = append(d.Symbols, scip.SymbolInformation{
					Symbol:        "told . . . " + from,
					Relationships: []scip.Relationship{{Symbol: "told . . . " + to, IsImplementation: true}},
				})
				continue
			}
			text, symbol, _ := strings.Cut(place, " -> ")
			role := scip.Role(0)
			if rest, is := strings.CutPrefix(text, "def "); is {
				text, role = rest, scip.Definition
			}
			before, word, _ := strings.Cut(text, "|")
			at := strings.Index(files[path], before+word) + len(before)
			line := strings.Count(files[path][:at], "\n")
			column := at - strings.LastIndex(files[path][:at], "\n") - 1
			r := scip.Range{
				StartLine: int32(line), StartChar: int32(column), EndLine: int32(line),
				EndChar: int32(column + len(word)),
			} //nolint:gosec // of a text
			d.Occurrences = append(d.Occurrences, scip.Occurrence{Range: r, Symbol: "told . . . " + symbol, Roles: role})
		}
		if err := w.Document(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func unclearIndex(t *testing.T) []byte {
	return indexed(t, unclear, map[string][]string{
		"b.go":   {"def (B) |Do -> B#Do()."},
		"use.go": {"x.|Do -> B#Do()."},
	})
}

func unclearService(t *testing.T) (root string, svc *nav.Service) {
	t.Helper()
	root = t.TempDir()
	for name, text := range unclear {
		put(t, root, name, text)
	}
	return root, nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
}

// tiers are the uses of a symbol with how they were found.
func tiers(t *testing.T, svc *nav.Service, symbol string) (all []string) {
	t.Helper()
	r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: symbol})
	if fault.CodeOf(err) == fault.SymbolNotFound {
		return []string{"none"}
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Items {
		all = append(all, fmt.Sprintf("%s:%d %s %s %q", x.FilePath, x.Line, x.Tier, x.Definition, x.Candidates))
	}
	return all
}

// kinIndex also says that A stands for B, which nothing in the texts does.
func kinIndex(t *testing.T) []byte {
	return indexed(t, unclear, map[string][]string{
		"a.go": {
			"def type |A -> A#", "def (A) |Do -> A#Do().", "A# implements B#", "A#Do(). implements B#Do().",
			"A#Do(). implements far#Do().",
		},
		"b.go":   {"def type |B -> B#", "def (B) |Do -> B#Do()."},
		"use.go": {"x.|Do -> B#Do()."},
	})
}

// kin are what implements a symbol and what it implements.
func kin(t *testing.T, svc *nav.Service, symbol string) (all []string) {
	t.Helper()
	for _, direction := range []string{"down", "up"} {
		r, err := svc.Implementations(t.Context(),
			nav.ImplementationsRequest{RepoID: "o/a", Symbol: symbol, Direction: direction})
		if fault.CodeOf(err) == fault.SymbolNotFound {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Items {
			all = append(all, fmt.Sprintf("%s %s:%s %s", direction, x.FilePath, x.Symbol, x.Tier))
		}
	}
	return all
}

// What an index says is implemented is, as long as the file in which it is
// declared is the one that was indexed.
func TestToldImplementations(t *testing.T) {
	root, svc := unclearService(t)
	build := func(req nav.BuildRequest) {
		t.Helper()
		req.RepoID = "o/a"
		if _, err := svc.Build(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when, symbol string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, kin(t, svc, symbol)); diff != "" {
			t.Errorf("%s: what %s is related to (-want +got):\n%s", when, symbol, diff)
		}
	}
	build(nav.BuildRequest{})
	check("without an index", "B")
	build(nav.BuildRequest{Index: kinIndex(t)})
	all := func(when string) {
		t.Helper()
		check(when, "B", "down a.go:A precise")
		check(when, "B.Do", "down a.go:A.Do precise")
		check(when, "A", "up b.go:B precise")
		check(when, "A.Do", "up b.go:B.Do precise")
	}
	all("imported")
	put(t, root, "b.go", "// B.\n"+unclear["b.go"])
	all("what is implemented changed")
	put(t, root, "a.go", strings.Replace(unclear["a.go"], "Do() {}", "Do() { return }", 1))
	check("a body changed", "B")
	check("a body changed", "A.Do")
	build(nav.BuildRequest{})
	check("built again", "B.Do")
	put(t, root, "a.go", unclear["a.go"])
	all("as it was")
	build(nav.BuildRequest{SCIP: nav.NoIndex})
	check("forgotten", "A.Do")
}

const isExact = `use.go:7 precise b.go:B.Do []`

func TestImportSCIP(t *testing.T) {
	root, svc := unclearService(t)
	build := func(req nav.BuildRequest) nav.BuildResponse {
		t.Helper()
		req.RepoID = "o/a"
		r, err := svc.Build(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	check := func(when string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, tiers(t, svc, "B.Do")); diff != "" {
			t.Errorf("%s: uses of B.Do (-want +got):\n%s", when, diff)
		}
	}
	build(nav.BuildRequest{})
	own := tiers(t, svc, "B.Do")
	if strings.Contains(strings.Join(own, "\n"), "precise") {
		t.Fatalf("without an index: %q", own)
	}
	if r := build(nav.BuildRequest{Index: unclearIndex(t)}); len(r.Meta.Warnings) > 0 || r.Items[0].Exact != 2 {
		t.Errorf("import: %+v", r)
	}
	check("imported", isExact)
	put(t, root, "b.go", strings.Replace(unclear["b.go"], "type", "// B is a type.\ntype", 1))
	check("where it is declared changed", isExact)
	build(nav.BuildRequest{})
	check("built again", isExact)
	put(t, root, "use.go", unclear["use.go"]+"\n// more\n")
	check("edited", own...)
	build(nav.BuildRequest{})
	check("edited and built", own...)
	put(t, root, "use.go", unclear["use.go"])
	check("as it was", isExact)
	put(t, root, "b.go", strings.Replace(unclear["b.go"], "Do", "Done", 1))
	check("renamed", "none")
	put(t, root, "b.go", unclear["b.go"])

	put(t, root, "other.scip",
		string(indexed(t, unclear, map[string][]string{"a.go": {"def (A) |Do -> A#Do()."}, "use.go": {"x.|Do -> A#Do()."}})))
	build(nav.BuildRequest{SCIP: "other.scip"})
	check("another index", tiers(t, svc, "B.Do")...)
	if got := strings.Join(tiers(t, svc, "A.Do"), "\n"); !strings.Contains(got, "use.go:7 precise a.go:A.Do") {
		t.Errorf("another index: uses of A.Do %s", got)
	}
	build(nav.BuildRequest{SCIP: nav.NoIndex})
	check("forgotten", own...)

	for _, bad := range []string{"gone.scip", "../x.scip", "/etc/passwd", "go.mod"} {
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a", SCIP: bad}); fault.CodeOf(err) ==
			fault.Internal || err == nil {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}

// An index that an indexer leaves is found, files that are younger are left out,
// and what was imported stays until there is a younger one.
func TestFoundSCIP(t *testing.T) {
	root, svc := unclearService(t)
	hour := func(file string, at int) {
		t.Helper()
		when := time.Date(2026, 1, 2, at, 0, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(root, file), when, when); err != nil {
			t.Fatal(err)
		}
	}
	for name := range unclear {
		hour(name, 1)
	}
	put(t, root, "index.scip", string(unclearIndex(t)))
	hour("index.scip", 2)
	exact := func() (files int, warnings []models.Warning) {
		t.Helper()
		r, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"})
		if err != nil {
			t.Fatal(err)
		}
		return r.Items[0].Exact, r.Meta.Warnings
	}
	if n, warned := exact(); n != 2 || len(warned) > 0 {
		t.Errorf("%d files, %v", n, warned)
	}
	if got := tiers(t, svc, "B.Do"); got[0] != isExact {
		t.Errorf("uses %q", got)
	}
	hour("use.go", 3)
	hour("index.scip", 2)
	put(t, root, "index.scip", string(unclearIndex(t))+string(indexed(t, unclear, nil)))
	hour("index.scip", 2)
	const differs = "may differ from what it was made of, the first one use.go"
	if n, warned := exact(); n != 1 || len(warned) != 1 || !strings.Contains(warned[0].Message, differs) {
		t.Errorf("a younger file: %d files, %v", n, warned)
	}
}

// Whatever is edited, answers are those of a graph that is built anew.
func TestExactEdgesEqualARebuild(t *testing.T) {
	root, svc := unclearService(t)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a", Index: kinIndex(t)}); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
	names := []string{"a.go", "b.go", "use.go"}
	for i := range 25 {
		name := names[random.IntN(3)]
		put(t, root, name, []string{
			unclear[name], unclear[name] + "// x\n", strings.Replace(unclear[name], "Do", "Did", 1),
			"// first\n" + unclear[name], "package m\n",
		}[random.IntN(5)])
		var before, after []string
		ask := func() (all []string) {
			for _, s := range []string{"A.Do", "B.Do", "A.Did", "B.Did", "A"} {
				all = slices.Concat(all, tiers(t, svc, s), kin(t, svc, s))
			}
			return all
		}
		before = ask()
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
		after = ask()
		if diff := cmp.Diff(after, before); diff != "" {
			t.Fatalf("edit %d of %s (-rebuilt +before):\n%s", i, name, diff)
		}
	}
}

// A graph that is written as an index says all of itself when that is imported
// again, and what it calls things can be read by the protocol's grammar.
func TestExportSCIP(t *testing.T) {
	root, svc := shopping(t)
	if _, err := svc.ExportSCIP(t.Context(), nav.ExportRequest{RepoID: "o/a"}); fault.CodeOf(err) != fault.IndexNotReady {
		t.Errorf("without a graph: error %v", err)
	}
	build := func(req nav.BuildRequest) {
		t.Helper()
		req.RepoID = "o/a"
		if r, err := svc.Build(t.Context(), req); err != nil || len(r.Meta.Warnings) > 0 {
			t.Fatal(r.Meta.Warnings, err)
		}
	}
	build(nav.BuildRequest{})
	r, err := svc.ExportSCIP(t.Context(), nav.ExportRequest{RepoID: "o/a"})
	if err != nil {
		t.Fatal(err)
	}
	data := read(t, root, r.Items[0].File)
	uses, definitions, symbols := 0, map[string]bool{}, map[string]bool{}
	implemented := 0
	err = scip.Read([]byte(data), func(scip.Metadata) error { return nil }, func(d scip.Document) error {
		for _, o := range d.Occurrences {
			if _, ok := scip.Parse(o.Symbol); !ok {
				t.Errorf("%q is no symbol", o.Symbol)
			}
			switch {
			case o.Roles&scip.Definition == 0:
				uses++
			case definitions[o.Symbol]:
				t.Errorf("%q is declared twice", o.Symbol)
			default:
				definitions[o.Symbol] = true
			}
			symbols[o.Symbol] = true
		}
		for _, s := range d.Symbols {
			implemented += len(s.Relationships)
		}
		return nil
	})
	if err != nil || len(symbols) != len(definitions) || len(definitions) != r.Items[0].Symbols ||
		uses+len(definitions) != r.Items[0].Occurrences || len(data) != int(r.Items[0].Bytes) {
		t.Errorf("%d symbols, %d declared, %d uses, %+v, %v", len(symbols), len(definitions), uses, r.Items[0], err)
	}
	edges := func() (all []string) {
		for symbol := range definitions {
			s, _ := scip.Parse(symbol)
			all = append(all, tiers(t, svc, s.Descriptors[len(s.Descriptors)-1].Name)...)
		}
		slices.Sort(all)
		return all
	}
	own := edges()
	build(nav.BuildRequest{SCIP: nav.Exported})
	exact := edges()
	if len(own) == 0 || len(own) != len(exact) {
		t.Errorf("%d edges became %d", len(own), len(exact))
	}
	for i := range exact {
		if a, b := strings.Fields(own[i]), strings.Fields(exact[i]); b[1] != "precise" && a[1] != "B" || a[0] != b[0] {
			t.Errorf("%s became %s", own[i], exact[i])
		}
	}
}
