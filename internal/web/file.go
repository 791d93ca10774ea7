package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/web/address"
	"github.com/ragnav/ragnav/internal/web/markup"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/highlight"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
)

const (
	pageBytes   = 64 << 10 // of HTML that the lines of one page have, about
	readmeBytes = 48 << 10 // of Markdown that are rendered
	before      = 10       // lines shown above one that is asked for
	outlineSize = 120      // symbols listed at a time
	outlineAsk  = 5000     // lines from which on an outline is made only when asked for
)

// A File is the page of lines of a file.
type File struct {
	models.FileContent

	Crumbs   []Link
	Meta     models.Meta
	Lines    []Line
	Previous string          // addresses of the lines around
	Next     string          //
	Rendered markup.Document // in place of lines
	Image    string          // address of the picture that it is
	Other    *Link           // to the same file shown otherwise
	Outline  Outline
	Uses     *Uses
	Ask      string // address of the page to ask about it
	History  string // address of the runs that indexed it
	// Permalink is the address with the commit that is shown, or indexed; "" without one.
	Permalink string
	Now       string // address of the file as it is
	Problem   string // why these are not the lines of the commit in the address
}

// Old reports whether the lines are of a commit, and others now: nothing that the
// graph tells of places in the file is true of them.
func (f File) Old() bool { return f.Freshness == models.Stale }

// An Outline is what is in a file.
type Outline struct {
	Items   []Entry
	Message string
	Next    string // address with the next items
}

// An Entry is a symbol of an outline.
type Entry struct {
	models.OutlineItem

	URL  string
	Uses string // address with its uses beside the file
}

// filePages are those of files.
type filePages struct{ ops op.Backend }

// entry is the page of a file or folder, as what is there.
func (s filePages) entry(r *http.Request) (view, error) {
	all, err := address.Targets(strings.TrimPrefix(r.URL.EscapedPath(), "/r/"))
	for _, t := range all {
		v, failed := s.at(r, t)
		if fault.CodeOf(failed) != fault.RepoNotFound {
			return v, failed
		}
		err = cmp.Or(err, failed) // of the repository that was meant, which is the first
	}
	return view{}, err
}

func (s filePages) at(r *http.Request, t address.Target) (view, error) {
	if t.File == "" || strings.HasSuffix(t.File, "/") {
		return folderPages(s).folder(r, t.RepoID, strings.TrimSuffix(t.File, "/"))
	}
	if r.URL.Query().Get("raw") != "" {
		return s.image(r, t)
	}
	v, err := s.file(r, t.RepoID, t.File)
	if fault.CodeOf(err) == fault.InvalidPath { // it may be that of a folder
		if folder, folderErr := folderPages(s).folder(r, t.RepoID, t.File); folderErr == nil {
			return folder, nil
		}
	}
	return v, err
}

// mostLines is more than any file has.
const mostLines = 1 << 30

func (s filePages) file(r *http.Request, repo models.RepoID, file string) (view, error) {
	query := r.URL.Query()
	line, err := strconv.Atoi(query.Get("line"))
	if err != nil || line > mostLines {
		line = 0
	}
	first := max(1, line-before)
	image, text := isImage(file)
	rendered := address.IsMarkdown(file) && query.Get("plain") == "" && query.Get("line") == ""
	req := filefetch.Request{RepoID: repo, FilePath: file, StartLine: &first, Commit: query.Get("commit")}
	switch {
	case image && !text:
		req.StartLine, req.Picture = nil, true
	case !rendered:
		req.EndLine = new(first + address.PageLines - 1)
	}
	f, err := s.read(r.Context(), req)
	if fault.CodeOf(err) == fault.LineOutOfRange {
		f, err = s.lastLines(r.Context(), req)
	}
	if err != nil {
		return view{}, err
	}
	if line > f.TotalLines && f.Problem == "" {
		f.Problem = fmt.Sprintf("There is no line %s: the file has %s.", number(line), plural(f.TotalLines, "line"))
	}
	here := address.File(repo, file)
	if rendered && f.render() {
		f.Other = &Link{"Source", f.address(here, url.Values{"plain": {"1"}})}
	} else {
		f.window(here, query)
		if address.IsMarkdown(file) {
			f.Other = &Link{"Rendered", f.address(here, url.Values{})}
		}
	}
	if image {
		f.Image = f.address(here, url.Values{"raw": {"1"}})
	}
	f.link(here, query)
	if f.Picture == nil {
		f.Outline = s.outline(r.Context(), f, query)
	}
	if name := query.Get("uses"); name != "" && !f.Old() {
		f.Uses = namePages(s).uses(r, f, name)
	}
	title := path.Base(file)
	if f.Commit != "" {
		title += " at " + short(f.Commit)
	}
	v := view{Template: "file", Title: title + " · " + string(repo), Data: f}
	v.Query.Repo = string(repo)
	return v, nil
}

