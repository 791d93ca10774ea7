package app

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/worker"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// newNav joins navigation to the repositories and the readers of facts.
func newNav(c config.Config, repos nav.Repositories, parsers *worker.Pool, witnesses *fresh.Witnesses) *nav.Service {
	return nav.New(nav.Config{
		Repos: repos, Extract: extractor{parsers}, Limits: WatchLimits(c), Workers: c.Workers, Revision: factsRevision, Witnesses: witnesses,
	})
}

// factsRevision changes when facts or what is made of them do: graphs are then
// built from all files again.
const factsRevision = "8"

// An extractor reads the facts of files: Go and manifests here, other languages
// in workers.
type extractor struct{ parsers *worker.Pool }

// Revision implements graph.Extractor.
func (x extractor) Revision(language string) string {
	switch {
	case language == golang.Language, language == golang.ModuleLanguage, language == golang.WorkspaceLanguage, language == nav.ManifestJSON, language == nav.ManifestTOML:
		return factsRevision
	case x.parsers != nil && x.parsers.Speaks(language):
		return fmt.Sprintf("%s.%d", factsRevision, x.parsers.Revision())
	}
	return ""
}

// Facts implements graph.Extractor.
func (x extractor) Facts(ctx context.Context, path, language, text string) (*facts.File, error) {
	var f facts.File
	var err error
	switch {
	case language == golang.Language:
		f, err = golang.Extract(path, text)
	case language == golang.ModuleLanguage:
		f, err = golang.ExtractModule(path, text)
	case language == golang.WorkspaceLanguage:
		f, err = golang.ExtractWorkspace(path, text)
	case project.Knows(path):
		f, _ = project.Facts(path, text)
	case x.parsers != nil && x.parsers.Speaks(language):
		language = repo.Dialect(path, language, text)
		f, err = x.parsers.Facts(ctx, parse.File{Path: path, Language: language, Text: text})
		f.Language = language
	default:
		return nil, nil
	}
	return &f, err
}

// A Folder navigates in one folder, which need not be indexed. It needs no store.
type Folder struct {
	op.Table

	id      models.RepoID
	parsers *worker.Pool
}

// OpenFolder opens a folder of this machine. Close it.
func OpenFolder(ctx context.Context, c config.Config, root string) (*Folder, error) {
	tree, err := repo.Open(ctx, root)
	if err != nil {
		return nil, err
	}
	root = tree.Root()
	if err := tree.Close(); err != nil {
		return nil, err
	}
	id, err := repo.InferID(ctx, root)
	if err != nil {
		return nil, err
	}
	f := &Folder{id: id, parsers: newParsers()}
	bindNav(&f.Table, newNav(c, oneFolder{f.id, root}, f.parsers, nil)) // it is mostly asked once
	return f, nil
}

// RepoID is the id that the folder would have in an index.
func (f *Folder) RepoID() models.RepoID { return f.id }

// Close stops the workers.
func (f *Folder) Close() error {
	if f.parsers == nil {
		return nil
	}
	return f.parsers.Close()
}

// oneFolder implements nav.Repositories for one folder.
type oneFolder struct {
	id   models.RepoID
	root string
}

func (o oneFolder) Repository(context.Context, models.RepoID) (models.Repository, error) {
	return models.Repository{RepoID: o.id, Root: o.root}, nil
}

func (o oneFolder) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}
