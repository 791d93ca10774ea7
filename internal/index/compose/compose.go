// Package compose makes the documents of a repository from what was found in its
// files: symbols, sections, files, folders and the repository, with the texts that
// they are found by. It is pure: it reads no file and no store (of package repo only names of languages).
package compose

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Limits of composed documents, in bytes.
const (
	maxSymbols        = 5000 // a file
	maxSymbolText     = 64 << 10
	MaxEmbedText      = 5000 // the model was trained on code cut there
	MaxSymbolContent  = 2000
	maxFileContent    = 1000
	maxChunkContent   = 600
	maxSectionContent = 2000
	MaxModuleContent  = 2000
	maxRepoContent    = 3000
	maxExports        = 30 // kept in a file's record
)

// A Source is one file and what was found in it.
type Source struct {
	Repo     models.RepoID
	Commit   string
	Now      time.Time
	Record   models.FileRecord // Path, Language, Lines and the marks are used
	Document bool              // prose in sections, not code in symbols
	Text     string            // with credentials masked, byte for byte
	Raw      string            // as it is in the file; only hashed
	Outline  parse.Outline
}

// Composed is the documents of a source, in the order symbols or sections have
// in the file, a file_index first.
type Composed struct {
	Documents []models.Document
	// Inputs has one entry a document; the zero Input means no vector.
	Inputs []embed.Input
	// Record is the source's record with all that later runs need to know.
	Record models.FileRecord
}

// File makes the documents of one file: a file_index with its symbols for
// source and config files, a document a section for prose.
//
// A document's Text is one field in which names are repeated to weigh more:
// for BM25 that is what a boosted field of its own would be (BM25F), and it
// costs one posting list instead of four.
func File(src Source) Composed {
	c := composer{Source: src, lines: parse.LineOffsets(src.Text), seen: map[string]int{}}
	if src.Document {
		c.sections()
	} else {
		c.file()
	}
	c.record()
	return Composed{Documents: c.docs, Inputs: c.inputs, Record: c.Record}
}

type composer struct {
	Source
	lines  parse.Offsets
	seen   map[string]int // how often an id's name was used in this file
	docs   []models.Document
	inputs []embed.Input
}

func (c *composer) header(t models.DocType, id models.DocumentID) models.Header {
	r := c.Record
	return models.Header{
		ID: id, Type: t, RepoID: c.Repo, FilePath: r.Path, Language: r.Language,
		Test: r.Test, Generated: r.Generated, Vendored: r.Vendored,
	}
}

func (c *composer) add(d models.Document, in embed.Input) {
	stamp(&d, c.Commit, c.Now)
	c.docs = append(c.docs, d)
	c.inputs = append(c.inputs, in)
}

// nth counts how often a name was used, from 1.
func (c *composer) nth(name string) int {
	c.seen[name]++
	return c.seen[name]
}

func (c *composer) record() {
	out := c.Outline
	// Clones: records live through a run, and parts of a text keep it in memory.
	c.Record.Method, c.Record.Package = out.Method, strings.Clone(out.Package)
	c.Record.Summary = strings.Clone(c.Record.Summary)
	c.beyond()
	for _, name := range out.Exports[:min(len(out.Exports), maxExports)] {
		c.Record.Exports = append(c.Record.Exports, strings.Clone(name))
	}
	c.Record.Documents = make([]models.DocumentID, len(c.docs))
	for i, d := range c.docs {
		c.Record.Documents[i] = d.ID
	}
}

// beyond counts and says how much of a file is more than it may have documents for.
func (c *composer) beyond() {
	what, n := "symbols", len(c.Outline.Symbols)
	if c.Document {
		what, n = "sections", len(c.Outline.Sections)
	}
	if c.Record.Beyond = max(0, n-maxSymbols); c.Record.Beyond > 0 {
		c.Record.Detail = strings.TrimPrefix(fmt.Sprintf("%s; only the first %d of its %d %s have documents of their own",
			c.Record.Detail, maxSymbols, n, what), "; ")
	}
}

func stamp(d *models.Document, commit string, now time.Time) {
	d.Commit, d.SchemaVersion = commit, models.SchemaVersion
	d.Created, d.Updated = now, now
}

func moduleOf(repo models.RepoID, file string) models.DocumentID {
	return models.ModuleID(repo, path.Dir(file))
}
