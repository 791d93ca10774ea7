package graph_test

import (
	stdcmp "cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
)

// An artifact is rag_graph.json as others read it.
type artifact struct {
	SchemaVersion int `json:"schema_version"`
	Graph         string
	Files         []string
	Kinds         []string
	SymbolColumns []string `json:"symbol_columns"`
	Symbols       [][][]any
	EdgeColumns   []string `json:"edge_columns"`
	Ways          []struct {
		Type, Tier string
		Confidence float64
	}
	Edges [][]any
}

// decodeJSON reads an artifact; it returns the ids of its symbols too, and what
// else is said of each.
func decodeJSON(t *testing.T, content []byte) (a artifact, ids []string, kinds map[string]string) {
	t.Helper()
	if err := json.Unmarshal(content, &a); err != nil {
		t.Fatal(err)
	}
	kinds = map[string]string{}
	for f, rows := range a.Symbols {
		for _, row := range rows {
			file, local := a.Files[f], row[5].(string)
			name := local[strings.LastIndex(local, ".")+1:]
			if len(row) > 6 {
				name = row[6].(string)
			}
			ids = append(ids, file+":"+local)
			end := index(row[0]) + index(row[2]) - 1
			kinds[file+":"+local] = fmt.Sprintf("%s %s %s:%v:%v-%d", a.Kinds[index(row[3])], name, file, row[0], row[1], end)
		}
	}
	return a, ids, kinds
}

func index(v any) int { return int(v.(float64)) }

// A jsonEdge is the row of an edge with all that it refers to.
type jsonEdge struct {
	kind, from, file, tier string
	to                     []string
	line, column           int
	confidence             float64
}

// edgesOf are the edges of a file, with those that its symbols have by where
// they are declared.
func (a *artifact) edgesOf(ids []string, file int) (all []jsonEdge) {
	first := 0
	for _, rows := range a.Symbols[:file] {
		first += len(rows)
	}
	symbol := func(i any) string {
		if index(i) < 0 {
			return a.Files[file]
		}
		return ids[first+index(i)]
	}
	for i, row := range a.Symbols[file] {
		all = append(all, jsonEdge{
			kind: "defines", from: symbol(row[4]), file: a.Files[file], to: []string{ids[first+i]},
			line: index(row[0]), column: index(row[1]), confidence: 1,
		})
	}
	line := 0
	for values := a.Edges[file]; len(values) > 0; values = values[5:] {
		w := a.Ways[index(values[2])]
		line += index(values[0])
		e := jsonEdge{
			kind: w.Type, from: symbol(values[3]), file: a.Files[file], tier: w.Tier,
			line: line, column: index(values[1]), confidence: w.Confidence,
		}
		targets, several := values[4].([]any)
		if !several {
			targets = values[4:5]
		}
		for _, to := range targets {
			if path, ok := to.(string); ok {
				e.to = append(e.to, path)
			} else {
				e.to = append(e.to, ids[index(to)])
			}
		}
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b jsonEdge) int { return stdcmp.Or(a.line-b.line, a.column-b.column) })
	return all
}

// What the JSON says of uses is what a view answers.
func TestJSONHasTheUses(t *testing.T) {
	for seed := range uint64(5) {
		root := t.TempDir()
		g := built(t, newRandom(seed).tree(), nil, 1)
		save(t, root, g)
		a, ids, _ := decodeJSON(t, read(t, root, ondisk.JSONName))
		if len(a.Edges) != len(a.Files) {
			t.Fatalf("%d lists of edges for %d files", len(a.Edges), len(a.Files))
		}
		want, got := map[string]bool{}, map[string]bool{}
		note := func(uses map[string]bool, to, kind, file string, line, column int) {
			if kind != "defines" && kind != "implements" && kind != "extends" { // which no place need say
				uses[fmt.Sprintf("%s %s %s:%d:%d", to, kind, file, line, column)] = true
			}
		}
		for f := range a.Edges {
			for _, e := range a.edgesOf(ids, f) {
				for _, to := range e.to {
					if e.kind != "imports" {
						note(got, to, e.kind, e.file, e.line, e.column)
					}
				}
			}
		}
		v := overlay.Lay(g, overlay.Changes{}, nil)
		for _, id := range ids {
			for _, d := range lookup.Find(t.Context(), v, id, lookup.Pick{}) {
				for _, u := range usesOf(t.Context(), v, d, usage.Options{}).Uses {
					note(want, d.ID, u.Edge, u.File, u.Line, u.Column)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("seed %d: %d uses (-view +JSON):\n%s", seed, len(want), diff)
		}
	}
}

// A name that is not the end of its id is in the row, and a second symbol of a
// name has an id of its own.
func TestJSONNames(t *testing.T) {
	root := t.TempDir()
	save(t, root, goGraph(t, "-- go.mod --\nmodule a\n-- a.go --\npackage a\n\nfunc init() {}\nfunc init() {}\n"))
	_, ids, kinds := decodeJSON(t, read(t, root, ondisk.JSONName))
	got := fmt.Sprint(ids, kinds["a.go:init~2"])
	if want := "[a.go:init a.go:init~2]func init a.go:4:6-4"; got != want {
		t.Errorf("symbols %s, want %s", got, want)
	}
}

// A graph of an older version is built again, and never read.
func TestOlderVersion(t *testing.T) {
	root := t.TempDir()
	save(t, root, built(t, newRandom(1).tree(), nil, 1))
	now := read(t, root, ondisk.JSONName)
	old := strings.Replace(string(now), fmt.Sprintf(`"schema_version":%d`, graph.SchemaVersion), `"schema_version":2`, 1)
	write(t, root, ondisk.JSONName, []byte(old))
	checkNotReady(t, root, "another version")
	if _, err := ondisk.Stored(root); fault.CodeOf(err) != fault.IndexNotReady {
		t.Errorf("stored: %v", err)
	}
	write(t, root, ondisk.JSONName, now)
	path := filepath.Join(root, ondisk.Folder, ondisk.SidecarName)
	sidecar := read(t, root, ondisk.SidecarName)
	sidecar[8] = 1
	if err := os.WriteFile(path, sidecar, 0o600); err != nil {
		t.Fatal(err)
	}
	checkNotReady(t, root, "damaged")
}
