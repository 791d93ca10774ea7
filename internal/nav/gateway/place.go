package gateway

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/patterns"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// MarkStale marks the items whose files changed since they were compared with
// the graph.
func MarkStale(ctx context.Context, g *Gateway, items []models.DefinitionItem, meta *models.Meta) error {
	var paths []string
	for i := range items {
		if items[i].FilePath != "" && !slices.Contains(g.Verdict.Live, items[i].FilePath) {
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

// A Spot is what stands at a place, and how the reply may be weaker than that.
type Spot struct {
	Symbols

	File         string
	line, column int
	Name         string
	Meanings     []usage.Meaning
	Local        *facts.Local
	LocalFile    string // that has it
	External     bool
	Path         string   // of the import that the name is taken from
	imported     []string // files that an import makes known
	unread       string   // why nothing can be said
	beside       []string // names on the line, where none is at the place
	in           string   // "comment" or "string", where the name is in one and nothing is known of it

	Found usage.Spot // what the graph knows of it
	Known bool       // it is known what it stands for in other repositories
}

// AtOf finds what stands at a place, of a file that may be behind its repository's id.
func AtOf(ctx context.Context, g *Gateway, file string, line, column int) (Spot, error) {
	p, err := relpath.Clean(strings.TrimPrefix(file, string(g.ID)+":"))
	if err != nil {
		return Spot{}, err
	}
	content, err := g.Read(ctx, p)
	if err != nil {
		return Spot{}, err
	}
	text, ok := parse.Decode(content)
	if !ok {
		return Spot{}, fault.New(fault.BinaryFile, "%s is not text", p)
	}
	name, err := nameAt(text, p, line, column)
	at := Spot{File: p, line: line, column: column, Name: name}
	lang := FactLanguage(p)
	if err != nil {
		return at, err
	}
	if g.Opener.Extract.Revision(lang) == "" {
		at.unread = fmt.Sprintf("what stands in %s is not known: this build follows no %s", p,
			orText(languageOf(ctx, g, p)))
		return at, nil
	}
	if at.Name == "" {
		return at, at.lookBeside(ctx, g)
	}
	at.View, at.Notes, at.Partial, err = g.Answering(ctx, at.Name)
	if err != nil {
		return at, err
	}
	found, ok := usage.At(at.View, p, line, column)
	if !ok {
		found, ok = at.aliased()
	}
	if ok {
		at.Found = found
		at.Name, at.Meanings, at.External, at.Path, at.imported = found.Name, found.Meanings, found.External, found.Import,
			found.Files
		for _, m := range found.Meanings {
			at.Defs = append(at.Defs, m.Def)
		}
	}
	isImport := at.Path != "" && at.Name == at.Path
	if len(at.Meanings) == 0 && !isImport && g.Opener.Locals != nil {
		err = at.findLocal(ctx, g, text)
	}
	if err == nil && !ok && at.Local == nil && len(at.imported) == 0 && !at.External {
		if at.in = patterns.NoCode(lang, text, offsetOf(text, line)+column-1); at.in == "" && beginsLine(text, line, column) {
			err = at.lookBeside(ctx, g) // a keyword, mostly
		}
	}
	return at, err
}

// Settled reports whether it is known what stands at a place: something of its
// own repository, or of the standard library of Go.
func (at *Spot) Settled() bool {
	if at.Found.Name == "" || at.Local != nil && !at.External {
		return true
	}
	first, _, _ := strings.Cut(at.Path, "/")
	if FactLanguage(at.File) == "Go" && first != "" && !strings.Contains(first, ".") {
		return true
	}
	for _, x := range at.Meanings {
		if x.Tier == "" || x.Tier <= "C" || x.Tier == resolve.TierPrecise.String() {
			return true
		}
	}
	return false
}

// offsetOf is where a line of a text begins.
func offsetOf(text string, line int) (offset int) {
	for range line - 1 {
		offset += strings.IndexByte(text[offset:], '\n') + 1
	}
	return offset
}

// mostBeside is how many names of a line are told where none is at a place.
const mostBeside = 5

// lookBeside finds the names that are on the line of a place, if none of them is at it.
func (at *Spot) lookBeside(ctx context.Context, g *Gateway) error {
	f := storedOf(g, at.File)
	if f == nil {
		var err error
		if f, _, err = g.factsOf(ctx, at.File); f == nil || err != nil {
			return err
		}
	}
	names := map[int]string{} // by their columns
	add := func(name string, line, column int) {
		if line == at.line && name != "()" {
			names[column] = name
		}
	}
	for i := range f.Refs {
		add(f.Refs[i].Name, f.Refs[i].Line, f.Refs[i].Column)
	}
	for i := range f.Symbols {
		add(f.Symbols[i].Name, f.Symbols[i].Line, f.Symbols[i].Column)
	}
	for _, column := range slices.Sorted(maps.Keys(names)) {
		if column <= at.column && at.column <= column+len(names[column]) {
			at.beside = nil
			return nil
		}
		at.beside = append(at.beside, fmt.Sprintf("%s (column %d)", names[column], column))
	}
	if len(at.beside) > mostBeside {
		at.beside = append(at.beside[:mostBeside], "and others")
	}
	return nil
}

// besides tells the names on the line of a place that has none.
func (at *Spot) besides() string {
	if len(at.beside) == 0 {
		return ""
	}
	return "; on that line: " + strings.Join(at.beside, ", ")
}

// aliased is what an import or export takes by another name, if that is what
// stands at the place.
func (at *Spot) aliased() (usage.Spot, bool) {
	id, ok := at.View.World().ByPath(at.File)
	if !ok {
		return usage.Spot{}, false
	}
	for _, m := range at.View.World().Declared(id).Imports {
		if m.Line == at.line && m.Column < at.column && m.Local == at.Name && m.Name != "" && m.Name != "*" {
			return usage.At(at.View, at.File, m.Line, m.Column)
		}
	}
	return usage.Spot{}, false
}

// Outside is the name at the place behind the path that it is imported by, if it is
// declared outside of the repository; else "".
func (at *Spot) Outside() string {
	if !at.External || at.Local != nil || at.Path == "" || at.Path == at.Name || strings.HasPrefix(at.Path, ".") {
		return ""
	}
	return at.Path + "." + at.Name
}

func orText(language string) string {
	if language == "" {
		return "text"
	}
	return language
}

// findLocal finds the local that is bound or used at the place.
func (at *Spot) findLocal(ctx context.Context, g *Gateway, text string) error {
	locals, err := g.Opener.localsOf(ctx, at.File, text)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // as files without facts
		at.Notes = append(at.Notes, fmt.Sprintf("%s could not be parsed: %s", at.File, firstLine(err)))
	}
	for i := range locals {
		l := &locals[i]
		if l.Import > 0 && l.Name != at.Name && !at.isPackage(l) {
			continue
		}
		here := facts.Spot{Line: l.Line, Column: l.Column}.Covers(len(l.Name), at.line, at.column)
		for _, u := range l.Uses {
			here = here || u.Covers(len(l.Name), at.line, at.column)
		}
		if here {
			return at.mean(ctx, g, l)
		}
	}
	return nil
}

// mean makes a place one of a local, or of what a name that nothing binds stands for.
func (at *Spot) mean(ctx context.Context, g *Gateway, l *facts.Local) error {
	switch l.Kind {
	case "module":
		at.ofPath(l)
		return nil
	case "argument":
		return at.ofCall(ctx, g, l)
	}
	at.Local, at.LocalFile = l, at.File
	if l.Import == 0 {
		at.Name = l.Name
	}
	at.ofPackage()
	return nil
}

// isPackage reports whether the name at the place may be that of a package, which
// need not be that of its path.
func (at *Spot) isPackage(l *facts.Local) bool {
	id, ok := at.View.World().ByPath(at.File)
	if !ok || l.Import > len(at.View.World().Declared(id).Imports) {
		return true
	}
	return slices.Contains(facts.LikelyGoNames(at.View.World().Declared(id).Imports[l.Import-1].Path), at.Name)
}

// ofPackage finds what a local that is the name of an import stands for.
func (at *Spot) ofPackage() {
	at.External, at.Path = false, ""
	id, ok := at.View.World().ByPath(at.File)
	if !ok || at.Local.Import == 0 || at.Local.Import > len(at.View.World().Declared(id).Imports) {
		return
	}
	m := at.View.World().Declared(id).Imports[at.Local.Import-1]
	if found, ok := usage.At(at.View, at.File, m.Line, m.Column); ok {
		at.Found = found
		at.External, at.Path = found.External, found.Import
	}
}

// Others are the items that are not of the graph.
func (at *Spot) Others(id models.RepoID) []models.DefinitionItem {
	switch {
	case at.Local != nil:
		l, bound := at.Local, at.nearest()
		item := models.DefinitionItem{
			RepoID: id, FilePath: at.LocalFile, Line: bound.Line, EndLine: bound.Line, Column: bound.Column,
			Symbol: l.Name, Kind: l.Kind, Signature: bound.Text, Tier: "A", Confidence: 1,
		}
		if at.External {
			item.External = at.Path
		}
		return []models.DefinitionItem{item}
	case len(at.Meanings) > 0:
	case len(at.imported) > 0:
		var items []models.DefinitionItem
		for _, f := range at.imported[:min(len(at.imported), NamedPlaces)] {
			items = append(items,
				models.DefinitionItem{
					RepoID: id, FilePath: f, Line: 1, EndLine: 1, Column: 1, Symbol: at.Name, Kind: "module",
					Tier: "B", Confidence: 1,
				})
		}
		return items
	case at.External && at.Path != "":
		return []models.DefinitionItem{{Symbol: at.Name, External: at.Path}}
	}
	return nil
}

// Say adds what there is to say about a place that means little.
func (at *Spot) Say(meta *models.Meta) {
	at.Symbols.Say(meta)
	place := fmt.Sprintf("%s:%d:%d", at.File, at.line, at.column)
	switch {
	case at.unread != "":
		AddMessage(meta, at.unread)
	case at.Local != nil || len(at.Meanings) > 0 || at.Known:
	case at.Name == "":
		AddMessage(meta, fmt.Sprintf("no name is at %s%s", place, at.besides()))
	case len(at.imported) > NamedPlaces:
		AddMessage(meta, fmt.Sprintf("%s is made of %s", at.Name, CountedFiles(len(at.imported))))
	case len(at.imported) > 0:
	case at.External && at.Path != "":
		where := "outside of the repository, in " + at.Path
		if IsOwn(at.Path) {
			where = "in " + at.Path + ", " + NoSuchFile
		}
		AddMessage(meta, fmt.Sprintf("%s is declared %s", at.Name, where))
	case at.External:
		AddMessage(meta, fmt.Sprintf("%s at %s is declared outside of the repository", at.Name, place))
	case at.in != "":
		AddMessage(meta, fmt.Sprintf(
			"%s at %s is in a %s, which names nothing; where_used finds the symbols of a name by that alone", at.Name, place,
			at.in))
	default:
		AddMessage(meta, fmt.Sprintf("what %s at %s stands for is not known%s", at.Name, place, at.besides()))
	}
}

// nameAt is the name in a text that is at a place, or ends there; "" if there is
// none. A place outside of the text is LineOutOfRange or InvalidRequest.
func nameAt(text, file string, line, column int) (string, error) {
	row, n := text, 1
	for ; n < line; n++ {
		_, rest, ok := strings.Cut(row, "\n")
		if !ok || rest == "" {
			return "", fault.New(fault.LineOutOfRange, "%s has %s", file, models.Counted(n, "line"))
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
	return Last(row[from+1 : at+to])
}

// beginsLine reports whether nothing but the name at a place is before it on its line.
func beginsLine(text string, line, column int) bool {
	text = text[offsetOf(text, line):]
	before := strings.TrimLeft(text[:min(column-1, len(text))], " \t")
	return strings.TrimFunc(before, isNameRune) == ""
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
