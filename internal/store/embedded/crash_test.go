package embedded_test

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// The test program runs itself as the process that is killed.
var (
	childDir  = flag.String("child-dir", "", "apply batches to the store there until killed")
	childFrom = flag.Int("child-from", 0, "number of the first batch")
)

const batchDocs = 40

// batch is batch number n: it puts documents of its own, changes those of the
// batch before, deletes the first of the batch before that, and keeps count.
func batch(n int) store.Batch {
	b := store.Batch{PutRecords: []store.Record{{Collection: "batches", Key: fmt.Sprintf("%06d", n), Value: n}}}
	for i := range batchDocs {
		b.Put = append(b.Put, numbered(n, i, n))
	}
	if n > 1 {
		b.Put = append(b.Put, numbered(n-1, 1, n))
	}
	if n > 2 {
		b.Delete = append(b.Delete, numbered(n-2, 0, 0).ID)
	}
	return b
}

// numbered is document i of batch n as last written by batch by.
func numbered(n, i, by int) models.Document {
	path := fmt.Sprintf("dir%d/f%d.go", n, i)
	v := make([]float32, dims)
	angle := float64(n*batchDocs+i)*0.0007 + float64(by)*0.1
	v[0], v[1], v[2] = float32(math.Cos(angle)), float32(math.Sin(angle)*0.8), float32(math.Sin(angle)*0.6)
	return models.Document{
		Header: models.Header{
			ID: models.FileID("o/r", path), Type: models.TypeFile, RepoID: "o/r", FilePath: path,
			Kind: strconv.Itoa(by),
		},
		Text: fmt.Sprintf("word batch%c%c", 'a'+n/26%26, 'a'+n%26), Content: path, Embedding: v,
	}
}

// checkBatch checks that the store holds what the batches from 1 to last make,
// and returns the next batch's number if that is there too.
func checkBatch(t *testing.T, s *embedded.Store, acknowledged, last int) int {
	t.Helper()
	done := 0
	for ok := true; ok; done++ {
		var err error
		ok, err = s.Record(t.Context(), "batches", fmt.Sprintf("%06d", done+1), nil)
		must(t, err)
	}
	done--
	if done < acknowledged || done > last {
		t.Fatalf("%d batches are there, want %d to %d", done, acknowledged, last)
	}
	want := map[models.DocumentID]models.Document{}
	for n := 1; n <= done; n++ {
		b := batch(n)
		for _, id := range b.Delete {
			delete(want, id)
		}
		for _, d := range b.Put {
			want[d.ID] = d
		}
	}
	for _, q := range []fts.Query{
		fts.MatchAll{},
		fts.Match{Field: fts.TextField(models.TypeFile), Match: "word"},
		fts.Filter(fts.FieldRepo, "o/r"),
	} {
		if res := find(t, s, fts.Request{Query: q}); res.Total != len(want) {
			t.Errorf("%d documents for %v, want %d", res.Total, q, len(want))
		}
	}
	checked := 0
	for id, d := range want { // in no order: another sample each time
		if checked++; checked > 150 {
			break
		}
		res := find(t, s, fts.Request{Query: fts.MatchNone{}, Size: 1, KNN: []fts.KNN{{
			Field: fts.FieldEmbedding, Vector: d.Embedding, K: 1, Filter: fts.Filter(fts.FieldPath, d.FilePath),
		}}})
		if len(res.Hits) != 1 || res.Hits[0].ID != id || res.Hits[0].Kind != d.Kind || res.Hits[0].Score < 100 {
			t.Errorf("the vector of %s finds %+v", id, res.Hits)
		}
	}
	return done
}

func TestKill(t *testing.T) {
	if *childDir != "" {
		applyForever(t)
		return
	}
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	done := 0
	for range 6 {
		acknowledged := killedChild(t, dir, done, rng)
		s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
		must(t, err)
		done = checkBatch(t, s, acknowledged, acknowledged+1)
		must(t, s.Close())
	}
	if done < 6 {
		t.Errorf("only %d batches in all rounds", done)
	}
}

// killedChild runs a process that applies batches after number done and kills
// it some time after it acknowledged the first. It returns the last that was
// acknowledged.
func killedChild(t *testing.T, dir string, done int, rng *rand.Rand) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKill$", "-child-dir="+dir,
		"-child-from="+strconv.Itoa(done+1))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	acknowledged := done
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatalf("the child says %q", lines.Text())
		}
		if acknowledged == done {
			time.AfterFunc(time.Duration(rng.IntN(150_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
		acknowledged = n
	}
	_ = cmd.Wait() // killed
	return acknowledged
}

// applyForever applies batches and writes the number of each that is saved.
func applyForever(t *testing.T) {
	s, err := embedded.Open(t.Context(), *childDir, embedded.Options{Dims: dims})
	must(t, err)
	for n := *childFrom; ; n++ {
		must(t, s.Apply(t.Context(), batch(n)))
		fmt.Println(n)
	}
}

func find(t *testing.T, s *embedded.Store, req fts.Request) fts.Result {
	t.Helper()
	res, err := s.Search(t.Context(), req)
	must(t, err)
	return res
}

// everything is the headers and scores of a search that finds all.
func everything(t *testing.T, s *embedded.Store) []fts.Hit {
	t.Helper()
	query := make([]float32, dims)
	query[0] = 1
	res := find(t, s, fts.Request{
		Query: fts.Disjunction{Disjuncts: []fts.Query{
			fts.MatchAll{},
			fts.Match{Field: fts.TextField(models.TypeFile), Match: "word batchbb"},
		}},
		KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: query, K: 1000}}, Size: 1000,
	})
	if len(res.Hits) == 0 {
		t.Fatal("the store is empty")
	}
	return res.Hits
}
