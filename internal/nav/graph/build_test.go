package graph_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// reading builds and returns which files' facts were extracted.
func reading(t *testing.T, files tree, previous *graph.Graph, change func(*build.Input)) (*graph.Graph, build.Report,
	[]string,
) {
	t.Helper()
	var mu sync.Mutex
	var read []string
	in := files.input()
	in.Extract = toyExtractor{read: func(path string) {
		mu.Lock()
		defer mu.Unlock()
		read = append(read, path)
	}}
	if change != nil {
		change(&in)
	}
	g, report, err := build.Graph(t.Context(), in, previous)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(read)
	return g, report, read
}

func TestBuildReadsWhatChanged(t *testing.T) {
	files := tree{"a.toy": `{"Package":"a"}`, "b.toy": `{"Package":"b"}`, "c.md": "text", "bad.toy": "hang here"}
	first, report, read := reading(t, files, nil, nil)
	if diff := cmp.Diff([]string{"a.toy", "b.toy", "bad.toy"}, read); diff != "" {
		t.Errorf("read at first (-want +got):\n%s", diff)
	}
	if len(report.Failed) != 1 || report.Failed[0].Path != "bad.toy" || report.Read != 2 || report.Reused != 0 {
		t.Errorf("report %+v", report)
	}
	if diff := cmp.Diff([]string{"a.toy", "b.toy", "bad.toy", "c.md"}, first.Files()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	files["b.toy"] = `{"Package":"other"}`
	unhashed := func(in *build.Input) {
		for i := range in.Sources {
			in.Sources[i].Hash = graph.Hash{}
		}
	}
	for name, change := range map[string]func(*build.Input){"hashes known": nil, "hashes found out": unhashed} {
		_, report, read = reading(t, files, first, change)
		// What failed is tried again.
		if diff := cmp.Diff([]string{"b.toy", "bad.toy"}, read); diff != "" || report.Reused != 1 {
			t.Errorf("%s: %d reused, read (-want +got):\n%s", name, report.Reused, diff)
		}
	}
}

// What read many files lets its memory go, before references are resolved.
func TestBuildReleases(t *testing.T) {
	for files, want := range map[int]int{3: 0, 1000: 1} {
		all, times := tree{}, 0
		for i := range files {
			all[fmt.Sprintf("%d.toy", i)] = `{"Package":"a"}`
		}
		_, _, read := reading(t, all, nil, func(in *build.Input) { in.Release = func() { times++ } })
		if len(read) != files || times != want {
			t.Errorf("%d of %d files read, released %d times, want %d", len(read), files, times, want)
		}
	}
}

// Facts that another revision read are read again.
func TestBuildKnowsRevisions(t *testing.T) {
	files := tree{"a.toy": `{"Package":"a"}`}
	first, _, _ := reading(t, files, nil, nil)
	in := files.input()
	in.Extract = newer{}
	g, report, err := build.Graph(t.Context(), in, first)
	if err != nil || report.Read != 1 || g.ID() == first.ID() {
		t.Errorf("%d read, %v", report.Read, err)
	}
}

type newer struct{ toyExtractor }

func (newer) Revision(string) string { return "2" }

// The number of workers, the order of files and where facts come from leave no
// trace.
func TestBuildIsDeterministic(t *testing.T) {
	for seed := range uint64(20) {
		r := newRandom(seed)
		files := r.tree()
		want := built(t, files, nil, 1)
		other := maps.Clone(files)
		for range 5 {
			r.edit(other)
		}
		previous := built(t, other, nil, 1)
		for workers := range 5 {
			if got := built(t, files, previous, workers); got.ID() != want.ID() {
				t.Fatalf("seed %d, %d workers: graph %s, want %s", seed, workers, got.ID(), want.ID())
			}
		}
	}
}

func TestBuildIsCancelled(t *testing.T) {
	for phase, cancelIn := range map[string]func(in *build.Input, cancel func()){
		"read": func(in *build.Input, cancel func()) {
			in.Extract = toyExtractor{read: func(string) { cancel() }}
		},
		"resolve": func(in *build.Input, cancel func()) {
			in.Resolver = func(w resolve.World) graph.Resolver { cancel(); return toyResolver(w) }
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		in := newRandom(1).tree().input()
		in.Workers = 1
		cancelIn(&in, cancel)
		if _, _, err := build.Graph(ctx, in, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled while it %ss: %v", phase, err)
		}
		cancel()
	}
}

func TestBuildOfNothing(t *testing.T) {
	g := built(t, tree{}, nil, 0)
	v := overlay.Lay(g, overlay.Changes{}, nil)
	if len(g.Files()) != 0 || lookup.Find(t.Context(), v, "x", lookup.Pick{}) != nil {
		t.Error("an empty graph has something")
	}
	some := newRandom(3).tree()
	whole := built(t, some, nil, 1)
	sameViews(t, overlay.Lay(whole, overlay.Changes{}, toyResolver),
		overlay.Lay(g, changesOf(tree{}, some), toyResolver), all)
	sameViews(t, v, overlay.Lay(whole, changesOf(some, tree{}), toyResolver), all, names...)
}

// headerExtractor finds that what a path says is Markdown is Toy.
type headerExtractor struct{ toyExtractor }

func (headerExtractor) Revision(string) string { return "1" }

func (x headerExtractor) Facts(ctx context.Context, path, _, text string) (*facts.File, error) {
	return x.toyExtractor.Facts(ctx, path, toy, text)
}

// TestBuildGoesByTheLanguageOfTheText: a reader may find another language than
// the path says; names are then resolved as in that one, the next time too.
func TestBuildGoesByTheLanguageOfTheText(t *testing.T) {
	files := tree{
		"a.md": `{"Symbols":[{"Name":"F","Qualified":"F","Kind":"func","Parent":-1,"Line":1,"Column":1,"StartLine":1,` +
			`"EndLine":1}]}`,
		"b.md": `{"Refs":[{"Name":"F","Kind":"calls","In":-1,"Bare":true,"Line":2,"Column":3}]}`,
	}
	change := func(in *build.Input) { in.Extract = headerExtractor{} }
	first, _, _ := reading(t, files, nil, change)
	again, report, _ := reading(t, files, first, change)
	if report.Reused != 2 {
		t.Errorf("facts of %d files were taken over, want 2", report.Reused)
	}
	for when, g := range map[string]*graph.Graph{"at first": first, "again": again} {
		if stats := g.Stats(); stats.Edges != 1 {
			t.Errorf("%s: %+v, want 1 edge", when, stats)
		}
	}
}

// TestBuildLetsGo: files that need what can be let go of are read before it is, and
// the many others afterwards.
func TestBuildLetsGo(t *testing.T) {
	files := tree{"z.md": "{}"}
	for i := range 1000 {
		files[fmt.Sprintf("%03d.toy", i)] = "{}"
	}
	for name, few := range map[string]bool{"many": false, "few": true} {
		t.Run(name, func(t *testing.T) {
			in := files.input()
			if few {
				in = tree{"a.toy": "{}", "z.md": "{}"}.input()
			}
			in.Extract, in.Workers = headerExtractor{}, 1
			var events []string
			read := in.Read
			in.Read = func(ctx context.Context, p string) (string, error) {
				if len(events) < 3 {
					events = append(events, p)
				}
				return read(ctx, p)
			}
			in.Needs = func(language string) bool { return language == "Markdown" }
			in.Release = func() { events = append(events, "released") }
			if _, _, err := build.Graph(t.Context(), in, nil); err != nil {
				t.Fatal(err)
			}
			want := []string{"z.md", "released", "000.toy"}
			if few {
				want = []string{"z.md", "a.toy"}
			}
			if diff := cmp.Diff(want, events); diff != "" {
				t.Errorf("what was done (-want +got):\n%s", diff)
			}
		})
	}
}