// read reads a file for its page. Without the commit that the address names it
// is the file as it is, and the page says so.
func (s filePages) read(ctx context.Context, req filefetch.Request) (File, error) {
	problem := ""
	resp, err := do(ctx, s.ops, op.File, req)
	if req.Commit != "" && fault.CodeOf(err) == fault.InvalidRequest {
		problem, req.Commit = fault.MessageOf(err), ""
		resp, err = do(ctx, s.ops, op.File, req)
	}
	if err != nil {
		return File{}, err
	}
	if len(resp.Items) != 1 {
		return File{}, fault.New(fault.Internal, "%d items for one file", len(resp.Items))
	}
	f := File{
		FileContent: resp.Items[0], Meta: resp.Meta, Crumbs: crumbs(req.RepoID, req.FilePath, resp.Items[0].Commit),
		History: address.History(req.RepoID), Problem: problem,
	}
	f.Ask = "/ask?" + url.Values{"repo": {string(req.RepoID)}, "about": {req.FilePath}}.Encode()
	if f.Commit != "" {
		f.Meta.Message = nil // the page says it with a link
	}
	return f, nil
}

// lastLines reads the end of a file, which has become shorter than the address of a line
// in it says: those are kept, and sent to others, for long.
func (s filePages) lastLines(ctx context.Context, req filefetch.Request) (File, error) {
	req.StartLine, req.EndLine = new(1), new(1)
	f, err := s.read(ctx, req)
	if err != nil || f.TotalLines <= 1 {
		return f, err
	}
	req.StartLine, req.EndLine = new(max(1, f.TotalLines-before)), new(f.TotalLines)
	return s.read(ctx, req)
}

// render shows the file as the document it is, if that is no more than a page.
func (f *File) render() bool {
	if len(f.Code) > readmeBytes || f.Truncated || f.EndLine < f.TotalLines {
		return false
	}
	doc, err := markup.Render(f.RepoID, f.FilePath, f.Code, f.Commit)
	if err != nil || len(doc.HTML) > pageBytes {
		return false
	}
	f.Rendered = doc
	return true
}

// link makes the addresses that name the commit, and none.
func (f *File) link(here string, query url.Values) {
	f.Now = here
	commit := f.Commit
	if commit == "" && f.Meta.IndexStatus != nil {
		commit = deref(f.Meta.IndexStatus.LastIndexedCommit)
	}
	if commit == "" {
		return
	}
	v := url.Values{"commit": {commit}}
	for _, name := range []string{"line", "plain"} {
		if query.Get(name) != "" {
			v.Set(name, query.Get(name))
		}
	}
	f.Permalink = here + "?" + v.Encode()
}

// address is one of the page, in the commit that is shown.
func (f *File) address(here string, v url.Values) string {
	if f.Commit != "" {
		v.Set("commit", f.Commit)
	}
	if len(v) == 0 {
		return here
	}
	return here + "?" + v.Encode()
}

func short(commit string) string { return commit[:min(12, len(commit))] }

