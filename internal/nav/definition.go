package nav

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

func definitionOnce(ctx context.Context, s *Service, req DefinitionRequest) (DefinitionResponse, error) {
	if isFilter(req.RepoID) {
		return definitionAmong(ctx, s, req)
	}
	g, err := s.open(ctx, req.RepoID)
	if err != nil {
		return DefinitionResponse{}, err
	}
	defer g.Close()
	at, err := atOf(ctx, g, req.FilePath, req.Line, req.Column)
	if err != nil {
		return DefinitionResponse{}, err
	}
	u, err := beside(ctx, s, g, &at)
	if err != nil {
		return DefinitionResponse{}, err
	}
	defer u.Close()
	return defined(ctx, g, at)
}

// definitionAmong is a Definition in the one repository of several that has the
// file.
func definitionAmong(ctx context.Context, s *Service, req DefinitionRequest) (DefinitionResponse, error) {
	u, err := unite(ctx, s, req.RepoID, "")
	if err != nil {
		return DefinitionResponse{}, err
	}
	defer u.Close()
	m, file, err := u.having(ctx, req.FilePath)
	if err != nil {
		return DefinitionResponse{}, err
	}
	at, err := atOf(ctx, m.gateway, file, req.Line, req.Column)
	if err != nil {
		return DefinitionResponse{}, err
	}
	at.foreign(m)
	return defined(ctx, m.gateway, at)
}

// defined tells what stands at a place.
func defined(ctx context.Context, g *gateway, at spot) (DefinitionResponse, error) {
	res := DefinitionResponse{Symbol: at.name}
	g.head(&res.Meta)
	res.Items = []models.DefinitionItem{}
	describer := newDescriber(g)
	for _, m := range at.meanings {
		if len(at.abroad) > 0 { // a guess, and now it is known
			break
		}
		item, err := describer.item(ctx, m)
		if err != nil {
			return DefinitionResponse{}, err
		}
		res.Items = append(res.Items, item)
	}
	if at.external {
		var err error
		if at.path, err = moduleOf(ctx, g, at.file, at.path); err != nil {
			return DefinitionResponse{}, err
		}
	}
	res.Items = append(res.Items, at.others(g.id)...)
	if err := markStale(ctx, g, res.Items, &res.Meta); err != nil {
		return DefinitionResponse{}, err
	}
	elsewhere, err := at.elsewhere(ctx, &res.Meta)
	if err != nil {
		return DefinitionResponse{}, err
	}
	if len(elsewhere) > 0 && len(res.Items) == 1 && res.Items[0].FilePath == "" {
		res.Items = nil
	}
	res.Items = append(res.Items, elsewhere...)
	at.say(&res.Meta)
	return res, nil
}

// markStale marks the items whose files changed since they were compared with
// the graph.
func markStale(ctx context.Context, g *gateway, items []models.DefinitionItem, meta *models.Meta) error {
	var paths []string
	for i := range items {
		if items[i].FilePath != "" && !slices.Contains(g.verdict.Live, items[i].FilePath) {
			paths = append(paths, items[i].FilePath)
		}
	}
	stale, err := staleOf(ctx, g, paths, meta)
	for i := range items {
		if stale[items[i].FilePath] {
			items[i].Freshness = models.Stale
		}
	}
	return err
}

// A spot is what stands at a place, and how the reply may be weaker than that.
type spot struct {
	symbols

	file         string
	line, column int
	name         string
	meanings     []usage.Meaning
	local        *facts.Local
	external     bool
	path         string   // of the import that the name is taken from
	imported     []string // files that an import makes known
	unread       string   // why nothing can be said

	found  usage.Spot          // what the graph knows of it
	abroad []joint.Foreign     // what it stands for in other repositories
	files  []joint.ForeignFile // of those that an import makes known
	member *member             // whose repositories those are
}

// atOf finds what stands at a place.
func atOf(ctx context.Context, g *gateway, file string, line, column int) (spot, error) {
	p, err := relpath.Clean(file)
	if err != nil {
		return spot{}, err
	}
	content, err := g.read(ctx, p)
	if err != nil {
		return spot{}, err
	}
	text, ok := parse.Decode(content)
	if !ok {
		return spot{}, fault.New(fault.BinaryFile, "%s is not text", p)
	}
	name, err := nameAt(text, p, line, column)
	at := spot{file: p, line: line, column: column, name: name}
	lang := factLanguage(p)
	if err != nil {
		return at, err
	}
	if g.Extract.Revision(lang) == "" {
		at.unread = fmt.Sprintf("what stands in %s is not known: this build follows no %s", p, orText(lang))
		return at, nil
	}
	if at.name == "" {
		return at, nil
	}
	at.view, at.notes, at.partial, err = g.answering(ctx, at.name)
	if err != nil {
		return at, err
	}
	if found, ok := usage.At(at.view, p, line, column); ok {
		at.found = found
		at.name, at.meanings, at.external, at.path, at.imported = found.Name, found.Meanings, found.External, found.Import,
			found.Files
		for _, m := range found.Meanings {
			at.defs = append(at.defs, m.Def)
		}
	}
	isImport := at.path != "" && at.name == at.path
	if len(at.meanings) == 0 && !isImport && g.Locals != nil {
		return at, at.findLocal(ctx, g, lang, text)
	}
	return at, nil
}

func orText(language string) string {
	if language == "" {
		return "text"
	}
	return language
}

