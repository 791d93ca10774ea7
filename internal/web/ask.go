package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/web/address"
	"github.com/ragnav/ragnav/internal/web/markup"

	"github.com/ragnav/ragnav/internal/highlight"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// citedLines are shown of one citation.
const citedLines = 80

// An Answer is the page of a question.
type Answer struct {
	Question string
	Repo     string
	Answer   models.Answer
	HTML     template.HTML
	Sources  []Source
	Meta     models.Meta
}

// A Source is the lines of a citation.
type Source struct {
	models.Citation

	ID    string // of the element
	URL   string
	Lines []Line
	More  int // lines that are not shown
}

// askPages are those of questions. Their errors are told in the stream, too.
type askPages struct{ site *Site }

// ask is the page of a question and its answer; without a question the form.
func (s askPages) ask(r *http.Request) (view, error) {
	req := question(r)
	v := view{Template: "ask", Title: "Ask", Data: Answer{Question: suggested(r), Repo: req.RepoFilter}}
	if req.Query == "" {
		return v, nil
	}
	v.Data = Answer{Question: req.Query, Repo: req.RepoFilter}
	resp, err := do(r.Context(), s.site.Ops, op.Ask, req)
	if err != nil {
		return v, err
	}
	v.Title, v.Data = req.Query, s.answer(r, req, resp)
	return v, nil
}

func question(r *http.Request) ask.Request {
	v := r.URL.Query()
	return ask.Request{Query: strings.TrimSpace(v.Get("q")), RepoFilter: v.Get("repo")}
}

// suggested is the beginning of a question about a part of a file.
func suggested(r *http.Request) string {
	if about := r.URL.Query().Get("about"); about != "" {
		return "In " + firstRunes(about, 500) + ": "
	}
	return ""
}

func (s askPages) answer(r *http.Request, req ask.Request, resp ask.Response) Answer {
	a := Answer{Question: req.Query, Repo: req.RepoFilter, Meta: resp.Meta}
	if len(resp.Items) != 1 {
		return a
	}
	a.Answer = resp.Items[0]
	a.Sources = s.sources(r, a.Answer.Citations)
	a.HTML = answered(a.Answer)
	return a
}

// answered is the text of an answer as HTML. Its marks lead to the sources, and
// nothing else leads anywhere: the text may be that of a model.
func answered(a models.Answer) template.HTML {
	var source strings.Builder
	source.WriteString(a.Answer + "\n\n")
	for _, c := range a.Citations {
		fmt.Fprintf(&source, "[%d]: #%s\n", c.N, sourceName(c.N))
	}
	doc, err := markup.RenderAnswer(source.String())
	if err != nil {
		return template.HTML("<pre>" + markup.Escape(a.Answer) + "</pre>")
	}
	return doc.HTML
}

func sourceName(n int) string { return fmt.Sprintf("source-%d", n) }

// sources reads the lines of citations, by one operation a repository.
func (s askPages) sources(r *http.Request, citations []models.Citation) []Source {
	all := make([]Source, len(citations))
	byRepo := map[models.RepoID][]int{}
	for i, c := range citations {
		all[i] = Source{
			Citation: c, ID: markup.HeadingID(sourceName(c.N)),
			URL: address.Lines(c.RepoID, c.FilePath, c.StartLine, c.EndLine),
		}
		byRepo[c.RepoID] = append(byRepo[c.RepoID], i)
	}
	for _, id := range slices.Sorted(maps.Keys(byRepo)) {
		req := filefetch.Request{RepoID: id}
		for _, i := range byRepo[id] {
			c := citations[i]
			req.Spans = append(req.Spans,
				filefetch.Span{
					FilePath: c.FilePath, StartLine: &c.StartLine,
					EndLine: new(min(c.EndLine, c.StartLine+citedLines-1)),
				})
		}
		resp, err := do(r.Context(), s.site.Ops, op.File, req)
		if err != nil {
			continue // the citation still leads to its lines
		}
		for n, i := range byRepo[id] {
			if n < len(resp.Items) {
				all[i].fill(resp.Items[n])
			}
		}
	}
	return all
}

func (c *Source) fill(f models.FileContent) {
	for i, line := range highlight.Lines(f.FilePath, f.Language, f.Code) {
		shown, more := markup.Cut(line)
		n := f.StartLine + i
		c.Lines = append(c.Lines, Line{
			N: n, URL: address.Lines(f.RepoID, f.FilePath, n, n), HTML: markup.Line(shown, nil), More: more,
		})
	}
	c.More = max(0, c.EndLine-f.EndLine)
}

// events streams an answer: "step" tells in a few words what is done, "piece"
// is text of the answer, and "done" the page's content as HTML, each as JSON.
func (s askPages) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	send := func(event string, data any) {
		text, _ := json.Marshal(data) // a string always can be
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text)
		_ = http.NewResponseController(w).Flush() // it fails when the client has gone
	}
	req := question(r)
	resp, err := doStream(r.Context(), s.site.Ops, req, func(e ask.Event) {
		switch {
		case e.Delta != nil:
			send("piece", e.Delta.Text)
		case e.ToolCall != nil:
			send("step", called(*e.ToolCall))
		case e.ToolResult != nil:
			send("step", gave(*e.ToolResult))
		}
	})
	v := view{Template: "ask", Title: req.Query, Data: Answer{Question: req.Query, Repo: req.RepoFilter}}
	if err != nil {
		v = s.site.failure(w, r, err, v)
	} else {
		v.Data = s.answer(r, req, resp)
	}
	page, err := v.make("main")
	if err != nil {
		s.site.failed(r, err)
		return
	}
	send("done", page.String())
}

// maxStep is how many characters of a step are told.
const maxStep = 200

// called is a call of a model in a few words: the tool and the values of its
// arguments, in their order.
func called(c ask.ToolCall) string {
	dec := json.NewDecoder(bytes.NewReader(c.Arguments))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return firstRunes(c.Name+" "+string(c.Arguments), maxStep)
	}
	var values []string
	for dec.More() {
		var value json.RawMessage
		if _, err := dec.Token(); err != nil || dec.Decode(&value) != nil {
			break
		}
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		values = append(values, text)
	}
	return firstRunes(strings.TrimSpace(c.Name+" "+strings.Join(values, " · ")), maxStep)
}

// gave is what came of a call: the first line of its result without what is for
// models only.
func gave(r ask.ToolResult) string {
	head, _, _ := strings.Cut(r.Head, " · next: ")
	return "→ " + firstRunes(strings.TrimPrefix(head, "OK RAG_GRAPH FRESH · "), maxStep)
}
