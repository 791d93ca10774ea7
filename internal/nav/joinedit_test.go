//go:build cgo

package nav_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var rounds = flag.Int("rounds", 3, "random edits of each archive of testdata/across")

// restored is after how many edits the files are as they were again: what is left of
// them says less with each edit.
const restored = 12

// Whatever is edited in repositories that use each other, each reply is that of
// graphs which are built of the files as they are then.
func TestRandomEditsAcrossAreARebuild(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "across", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	if testing.Short() { // with the race detector, which wants one of each kind
		*rounds = 1
	}
	for n, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			x := newJoined(t, file, true)
			e := &edits{
				joined: x, rand: rand.New(rand.NewPCG(uint64(n), 1)), whole: copied(x.files), //nolint:gosec // a test
				anew: folders{}, built: map[models.RepoID]map[string]string{},
			}
			for id := range x.all {
				e.anew[id] = t.TempDir()
			}
			before, different := "", 0
			for round := range *rounds {
				var what string
				if round%restored == restored-1 {
					what = e.restore()
				} else {
					what = e.edit()
				}
				got, want := e.replies(x.svc, x.all), e.rebuilt()
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("round %d, %s (-rebuilt +fresh):\n%s", round, what, diff)
				}
				if text := fmt.Sprint(got); text != before {
					before = text
					different++
				}
			}
			if different < (*rounds+2)/3 {
				t.Errorf("%d of %d edits changed a reply", different, *rounds)
			}
		})
	}
}

// edits are random changes of the repositories of an archive.
type edits struct {
	*joined

	rand  *rand.Rand
	whole map[models.RepoID]map[string]string // the files as they were
	anew  folders                             // copies of the repositories
	built map[models.RepoID]map[string]string // the files of those when their graphs were built
}

func copied(files map[models.RepoID]map[string]string) map[models.RepoID]map[string]string {
	all := map[models.RepoID]map[string]string{}
	for id := range files {
		all[id] = maps.Clone(files[id])
	}
	return all
}

// restore makes all files what they were, and removes others.
func (e *edits) restore() string {
	for id, files := range e.files {
		for name := range files {
			if _, ok := e.whole[id][name]; !ok {
				if err := os.Remove(filepath.Join(e.all[id], name)); err != nil {
					e.Fatal(err)
				}
			}
		}
		for name, text := range e.whole[id] {
			if now, ok := files[name]; !ok || now != text {
				put(e.T, e.all[id], name, e.rooted(text))
			}
		}
	}
	maps.Copy(e.files, copied(e.whole))
	return "restored"
}

var identifiers = regexp.MustCompile(`[A-Za-z_]\w+`)

// edit changes a file, or some lines of it, and says how.
func (e *edits) edit() string {
	id, name, at := e.place()
	names := slices.Sorted(maps.Keys(e.files[id]))
	lines := strings.Split(e.files[id][name], "\n")
	what := fmt.Sprintf("%s %s:%d ", id, name, at+1)
	switch e.rand.IntN(8) {
	case 0:
		what += "taken away"
		lines = slices.Delete(lines, at, at+1)
	case 1:
		what += "said again"
		lines = slices.Insert(lines, at, lines[at])
	case 2:
		other := names[e.rand.IntN(len(names))]
		all := strings.Split(e.files[id][other], "\n")
		lines[at] = all[e.rand.IntN(len(all))]
		what += "is now " + lines[at]
	case 3:
		what += "is gone with its file"
		delete(e.files[id], name)
		if err := os.Remove(filepath.Join(e.all[id], name)); err != nil {
			e.Fatal(err)
		}
		return what
	case 4:
		name = path.Join(path.Dir(name), fmt.Sprintf("more%d%s", e.rand.IntN(3), path.Ext(name)))
		what += "copied as " + name
	default:
		all := identifiers.FindAllString(strings.Join(lines, "\n"), -1)
		if found := identifiers.FindAllStringIndex(lines[at], -1); len(found) > 0 && len(all) > 0 {
			word := found[e.rand.IntN(len(found))]
			lines[at] = lines[at][:word[0]] + all[e.rand.IntN(len(all))] + lines[at][word[1]:]
		}
		what += "is now " + lines[at]
	}
	e.files[id][name] = strings.Join(lines, "\n")
	put(e.T, e.all[id], name, e.rooted(e.files[id][name]))
	return what
}

