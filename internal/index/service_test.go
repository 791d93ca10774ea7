package index_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

const repoID models.RepoID = "acme/api"

// A bench is a service over a repository and a store of its own.
type bench struct {
	*testing.T

	root     string
	store    *memory
	node     *node           // of a cluster over store, or nil
	drafts   *drafting       // over store, or nil
	disk     *embedded.Store // instead of store, or nil
	embedder vectors.Embedder
	service  *index.Service
	reopen   bool // tests of updates: a new service each time
	clock    func() time.Time
}

func setUp(t *testing.T, files map[string]string) *bench {
	t.Helper()
	b := &bench{T: t, root: t.TempDir(), store: newMemory()}
	// An hour ahead: files just written are old enough for their times to tell versions apart.
	b.clock = func() time.Time { return time.Now().Add(time.Hour) }
	b.open(index.Config{})
	for name, content := range files {
		b.write(name, content)
	}
	return b
}

// open starts the service, again if there is one.
func (b *bench) open(c index.Config) {
	b.Helper()
	if b.service != nil {
		b.close()
	}
	if c.Now == nil {
		c.Now = func() time.Time { return b.clock() }
	}
	if b.embedder == nil {
		b.embedder = embedtest.New(16)
	}
	var st records.Store = b.store
	if b.node != nil {
		st = b.node
	}
	if b.drafts != nil {
		st = b.drafts
	}
	if b.disk != nil {
		st = b.disk
	}
	s, err := index.Open(b.Context(), st, b.embedder, index.InBatches(c, 300))
	if err != nil {
		b.Fatal(err)
	}
	b.service = s
	b.Cleanup(func() { _ = s.Close() })
}

func (b *bench) close() {
	if err := b.service.Close(); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) write(name, content string) {
	b.Helper()
	repotest.Write(b, b.root, map[string]string{name: content})
}

func (b *bench) remove(name string) {
	b.Helper()
	if err := os.RemoveAll(filepath.Join(b.root, filepath.FromSlash(name))); err != nil {
		b.Fatal(err)
	}
}

// start starts a run of the repository.
func (b *bench) start(full bool) jobs.Job {
	b.Helper()
	res, err := b.service.Start(b.Context(), index.StartRequest{Targets: []string{b.root}, RepoID: repoID, Full: full})
	if err != nil {
		b.Fatal(err)
	}
	return res.Items[0]
}

func (b *bench) wait(j jobs.Job) jobs.Job {
	b.Helper()
	j, err := b.service.Wait(b.Context(), j.ID, nil)
	if err != nil {
		b.Fatal(err)
	}
	return j
}

// run runs the repository and wants it to end well.
func (b *bench) run() jobs.Job {
	b.Helper()
	j := b.wait(b.start(false))
	if j.State != jobs.Done {
		b.Fatalf("the run ended %s: %v", j.State, *j.Error)
	}
	return j
}

func (b *bench) record() models.Repository {
	b.Helper()
	var r models.Repository
	if ok, err := b.store.Record(b.Context(), models.CollectionRepos, string(repoID), &r); err != nil || !ok {
		b.Fatalf("no record: %v", err)
	}
	return r
}

func (b *bench) file(name string) models.FileRecord {
	b.Helper()
	var r models.FileRecord
	if ok, err := b.store.Record(b.Context(), models.FilesCollection(repoID), name, &r); err != nil || !ok {
		b.Fatalf("no record of %s: %v", name, err)
	}
	return r
}

// ids are the ids of all documents of the store, sorted.
func (b *bench) ids() []models.DocumentID {
	var ids []models.DocumentID
	for id := range b.store.all() {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

var small = map[string]string{
	"README.md": "# API\n\nServes things.\n\n## Use\n\nRun it.\n",
	"go.mod":    "module example.com/api\n",
	"main.go":   "// Command api serves.\npackage main\n\n// main starts.\nfunc main() { serve() }\n",
	"server/server.go": "// Package server answers requests.\npackage server\n\n// A Server answers.\n" +
		"type Server struct{ n int }\n\n// Do does it.\nfunc (s *Server) Do() int { return s.n }\n",
	"server/deep/x.py":   "\"\"\"Deep things.\"\"\"\n\ndef dig():\n    return 1\n",
	"logo.bin":           "\x00\x01\x02",
	".env":               "KEY=1\n",
	"server/empty.go":    "",
	"config/values.yaml": "a: 1\nb: 2\n",
}
