package index_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// everyReason has a file for each reason to leave one out, beside those of small.
func everyReason(b *bench) {
	b.Helper()
	for name, content := range map[string]string{
		".gitignore": "*.log\nbuild/\n", ".ragnavignore": "vendor/\n", "a.log": "x", "build/deep/x.js": "x",
		"vendor/v.go": "package v\n",
		"large.txt":   strings.Repeat("words ", 1<<18), "key.txt": "-----BEGIN PRIVATE KEY-----\nMII\n", "blank.md": " \n\n",
		"utf16.txt": "\xff\xfeh\x00i\x00\n\x00", "masked.go": "package a\n\nconst Key = \"AKIA" + "QWERTYUIOPASDFGH\"\n",
		"lone\nly.txt": "a name with a line break", "nested/.git/HEAD": "ref: refs/heads/main\n",
		"nested/n.go": "package n\n",
		"crlf.py":     "def a():\r\n    return 1\r\n", "old\xff.txt": "x",
	} {
		b.write(name, content)
	}
	b.link("main.go", "link.go")
	b.link("server", "linked")
	b.link("/etc", "away")
}

// preview asks for all pages of a preview of the repository.
func (b *bench) preview(req index.StartRequest) index.PreviewResponse {
	b.Helper()
	req.Targets, req.DryRun = []string{b.root}, true
	if req.RepoID == "" {
		req.RepoID = repoID
	}
	var all index.PreviewResponse
	for {
		res, err := b.service.Preview(b.Context(), req)
		if err != nil {
			b.Fatal(err)
		}
		if req.Limit != nil && len(res.Items) > *req.Limit {
			b.Fatalf("%d items on a page of %d", len(res.Items), *req.Limit)
		}
		res.Items = append(all.Items, res.Items...)
		if all = res; res.Meta.NextCursor == "" {
			return all
		}
		req.Cursor = res.Meta.NextCursor
	}
}

// covered is what coverage says of the repository: all that the last run saw.
func (b *bench) covered() index.CoverageResponse {
	b.Helper()
	res, err := b.service.Coverage(b.Context(), index.CoverageRequest{RepoID: repoID, Limit: new(1000)})
	if err != nil {
		b.Fatal(err)
	}
	return res
}

// samePreview wants a preview to say what coverage says after the run that
// follows it, and the run to do what the preview counted.
func samePreview(t *testing.T, b *bench, full bool) index.PreviewResponse {
	t.Helper()
	dry := b.preview(index.StartRequest{Full: full})
	job := b.wait(b.start(full))
	covered := b.covered()
	var got []index.CoverageItem
	ignored := 0
	for _, item := range dry.Items {
		if item.Reason != models.SkipIgnored {
			got = append(got, item.CoverageItem)
			continue
		}
		ignored++
		asked, err := b.service.Coverage(t.Context(),
			index.CoverageRequest{RepoID: repoID, Path: strings.TrimSuffix(item.FilePath, "/")})
		if err != nil || asked.Items[0].Reason != item.Reason || asked.Items[0].Detail != item.Detail {
			t.Errorf("%s: coverage says %+v, %v; the preview %+v", item.FilePath, asked.Items, err, item)
		}
	}
	if diff := cmp.Diff(covered.Items, got); diff != "" {
		t.Errorf("files (-coverage after the run +preview before it):\n%s", diff)
	}
	sum := dry.Repositories[0]
	skipped := maps.Clone(sum.Skipped)
	delete(skipped, models.SkipIgnored)
	if diff := cmp.Diff(covered.Skipped, skipped); diff != "" || sum.Indexed != covered.Indexed ||
		sum.Skipped[models.SkipIgnored] != ignored {
		t.Errorf("counts %+v, coverage has %d and %v", sum, covered.Indexed, covered.Skipped)
	}
	if sum.Documents != job.Documents {
		t.Errorf("%d documents, the run made %d", sum.Documents, job.Documents)
	}
	if sum.Changed != job.Changed || sum.Removed != job.Removed {
		t.Errorf("%d changed and %d removed, the run had %d and %d", sum.Changed, sum.Removed, job.Changed, job.Removed)
	}
	return dry
}