// place is a line of a file, mostly one with marks.
func (e *edits) place() (id models.RepoID, name string, at int) {
	var marked []mark
	for _, verb := range []string{"def", "use"} {
		for _, label := range slices.Sorted(maps.Keys(e.marks[verb])) {
			marked = append(marked, e.marks[verb][label]...)
		}
	}
	m := marked[e.rand.IntN(len(marked))]
	if lines := strings.Count(e.files[m.id][m.file], "\n"); m.line <= lines && e.rand.IntN(3) > 0 {
		return m.id, m.file, m.line - 1
	}
	for name == "" {
		ids := slices.Sorted(maps.Keys(e.files))
		id = ids[e.rand.IntN(len(ids))]
		if names := slices.Sorted(maps.Keys(e.files[id])); len(names) > 0 {
			name = names[e.rand.IntN(len(names))]
		}
	}
	return id, name, e.rand.IntN(strings.Count(e.files[id][name], "\n") + 1)
}

// rebuilt are the replies of graphs that are built of copies: again of what changed.
func (e *edits) rebuilt() []string {
	e.Helper()
	svc := nav.New(gateway.Config{Repos: e.anew, Match: e.anew.Match, Extract: reader()})
	for id, files := range e.files {
		if maps.Equal(files, e.built[id]) {
			continue
		}
		e.built[id] = maps.Clone(files)
		if err := os.RemoveAll(e.anew[id]); err != nil {
			e.Fatal(err)
		}
		for name, text := range files {
			put(e.T, e.anew[id], name, (&joined{all: e.anew}).rooted(text))
		}
		if err := os.MkdirAll(e.anew[id], 0o755); err != nil {
			e.Fatal(err)
		}
		if _, err := svc.Build(e.Context(), nav.BuildRequest{RepoID: id}); err != nil {
			e.Fatal(err)
		}
	}
	return e.replies(svc, e.anew)
}

// replies are what all operations say, a line for each item.
func (e *edits) replies(svc *nav.Service, all folders) (got []string) {
	e.Helper()
	x := &joined{T: e.T, svc: svc, all: all, files: e.files}
	add := func(what string, err error, items ...models.NavItem) {
		if err != nil {
			got = append(got, what+": "+err.Error())
		}
		for _, i := range items {
			got = append(got, fmt.Sprintf("%s: %s %s:%d:%d %s %s of %s %v", what, i.RepoID, i.FilePath, i.Line, i.Column, i.Edge,
				i.Symbol, i.Definition, i.Path))
		}
	}
	labels := map[string]bool{}
	for _, marks := range e.marks {
		for label := range marks {
			labels[strings.TrimSuffix(strings.TrimSuffix(label, "next"), "old")] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		uses, err := svc.WhereUsed(e.Context(), nav.WhereUsedRequest{RepoID: "*", Symbol: name})
		add("uses of "+name, err, uses.Items...)
		kin, err := svc.Implementations(e.Context(), nav.ImplementationsRequest{RepoID: "*", Symbol: name})
		add("implementations of "+name, err, kin.Items...)
		for _, direction := range []string{"upstream", "downstream"} {
			reached, err := svc.Lineage(e.Context(), nav.LineageRequest{RepoID: "*", Symbol: name, Direction: direction})
			add(direction+" of "+name, err, reached.Items...)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(e.files)) {
		got = append(got, "dependents: "+x.tell([]string{"dependents", string(id)}))
	}
	for _, line := range e.told {
		if what, _, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(what, "impact ") {
			got = append(got, what+": "+x.tell(strings.Fields(what)))
		}
	}
	for _, mark := range slices.Concat(slices.Collect(maps.Values(e.marks["use"]))...) {
		got = append(got, e.definition(svc, mark))
	}
	slices.Sort(got)
	return got
}

func (e *edits) definition(svc *nav.Service, m mark) string {
	r, err := svc.Definition(e.Context(),
		nav.DefinitionRequest{RepoID: m.id, FilePath: m.file, Line: m.line, Column: m.column})
	said := fmt.Sprint("definition at ", m, ": ", err != nil)
	for _, item := range r.Items {
		said += fmt.Sprintf(" %s %s:%d %s%s", item.RepoID, item.FilePath, item.Line, item.Symbol, item.External)
	}
	return said
}
