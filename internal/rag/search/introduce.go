package search

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// What introduces a project: its README, and what says how it is organised.
var (
	readmes = []string{
		"README.md", "readme.md", "Readme.md", "README", "README.rst", "README.txt", "README.adoc", "README.markdown",
	}
	architectures = []string{
		"ARCHITECTURE.md", "docs/ARCHITECTURE.md", "docs/architecture.md", "doc/architecture.md",
		"docs/architecture/README.md", "docs/architecture/index.md", "ARCHITECTURE.rst", "docs/architecture.rst",
		"ARCHITECTURE.adoc", "ARCHITECTURE.txt", "ARCHITECTURE", "DESIGN.md", "docs/DESIGN.md", "docs/design.md",
		"HACKING.md",
	}
)

// introduce puts the beginnings of the README, and of a document about the
// architecture, behind the summary that answers a question about the one project of
// the scope. The summary is made of the README, so that they are as much like the
// question.
func (s scopes) introduce(ctx context.Context, sc scope, r *ranking) error {
	if own := only(sc.repos); len(r.hits) == 0 && own != "" && len(sc.filters) == len(sc.byRepo) {
		id := models.RepoID(own) // "What is this?" has no word to search by
		r.hits = []*hit{{Header: &models.Header{ID: models.RepoDocID(id), Type: models.TypeRepo, RepoID: id}}}
	}
	if len(r.hits) != 1 || sc.asked.Root != nil || !intent.AboutProject(sc.words, string(r.hits[0].RepoID)) {
		return nil
	}
	r.asked = true
	repo := r.hits[0].RepoID
	sc.add(fts.Filter(fts.FieldRepo, string(repo)))
	paths := make([]fts.Query, 0, len(readmes)+len(architectures))
	for _, p := range slices.Concat(readmes, architectures) {
		paths = append(paths, fts.Filter(fts.FieldPath, p))
	}
	top, err := s.sections(ctx, sc, filter.AnyOf(paths), r)
	if err != nil {
		return err
	}
	readme := firstSection(top, func(h fts.Hit) bool { return slices.Contains(readmes, h.FilePath) })
	if readme == nil { // it may be that of the folder that the project is in
		folders, err := filter.ParsePath("./*/{README,readme,Readme}{,.*}")
		if err != nil {
			return fmt.Errorf("find the README: %w", err)
		}
		below, err := s.sections(ctx, sc, folders.Query(), r)
		if err != nil {
			return err
		}
		readme = firstSection(below, func(h fts.Hit) bool { return intent.NamedAs(path.Dir(h.FilePath), repo) })
	}
	plan := firstSection(top, func(h fts.Hit) bool { return slices.Contains(architectures, h.FilePath) })
	for _, found := range []*fts.Hit{readme, plan} {
		if found != nil {
			h := *r.hits[0]
			h.Header = &found.Header
			r.hits = append(r.hits, &h)
			r.examined++
		}
	}
	return nil
}

// enter answers the question where the one project of the scope begins: with the
// files that are run or loaded first, by their names, programs before libraries, and
// nothing else; at level symbol with what of each of them is run.
func (s scopes) enter(ctx context.Context, level models.Level, sc scope, r *ranking) error {
	own := only(sc.repos)
	if own == "" || sc.asked.Root != nil || !intent.AboutEntry(sc.words, own) {
		return nil
	}
	begin, err := s.entries(ctx, sc, intent.ProjectName(own))
	if err == nil && level == models.LevelSymbol {
		begin, err = s.run(ctx, sc, begin)
	}
	if err != nil {
		return fmt.Errorf("find where a program begins: %w", err)
	}
	if len(begin) == 0 {
		return nil
	}
	ranked := r.hits
	r.hits = nil
	for i := range begin {
		h := &hit{Header: &begin[i].Header}
		if at := slices.IndexFunc(ranked, func(h *hit) bool { return h.ID == begin[i].ID }); at >= 0 {
			h = ranked[at]
		}
		if len(ranked) > 0 {
			h.score = ranked[0].score
		}
		r.hits = append(r.hits, h)
	}
	r.asked, r.examined, r.capped, r.cut = true, len(r.hits), false, false
	return nil
}

