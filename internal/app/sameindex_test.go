package app_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// A dump is what a data directory has of one repository, without the times at
// which it came there.
type dump struct {
	Documents map[models.DocumentID]models.Document
	Vectors   map[models.DocumentID]float64 // cosine with a fixed vector
	Words     map[models.DocumentID]float64 // score of a word that all have
	Files     map[string]models.FileRecord
	Contents  map[string]string
	Folders   string
	Record    models.Repository
}

// wantSameIndex wants two data directories to hold the same index of a
// repository: documents with their vectors and words, and all records.
func wantSameIndex(t *testing.T, want, got string, id models.RepoID) {
	t.Helper()
	a, b := dumpOf(t, want, id), dumpOf(t, got, id)
	if len(a.Documents) == 0 {
		t.Error("there are no documents")
	}
	if !reflect.DeepEqual(a, b) { // much quicker than cmp
		t.Fatal("the index (+) is not what a clean build (-) makes:\n", cmp.Diff(a, b))
	}
}

func dumpOf(t *testing.T, dir string, id models.RepoID) dump {
	t.Helper()
	embedder, err := embed.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	st, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: embedder.Manifest().Dims})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	probe, err := embedder.Queries(t.Context(), []string{"walrus that dives"})
	if err != nil {
		t.Fatal(err)
	}
	const most = 10_000 // the most that one search returns
	search := func(req fts.Request) map[models.DocumentID]float64 {
		req.Size = most
		res, err := st.Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if res.Total > most {
			t.Fatalf("%d documents are too many for this test", res.Total)
		}
		scores := map[models.DocumentID]float64{}
		for _, hit := range res.Hits {
			scores[hit.ID] = hit.Score
		}
		return scores
	}
	d := dump{
		Documents: map[models.DocumentID]models.Document{}, Files: map[string]models.FileRecord{},
		Contents: map[string]string{},
		Vectors: search(fts.Request{
			Query: fts.MatchNone{},
			KNN: []fts.KNN{{
				Field: fts.FieldEmbedding, Vector: probe[0], K: most,
				Filter: fts.Filter(fts.FieldRepo, string(id)),
			}},
		}),
		Words: search(fts.Request{Query: fts.Match{Field: fts.TextField(models.TypeSymbol), Match: "dives"}}),
	}
	var ids []models.DocumentID
	for found := range search(fts.Request{Query: fts.MatchAll{}}) {
		ids = append(ids, found)
	}
	docs, err := st.Documents(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		doc.Created, doc.Updated, doc.Commit = time.Time{}, time.Time{}, ""
		d.Documents[doc.ID] = doc
	}
	if len(docs) != len(ids) {
		t.Errorf("%d documents are found, %d are there", len(ids), len(docs))
	}
	d.records(t, st, id)
	return d
}

// records reads what the store knows of the repository beside its documents.
func (d *dump) records(t *testing.T, st *embedded.Store, id models.RepoID) {
	t.Helper()
	each := func(collection string, yield func(key string, value json.RawMessage) error) {
		if err := st.Records(t.Context(), collection, yield); err != nil {
			t.Fatal(err)
		}
	}
	each(models.FilesCollection(id), func(key string, value json.RawMessage) error {
		var rec models.FileRecord
		err := json.Unmarshal(value, &rec)
		rec.Racy = false // depends on when the file was read
		d.Files[key] = rec
		return err
	})
	each(models.ContentsCollection(id), func(key string, value json.RawMessage) error {
		d.Contents[key] = string(value)
		return nil
	})
	each(models.CollectionMeta, func(key string, value json.RawMessage) error {
		if key == "folders:"+string(id) {
			d.Folders = string(value)
		}
		return nil
	})
	if _, err := st.Record(t.Context(), models.CollectionRepos, string(id), &d.Record); err != nil {
		t.Fatal(err)
	}
	d.Record.LastIndexedAt, d.Record.Runs = time.Time{}, 0
}
