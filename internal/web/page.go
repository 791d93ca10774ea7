package web

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/valid"
	"github.com/ragnav/ragnav/internal/web/address"
)

// policy lets a page load nothing but the server's own files and talk to nobody
// else. Code and styles in the page itself do nothing.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

//go:embed templates
var sources embed.FS

// templates are the pages by name, each with the layout around it.
var templates = parseTemplates()

func parseTemplates() map[string]*template.Template {
	shared := template.Must(template.New("").Funcs(functions).ParseFS(sources, "templates/layout.html",
		"templates/parts.html"))
	pages, err := fs.Glob(sources, "templates/*.html")
	if err != nil {
		panic(err) // the pattern is well-formed
	}
	all := map[string]*template.Template{}
	for _, file := range pages {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		all[name] = template.Must(template.Must(shared.Clone()).ParseFS(sources, file))
	}
	return all
}

// A view is a page to be shown.
type view struct {
	Template string
	Title    string
	Query    Query // in the box
	Data     any
	Problem  *Problem // of the form that the page has, which was sent
	Status   int      // of HTTP; 0 is 200
	Redirect string   // shows another page instead
	Image    *Image   // is sent in place of a page
}

// A handler makes the page that a request asks for. Its errors become pages; with a
// page beside it, an error is shown on that, which keeps what was typed.
type handler func(r *http.Request) (view, error)

// show serves what p makes.
func (s *Site) show(p handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := p(r)
		if err != nil {
			v = s.failure(w, r, err, v)
		}
		s.write(w, r, v)
	}
}

// make makes the page, or the part of it with that name.
func (v view) make(part string) (*bytes.Buffer, error) {
	var buf bytes.Buffer
	err := templates[v.Template].ExecuteTemplate(&buf, part, v)
	return &buf, err
}

// write makes all of a page before it sends anything, so that a failure can
// still be told.
func (s *Site) write(w http.ResponseWriter, r *http.Request, v view) {
	if v.Redirect != "" {
		http.Redirect(w, r, v.Redirect, http.StatusSeeOther)
		return
	}
	if v.Image != nil {
		v.Image.write(w)
		return
	}
	page, err := v.make("layout")
	if err != nil {
		s.failed(r, err)
		http.Error(w, fault.Internal.Row().Text, http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	if v.Status == 0 {
		v.Status = http.StatusOK
	}
	w.WriteHeader(v.Status)
	_, _ = w.Write(page.Bytes()) // it fails when the client has gone
}

// A Problem is an error as people see it.
type Problem struct {
	Code      fault.Code
	Message   string
	RequestID string
	Repo      models.RepoID // where the page would be, which is there
	Crumbs    []Link        // to the file that is there, but can't be shown
}

func (s *Site) problem(w http.ResponseWriter, r *http.Request, err error) Problem {
	code, message := fault.CodeOf(err), fault.MessageOf(err)
	late := errors.Is(r.Context().Err(), context.DeadlineExceeded)
	if late && (code == fault.Internal || code == fault.Canceled) {
		code, message = fault.Timeout, fault.Timeout.Row().Text
	}
	if code.Row().HTTP >= http.StatusInternalServerError {
		s.failed(r, err)
	}
	return Problem{Code: code, Message: say(message), RequestID: w.Header().Get("X-Request-Id")}
}

// failure is the page of an error, or that with the form that was sent.
func (s *Site) failure(w http.ResponseWriter, r *http.Request, err error, form view) view {
	p := s.problem(w, r, err)
	if form.Template != "" {
		form.Problem, form.Status = &p, p.Code.Row().HTTP
		return form
	}
	v := view{Template: "error", Title: "Error", Query: queryOf(r), Status: p.Code.Row().HTTP}
	if escaped, ok := strings.CutPrefix(r.URL.EscapedPath(), "/r/"); ok && inRepository(p.Code) {
		if all, err := address.Targets(escaped); err == nil {
			p.Repo = all[0].RepoID
			v.Query.Repo = string(p.Repo)
			if p.Code == fault.BinaryFile || p.Code == fault.Forbidden {
				p.Crumbs = crumbs(p.Repo, all[0].File, "")
			}
		}
	}
	v.Data = p
	return v
}

// inRepository reports whether an error is about a path of a repository that is there.
func inRepository(code fault.Code) bool {
	switch code {
	case fault.PathNotFound, fault.InvalidPath, fault.BinaryFile, fault.Forbidden:
		return true
	}
	return false
}

// NoPage is shown for an address that no page has.
func (s *Site) NoPage() http.Handler {
	return s.show(func(r *http.Request) (view, error) {
		return view{}, fault.New(fault.PathNotFound, "there is no page %.200q", r.URL.Path)
	})
}

func (s *Site) failed(r *http.Request, err error) {
	if s.Failed != nil {
		s.Failed(r, err)
	}
}

// doStream is do for an answer that is told as it comes.
func doStream(ctx context.Context, ops op.Backend, req ask.Request, on func(ask.Event)) (ask.Response, error) {
	if err := valid.Check(&req); err != nil {
		return ask.Response{}, err
	}
	return ops.AskStream(ctx, req, on)
}

// do has an operation done for a request that was checked like any client's.
func do[Req, Resp any](ctx context.Context, ops op.Caller, o op.Op[Req, Resp], req Req) (Resp, error) {
	if err := valid.Check(&req); err != nil {
		var none Resp
		return none, err
	}
	return o.By(ctx, ops, req)
}
