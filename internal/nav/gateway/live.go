package gateway

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// wholeTree is up to how many files a live scan reads all of a repository; of a
// larger one it reads those that have the name in them.
const wholeTree = 2000

// Answering is the view that answers questions about a name: the graph with the
// changes, or one that is made now and kept nowhere. Notes say what it lacks;
// partial, that there was no time for some of the files.
func (g *Gateway) Answering(ctx context.Context, name string) (view *overlay.View, notes []string, partial bool,
	err error,
) {
	if g.Answer != nil {
		return g.Answer.View, g.Answer.Notes, g.Answer.Partial, nil
	}
	if g.Verdict.Graph {
		if err := tryAgain(ctx, g, name); err != nil {
			return nil, nil, false, err
		}
		view, err = g.View(ctx)
		return view, nil, false, err
	}
	c, err := g.candidates(ctx, name, shareOf(ctx, 3))
	if err != nil {
		return nil, nil, false, err
	}
	made, notes, partial, err := g.make(ctx, name, c)
	if err != nil {
		return nil, nil, false, err
	}
	return overlay.Lay(made, overlay.Changes{}, Resolver), notes, partial, nil
}

// make makes a graph of the files that may say something about a name.
func (g *Gateway) make(ctx context.Context, name string, c candidates) (made *graph.Graph, notes []string, partial bool,
	err error,
) {
	known, err := g.readAll(ctx, c.paths, shareOf(ctx, 2)) // the rest is for resolving
	if err != nil {
		return nil, nil, false, err
	}
	in := build.Input{
		Read: known.read, Extract: known, Resolver: Resolver, Revision: g.Opener.Revision,
		Workers: g.Opener.Workers,
	}
	for _, p := range c.paths {
		in.Sources = append(in.Sources, build.Source{Path: p, Language: FactLanguage(p)})
	}
	if made, _, err = build.Graph(ctx, in, nil); err != nil {
		return nil, nil, false, err
	}
	unread := len(c.paths) - len(known.files)
	if partial = unread > 0 || c.left > 0; partial {
		notes = append(notes, left(unread, c.left, len(c.paths)))
	}
	if !c.all {
		notes = append(notes, fmt.Sprintf(
			"only files with %q in them, and beside its declaration, were read, %d of them: uses through types that are "+
				"declared elsewhere are missing", Last(name), len(known.files)))
	}
	if partial || !c.all {
		notes = append(notes, remedy(g))
	}
	return made, notes, partial, nil
}

// shareOf is when one of n parts of the time is over that is left for a request;
// zero without a limit.
func shareOf(ctx context.Context, n time.Duration) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	now := time.Now()
	return now.Add(deadline.Sub(now) / n)
}

// candidates are the files that a live answer is made from.
type candidates struct {
	paths []string // in the order in which they are read
	all   bool     // there are no others
	left  int      // files that there was no time to search
}

func (g *Gateway) candidates(ctx context.Context, name string, until time.Time) (c candidates, err error) {
	listing, err := listing.List(ctx, g.Tree, g.Opener.Listed)
	if err != nil {
		return c, err
	}
	g.shut = listing.Closed()
	var paths []string
	var others, large []string
	for _, e := range listing.Files {
		switch lang := FactLanguage(e.Path); {
		case g.Opener.Extract.Revision(lang) == "":
		case e.Size > g.Opener.Limit():
			large = append(large, e.Path)
		case configures(lang):
			others = append(others, e.Path)
		default:
			paths = append(paths, e.Path)
		}
	}
	if name != "" {
		if err := lackLarge(ctx, g, Last(name), large); err != nil {
			return c, err
		}
	}
	if len(paths) <= wholeTree || name == "" {
		return candidates{paths: append(others, paths...), all: len(paths) <= wholeTree}, nil
	}
	o, known := scan.Options{Workers: g.Opener.Workers, MaxFileSize: g.Opener.Limit(), Until: until}, paths
	paths, left, err := g.having(ctx, paths, match.Query{Pattern: Last(name), Case: match.Insensitive, Word: true}, o)
	if err != nil {
		return c, err
	}
	declaring, _, err := g.having(ctx, paths,
		match.Query{Pattern: declaration + regexp.QuoteMeta(Last(name)) + `\b`, Regexp: true, Case: match.Insensitive}, o)
	if err != nil {
		return c, err
	}
	first := map[string]bool{}
	for _, p := range declaring {
		first[p] = true
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return first[p] })
	return candidates{paths: slices.Concat(others, declaring, paths, beside(declaring, known, paths)), left: left}, nil
}

