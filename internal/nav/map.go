package nav

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// defaultMapTokens is the size of a map.
const defaultMapTokens = 2000

func mapOnce(ctx context.Context, s *gateway.Opener, kept *mapMemory, req MapRequest) (MapResponse, error) {
	g, err := s.Open(ctx, req.RepoID)
	if err != nil {
		return MapResponse{}, err
	}
	defer g.Close()
	below := ""
	if req.Path != "" {
		if below, err = relpath.Clean(strings.TrimSuffix(req.Path, "/")); err != nil {
			return MapResponse{}, err
		}
		if below == "." {
			below = ""
		}
	}
	d, err := kept.drawn(ctx, g, mapKey{id: g.ID, below: below, tokens: cmp.Or(req.MaxTokens, defaultMapTokens)})
	if err != nil {
		return MapResponse{}, err
	}
	res := MapResponse{Result: models.OKResult([]models.RepoMap{d.item})}
	g.Head(&res.Meta)
	for _, n := range d.notes {
		res.Meta.Warnings = append(res.Meta.Warnings, models.Warning{Code: "PARTIAL_GRAPH", Message: n})
	}
	switch {
	case d.cut != "":
		res.Meta.Truncated = true
		gateway.AddMessage(&res.Meta, d.cut)
	case d.empty:
		gateway.AddMessage(&res.Meta, "there are no files in it")
	case len(d.item.Folders) == 0:
		gateway.AddMessage(&res.Meta, "only tests, or code of others, are in it; the path of a folder of tests shows that")
	}
	return res, nil
}

// drawMap draws a map. It lasts if nothing was missing that may be there the next time.
func drawMap(ctx context.Context, g *gateway.Gateway, k mapKey) (d drawn, lasts bool, err error) {
	all, err := gateway.WholeOf(ctx, g)
	if err != nil {
		return d, false, err
	}
	m := mapper{
		Describer: gateway.NewDescriber(g), below: k.below, view: all.With(nil, nil), left: k.tokens,
		tests: filekind.IsTest(k.below + "/x"),
	}
	item, err := m.draw(ctx)
	return drawn{item, m.cut, m.empty, all.Notes}, !m.Away && len(g.Unread) == 0, err
}

// A mapper draws a map within a number of tokens.
type mapper struct {
	*gateway.Describer

	below string
	view  *overlay.View
	left  int // tokens
	cut   string
	tests bool // the folder is one of tests, which are not shown elsewhere
	empty bool // there are no files

	generated map[string]bool // files, as far as that was asked
}

// takes reports whether a file is in the folder, and not of others.
func (m *mapper) takes(p string) bool {
	return (m.below == "" || strings.HasPrefix(p, m.below+"/")) && !filekind.Of(p, nil).Vendored
}

// isTest reports whether a file is of tests, in a map that has none.
func (m *mapper) isTest(p string) bool { return !m.tests && filekind.IsTest(p) }

func (m *mapper) draw(ctx context.Context) (models.RepoMap, error) {
	item := models.RepoMap{
		RepoID: m.ID, Path: m.below, Folders: []models.MapFolder{}, Symbols: []models.MapSymbol{},
		EntryPoints: []string{}, Commands: []string{},
	}
	listing, err := listing.List(ctx, m.Tree, m.Opener.Listed)
	if err != nil {
		return item, err
	}
	m.generated, m.empty = map[string]bool{}, len(listing.Files) == 0
	var paths []string
	there := m.below == ""
	for _, e := range listing.Files {
		there = there || strings.HasPrefix(e.Path, m.below+"/")
		if m.takes(e.Path) {
			paths = append(paths, e.Path)
		}
	}
	if !there {
		return item, m.nothing(listing.Files)
	}
	total := m.left
	read := func(path string) (*string, error) { return gateway.TextOf(ctx, m.Gateway, path) }
	if m.below == "" {
		if item.Commands, err = depend.CommandLines(paths, read); err != nil {
			return item, err
		}
		m.spend(item.Commands...)
	}
	programs, err := depend.Programs(paths, read)
	if err != nil {
		return item, err
	}
	if item.EntryPoints, err = m.entryPoints(ctx, paths, programs); err != nil {
		return item, err
	}
	m.spend(item.EntryPoints...)
	const most = 400
	list, symbols, flows := usage.Ranking(ctx, m.view, most,
		func(p string) bool { return m.takes(p) && !m.isTest(p) && !m.isGenerated(ctx, p) },
		func(p string) bool { return !m.isTest(p) })
	rest := m.left
	m.left -= total / 2 // for symbols
	folders, err := m.folders(ctx, paths, flows, &item)
	if err != nil {
		return item, err
	}
	m.left += min(total/2, rest)
	err = m.symbols(ctx, list, &item)
	m.connect(item.Folders, flows)
	if shown := len(item.Folders); shown < folders || len(item.Symbols) < symbols {
		m.cut = fmt.Sprintf("%d of %d folders and %d of %d used symbols; a greater max_tokens, or a path, shows more", shown,
			folders, len(item.Symbols), symbols)
	}
	return item, err
}

