package app

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/nav/lexical"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/parse/worker"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// newNav joins navigation to the repositories and the readers of facts.
func newNav(c config.Config, repos gateway.Repositories, parsers *worker.Pool, watchers *fresh.Watchers) *nav.Service {
	revision := factsRevision
	if parsers != nil {
		revision += fmt.Sprintf(".%d", parsers.Revision())
	}
	return nav.New(gateway.Config{
		Repos: repos, Extract: extractor{parsers}, Limits: WatchLimits(c), Workers: c.Workers, Revision: revision,
		Release: extractor{parsers}.release, Needs: extractor{parsers}.needs,
		Watchers: watchers,
		Match:    matchOf(repos), Locals: extractor{parsers}.locals, Outline: reader.Parser{Outliner: outlinerOf(parsers)},
	})
}

// matchOf is how a filter of repositories is read, where there are several.
func matchOf(known gateway.Repositories) func(ctx context.Context, filter string) ([]models.Repository, error) {
	if all, ok := known.(interface {
		Match(ctx context.Context, filter string) ([]models.Repository, error)
	}); ok {
		return all.Match
	}
	return nil
}

// outlinerOf is nil where there are no workers.
func outlinerOf(parsers *worker.Pool) parse.Outliner {
	if parsers == nil {
		return nil
	}
	return parsers
}

// locals reads the names that mean something in a part of a file only.
func (x extractor) locals(ctx context.Context, path, language, text string) ([]facts.Local, error) {
	text = parse.WithoutConflicts(text)
	switch {
	case language == golang.Language:
		return golang.Locals(path, text)
	case x.parsers != nil && x.parsers.Speaks(filekind.Dialect(path, language, text)):
		return x.parsers.Locals(ctx, parse.File{Path: path, Language: filekind.Dialect(path, language, text), Text: text})
	}
	return nil, nil
}

// factsRevision changes when facts or what is made of them do: graphs are then
// built from all files again.
const factsRevision = "55"

// An extractor reads the facts of files: Go and manifests here, other languages
// in workers.
type extractor struct{ parsers *worker.Pool }

// release ends the workers that have nothing to do.
func (x extractor) release() {
	if x.parsers != nil {
		x.parsers.Release()
	}
}

// needs reports whether a language is read in workers.
func (x extractor) needs(language string) bool {
	return language != golang.Language && x.parsers != nil && x.parsers.Speaks(language)
}

// Revision implements graph.Extractor.
func (x extractor) Revision(language string) string {
	switch {
	case language == golang.Language, language == golang.ModuleLanguage, language == golang.WorkspaceLanguage,
		project.IsLanguage(language):
		return factsRevision
	case x.parsers != nil && x.parsers.Speaks(language):
		return fmt.Sprintf("%s.%d", factsRevision, x.parsers.Revision())
	case lexical.Speaks(language):
		return factsRevision
	}
	return ""
}

// Facts implements graph.Extractor.
func (x extractor) Facts(ctx context.Context, path, language, text string) (*facts.File, error) {
	var f facts.File
	var err error
	text = parse.WithoutConflicts(text)
	switch {
	case language == golang.Language:
		f, err = golang.Extract(path, text)
	case language == golang.ModuleLanguage:
		f, err = golang.ExtractModule(path, text)
	case language == golang.WorkspaceLanguage:
		f, err = golang.ExtractWorkspace(path, text)
	case project.Knows(path):
		f, _ = project.Facts(path, text)
	case lexical.Speaks(filekind.Dialect(path, language, text)):
		f = lexical.Extract(path, filekind.Dialect(path, language, text), text)
	case x.parsers != nil && x.parsers.Speaks(language):
		language = filekind.Dialect(path, language, text)
		f, err = x.parsers.Facts(ctx, parse.File{Path: path, Language: language, Text: text})
		f.Language = language
	default:
		return nil, nil
	}
	return &f, err
}

// neighbours are what a graph says stands next to symbols.
type neighbours struct{ nav *nav.Service }

// Near implements ask.Graph.
func (n neighbours) Near(ctx context.Context, symbol models.Header, limit int) (ask.Near, bool, error) {
	near, ok, err := n.nav.Near(ctx, symbol, limit)
	return ask.Near(near), ok, err
}