// mostNear is how many files are read because they are beside a declaration.
const mostNear = 200

// beside are the known files in the folders of declarations that are among no others: the types
// that a declaration is a member of, or tells of, are mostly there.
func beside(declaring, known, others []string) (more []string) {
	folders, taken := map[string]bool{}, map[string]bool{}
	for _, p := range declaring {
		folders[relpath.Parent(p)], taken[p] = true, true
	}
	for _, p := range others {
		taken[p] = true
	}
	for _, p := range known {
		if len(more) < mostNear && folders[relpath.Parent(p)] && !taken[p] {
			more = append(more, p)
		}
	}
	return more
}

// declaration matches what most declarations begin with: files that have the
// name behind it are read first.
const declaration = `\b(?:func|def|class|struct|type|interface|fn|enum|trait|union|record|object|module|namespace|` +
	`define|function|const|let|var|val|void|static|public|private|protected)\b(?:\s*\([^()]*\))?[\s\w*&<>\[\],:]*\b`

// having are the files in which a query has a match, and how many were not
// looked at.
func (g *Gateway) having(ctx context.Context, paths []string, q match.Query, o scan.Options) (found []string, left int,
	err error,
) {
	m, err := match.Compile(q)
	if err != nil {
		return nil, 0, err
	}
	res, err := scan.Search(ctx, g.folder(), paths, m, o)
	for _, match := range res.Matches {
		if n := len(found); n == 0 || found[n-1] != match.Path {
			found = append(found, match.Path)
		}
	}
	return found, res.Left, err
}

// configures reports whether files of a language say how imports are to be read.
func configures(language string) bool {
	return language == "Go Module" || language == "Go Workspace" || project.IsLanguage(language)
}

// Last is the last part of a qualified name.
func Last(name string) string {
	name, _, _ = strings.Cut(strings.TrimSpace(name), "~")
	if i := strings.LastIndexAny(name, ".:#/\\"); i >= 0 && i < len(name)-1 {
		return name[i+1:]
	}
	return name
}

// A reading is the facts of files that were read for one answer. It is the
// graph.Extractor of just these.
type reading struct {
	build.Extractor

	mu    sync.Mutex
	files map[string]*facts.File
}

// readAll reads the facts of files in their order, until it is late.
func (g *Gateway) readAll(ctx context.Context, paths []string, until time.Time) (*reading, error) {
	r := &reading{Extractor: g.Opener.Extract, files: map[string]*facts.File{}}
	var next atomic.Int64
	group, ctx := parallel.NewGroup(ctx)
	for range max(2, cmp.Or(g.Opener.Workers, parallel.Processors())) { // one may be held up by a file, the others not
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) || !until.IsZero() && time.Now().After(until) {
					return nil
				}
				if err := g.readUntil(ctx, r, paths[i], until); err != nil {
					return err
				}
			}
		})
	}
	return r, group.Wait()
}

// readUntil is readInto, which leaves out a file that is not read when it is late: a
// parser may have to start, or the machine be busy.
func (g *Gateway) readUntil(ctx context.Context, r *reading, p string, until time.Time) error {
	if until.IsZero() {
		return g.readInto(ctx, r, p)
	}
	short, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	err := g.readInto(short, r, p)
	if err != nil && ctx.Err() == nil && short.Err() != nil {
		return nil
	}
	return err
}

func (g *Gateway) readInto(ctx context.Context, r *reading, p string) error {
	content, err := g.Read(ctx, p)
	f := &facts.File{}
	if err == nil {
		f, _, err = g.Opener.Facts.Get(ctx, g.Opener.Extract, p, content)
	}
	if ctx.Err() != nil {
		return fault.Wrap(fault.Timeout, ctx.Err(), "reading %s took too long; build the graph with `%s`", p,
			g.Naming(BuildCommand))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.files[p] = f; err != nil {
		g.Lacks(p, err)
	}
	return nil
}

// read implements graph.Input: the text was read already.
func (r *reading) read(_ context.Context, p string) (string, error) {
	if r.files[p] == nil {
		return "", build.ErrNoFacts
	}
	return "", nil
}

// Facts implements graph.Extractor.
func (r *reading) Facts(_ context.Context, p, _, _ string) (*facts.File, error) {
	f := *r.files[p] // others may be at it
	f.Refs = slices.Clone(f.Refs)
	return &f, nil
}

// remedy says what makes up for what a live answer lacks.
func remedy(g *Gateway) string {
	if g.Opener.Later != nil {
		if text := g.Opener.Later(g.ID); text != "" {
			return text
		}
	}
	return "`" + g.Naming(BuildCommand) + "` reads all"
}