// window fills in the lines that one page has, and where others are.
func (f *File) window(here string, query url.Values) {
	size, n := 0, f.StartLine
	code := f.Code
	if f.TotalLines == 0 || f.EndLine < f.StartLine {
		return
	}
	colours := highlight.Lines(f.FilePath, f.Language, code)
	for i := 0; n <= f.EndLine && i < address.PageLines && size < pageBytes; i, n = i+1, n+1 {
		var line []highlight.Span
		if i < len(colours) {
			line = colours[i]
		}
		shown, more := markup.Cut(line)
		html := markup.Line(shown, nil)
		size += len(html) + 60
		f.Lines = append(f.Lines, Line{N: n, HTML: html, More: more})
	}
	f.EndLine = n - 1
	if f.StartLine > 1 {
		f.Previous = atLine(here, query, max(1, f.StartLine-address.PageLines+before), f.Commit)
	}
	if f.EndLine < f.TotalLines {
		f.Next = atLine(here, query, f.EndLine+1+before, f.Commit)
	}
}

// atLine is the address of the page of a file with the line, in a commit if that isn't "".
func atLine(here string, query url.Values, line int, commit string) string {
	v := url.Values{"line": {strconv.Itoa(line)}}
	if commit != "" {
		v.Set("commit", commit)
	}
	if query.Get("plain") != "" {
		v.Set("plain", "1")
	}
	return here + "?" + v.Encode()
}

// fromTop stands for the first part of an outline, in an address.
const fromTop = "top"

// outline lists what is in a file; without it the page says why.
func (s filePages) outline(ctx context.Context, f File, query url.Values) Outline {
	here := address.File(f.RepoID, f.FilePath)
	at := func(cursor string) string {
		v := url.Values{"outline": {cursor}}
		for _, name := range []string{"line", "plain"} {
			if query.Get(name) != "" {
				v.Set(name, query.Get(name))
			}
		}
		return f.address(here, v)
	}
	cursor := query.Get("outline")
	if cursor == "" && f.TotalLines > outlineAsk {
		return Outline{Next: at(fromTop)}
	}
	resp, err := do(ctx, s.ops, op.Outline, outline.Request{
		RepoID: f.RepoID, FilePath: f.FilePath, Private: true, Limit: new(outlineSize), Cursor: cursorOf(cursor),
		Commit: f.Commit,
	})
	if err != nil {
		return Outline{Message: fault.MessageOf(err)}
	}
	o := Outline{Message: deref(resp.Meta.Message)}
	if f.Commit != "" && len(resp.Items) > 0 {
		o.Message = "" // how the commit stands to now, which is on the page
	}
	if resp.Meta.NextCursor != "" {
		o.Next = at(resp.Meta.NextCursor)
	}
	for _, item := range resp.Items {
		e := Entry{OutlineItem: item, URL: address.LinesAt(f.RepoID, f.FilePath, item.Line, item.EndLine, f.Commit)}
		switch {
		case f.Rendered.HTML != "":
			e.URL = "#" + markup.HeadingID(item.Qualified)
		case item.Kind != "section" && !f.Old():
			e.Uses = address.Uses(f.RepoID, f.FilePath, cmp.Or(item.Qualified, item.Symbol), item.Line)
		}
		o.Items = append(o.Items, e)
	}
	return o
}

func cursorOf(outline string) string {
	if outline == fromTop {
		return ""
	}
	return outline
}

// crumbs are the folders above a file or folder, from the repository down, in a
// commit if that isn't "".
func crumbs(id models.RepoID, file, commit string) []Link {
	links := []Link{{string(id), address.AtCommit(address.Repo(id), commit)}}
	file = strings.Trim(file, "/")
	for i, r := range file + "/" {
		if r == '/' && i > 0 {
			links = append(links, Link{path.Base(file[:i]), address.AtCommit(address.File(id, file[:i]+"/"), commit)})
		}
	}
	links[len(links)-1].URL = ""
	return links
}

// Digits is how many the number of the last line on the page has: the column
// of numbers is as wide from the first line on.
func (f File) Digits() int { return len(strconv.Itoa(f.EndLine)) }

// Span says which lines are on the page.
func (f File) Span() string {
	if f.Picture != nil {
		return size(int64(len(f.Picture.Data)))
	}
	if f.Rendered.HTML != "" || f.StartLine == 1 && f.EndLine == f.TotalLines {
		return plural(f.TotalLines, "line")
	}
	return fmt.Sprintf("lines %s to %s of %s", number(f.StartLine), number(f.EndLine), number(f.TotalLines))
}