func TestPreviewIsWhatTheRunDoes(t *testing.T) {
	for _, kind := range []string{"plain", "git"} {
		t.Run(kind, func(t *testing.T) {
			b := setUp(t, small)
			everyReason(b)
			if kind == "git" {
				gitIn(t, b.root, "init", "-q")
				b.remove("nested")
				b.write("nested/n.go", "package n\n")
				gitIn(t, filepath.Join(b.root, "nested"), "init", "-q")
			}
			first := samePreview(t, b, false)
			if sum := first.Repositories[0]; sum.Tokens == 0 || sum.Bytes == 0 || sum.Documents == 0 {
				t.Errorf("sums %+v", sum)
			}
			want := []models.SkipReason{
				"ignored", "binary", "too_large", "secret", "no_text", "not_regular", "symlink",
				"unreadable",
			}
			if kind == "plain" {
				want = slices.DeleteFunc(want, func(r models.SkipReason) bool { return r == models.SkipIrregular })
			}
			for _, reason := range want {
				if first.Repositories[0].Skipped[reason] == 0 {
					t.Errorf("nothing is left out as %s", reason)
				}
			}
			again := samePreview(t, b, false)
			if sum := again.Repositories[0]; sum.Changed != 0 || sum.Removed != 0 || sum.Tokens != 0 {
				t.Errorf("nothing has changed, the preview says %+v", sum)
			}
			b.write("main.go", "package main\n\nfunc other() {}\n")
			b.write("server/server.go", "\x00")
			b.write(".gitignore", "*.log\nbuild/\nconfig/\n")
			b.remove("server/deep")
			edited := samePreview(t, b, false)
			if sum := edited.Repositories[0]; sum.Changed != 2 || sum.Removed != 3 {
				t.Errorf("the preview of edits says %+v", sum)
			}
			if full := samePreview(t, b, true); full.Repositories[0].Changed != full.Repositories[0].Indexed {
				t.Errorf("the preview of a full run says %+v", full.Repositories[0])
			}
		})
	}
}

func TestPreviewWritesNothing(t *testing.T) {
	b := setUp(t, small)
	everyReason(b)
	b.store.before = func(models.Batch) error { return fmt.Errorf("written") }
	all := b.preview(index.StartRequest{})
	if len(b.store.all()) != 0 || len(b.store.records) != 0 {
		t.Errorf("the store has %d documents and %d records", len(b.store.all()), len(b.store.records))
	}
	if jobs := b.jobs(); len(jobs) != 0 {
		t.Errorf("jobs %+v", jobs)
	}
	paged := b.preview(index.StartRequest{Limit: new(3)})
	if diff := cmp.Diff(all.Items, paged.Items); diff != "" {
		t.Errorf("pages (-one +many):\n%s", diff)
	}
	for _, only := range []string{"indexed", "skipped"} {
		some := b.preview(index.StartRequest{Only: only, Limit: new(4)})
		want := slices.DeleteFunc(slices.Clone(all.Items),
			func(i index.PreviewItem) bool { return i.Indexed != (only == "indexed") })
		if diff := cmp.Diff(want, some.Items); diff != "" {
			t.Errorf("%s: %s", only, diff)
		}
	}
}

