package filefetch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxDefinitions bounds the items of one symbol.
const maxDefinitions = 5

// File reads what req asks for. When lines would be longer than 256 KiB they
// are cut, at the end of a line unless one is that long, and a reply of one item
// has a cursor to go on with; the replies put together are the lines. All spans
// of a reply have 256 KiB together, or max_tokens, when the reply names the call
// for those that don't fit. Of several spans one that can't be read has an Error in its item,
// unless none can. A picture is read whole, if it has at most 2 MiB.
func (s *Service) File(ctx context.Context, req Request) (Response, error) {
	if req.Picture {
		return picture(ctx, s, req)
	}
	spans, err := req.spans()
	if err != nil {
		return Response{}, err
	}
	if req.Cursor != "" && len(spans) > 1 {
		return Response{}, fault.New(fault.InvalidRequest,
			"a cursor goes on with one item; leave it out, or ask for that one alone")
	}
	g := gathering{
		Service: s, ctx: ctx, id: req.RepoID, around: req.Context, cursor: req.Cursor, alone: len(spans) == 1,
		left: maxCode, commit: req.Commit, opened: map[models.RepoID]openRepository{},
	}
	defer g.close()
	if req.MaxTokens != nil {
		return g.within(req, spans)
	}
	for _, want := range spans {
		if err := g.take(want); err != nil {
			return Response{}, err
		}
	}
	if g.failed == len(spans) {
		return Response{}, g.first
	}
	return g.response(), nil
}

// take adds what a span is, or why it can't be read. It fails when nothing more
// can come of the reply.
func (g *gathering) take(want Span) error {
	id, want, err := g.locate(g.id, want)
	if err == nil {
		err = g.add(id, want)
	}
	if err == nil {
		return nil
	}
	if g.ctx.Err() != nil || g.alone {
		return err
	}
	if g.first == nil {
		g.first = err
	}
	g.failed++
	g.items = append(g.items,
		models.FileContent{RepoID: id, FilePath: want.FilePath, Symbol: want.Symbol, Error: fault.MessageOf(err)})
	return nil
}

// spans are the spans that a request asks for.
func (r Request) spans() ([]Span, error) {
	one := Span{r.FilePath, r.StartLine, r.EndLine, r.Symbol, r.DocumentID}
	switch {
	case len(r.Spans) > 0 && one != Span{}:
		return nil, fault.New(fault.InvalidRequest,
			"spans say what to read; leave out file_path, start_line, end_line, symbol and document_id beside them")
	case len(r.Spans) > 0:
		if i := slices.IndexFunc(r.Spans, Span.nowhere); i >= 0 {
			return nil, fault.New(fault.InvalidRequest,
				"spans[%d] does not say of what; give a file_path, a symbol or a document_id", i)
		}
		return r.Spans, nil
	case one.nowhere():
		return nil, fault.New(fault.InvalidRequest, "file_path is required, or a symbol, a document_id or spans")
	}
	return []Span{one}, nil
}

// nowhere reports whether a span names nothing that lines could be of.
func (s Span) nowhere() bool { return s.FilePath == "" && s.Symbol == "" && s.DocumentID == "" }

// locate resolves a document_id, "path#symbol" and "path:10-20" to a repository, a
// path, and a symbol or lines.
func (g *gathering) locate(id models.RepoID, want Span) (models.RepoID, Span, error) {
	if want.DocumentID != "" {
		repo, at, err := g.document(want.DocumentID)
		if err != nil {
			return id, want, err
		}
		if id != "" && id != repo && !strings.HasSuffix(string(repo), "/"+string(id)) {
			return id, want, fault.New(fault.InvalidRequest,
				"the document_id %q is of another repository than repo_id %q; leave one out", want.DocumentID, id)
		}
		id, want.FilePath, want.Symbol = repo, at.FilePath, cmp.Or(want.Symbol, at.Symbol)
	}
	if id == "" {
		return id, want, fault.New(fault.InvalidRequest, "repo_id is required")
	}
	if path, symbol, ok := cutSymbol(want.FilePath); ok && want.Symbol == "" && !g.exists(id, want.FilePath) {
		want.FilePath, want.Symbol = path, symbol
	}
	if m := linesBehind().FindStringSubmatch(want.FilePath); m != nil && want.Symbol == "" && want.StartLine == nil &&
		want.EndLine == nil && !g.exists(id, want.FilePath) {
		want.FilePath, want.StartLine, want.EndLine = m[1], lineOf(m[2]), lineOf(cmp.Or(m[3], m[2]))
	}
	if want.Symbol != "" && (want.StartLine != nil || want.EndLine != nil) {
		return id, want, fault.New(fault.InvalidRequest,
			"a symbol has its own lines; leave out start_line and end_line, or the symbol")
	}
	return id, want, nil
}

