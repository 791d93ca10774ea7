package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	jobsOnPage    = 50
	previewedRows = 200
)

// Jobs is the page of index runs.
type Jobs struct {
	Repo    string // of which they are, "" for all
	Jobs    []JobRow
	Running bool
	Meta    models.Meta
	Next    string
	Target  string
	Preview *index.PreviewResponse
	May     bool // start and cancel
}

// A JobRow is one index run.
type JobRow struct {
	index.Job
}

// Percent is how much of the run is done.
func (j JobRow) Percent() int {
	switch {
	case j.State == index.JobDone:
		return 100
	case j.State == index.JobCommitting:
		return 90 + int(10*j.Committed)
	case j.Total == 0:
		return 0
	}
	return 90 * j.Done / j.Total
}

// ETA is how long the run still takes, in words.
func (j JobRow) ETA() string {
	if j.State.Final() || j.ETASeconds <= 0 {
		return ""
	}
	return (time.Duration(j.ETASeconds+1) * time.Second).String() + " left"
}

// Took is how long the run took.
func (j JobRow) Took() string {
	if j.StartedAt == nil || j.FinishedAt == nil {
		return ""
	}
	return j.FinishedAt.Sub(*j.StartedAt).Round(100 * time.Millisecond).String()
}

// Mark is how the run stands.
func (j JobRow) Mark() string {
	switch {
	case j.State == index.JobDone:
		return "fresh"
	case j.State == index.JobFailed:
		return "bad"
	case !j.State.Final():
		return "stale"
	}
	return "unknown"
}

// jobPages are those of index runs.
type jobPages struct{ ops op.Backend }

func (s jobPages) jobs(r *http.Request) (view, error) {
	repo := r.URL.Query().Get("repo")
	resp, err := do(r.Context(), s.ops, op.Jobs,
		index.JobsRequest{RepoID: models.RepoID(repo), Limit: new(jobsOnPage), Cursor: r.URL.Query().Get("cursor")})
	if err != nil {
		return view{}, err
	}
	page := Jobs{Repo: repo, Meta: resp.Meta, May: access.Of(r.Context()) >= access.Remote}
	for _, j := range resp.Items {
		page.Jobs = append(page.Jobs, JobRow{j})
		page.Running = page.Running || !j.State.Final()
	}
	if resp.Meta.NextCursor != "" {
		page.Next = "/jobs?" + url.Values{"cursor": {resp.Meta.NextCursor}, "repo": {repo}}.Encode()
	}
	return view{Template: "jobs", Title: "Jobs", Data: page}, nil
}

// change does what a form of the page asks for, and leads to what shows it.
func (s jobPages) change(r *http.Request) (view, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil {
		return view{}, fault.Wrap(fault.InvalidRequest, err, "the form can't be read")
	}
	repo := models.RepoID(r.PostForm.Get("repo"))
	var err error
	switch action := r.PostForm.Get("do"); action {
	case "preview":
		return s.preview(r)
	case "index":
		if _, err = do(r.Context(), s.ops, op.StartIndex, start(r.PostForm)); err != nil {
			return s.again(r, err)
		}
	case "cancel":
		_, err = do(r.Context(), s.ops, op.CancelJob, index.JobRequest{ID: r.PostForm.Get("id")})
	case "remove":
		_, err = do(r.Context(), s.ops, op.Remove, index.RemoveRequest{RepoID: repo})
		return view{Redirect: "/"}, err
	default:
		err = fault.New(fault.InvalidRequest, "unknown action %q", firstRunes(action, 50))
	}
	return view{Redirect: "/jobs"}, err
}

func start(form url.Values) index.StartRequest {
	req := index.StartRequest{RepoID: models.RepoID(form.Get("repo"))}
	for line := range strings.Lines(form.Get("target")) {
		if line = strings.TrimSpace(line); line != "" {
			req.Targets = append(req.Targets, line)
		}
	}
	return req
}

// again is the page with what was to be indexed, for an error of that.
func (s jobPages) again(r *http.Request, err error) (view, error) {
	v, listed := s.jobs(r)
	if listed != nil {
		return view{}, err
	}
	page := v.Data.(Jobs)
	page.Target = r.PostForm.Get("target")
	v.Data = page
	return v, err
}

// preview shows what a run would do.
func (s jobPages) preview(r *http.Request) (view, error) {
	req := start(r.PostForm)
	req.DryRun, req.Limit = true, new(previewedRows)
	resp, err := do(r.Context(), s.ops, op.PreviewIndex, req)
	if err != nil {
		return s.again(r, err)
	}
	v, err := s.jobs(r)
	if err != nil {
		return view{}, err
	}
	page := v.Data.(Jobs)
	page.Preview, page.Target = &resp, r.PostForm.Get("target")
	v.Data = page
	return v, nil
}

// A skip is why files are left out, in words.
type skip struct {
	reason models.SkipReason
	words  string
}

// skips are all reasons, in the order in which a page counts them.
func skips() []skip {
	return []skip{
		{models.SkipIgnored, "ignored"},
		{models.SkipBinary, "not text"},
		{models.SkipTooLarge, "too large"},
		{models.SkipSecret, "may hold secrets"},
		{models.SkipEmpty, "nothing to index"},
		{models.SkipIrregular, "no regular file"},
		{models.SkipSymlink, "symbolic link"},
		{models.SkipUnreadable, "can't be read"},
	}
}

// reasons says in words why files are left out, and how many.
func reasons(skipped map[models.SkipReason]int) []string {
	var all []string
	for _, s := range skips() {
		if n := skipped[s.reason]; n > 0 {
			all = append(all, fmt.Sprintf("%s %s", number(n), s.words))
		}
	}
	return all
}

// reason says in words why a file is left out.
func reason(r models.SkipReason) string {
	for _, s := range skips() {
		if s.reason == r {
			return s.words
		}
	}
	return string(r)
}