// Pages are those of one look, whatever happens meanwhile; a first page looks again.
func TestPreviewPagesAgree(t *testing.T) {
	b := setUp(t, small)
	req := index.StartRequest{Targets: []string{b.root}, DryRun: true, Limit: new(4)}
	first, err := b.service.Preview(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	b.write("0.go", "package a\n")
	req.Cursor = first.Meta.NextCursor
	second, err := b.service.Preview(t.Context(), req)
	if err != nil || second.Items[0].FilePath <= first.Items[3].FilePath || *second.Meta.Total != *first.Meta.Total {
		t.Errorf("second page %+v, %v", second.Items, err)
	}
	req.Cursor = ""
	if again, err := b.service.Preview(t.Context(), req); err != nil || again.Items[1].FilePath != "0.go" {
		t.Errorf("first page again %+v, %v", again.Items, err)
	}
}

func TestPreviewWhileIndexing(t *testing.T) {
	b := setUp(t, small)
	begun, proceed := make(chan struct{}), make(chan struct{})
	b.store.before = func(batch models.Batch) error {
		if len(batch.Put) > 0 {
			close(begun)
			<-proceed
			b.store.before = nil
		}
		return nil
	}
	j := b.start(false)
	<-begun
	dry := b.preview(index.StartRequest{})
	close(proceed)
	if job := b.wait(j); job.State != jobs.Done || dry.Repositories[0].Indexed != job.Changed {
		t.Errorf("job %+v, preview %+v", job, dry.Repositories)
	}
}

// A clone lives as long as its preview.
func TestPreviewOfURL(t *testing.T) {
	b := setUp(t, small)
	gitIn(t, b.root, "init", "-q")
	gitIn(t, b.root, "add", "-A", "-f")
	gitIn(t, b.root, "commit", "-qm", "one")
	bare := filepath.Join(t.TempDir(), "thing.git")
	gitIn(t, b.root, "clone", "-q", "--bare", b.root, bare)
	temp, clones := t.TempDir(), filepath.Join(t.TempDir(), "clones")
	t.Setenv("TMPDIR", temp)
	b.open(index.Config{ReposDir: clones})
	req := index.StartRequest{Targets: []string{"file://" + bare}, DryRun: true}
	dry, err := b.service.Preview(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if sum := dry.Repositories[0]; sum.Indexed != 6 || sum.RepoID != "thing" || sum.Commit == "" {
		t.Errorf("preview %+v", sum)
	}
	left, err := os.ReadDir(temp)
	if _, there := os.Stat(clones); err != nil || len(left) > 0 || there == nil {
		t.Errorf("left behind: %v, %v; the folder for clones: %v", left, err, there)
	}
	req.Targets = []string{"file://" + bare + "x.git"}
	if _, err := b.service.Preview(t.Context(), req); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("no such remote: %v", err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestPreviewRefuses(t *testing.T) {
	b := setUp(t, small)
	b.run()
	other := t.TempDir()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context //nolint:containedctx // of the test
		req  index.StartRequest
		want fault.Code
	}{
		{"no folder", t.Context(), index.StartRequest{Targets: []string{filepath.Join(other, "nope")}}, fault.PathNotFound},
		{"relative", t.Context(), index.StartRequest{Targets: []string{"x"}}, fault.InvalidRequest},
		{"an id that is taken", t.Context(), index.StartRequest{Targets: []string{other}, RepoID: repoID}, fault.Conflict},
		{
			"a folder that has another id", t.Context(),
			index.StartRequest{Targets: []string{b.root}, RepoID: "x"},
			fault.Conflict,
		},
		{"twice", t.Context(), index.StartRequest{Targets: []string{other, other}}, fault.InvalidRequest},
		{
			"one id for two", t.Context(),
			index.StartRequest{Targets: []string{other, b.root}, RepoID: "x"},
			fault.InvalidRequest,
		},
		{
			"a cursor of something else", t.Context(),
			index.StartRequest{Targets: []string{other}, Cursor: models.Cursor(3, "x")},
			fault.InvalidRequest,
		},
		{"nobody waits", cancelled, index.StartRequest{Targets: []string{b.root}, RepoID: repoID}, fault.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			if res, err := b.service.Preview(test.ctx, test.req); fault.CodeOf(err) != test.want {
				t.Errorf("got %+v, %v; want %s", res, err, test.want)
			}
		})
	}
	for _, req := range []index.StartRequest{{DryRun: true}, {Limit: new(1)}, {Only: "indexed"}, {Cursor: "x"}} {
		req.Targets = []string{b.root}
		if _, err := b.service.Start(t.Context(), req); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("Start of %+v: %v", req, err)
		}
	}
}

// The reply to a repository of many files is bounded, and so is the time of
// its later pages.
func TestPreviewOfManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and nothing in it runs side by side")
	}
	b := setUp(t, nil)
	many(b, 3000)
	req := index.StartRequest{Targets: []string{b.root}, DryRun: true, Limit: new(100)}
	begun := time.Now()
	first, err := b.service.Preview(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the first page took %v", time.Since(begun))
	text, err := json.Marshal(first)
	if err != nil || len(text) > 64<<10 || *first.Meta.Total != 3000 {
		t.Errorf("%d bytes of %d files, %v", len(text), *first.Meta.Total, err)
	}
}