// entries are the files in which a project of a name most likely begins.
func (s scopes) entries(ctx context.Context, sc scope, name string) ([]fts.Hit, error) {
	var paths []fts.Query
	names := strings.Join(append(slices.Clip(entryNames), name), ",")
	for _, glob := range []string{
		"./{,*/,*/*/,*/*/*/}{" + names + "}.*", "./{bin,exe}/*",
		"./**/*{" + strings.Join(entryClasses, ",") + "}.{java,kt,scala,groovy}",
	} {
		parsed, err := filter.ParsePath(glob)
		if err != nil {
			return nil, err
		}
		paths = append(paths, parsed.Query())
	}
	sc.add(filter.AnyOf(paths))
	res, err := s.index.Search(ctx, fts.Request{Query: sc.filter(models.TypeFile), Size: entryPool})
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(res.Hits, func(h fts.Hit) bool { return entryCost(h.FilePath, name) > dearest })
	slices.SortFunc(files, func(a, b fts.Hit) int {
		return cmp.Or(entryCost(a.FilePath, name)-entryCost(b.FilePath, name), cmp.Compare(a.FilePath, b.FilePath))
	})
	return files[:min(len(files), mostEntries)], nil
}

// run is what is run of each file: its main, else the longest of what it declares.
func (s scopes) run(ctx context.Context, sc scope, files []fts.Hit) ([]fts.Hit, error) {
	var begin []fts.Hit
	for _, f := range files {
		of := sc
		of.filters = append(slices.Clip(sc.filters), fts.Filter(fts.FieldPath, f.FilePath))
		res, err := s.index.Search(ctx, fts.Request{Query: of.filter(models.TypeSymbol), Size: entryPool})
		if err != nil {
			return nil, err
		}
		if len(res.Hits) > 0 {
			begin = append(begin, slices.MinFunc(res.Hits, func(a, b fts.Hit) int {
				return cmp.Or(other(a)-other(b), cmp.Compare(b.EndLine-b.StartLine, a.EndLine-a.StartLine),
					cmp.Compare(a.StartLine, b.StartLine))
			}))
		}
	}
	return begin, nil
}

// other is 0 for what is called main, else 1.
func other(h fts.Hit) int {
	if strings.EqualFold(h.SymbolName, "main") {
		return 0
	}
	return 1
}

// entryNames are how files are called, their endings aside, that are run or loaded first.
var entryNames = strings.Fields("main Main __main__ __init__ lib index manage app App Application server Server " +
	"cli Program")

// What entry points are looked for.
const (
	entryPool   = 1000
	mostEntries = 5
	dearest     = 5
)

// entryFolders are where the code of a program is by custom; entryAsides are where none
// begins that its users run.
var (
	entryFolders = strings.Fields("src main cmd cli lib bin exe app pkg crates packages")
	entryAsides  = strings.Fields("test tests testing testdata __tests__ spec specs fixtures docs doc website scripts " +
		"tools hack internal vendor node_modules third_party contrib dist build")
)

