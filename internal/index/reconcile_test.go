package index_test

import (
	"slices"
	"testing"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// What the late batch of a suspended process brought back, or took away, is put
// right by the next run, in which no file changed.
func TestDocumentsAgreeWithRecords(t *testing.T) {
	ghost := func(id models.DocumentID, repo models.RepoID) models.Document {
		return models.Document{Header: models.Header{ID: id, Type: models.TypeFile, RepoID: repo}}
	}
	other := ghost("file:other:x.go", "other")
	for _, test := range []struct {
		name string
		late models.Batch
		full bool
	}{
		{"nothing", models.Batch{}, false},
		{
			"a document of a file that is gone",
			models.Batch{Put: []models.Document{ghost("file:acme/api:gone.go", repoID)}},
			false,
		},
		{"the same, a full run", models.Batch{Put: []models.Document{ghost("file:acme/api:gone.go", repoID)}}, true},
		{"a document less", models.Batch{Delete: []models.DocumentID{"symbol:acme/api:main.go:main"}}, false},
		{"one less and one more", models.Batch{
			Delete: []models.DocumentID{"symbol:acme/api:main.go:main"},
			Put:    []models.Document{ghost("a", repoID), ghost("b", repoID)},
		}, false},
		{"summaries less", models.Batch{Delete: []models.DocumentID{"module:acme/api:a", "repo:acme/api"}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := setUpServer(t, tiny, keeping)
				b.run()
				test.late.Put = append(slices.Clone(test.late.Put), other)
				if err := b.node.cluster.peer().Apply(t.Context(), test.late); err != nil {
					t.Fatal(err)
				}
				if j := b.wait(b.start(test.full)); j.State != jobs.Done {
					t.Fatalf("the run ended %s", j.State)
				}
				if _, there := b.store.all()[other.ID]; !there {
					t.Error("a document of another repository is gone")
				}
				drop := models.Batch{Delete: []models.DocumentID{other.ID}}
				if err := b.node.Apply(t.Context(), drop); err != nil {
					t.Fatal(err)
				}
				wantClean(t, b)
			})
		})
	}
}

// A run that is cut short while it reconciles is as good as none.
func TestReconcileIsCutShort(t *testing.T) {
	for steps, done := 0, false; !done; steps++ {
		inBubble(t, func(t *testing.T) {
			b := setUpServer(t, tiny, keeping)
			b.run()
			late := models.Batch{Delete: []models.DocumentID{"symbol:acme/api:main.go:main", "module:acme/api:a"}}
			for _, id := range []models.DocumentID{"x", "y", "z"} {
				late.Put = append(late.Put, models.Document{Header: models.Header{ID: id, Type: models.TypeFile, RepoID: repoID}})
			}
			if err := b.node.cluster.peer().Apply(t.Context(), late); err != nil {
				t.Fatal(err)
			}
			b.node.order, b.node.steps = newOrder(steps), steps
			b.attempt(false)
			done = b.node.enter(t.Context()) == nil
			p := b.peer(keeping)
			p.run()
			wantClean(t, p)
		})
		if t.Failed() {
			t.Fatalf("cut after %d writes", steps)
		}
	}
}
