package index_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A writer is a model that says which prompt it was given, in the form it was asked for.
type writer struct {
	mu      sync.Mutex
	prompts []string
	fail    func(n int) error
	reply   string // in place of a good one
}

func (w *writer) Summarise(_ context.Context, prompt string, _ int) (string, int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.prompts = append(w.prompts, prompt)
	n := len(w.prompts)
	if w.fail != nil {
		if err := w.fail(n); err != nil {
			return "", 0, err
		}
	}
	if w.reply != "" {
		return w.reply, 100, nil
	}
	return fmt.Sprintf("Here it is:\n```json\n{\"summary\": \"Model text %d.\", \"symbols\": {\"One\": \"Says one "+
		"thing.\", \"Two\": \"Says two things.\"}}\n```", n), 100, nil
}

func (w *writer) asked() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.prompts)
}

var told = map[string]string{
	"lib/one.go": "package lib\n\nfunc One() {}\n\n// Two has a comment.\nfunc Two() {}\n",
	"lib/two.go": "package lib\n\nfunc Three() {}\n",
	"main.go":    "package main\n\nfunc main() {}\n",
	"README.md":  "# API\n\nServes things.\n",
}

// telling is a bench with a model.
func telling(t *testing.T, files map[string]string) (*bench, *writer) {
	t.Helper()
	b, w := setUp(t, files), &writer{}
	b.open(index.Config{Summariser: w, Price: [2]float64{1, 2}})
	return b, w
}

func (b *bench) summarise(tokens int) jobs.Job {
	b.Helper()
	res, err := b.service.Start(b.Context(),
		index.StartRequest{Targets: []string{b.root}, RepoID: repoID, Summarise: true, SummaryTokens: tokens})
	if err != nil {
		b.Fatal(err)
	}
	return b.wait(res.Items[0])
}

func (b *bench) source(id models.DocumentID) models.SummarySource {
	return b.store.all()[id].SummarySource
}

const (
	oneFile   models.DocumentID = "file:acme/api:lib/one.go"
	twoFile   models.DocumentID = "file:acme/api:lib/two.go"
	oneSymbol models.DocumentID = "symbol:acme/api:lib/one.go:One"
	twoSymbol models.DocumentID = "symbol:acme/api:lib/one.go:Two"
)

// A model writes of files, their symbols without a comment, folders and the
// repository, once; what it wrote stays while the content does.
func TestSummaries(t *testing.T) {
	b, w := telling(t, told)
	job := b.summarise(0)
	for id, want := range map[models.DocumentID]models.SummarySource{
		oneFile: models.SummaryLLM, oneSymbol: models.SummaryLLM, twoSymbol: models.SummaryDocstring,
		"module:acme/api:lib": models.SummaryLLM, "repo:acme/api": models.SummaryLLM,
	} {
		if got := b.source(id); job.State != jobs.Done || got != want {
			t.Errorf("%s is %s, want %s; %+v", id, got, want, job)
		}
	}
	if d := b.store.all()[oneSymbol]; d.Content != "func One()\n\nSays one thing." ||
		!strings.Contains(d.Text, "Says one thing") {
		t.Errorf("One: %q", d.Content)
	}
	if job.Summaries != w.asked() || job.SummaryTokens != 100*w.asked() || job.SummaryReason != "" {
		t.Errorf("%d requests, %+v", w.asked(), job)
	}
	before := w.asked()
	if b.summarise(0); w.asked() != before {
		t.Errorf("%d requests for what was written before", w.asked()-before)
	}
	b.write("lib/two.go", told["lib/two.go"]+"\nfunc Four() {}\n")
	b.run()
	if b.source(oneFile) != models.SummaryLLM || b.source(twoFile) == models.SummaryLLM || w.asked() != before {
		t.Errorf("after an edit: %s, %s, %d requests", b.source(oneFile), b.source(twoFile), w.asked()-before)
	}
	b.wait(b.start(true))
	if b.source(oneFile) != models.SummaryLLM || b.source(oneSymbol) != models.SummaryLLM {
		t.Errorf("after a full run: %s, %s", b.source(oneFile), b.source(oneSymbol))
	}
	b.summarise(0)
	// the file, its folder, the root, the repository
	if n := w.asked() - before; b.source(twoFile) != models.SummaryLLM || n == 0 || n > 4 {
		t.Errorf("after an edit: %s, %d requests", b.source(twoFile), n)
	}
}