// entryCost is how unlikely it is that a project of a name begins in a file: what is
// run costs least, each folder that is not where code is by custom costs more.
func entryCost(file, name string) int {
	base, in := path.Base(file), path.Base(path.Dir(file))
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	if ext != "" && !intent.IsExtension(ext[1:]) || slices.Contains(entryTexts, ext) || isExample(file) {
		return dearest + 1
	}
	low, class := strings.ToLower(stem), slices.Contains(entryLanguages, ext) &&
		slices.ContainsFunc(entryClasses, func(end string) bool { return strings.HasSuffix(stem, end) })
	cost := 0
	switch {
	case slices.Contains([]string{"main", "Main", "Application", "__main__"}, stem), base == "manage.py",
		base == "Program.cs", class && strings.HasPrefix(low, name):
	case slices.Contains([]string{"app", "server", "cli"}, low):
		cost = 3
	case slices.Contains([]string{"__init__", "lib", "index", name}, low), class && strings.HasSuffix(stem, "Application"):
		cost = 1
	case in == "bin", in == "exe":
		cost = 2
	default:
		return dearest + 1
	}
	parts := strings.Split(path.Dir(file), "/")
	for i, part := range parts {
		part = strings.ToLower(part)
		if slices.Contains(entryLanguages, "."+part) {
			break // folders of packages
		}
		switch {
		case slices.Contains(entryAsides, part):
			return dearest + 1
		case part == ".", slices.Contains(entryFolders, part), part == name, i > 0 && parts[i-1] == "cmd":
		case stem == "__init__": // of a package that is not the project's own
			return dearest + 1
		default:
			cost += 2
		}
	}
	return cost
}

// beginsAt is how likely it is, from 0 to 1, that something begins in a file of a project.
func beginsAt(file, project string) float64 {
	return max(0, 1-float64(entryCost(file, project))/(dearest+1))
}

// entryLanguages are endings of files that are called as a class in them, in folders as
// its package is, below a folder of the language.
var entryLanguages = strings.Fields(".java .kotlin .kt .scala .groovy")

// entryClasses are what names of classes end in that are run, behind the project's name.
var entryClasses = strings.Fields("Main Application Server App")

// entryTexts are endings of files that are not run.
var entryTexts = strings.Fields(
	".md .rst .txt .adoc .html .css .scss .yaml .yml .toml .json .xml .ini .cfg .sum .mod .ipynb")

// sections are those of documents at some paths. What did not answer is told.
func (s scopes) sections(ctx context.Context, sc scope, paths fts.Query, r *ranking) ([]fts.Hit, error) {
	sc.filters = append(slices.Clip(sc.filters), paths)
	res, err := s.index.Search(ctx, fts.Request{Query: sc.filter(models.TypeDocument), Size: exactPool})
	if err != nil {
		return nil, fmt.Errorf("find what introduces the project: %w", err)
	}
	warnings, err := partial(res)
	r.warnings = append(r.warnings, warnings...)
	return res.Hits, err
}

// leastLines are those of a section that says something: a title with a picture has less.
const leastLines = 3

// firstSection is the beginning of the first document that is wanted: its first section
// that says something.
func firstSection(sections []fts.Hit, wanted func(fts.Hit) bool) *fts.Hit {
	of := slices.DeleteFunc(slices.Clone(sections), func(h fts.Hit) bool { return !wanted(h) })
	if len(of) == 0 {
		return nil
	}
	first := slices.MinFunc(of, func(a, b fts.Hit) int {
		return cmp.Or(cmp.Compare(a.FilePath, b.FilePath), cmp.Compare(bare(a), bare(b)),
			cmp.Compare(a.StartLine, b.StartLine))
	})
	return &first
}

func bare(h fts.Hit) int {
	if h.EndLine-h.StartLine+1 < leastLines {
		return 1
	}
	return 0
}

// whole says, of hits at a level that was asked for, which one a question about a
// project is for, as a whole or where it begins.
func whole(words string, asked models.Level, repos []models.Repository) string {
	repo := only(repos)
	switch {
	case asked == models.LevelAuto:
		return ""
	case intent.AboutEntry(words, repo):
		if asked == models.LevelFile || asked == models.LevelSymbol {
			return ""
		}
		return "this asks where a program begins; level file finds its entry points"
	case asked == models.LevelRepo || !intent.AboutProject(words, repo):
		return ""
	}
	return "this is about a project as a whole; level auto finds its summary, and of one repository its README"
}

// only is the id of the only repository.
func only(repos []models.Repository) string {
	if len(repos) != 1 {
		return ""
	}
	return string(repos[0].RepoID)
}