// findLocal finds the local that is bound or used at the place.
func (at *spot) findLocal(ctx context.Context, g *gateway, language, text string) error {
	locals, err := g.Locals(ctx, at.file, language, text)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // as files without facts
		at.notes = append(at.notes, fmt.Sprintf("%s could not be parsed: %s", at.file, firstLine(err)))
	}
	for i := range locals {
		l := &locals[i]
		if l.Import > 0 && l.Name != at.name && !at.isPackage(l) {
			continue
		}
		here := facts.Spot{Line: l.Line, Column: l.Column}.Covers(len(l.Name), at.line, at.column)
		for _, u := range l.Uses {
			here = here || u.Covers(len(l.Name), at.line, at.column)
		}
		if here {
			at.local = l
			if l.Import == 0 {
				at.name = l.Name
			}
			at.ofPackage()
			return nil
		}
	}
	return nil
}

// isPackage reports whether the name at the place may be that of a package, which
// need not be that of its path.
func (at *spot) isPackage(l *facts.Local) bool {
	id, ok := at.view.World().ByPath(at.file)
	if !ok || l.Import > len(at.view.World().File(id).Imports) {
		return true
	}
	return slices.Contains(facts.LikelyGoNames(at.view.World().File(id).Imports[l.Import-1].Path), at.name)
}

// ofPackage finds what a local that is the name of an import stands for.
func (at *spot) ofPackage() {
	at.external, at.path = false, ""
	id, ok := at.view.World().ByPath(at.file)
	if !ok || at.local.Import == 0 || at.local.Import > len(at.view.World().File(id).Imports) {
		return
	}
	m := at.view.World().File(id).Imports[at.local.Import-1]
	if found, ok := usage.At(at.view, at.file, m.Line, m.Column); ok {
		at.found = found
		at.external, at.path = found.External, found.Import
	}
}

// others are the items that are not of the graph.
func (at *spot) others(id models.RepoID) []models.DefinitionItem {
	switch {
	case at.local != nil:
		l := at.local
		item := models.DefinitionItem{
			RepoID: id, FilePath: at.file, Line: l.Line, EndLine: l.Line, Column: l.Column,
			Symbol: l.Name, Kind: l.Kind, Signature: l.Text, Tier: "A", Confidence: 1,
		}
		if at.external {
			item.External = at.path
		}
		return []models.DefinitionItem{item}
	case len(at.meanings) > 0:
	case len(at.imported) > 0:
		var items []models.DefinitionItem
		for _, f := range at.imported[:min(len(at.imported), namedPlaces)] {
			items = append(items,
				models.DefinitionItem{
					RepoID: id, FilePath: f, Line: 1, EndLine: 1, Column: 1, Symbol: at.name, Kind: "module",
					Tier: "B", Confidence: 1,
				})
		}
		return items
	case at.external && at.path != "":
		return []models.DefinitionItem{{Symbol: at.name, External: at.path}}
	}
	return nil
}

// say adds what there is to say about a place that means little.
func (at *spot) say(meta *models.Meta) {
	at.symbols.say(meta)
	place := fmt.Sprintf("%s:%d:%d", at.file, at.line, at.column)
	switch {
	case at.unread != "":
		addMessage(meta, at.unread)
	case at.local != nil || len(at.meanings) > 0 || len(at.abroad) > 0 || len(at.files) > 0:
	case at.name == "":
		addMessage(meta, fmt.Sprintf("no name is at %s", place))
	case len(at.imported) > namedPlaces:
		addMessage(meta, fmt.Sprintf("%s is made of %s", at.name, countedFiles(len(at.imported))))
	case len(at.imported) > 0:
	case at.external && at.path != "":
		addMessage(meta, fmt.Sprintf("%s is declared outside of the repository, in %s", at.name, at.path))
	case at.external:
		addMessage(meta, fmt.Sprintf("%s at %s is declared outside of the repository", at.name, place))
	default:
		addMessage(meta, fmt.Sprintf("what %s at %s stands for is not known", at.name, place))
	}
}

// nameAt is the name in a text that is at a place, or ends there; "" if there is
// none. A place outside of the text is LineOutOfRange or InvalidRequest.
func nameAt(text, file string, line, column int) (string, error) {
	row, n := text, 1
	for ; n < line; n++ {
		_, rest, ok := strings.Cut(row, "\n")
		if !ok || rest == "" {
			return "", fault.New(fault.LineOutOfRange, "%s has %d lines", file, n)
		}
		row = rest
	}
	row, _, _ = strings.Cut(row, "\n")
	row = strings.TrimSuffix(row, "\r")
	if column > len(row)+1 {
		return "", fault.New(fault.InvalidRequest, "line %d of %s has %d bytes; columns are bytes, from 1", line, file,
			len(row))
	}
	from, to := column-1, column-1
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(row[:from])
		if !isNameRune(r) {
			break
		}
		from -= size
	}
	for to < len(row) {
		r, size := utf8.DecodeRuneInString(row[to:])
		if !isNameRune(r) {
			break
		}
		to += size
	}
	if from == to {
		return inQuotes(row, column-1), nil
	}
	return row[from:to], nil
}

// inQuotes is the last name in what is quoted around an offset: a path that is
// imported.
func inQuotes(row string, at int) string {
	from := strings.LastIndexAny(row[:at], "\"'`<")
	to := strings.IndexAny(row[at:], "\"'`>")
	if from < 0 || to < 0 {
		return ""
	}
	return last(row[from+1 : at+to])
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
