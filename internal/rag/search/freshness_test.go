package search_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store"
)

// standings is a Current that knows how repositories stand.
type standings current.Standings

func (s standings) Lay(ctx context.Context, _ []models.Repository) (context.Context, current.Standings, func(), error) {
	return ctx, current.Standings(s), func() {}, nil
}

func (standings) Verify(_ context.Context, all current.Standings, _ map[models.RepoID][]string) (current.Standings,
	error,
) {
	return all, nil
}

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
		Says         string // codes of warnings, and whether there is a message
	}
	all := len(plain.Items)
	known := models.Repository{RepoID: "o/a", State: models.StateFresh, LastIndexedCommit: "c0ffee"}
	differing := func(d fresh.Delta) current.Standing {
		d.Head = "c0ffee"
		return current.Compared(known, d)
	}
	uncommitted := func(d fresh.Delta) current.Standing { return current.Compared(known, d) }
	asTheyAre := func(st current.Standing) current.Standing {
		st.Laid = true
		return st
	}
	laid := func(d fresh.Delta) current.Standing { return asTheyAre(differing(d)) }
	unread := func(st current.Standing) current.Standing {
		st.Unread = []string{"shut.go"}
		return st
	}
	for _, test := range []struct {
		name     string
		standing current.Standing
		want     outcome
	}{
		{
			"nobody can tell",
			current.Standing{Repo: known, Freshness: models.Unknown, Reason: "slow"},
			outcome{State: models.Unknown, Items: all, Says: "FRESHNESS_UNKNOWN"},
		},
		{
			"the folder is elsewhere",
			current.Standing{Repo: known, Freshness: models.Unknown, Absent: true},
			outcome{State: models.Unknown, Items: all},
		},
		{
			"the folder is gone",
			current.Standing{Repo: known, Freshness: models.Unknown, Absent: true, Gone: true},
			outcome{State: models.Unknown, Items: all, Says: "FOLDER_GONE"},
		},
		{"as indexed", differing(fresh.Delta{}), outcome{State: models.Fresh, Items: all}},
		{
			"another commit of the same files", differing(fresh.Delta{HeadMoved: true}),
			outcome{State: models.Fresh, Items: all},
		},
		{
			"a file changed", differing(fresh.Delta{Changed: []string{first}}),
			outcome{
				State: models.Stale, Stale: []string{first}, Count: 1, Items: all, Marked: inFirst,
				Says: "FILES_NOT_INDEXED",
			},
		},
		{
			"a file is gone", differing(fresh.Delta{Deleted: []string{first}}),
			outcome{State: models.Stale, Stale: []string{first}, Count: 1, Items: all - inFirst, Says: "FILES_NOT_INDEXED"},
		},
		{
			"a file is new", differing(fresh.Delta{Added: []string{"new.go"}}),
			outcome{State: models.Stale, Stale: []string{"new.go"}, Count: 1, Items: all, Says: "FILES_NOT_INDEXED"},
		},
		{
			"too many", differing(fresh.Delta{Added: []string{"new.go"}, TooMany: true, Unsure: 300}),
			outcome{State: models.Stale, Stale: []string{"new.go"}, Count: 1, Items: all, Says: "FILES_NOT_INDEXED"},
		},
		{
			"may not be read", unread(laid(fresh.Delta{Deleted: []string{"shut.go"}})),
			outcome{State: models.Stale, Stale: []string{"shut.go"}, Count: 1, Items: all, Says: "FILES_UNREADABLE"},
		},
		{
			"searched as they are", laid(fresh.Delta{Added: []string{"new.go"}, Changed: []string{first}}),
			outcome{State: models.Fresh, Stale: []string{"new.go", first}, Count: 2, Items: all, Says: "message"},
		},
		{
			"no commit is checked out", uncommitted(fresh.Delta{}),
			outcome{State: models.Unknown, Items: all, Says: "FRESHNESS_UNKNOWN"},
		},
		{
			"of no commit, and a file changed", uncommitted(fresh.Delta{Changed: []string{first}}),
			outcome{
				State: models.Stale, Stale: []string{first}, Count: 1, Items: all, Marked: inFirst,
				Says: "FILES_NOT_INDEXED",
			},
		},
		{
			"of no commit, searched as they are", asTheyAre(uncommitted(fresh.Delta{Changed: []string{first}})),
			outcome{State: models.Unknown, Stale: []string{first}, Count: 1, Items: all, Says: "FRESHNESS_UNKNOWNmessage"},
		},
		{
			"indexed before the first commit",
			current.Compared(models.Repository{RepoID: "o/a", State: models.StateFresh}, fresh.Delta{Head: "c0ffee"}),
			outcome{State: models.Unknown, Items: all, Says: "FRESHNESS_UNKNOWN"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			svc.Compare(standings{test.standing})
			resp := ask(t, svc, req)
			got := outcome{
				State: resp.Meta.FreshnessState, Stale: resp.Meta.StaleFiles, Count: resp.Meta.StaleFileCount,
				Items: len(resp.Items),
			}
			for _, w := range resp.Meta.Warnings {
				got.Says += w.Code
			}
			for _, item := range resp.Items {
				if item.Freshness == models.Stale {
					got.Marked++
				}
			}
			if resp.Meta.Message != nil {
				got.Says += "message"
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Why nobody can tell is said once, however many repositories it is true of.
func TestUnknownIsSaidOnce(t *testing.T) {
	svc, _ := newService(t)
	var all standings
	for _, id := range []models.RepoID{"o/e", "o/a", "o/d", "o/c", "o/b"} {
		all = append(all, current.Standing{
			Repo: models.Repository{RepoID: id, State: models.StateFresh}, Freshness: models.Unknown, Reason: "too slow",
		})
	}
	all[1].Reason = "not indexed yet"
	svc.Compare(all)
	var got []string
	for _, w := range ask(t, svc, search.Request{Query: "frames", Level: models.LevelSymbol}).Meta.Warnings {
		if w.Code == "FRESHNESS_UNKNOWN" {
			got = append(got, w.Message)
		}
	}
	want := []string{"o/b, o/c, o/d and 1 more: too slow", "o/a: not indexed yet"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Where pages repeat or drop documents, because the index changed between them, each
// page from then on says so.
func TestSearchPagesOfAnotherRanking(t *testing.T) {
	req := search.Request{Query: "frames of requests", Level: "symbol", Limit: new(7)}
	for _, test := range []struct {
		name    string
		removed int // of the ranking, between the second page and the third
		want    bool
	}{{"nothing", -1, false}, {"what was shown", 3, true}, {"what comes later", 50, false}} {
		t.Run(test.name, func(t *testing.T) {
			svc, st := newService(t)
			all := req
			all.Limit = new(100)
			ranked := ids(ask(t, svc, all))
			req := req
			seen := map[models.DocumentID]bool{}
			for n := 1; ; n++ {
				resp := ask(t, svc, req)
				for _, id := range ids(resp) {
					seen[id] = true
				}
				said := slices.ContainsFunc(resp.Meta.Warnings, func(w models.Warning) bool { return w.Code == "RANKING_CHANGED" })
				if want := test.want && n > 2; said != want {
					t.Errorf("page %d says that the ranking changed: %v, want %v", n, said, want)
				}
				if n == 2 && test.removed >= 0 {
					if err := st.Apply(t.Context(), store.Batch{Delete: ranked[test.removed : test.removed+1]}); err != nil {
						t.Fatal(err)
					}
				}
				if req.Cursor = resp.Meta.NextCursor; req.Cursor == "" {
					break
				}
			}
			for i, id := range ranked {
				if !seen[id] && i != test.removed && !test.want {
					t.Errorf("no page has %s, and none says so", id)
				}
			}
		})
	}
}