// nothing is why there is no folder to draw.
func (m *mapper) nothing(files []disk.Entry) error {
	if slices.ContainsFunc(files, func(e disk.Entry) bool { return e.Path == m.below }) {
		return fault.New(fault.InvalidRequest, "%q is a file, and a map is of a folder; `ragnav outline` shows what is in it",
			m.below)
	}
	return fault.New(fault.PathNotFound,
		"there is no folder %q with files in this repository now; explore_structure lists what there is", m.below)
}

// spend takes lines from what is left, and reports whether that was enough.
func (m *mapper) spend(lines ...string) bool {
	cost := 0
	for _, l := range lines {
		cost += len(l)/3 + 2
	}
	if cost > m.left {
		return false
	}
	m.left -= cost
	return true
}

const (
	maxEntries  = 12 // entry points that are listed
	maxAside    = 3  // of them, those of examples, tools and the like
	manyFolders = 40 // from so many on, not all are worth a line
)

// entryPoints are where programs begin: functions called main outside of tests,
// and files that a language runs by their names or a manifest installs; and where libraries do
// whose manifest stands beside. Where Python has none of these it is what runs as a script.
func (m *mapper) entryPoints(ctx context.Context, paths, programs []string) ([]string, error) {
	entries := []string{}
	for _, d := range lookup.Find(ctx, m.view, "main", lookup.Pick{}) {
		lang := gateway.FactLanguage(d.File)
		program := d.Kind == "func" && d.Qualified == "main" && lang != "Python" || d.Kind == "method" && lang == "Java"
		if program && m.takes(d.File) && !m.isTest(d.File) && !m.isScript(d.File) {
			entries = append(entries, d.File)
		}
	}
	for _, p := range programs {
		if !m.isTest(p) && p[0] != '.' && !strings.Contains(p, "/.") { // what tools keep there is not for users
			entries = append(entries, p)
		}
	}
	for _, p := range paths {
		if (started.MatchString(p) || isRoot(p, paths)) && !m.isTest(p) {
			entries = append(entries, p)
		}
	}
	if !slices.ContainsFunc(entries, func(p string) bool { return path.Ext(p) == ".py" }) {
		scripts, err := m.scripts(ctx)
		if err != nil {
			return nil, err
		}
		entries = append(entries, scripts...)
	}
	slices.SortFunc(entries, func(a, b string) int {
		return cmp.Or(aside(a)-aside(b), strings.Count(a, "/")-strings.Count(b, "/"), cmp.Compare(a, b))
	})
	entries = slices.Compact(entries)
	beside := slices.IndexFunc(entries, func(p string) bool { return aside(p) > 0 })
	if beside >= 0 {
		entries = entries[:min(len(entries), beside+maxAside)]
	}
	return entries[:min(len(entries), maxEntries)], nil
}

// started is a file that is run by its name: of Python, .NET, PHP and Ruby.
var started = regexp.MustCompile(
	`(^|/)(__main__\.py|manage\.py|Program\.cs|artisan|public/index\.php|config\.ru)$|^exe/[^/]+$`)

// scripts are the files of Python that say what they do when they are run.
func (m *mapper) scripts(ctx context.Context) (files []string, err error) {
	q, err := match.Compile(match.Query{Pattern: `^if __name__ == ["']__main__["']`, Regexp: true, Case: match.Sensitive})
	if err != nil {
		return nil, err
	}
	found, err := gateway.SearchText(ctx, m.Gateway, q, scan.Options{Keep: func(p string) bool {
		return path.Ext(p) == ".py" && m.takes(p) && !m.isTest(p)
	}})
	for _, line := range found.Matches {
		files = append(files, line.Path)
	}
	return files, err
}

// oftenGenerated is a path as programs have it that write code; generatedMark is how these say so.
var (
	oftenGenerated = regexp.MustCompile(`(?i)\.pb\.|_pb2|_grpc|\.g\.|\.designer\.|generated|(^|/)gen(proto)?/|proto`)
	generatedMark  = regexp.MustCompile(`(?i)(?:code|auto-?|@)\s?generated|generated by|do not edit`)
)

