package app_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

var (
	swapDir  = flag.String("swap-dir", "", "index the repository of -swap-root into the data directory there")
	swapRoot = flag.String("swap-root", "", "see -swap-dir")
)

// A process that is killed at any moment of a run over a repository of which
// every file changed leaves the generation of before or the new one: documents,
// records and counts. A run afterwards makes the new one of it.
func TestKillDuringASwap(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it runs programs for long")
	}
	if *swapDir != "" {
		runOnce(t)
		return
	}
	dir, root := t.TempDir(), filepath.Join(t.TempDir(), "brewery")
	writeGeneration(t, root, 1)
	a := openFor(t, dir)
	runOf(t, a, root)
	closeApp(t, a)
	want := generationOf(t, dir)
	if want.gen != "1" {
		t.Fatalf("generation %+v", want)
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	at := 100 * time.Millisecond
	outcomes := map[string]int{}
	for n := 2; n <= 5; n++ {
		writeGeneration(t, root, n)
		killedRun(t, dir, root, at+time.Duration(rng.Int64N(int64(at))))
		at += at / 2 // later each time, on fast and on slow machines
		got := generationOf(t, dir)
		if got.documents != want.documents || got.files != want.files || got.gen != fmt.Sprint(n) &&
			got.gen != fmt.Sprint(n-1) {
			t.Fatalf("%+v, want %+v of generation %d or %d", got, want, n-1, n)
		}
		outcomes[map[bool]string{true: "new", false: "old"}[got.gen == fmt.Sprint(n)]]++
		a := openFor(t, dir)
		runOf(t, a, root)
		closeApp(t, a)
		want.gen = fmt.Sprint(n)
		if got := generationOf(t, dir); got != want {
			t.Fatalf("after the run %+v, want %+v", got, want)
		}
	}
	t.Log(outcomes)
}

// killedRun runs an index run in a process of its own and kills it after some time.
func killedRun(t *testing.T, dir, root string, after time.Duration) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKillDuringASwap$", "-swap-dir="+dir,
		"-swap-root="+root)
	out := &strings.Builder{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Wait(); err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("the child failed: %v\n%s", err, out)
	}
}

func runOnce(t *testing.T) {
	a := openFor(t, *swapDir)
	resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{*swapRoot}, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, a, resp.Items[0])
	closeApp(t, a)
}

func closeApp(t *testing.T, a *app.App) {
	t.Helper()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// A shownGeneration is what a store shows of a repository.
type shownGeneration struct {
	gen              string
	documents, files int
}

// generationOf opens a data directory and reads all of the one repository in it.
func generationOf(t *testing.T, dir string) shownGeneration {
	t.Helper()
	embedder, err := embed.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	st, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: embedder.Manifest().Dims})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	var known models.Repository
	if err := st.Records(t.Context(), models.CollectionRepos, func(_ string, value json.RawMessage) error {
		return json.Unmarshal(value, &known)
	}); err != nil {
		t.Fatal(err)
	}
	var listed []models.DocumentID
	g := shownGeneration{}
	if err := st.Records(t.Context(), models.FilesCollection(known.RepoID), func(_ string, value json.RawMessage) error {
		var rec models.FileRecord
		g.files++
		err := json.Unmarshal(value, &rec)
		listed = append(listed, rec.Documents...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	res, err := st.Search(t.Context(), fts.Request{Query: fts.Filter(fts.FieldRepo, string(known.RepoID)), Size: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	var ids []models.DocumentID
	for _, h := range res.Hits {
		ids = append(ids, h.ID)
	}
	docs, err := st.Documents(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	items := make([]models.SearchResult, len(docs))
	for i, d := range docs {
		items[i] = models.SearchResult{DocumentID: d.ID, Content: d.Content + " " + d.SymbolName + " " + d.Signature}
	}
	if g.gen, err = oneGeneration(items); err != nil {
		t.Error(err)
	}
	kept, err := st.Documents(t.Context(), listed)
	if err != nil {
		t.Fatal(err)
	}
	if g.documents = len(docs); known.DocCount != g.documents || len(kept) != len(listed) {
		t.Errorf("%d documents, the record says %d; %d of files, their records say %d", g.documents, known.DocCount,
			len(kept), len(listed))
	}
	return g
}
