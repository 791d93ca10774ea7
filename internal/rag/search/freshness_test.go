package search_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A disk is a Comparison that knows the states of files.
type disk struct {
	known, sameCommit bool
	states            map[string]models.FileState
	added             []string
	gone              bool
}

func (disk) Look(context.Context, []models.RepoID) {}

func (d disk) Gone(models.RepoID) bool { return d.gone }

func (d disk) Knows(models.RepoID) (known, sameCommit bool) { return d.known, d.sameCommit }

func (d disk) Files(_ context.Context, _ models.RepoID, paths []string) map[string]models.FileState {
	all := map[string]models.FileState{}
	for _, p := range paths {
		if all[p] = models.FileSame; d.states != nil {
			if state, ok := d.states[p]; ok {
				all[p] = state
			}
		}
	}
	return all
}

func (d disk) Added() map[models.RepoID][]string { return map[models.RepoID][]string{"o/a": d.added} }

func (disk) Close() {}

func TestFreshness(t *testing.T) {
	svc, _ := newService(t)
	req := search.Request{Query: "frames", Level: models.LevelSymbol, RepoFilter: "o/a", Limit: new(100)}
	plain := ask(t, svc, req)
	if len(plain.Items) < 2 {
		t.Fatalf("the fixture gives %d items", len(plain.Items))
	}
	first := *plain.Items[0].FilePath
	inFirst := 0
	for _, item := range plain.Items {
		if *item.FilePath == first {
			inFirst++
		}
	}
	type outcome struct {
		State        models.Freshness
		Stale        []string
		Count, Items int
		Marked       int
		Warning      string
	}
	all := len(plain.Items)
	for _, test := range []struct {
		name string
		disk disk
		want outcome
	}{
		{"nobody can tell", disk{}, outcome{State: models.Unknown, Items: all}},
		{"the folder is gone", disk{gone: true}, outcome{State: models.Unknown, Items: all, Warning: "FOLDER_GONE"}},
		{"as indexed", disk{known: true, sameCommit: true}, outcome{State: models.Fresh, Items: all}},
		{
			"a file that can't be compared",
			disk{known: true, sameCommit: true, states: map[string]models.FileState{first: models.FileUnknown}},
			outcome{State: models.Unknown, Items: all},
		},
		{"another commit", disk{known: true}, outcome{State: models.Stale, Items: all}},
		{
			"a file changed",
			disk{known: true, sameCommit: true, states: map[string]models.FileState{first: models.FileChanged}},
			outcome{State: models.Stale, Stale: []string{first}, Count: 1, Items: all, Marked: inFirst},
		},
		{
			"a file is gone",
			disk{known: true, sameCommit: true, states: map[string]models.FileState{first: models.FileGone}},
			outcome{State: models.Stale, Stale: []string{first}, Count: 1, Items: all - inFirst},
		},
		{
			"a file is new",
			disk{known: true, sameCommit: true, added: []string{"new.go"}},
			outcome{State: models.Stale, Stale: []string{"new.go"}, Count: 1, Items: all, Warning: "FILES_NOT_INDEXED"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			svc.Compare(func(context.Context, []models.Repository) search.Comparison { return test.disk })
			resp := ask(t, svc, req)
			got := outcome{State: resp.Meta.FreshnessState, Stale: resp.Meta.StaleFiles, Count: resp.Meta.StaleFileCount, Items: len(resp.Items)}
			for _, w := range resp.Meta.Warnings {
				got.Warning += w.Code
			}
			for _, item := range resp.Items {
				if item.Freshness == models.Stale {
					got.Marked++
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