// isGenerated reports whether a program wrote a file, in a map that is not of a folder of such.
func (m *mapper) isGenerated(ctx context.Context, p string) bool {
	const head = 1000 // bytes, in which it is said
	if !oftenGenerated.MatchString(p) || m.below != "" && oftenGenerated.MatchString(m.below+"/") {
		return false
	}
	is, known := m.generated[p]
	if !known {
		if text, err := gateway.TextOf(ctx, m.Gateway, p); err == nil && text != nil {
			is = generatedMark.MatchString((*text)[:min(len(*text), head)])
		}
		m.generated[p] = is
	}
	return is
}

// isRoot reports whether a file is what others import of the package whose
// manifest is in its folder or, where that is called src, in the one around it.
func isRoot(p string, paths []string) bool {
	dir, base := path.Split(p)
	manifest := "package.json"
	switch {
	case base == "lib.rs":
		manifest = "Cargo.toml"
	case !slices.Contains([]string{"index.ts", "index.tsx", "index.js", "index.mjs"}, base):
		return false
	}
	_, found := slices.BinarySearch(paths, strings.TrimSuffix(dir, "src/")+manifest)
	return found
}

// isScript reports whether no build has a file of Go: it is run by its name, by
// those who make the program.
func (m *mapper) isScript(file string) bool {
	id, ok := m.view.World().ByPath(file)
	return ok && m.view.World().Declared(id).Build == "ignore"
}

var asideFolder = regexp.MustCompile(`(?i)(^|/)(bench(marks?)?|examples?|samples?|demos?|scripts|tools|hack|docs|website)/`)

// aside is 1 of what serves those who make the program rather than its users.
func aside(p string) int { return gateway.Yes(asideFolder.MatchString(p)) }

// folders lists those with files, the outermost first, each with what it is
// for, and tells how many there are. Where there is no room for all, those are
// left out that others use least; deep ones that nothing uses and that say nothing
// give their room to symbols.
func (m *mapper) folders(
	ctx context.Context, paths []string, flows map[usage.Flow]int, item *models.RepoMap,
) (int, error) {
	const deep = 2 // where folders begin of which there may be many side by side
	used := map[string]int{}
	for f, n := range flows {
		if f.From != f.To {
			used[f.To] += n
		}
	}
	in := map[string][]string{}
	for _, p := range paths {
		dir := path.Dir(p)
		in[dir] = append(in[dir], p)
	}
	var dirs []string
	for dir := range in {
		if !m.isTest(dir + "/x") {
			dirs = append(dirs, dir)
		}
	}
	byDepth := func(a, b string) int { return cmp.Or(depthOf(a)-depthOf(b), cmp.Compare(a, b)) }
	slices.SortFunc(dirs, func(a, b string) int {
		return cmp.Or(min(depthOf(a), deep)-min(depthOf(b), deep), aside(a+"/")-aside(b+"/"), used[b]-used[a],
			byDepth(a, b))
	})
	said := map[string]int{}
	for _, dir := range dirs {
		purpose, err := m.purpose(ctx, in[dir])
		if err != nil {
			return 0, err
		}
		said[purpose]++
		silent := purpose == "" || said[purpose] > 1 || aside(dir+"/") > 0
		if silent && used[dir] == 0 && depthOf(dir) > deep && len(dirs) > manyFolders {
			continue
		}
		if !m.spend(dir + purpose) {
			break
		}
		item.Folders = append(item.Folders, models.MapFolder{Path: dir, Purpose: purpose, Files: len(in[dir])})
	}
	for i, f := range item.Folders {
		if said[f.Purpose] > 1 { // of how its files are made, then
			item.Folders[i].Purpose = ""
		}
	}
	slices.SortFunc(item.Folders, func(a, b models.MapFolder) int { return byDepth(a.Path, b.Path) })
	return len(dirs), nil
}

func depthOf(dir string) int {
	if dir == "." {
		return 0
	}
	return strings.Count(dir, "/") + 1
}

// speaking are the names of files that say what their folder is for, the best
// first; then any file with a comment at its head, the folder's namesake first.
var speaking = []string{
	"doc.go", "__init__.py", "lib.rs", "mod.rs", "package-info.java", "README.md", "README.rst", "README", "index.ts",
	"index.js",
}

