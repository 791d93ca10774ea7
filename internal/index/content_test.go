package index_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var storing = index.Config{StoreContent: true}

// contents are the stored contents of the repository by path.
func (b *bench) contents() map[string]models.Content {
	b.Helper()
	found := map[string]models.Content{}
	err := b.store.Records(b.Context(), models.ContentsCollection(repoID), func(key string, value json.RawMessage) error {
		var c models.Content
		err := json.Unmarshal(value, &c)
		found[key] = c
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return found
}

// texts are the texts of the stored contents, with hashes and records checked.
func (b *bench) texts() map[string]string {
	b.Helper()
	texts := map[string]string{}
	for file, c := range b.contents() {
		texts[file] = c.Text
		if rec := b.file(file); !rec.Stored || rec.Hash != c.Hash || rec.Skipped == "" && rec.Lines != c.Lines {
			b.Errorf("%s: the record %+v does not fit its content %+v", file, rec, c)
		}
	}
	err := b.store.Records(b.Context(), models.FilesCollection(repoID), func(key string, value json.RawMessage) error {
		var rec models.FileRecord
		err := json.Unmarshal(value, &rec)
		if _, ok := texts[key]; ok != rec.Stored {
			b.Errorf("%s has content: %v; its record says %v", key, ok, rec.Stored)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return texts
}

func TestContentIsStored(t *testing.T) {
	b := setUp(t, small)
	b.open(storing)
	b.run()
	want := map[string]string{}
	for _, file := range []string{
		"README.md", "config/values.yaml", "go.mod", "main.go", "server/deep/x.py",
		"server/empty.go", "server/server.go",
	} {
		want[file] = small[file]
	}
	if diff := cmp.Diff(want, b.texts()); diff != "" {
		t.Error(diff)
	}
	if !b.record().Stored {
		t.Error("the repository's record does not say that content is stored")
	}
	batches := b.store.batches()
	b.run()
	if got := b.store.batches() - batches; got != 1 {
		t.Errorf("%d batches of a run without changes, want only the repository's record", got)
	}
}

func TestContentIsTheTextThatIsServed(t *testing.T) {
	key := "AKIA" + "QWERTYUIOPASDFGH"
	pem := "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----\n"
	stars := "********************"
	for name, tc := range map[string]struct {
		raw  string
		want models.Content
	}{
		"plain":               {"a\nb\n", models.Content{Text: "a\nb\n", Lines: 2}},
		"no newline":          {"a\nb", models.Content{Text: "a\nb", Lines: 2}},
		"asterisks":           {"a\n***\n", models.Content{Text: "a\n***\n", Lines: 2}},
		"line ends":           {"a\r\nb\r\n", models.Content{Text: "a\r\nb\r\n", Lines: 2}},
		"byte order mark":     {"\ufeffa\n", models.Content{Text: "a\n", Lines: 1}},
		"UTF-16":              {"\xff\xfeh\x00i\x00\n\x00", models.Content{Text: "hi\n", Lines: 1}},
		"not UTF-8":           {"caf\xe9 au lait\n", models.Content{Text: "café au lait\n", Lines: 1}},
		"white space":         {" \n\n", models.Content{Text: " \n\n", Lines: 2}},
		"control white space": {"\v\v\v\n", models.Content{Text: "\v\v\v\n", Lines: 1}},
		"nothing":             {"", models.Content{}},
		"a credential": {
			"x\nk = " + key + "\ny\n",
			models.Content{Text: "x\nk = " + stars + "\ny\n", Lines: 3, Masked: 1, MaskedLines: []int{2}},
		},
		"two in a line": {
			key + " " + key + "\n",
			models.Content{Text: stars + " " + stars + "\n", Lines: 1, Masked: 2, MaskedLines: []int{1}},
		},
		"over lines": {"key:\n" + pem, models.Content{
			Text: "key:\n-----BEGIN PRIVATE KEY-----\n**************\n**************\n-----END PRIVATE KEY-----\n", Lines: 5,
			Masked: 1, MaskedLines: []int{3, 4},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, map[string]string{"notes.txt": tc.raw})
			b.open(storing)
			b.run()
			sum := sha256.Sum256([]byte(tc.raw))
			tc.want.Hash = hex.EncodeToString(sum[:])
			if diff := cmp.Diff(map[string]models.Content{"notes.txt": tc.want}, b.contents()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whatever happens to files, what is stored is the text of those that are indexed.
func TestContentFollowsTheFiles(t *testing.T) {
	b := setUp(t, small)
	b.open(storing)
	b.run()
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		for range 1 + r.IntN(4) {
			edit(b, r)
		}
		b.run()
		if diff := cmp.Diff(b.onDisk(), b.texts()); diff != "" {
			t.Fatal("on disk (-), stored (+):\n", diff)
		}
	}
}

// onDisk are the files with text whose records say that they are indexed or
// have nothing to index.
func (b *bench) onDisk() map[string]string {
	b.Helper()
	texts := map[string]string{}
	err := b.store.Records(b.Context(), models.FilesCollection(repoID), func(key string, value json.RawMessage) error {
		var rec models.FileRecord
		if err := json.Unmarshal(value, &rec); err != nil || rec.Skipped != "" && rec.Skipped != models.SkipEmpty {
			return err
		}
		data, err := os.ReadFile(filepath.Join(b.root, filepath.FromSlash(key)))
		texts[key] = string(data)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return texts
}

func TestContentGoesWhenAFileIsNoLongerText(t *testing.T) {
	for name, becomes := range map[string]func(*bench){
		"gone":             func(b *bench) { b.remove("a.txt") },
		"binary":           func(b *bench) { b.write("a.txt", "\x00\x01") },
		"a secret":         func(b *bench) { b.write("a.txt", "-----BEGIN PRIVATE KEY-----\nMII\n") },
		"too large":        func(b *bench) { b.write("a.txt", string(make([]byte, 2<<20))) },
		"ignored":          func(b *bench) { b.write(".ragnavignore", "*.txt\n") },
		"a link":           func(b *bench) { b.remove("a.txt"); b.link("b.md", "a.txt") },
		"a folder's place": func(b *bench) { b.remove("a.txt"); b.write("a.txt/x", "") },
	} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, map[string]string{"a.txt": "text\n", "b.md": "# B\n"})
			b.open(storing)
			b.run()
			becomes(b)
			b.run()
			texts := b.texts()
			if _, ok := texts["a.txt"]; ok || texts["b.md"] != "# B\n" {
				t.Errorf("stored are %q", texts)
			}
		})
	}
}

func (b *bench) link(target, name string) {
	b.Helper()
	if err := os.Symlink(target, filepath.Join(b.root, name)); err != nil {
		b.Skip("SKIPPED: no symlinks here: ", err)
	}
}

// Files too large to be stored are not looked into again and again.
func TestContentHasALimit(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and nothing in it runs side by side")
	}
	big := make([]byte, models.MaxContent+1)
	for i := range big {
		big[i] = "x\n"[i%2]
	}
	b := setUp(t, map[string]string{"big.txt": string(big[:models.MaxContent]), "bigger.txt": string(big)})
	b.open(index.Config{StoreContent: true, MaxFileSize: 4 << 20})
	b.run()
	if texts := b.texts(); len(texts) != 1 || len(texts["big.txt"]) != models.MaxContent {
		t.Errorf("%d contents are stored", len(texts))
	}
	batches := b.store.batches()
	b.run()
	if got := b.store.batches() - batches; got != 1 {
		t.Errorf("%d batches of a run without changes, want 1", got)
	}
}

func TestStoringContentIsSwitchedOnAndOff(t *testing.T) {
	b := setUp(t, small)
	b.run()
	docs := b.store.all()
	if got := b.texts(); len(got) != 0 || b.record().Stored {
		t.Errorf("stored without being asked: %q", got)
	}
	for _, on := range []bool{true, false, true} {
		b.open(index.Config{StoreContent: on})
		j := b.run()
		if j.Changed != 0 || j.Removed != 0 {
			t.Errorf("on %v: documents changed: %+v", on, j)
		}
		if got := b.texts(); (len(got) == 7) != on || !on && len(got) > 0 || b.record().Stored != on {
			t.Errorf("on %v: %d contents, record %+v", on, len(got), b.record())
		}
		if diff := cmp.Diff(docs, b.store.all()); diff != "" {
			t.Error(diff)
		}
		batches := b.store.batches()
		if b.run(); b.store.batches()-batches != 1 {
			t.Errorf("on %v: %d batches of a run without changes, want 1", on, b.store.batches()-batches)
		}
	}
}

// A full run takes the switch into account, also for files without text.
func TestFullRunSwitches(t *testing.T) {
	b := setUp(t, small)
	b.run()
	for _, on := range []bool{true, false} {
		b.open(index.Config{StoreContent: on})
		b.wait(b.start(true))
		if got := b.texts(); (len(got) == 7) != on || !on && len(got) > 0 {
			t.Errorf("on %v: %d contents", on, len(got))
		}
	}
}

// What a first run that was cut short has committed can be read.
func TestContentOfAnUnfinishedFirstRun(t *testing.T) {
	b := setUp(t, small)
	b.open(storing)
	b.store.before = func(batch models.Batch) error {
		for _, r := range batch.PutRecords {
			if known, ok := r.Value.(models.Repository); ok && known.State == models.StateFresh && known.LastError == "" {
				return errors.New("no space left")
			}
		}
		return nil
	}
	if j := b.wait(b.start(false)); j.State != jobs.Failed {
		t.Fatalf("job %+v", j)
	}
	if r := b.record(); !r.Stored || r.State != models.StateFresh || len(b.texts()) != 7 {
		t.Errorf("record %+v with %d contents", r, len(b.texts()))
	}
}

// A switch that was cut short is finished by the next run.
func TestSwitchIsCutShort(t *testing.T) {
	b := setUp(t, small)
	many(b, 100)
	b.run()
	for _, on := range []bool{true, false} {
		b.open(index.Config{StoreContent: on})
		b.store.before = func(batch models.Batch) error {
			if len(batch.PutRecords) > 1 {
				return context.DeadlineExceeded
			}
			return nil
		}
		if j := b.wait(b.start(false)); j.State != jobs.Failed {
			t.Fatalf("job %+v", j)
		}
		if b.record().Stored == on {
			t.Errorf("on %v: the record says so before it is done", on)
		}
		b.store.before = nil
		b.run()
		if got := b.texts(); (len(got) == 107) != on || !on && len(got) > 0 {
			t.Errorf("on %v: %d contents", on, len(got))
		}
	}
}

func TestFullRunStoresContentAgain(t *testing.T) {
	b := setUp(t, small)
	b.open(storing)
	b.run()
	before := b.texts()
	lost := models.Batch{DeleteRecords: []models.RecordID{{Collection: models.ContentsCollection(repoID)}}}
	if err := b.store.Apply(t.Context(), lost); err != nil {
		t.Fatal(err)
	}
	b.wait(b.start(true))
	if diff := cmp.Diff(before, b.texts()); diff != "" {
		t.Error(diff)
	}
}

// Another embedder starts from nothing, without ghosts.
func TestContentOfAnotherEmbedder(t *testing.T) {
	b := setUp(t, small)
	b.open(storing)
	b.run()
	b.remove("main.go")
	b.close()
	s, err := index.Open(t.Context(), b.store, embedtest.New(8), index.Config{StoreContent: true, Now: b.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b.service = s
	if j := b.wait(b.start(true)); j.State != jobs.Done {
		t.Fatalf("job %+v", j)
	}
	if diff := cmp.Diff(b.onDisk(), b.texts()); diff != "" {
		t.Error(diff)
	}
}

func TestRemoveRemovesContent(t *testing.T) {
	b := setUp(t, small)
	b.open(storing)
	b.run()
	if _, err := b.service.Remove(t.Context(), index.RemoveRequest{RepoID: repoID}); err != nil {
		t.Fatal(err)
	}
	if got := b.contents(); len(got) > 0 {
		t.Errorf("left are %v", got)
	}
}