// linesBehind is a path with lines behind it, as replies print places.
var linesBehind = pattern.NewLazy(`^(.+):([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$`)

func lineOf(digits string) *int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	return &n
}

// cutSymbol splits "path#symbol"; a symbol may end in "#2".
func cutSymbol(path string) (file, symbol string, ok bool) {
	slash := strings.LastIndexByte(path, '/') + 1
	at := strings.IndexByte(path[slash:], '#')
	if at <= 0 || slash+at+1 == len(path) {
		return path, "", false
	}
	return path[:slash+at], path[slash+at+1:], true
}

// document resolves the id of a document. A path with a colon in it is told
// from a symbol's name by which file exists.
func (g *gathering) document(id models.DocumentID) (models.RepoID, Span, error) {
	kind, rest, _ := strings.Cut(string(id), ":")
	name, rest, ok := strings.Cut(rest, ":")
	repo := models.RepoID(name)
	switch {
	case kind == "module" || kind == "repo":
		return repo, Span{}, fault.New(fault.InvalidRequest, "%q is a folder, not a file; look at it with structure", id)
	case !ok || !repo.Valid() || rest == "":
		return repo, Span{}, fault.New(fault.InvalidRequest, "%q is not the id of a document, as search gives them", id)
	case kind == "file":
		return repo, Span{FilePath: rest}, nil
	case kind == "doc":
		file, slug, _ := strings.Cut(rest, "#")
		return repo, Span{FilePath: file, Symbol: slug}, nil
	case kind != "symbol":
		return repo, Span{}, fault.New(fault.InvalidRequest, "%q is not the id of a document, as search gives them", id)
	}
	file, symbol, ok := strings.Cut(rest, ":")
	for at := len(file); ok && at < len(rest); {
		if g.exists(repo, rest[:at]) {
			return repo, Span{FilePath: rest[:at], Symbol: rest[at+1:]}, nil
		}
		next := strings.IndexByte(rest[at+1:], ':')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return repo, Span{FilePath: file, Symbol: symbol}, nil
}

// exists reports whether a repository has a file.
func (g *gathering) exists(id models.RepoID, file string) bool {
	from, err := g.open(id)
	if err != nil {
		return false
	}
	_, err = from.files.Stat(g.ctx, file)
	return err == nil
}

// A gathering puts the items of a reply together.
type gathering struct {
	*Service

	ctx    context.Context
	id     models.RepoID // that was asked for
	around int           // lines of context
	cursor string
	commit string
	opened map[models.RepoID]openRepository // by what they were asked for as
	alone  bool                             // there is one span
	left   int                              // bytes of code
	room   int                              // bytes of items as JSON, 0 for any number

	items    []models.FileContent
	status   *models.IndexStatus
	said     []string
	warnings []models.Warning
	next     string // the cursor behind the last item
	failed   int
	first    error  // of the spans that failed
	behind   []Span // what there was no room for
}

// open opens a repository, once.
func (g *gathering) open(id models.RepoID) (openRepository, error) {
	r, ok := g.opened[id]
	if ok {
		return r, nil
	}
	r, err := openAt(g.ctx, g.Service, id, g.commit)
	if err == nil {
		g.opened[id] = r
	}
	return r, err
}

func (g *gathering) close() {
	for _, r := range g.opened {
		_ = r.files.Close() // was read only
	}
}

// add reads a span.
func (g *gathering) add(id models.RepoID, want Span) error {
	from, err := g.open(id)
	if err != nil {
		return err
	}
	g.status = from.record.Status()
	if want.FilePath == "" {
		return g.addDefinitions(from.record.RepoID, want.Symbol)
	}
	t, err := g.Service.rest.read(g.ctx, from, want.FilePath)
	if err != nil {
		return err
	}
	if want.Symbol == "" {
		return g.addLines(t, linesOf(want).with(g.around), "")
	}
	places, err := g.find(g.ctx, t, want.Symbol)
	if err != nil {
		return err
	}
	if len(places) > maxDefinitions {
		g.said = append(g.said,
			fmt.Sprintf("the first %d of %d definitions of %s in %s; %q is the next", maxDefinitions, len(places), want.Symbol,
				t.path,
				fmt.Sprintf("%s#%s#%d", t.path, want.Symbol, maxDefinitions+1)))
		places = places[:maxDefinitions]
	}
	for _, p := range places {
		if err := g.addLines(t, span{start: p.StartLine, end: p.EndLine}.with(g.around), p.Name); err != nil {
			return err
		}
	}
	return nil
}

// addDefinitions reads the symbol of that name, wherever it is defined.
func (g *gathering) addDefinitions(id models.RepoID, name string) error {
	switch {
	case g.commit != "":
		return fault.New(fault.InvalidRequest,
			"a symbol beside commit needs its file_path: the index knows where it is now, not where it was")
	case g.defined == nil:
		return fault.New(fault.InvalidRequest, "file_path is required beside symbol")
	}
	found, err := g.defined(g.ctx, id, name)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fault.New(fault.SymbolNotFound, "no symbol %q is indexed in %s; find it with search, or give its file_path",
			name, id)
	}
	if n := len(found); n > maxDefinitions {
		g.said = append(g.said,
			fmt.Sprintf("the first %d of %d definitions of %s; name the file_path of another, as in %q", maxDefinitions, n, name,
				found[maxDefinitions].FilePath+"#"+found[maxDefinitions].Symbol))
		found = found[:maxDefinitions]
	}
	for _, f := range found {
		if err := g.add(id, f); err != nil {
			return err
		}
	}
	return nil
}