// With a model that fails, or says nothing of use, the extractive summaries stay,
// and the run says why.
func TestSummariesOfAModelThatFails(t *testing.T) {
	away := fault.New(fault.LLMUnavailable, "nobody there")
	for name, tc := range map[string]struct {
		fail  func(int) error
		reply string
		most  int // requests
		want  string
	}{
		"away": {fail: func(int) error { return away }, most: 4, want: "nobody there; extractive summaries stay"},
		"garbage": {
			reply: "I can't do\nthat.", most: 6,
			want: `what the model writes is no JSON with a summary: "I can't do that."; extractive summaries stay`,
		},
		"empty": {reply: `{"summary": ""}`, most: 6, want: "extractive summaries stay"},
	} {
		t.Run(name, func(t *testing.T) {
			b, w := telling(t, told)
			w.fail, w.reply = tc.fail, tc.reply
			job := b.summarise(0)
			if job.State != jobs.Done || job.Summaries != 0 || !strings.Contains(job.SummaryReason, tc.want) ||
				w.asked() > tc.most {
				t.Errorf("%d requests, %+v", w.asked(), job)
			}
			if b.source(oneFile) == models.SummaryLLM || b.record().State != models.StateFresh {
				t.Errorf("%s, %+v", b.source(oneFile), b.record())
			}
		})
	}
	b := setUp(t, told)
	if _, err := b.service.Start(t.Context(),
		index.StartRequest{Targets: []string{b.root}, Summarise: true}); fault.CodeOf(err) != fault.LLMUnavailable {
		t.Errorf("without a model: %v", err)
	}
}

// A run that is cut off, by a limit or by the end of the process, is gone on with,
// and nothing is asked twice.
func TestSummariesGoOn(t *testing.T) {
	whole, w := telling(t, told)
	whole.summarise(0)
	all := w.asked()
	b, _ := telling(t, told)
	if job := b.summarise(1000); job.SummaryReason != "" {
		t.Errorf("within the limit: %+v", job)
	}
	b, w = telling(t, told)
	w.fail = func(n int) error {
		if n > 2 {
			return fault.New(fault.LLMUnavailable, "gone")
		}
		return nil
	}
	b.summarise(0)
	w.fail = nil
	asked := w.asked()
	b.summarise(0)
	if n := 2 + w.asked() - asked; n != all {
		t.Errorf("%d summaries in two runs, %d in one", n, all)
	}
	b, w = telling(t, told)
	b.store.before = func(batch models.Batch) error {
		if w.asked() >= 2 && len(batch.PutRecords) > 0 && !strings.HasPrefix(batch.PutRecords[0].Collection, "summaries:") {
			return errors.New("the process is gone")
		}
		return nil
	}
	if job := b.summarise(0); job.State != jobs.Failed {
		t.Errorf("%+v", job)
	}
	b.store.before = nil
	b.open(index.Config{Summariser: w})
	b.summarise(0)
	if w.asked() != all || b.source(oneFile) != models.SummaryLLM {
		t.Errorf("%d requests, %d in one run; %s", w.asked(), all, b.source(oneFile))
	}
}

// A dry run tells what it would take, and asks nothing.
func TestSummariesDryRun(t *testing.T) {
	b, w := telling(t, told)
	req := index.StartRequest{Targets: []string{b.root}, RepoID: repoID, Summarise: true, DryRun: true}
	res, err := b.service.Preview(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	first := res.Repositories[0].Summaries
	// 3 files, 2 folders, the repository
	if first == nil || first.Requests != 6 || first.PromptTokens == 0 || first.Price <= 0 || w.asked() != 0 {
		t.Errorf("%+v, %d requests", first, w.asked())
	}
	b.summarise(0)
	if res, err = b.service.Preview(t.Context(), req); err != nil || res.Repositories[0].Summaries.Requests != 3 {
		t.Errorf("afterwards: %+v, %v", res.Repositories, err)
	}
}