// purpose is the first sentence of what the files of a folder say of it.
func (m *mapper) purpose(ctx context.Context, files []string) (string, error) {
	const most = 6 // that are read
	var order []string
	for _, name := range speaking {
		for _, p := range files {
			if strings.EqualFold(path.Base(p), name) {
				order = append(order, p)
			}
		}
	}
	for _, namesake := range []bool{true, false} {
		for _, p := range files {
			stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
			if !m.isTest(p) && (stem == path.Base(path.Dir(p))) == namesake &&
				m.Opener.Extract.Revision(gateway.FactLanguage(p)) != "" &&
				!slices.Contains(order, p) {
				order = append(order, p)
			}
		}
	}
	for _, p := range order[:min(len(order), most)] {
		f, err := m.File(ctx, p)
		if err != nil {
			return "", err
		}
		if f != nil {
			if s := summary(f.Outline); s != "" {
				return s, nil
			}
		}
	}
	return "", nil
}

// maxPurpose bounds a purpose in bytes.
const maxPurpose = 160

// summary is the first sentence of a file: of its head, or of the first text of
// a document.
func summary(o parse.Outline) string {
	text := tells(parse.WithoutTags(o.Summary))
	if len(o.Sections) > 0 { // of a document the first that says something in a sentence, else what is first
		text = saying(o.Sections)
	}
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i+1]
	}
	if len(text) > maxPurpose {
		text = strings.ToValidUTF8(text[:maxPurpose], "") + "…"
	}
	return text
}

// saying is the first paragraph of a document that is a sentence: pictures, badges, tables and
// lists are not.
func saying(sections []parse.Section) string {
	const most = 4 // sections that are looked at
	for _, s := range sections[:min(len(sections), most)] {
		for p := range strings.SplitSeq(s.Text, "\n\n") {
			line := tells(p)
			if len(strings.Fields(line)) >= 4 && ended.MatchString(line) && !strings.ContainsAny(line[:1], "<|-*[!#=>") {
				return line
			}
		}
	}
	return ""
}

// ended is a text that has a sentence.
var ended = regexp.MustCompile(`[\pL\pN)'"` + "`" + `*_][.!?:…](\s|$)`)

// formal begins what a file says of itself, of who wrote it or of its editor, and lists of steps.
var formal = regexp.MustCompile(`(?i)^(-\*-|\d+[.)] |encoding:|coding[:=]|vim:|note:|wip\b|copyright|(dual-)?licensed|derived from|` +
	`exit immediately|this file (should not be edited|is (synced|copied|@?generated|auto)))`)

// tells is the first paragraph that tells what something is for, on one line.
func tells(text string) string {
	for p := range strings.SplitSeq(text, "\n\n") {
		var words []string
		for line := range strings.Lines(p) {
			words = append(words, strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "!"))...) // of Rust's //!
		}
		if line := strings.Join(words, " "); line != "" && !formal.MatchString(line) {
			return line
		}
	}
	return ""
}

// symbols lists what most of the rest uses, of several declarations of a name the
// first.
func (m *mapper) symbols(ctx context.Context, list []usage.Ranked, item *models.RepoMap) error {
	listed := map[[2]string]bool{}
	for _, r := range list {
		if listed[[2]string{r.File, r.Qualified}] {
			continue
		}
		listed[[2]string{r.File, r.Qualified}] = true
		signature, _, err := m.Describe(ctx, r.Def)
		if err != nil {
			return err
		}
		if len(signature) > maxPurpose {
			signature = strings.ToValidUTF8(signature[:maxPurpose], "") + "…"
		}
		if !m.spend(r.File + signature) {
			break
		}
		item.Symbols = append(item.Symbols,
			models.MapSymbol{FilePath: r.File, Line: r.Line, Symbol: r.Qualified, Signature: signature, Uses: r.Uses})
	}
	// Those of most files were taken; they are listed by the number that is told.
	slices.SortStableFunc(item.Symbols, func(a, b models.MapSymbol) int { return b.Uses - a.Uses })
	return nil
}

// connect tells of each folder which others it uses most.
func (m *mapper) connect(folders []models.MapFolder, flows map[usage.Flow]int) {
	const most = 8
	uses := map[string][]models.FolderUse{}
	for f, n := range flows {
		uses[f.From] = append(uses[f.From], models.FolderUse{Path: f.To, Uses: n})
	}
	for i := range folders {
		list := uses[folders[i].Path]
		slices.SortFunc(list, func(a, b models.FolderUse) int { return cmp.Or(b.Uses-a.Uses, cmp.Compare(a.Path, b.Path)) })
		for _, u := range list[:min(most, len(list))] {
			if !m.spend(u.Path) {
				return
			}
			folders[i].UsesOf = append(folders[i].UsesOf, u)
		}
	}
}