// addLines adds lines of a text, as far as there is room.
func (g *gathering) addLines(t text, want span, symbol string) error {
	if g.left <= 0 && g.room > 0 {
		g.behind = append(g.behind, want.of(t.path, want.start))
		return nil
	}
	if g.left <= 0 {
		return fault.New(fault.InvalidRequest, "the reply has no room for it; ask for it alone")
	}
	if err := want.check(); err != nil {
		return err
	}
	want.most, want.cursor = g.left, g.cursor
	got, err := t.read(want)
	if err != nil {
		return err
	}
	g.left -= len(got.content.Code)
	g.next = got.cursor
	got.content.Symbol, got.content.Language = symbol, t.language()
	g.items = append(g.items, got.content)
	if got.message != "" {
		g.Service.rest.keep(t)
		g.said = append(g.said, got.message)
		g.behind = append(g.behind, want.of(t.path, got.content.EndLine+1))
	}
	if len(g.warnings) == 0 {
		g.warnings = got.caveats(got.masked)
	}
	return nil
}

func (g *gathering) response() Response {
	res := Response{models.OKResult(g.items)}
	m := &res.Meta
	m.IndexStatus = g.status
	if m.Warnings = g.warnings; len(g.warnings) == 0 {
		m.FreshnessState = models.Fresh // read from the folder just now
	}
	if g.failed > 0 {
		m.Warnings = append(m.Warnings,
			models.Warning{
				Code:    "PARTIAL_RESULTS",
				Message: fmt.Sprintf("%d of %d spans can't be read; their items say why", g.failed, len(g.items)),
			})
	}
	g.ofCommit(m)
	m.Message = models.Opt(strings.Join(g.said, "; "))
	for _, item := range g.items {
		m.Truncated = m.Truncated || item.Truncated
	}
	if len(res.Items) == 1 {
		m.NextCursor = g.next
	}
	return res
}

func linesOf(want Span) span {
	return span{start: models.Or(want.StartLine, 1), end: models.Or(want.EndLine, 0)}
}
