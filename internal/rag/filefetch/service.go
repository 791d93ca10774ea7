// Package filefetch reads the real lines of a file in a registered repository,
// and nothing outside of it.
//
// On a machine without the repository's folder they are the lines that were
// stored by the index run, where it was told to: with credentials masked, and
// a warning that says so.
package filefetch

import (
	"bytes"
	"context"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// The limits of a read, in bytes.
const (
	maxCode = 256 << 10 // of one reply
	maxFile = 64 << 20  // of a file to read lines from
)

// Repositories finds a registered repository; an unknown id is a
// fault.RepoNotFound.
type Repositories interface {
	Repository(ctx context.Context, id models.RepoID) (models.Repository, error)
	// Open opens the files of a repository; without any it is a fault.PathNotFound.
	Open(ctx context.Context, known models.Repository) (repo.Files, error)
}

// Definitions finds the places in a repository's index where a name is defined.
type Definitions func(ctx context.Context, id models.RepoID, name string) ([]Span, error)

// A Service reads files of registered repositories.
type Service struct {
	repos   Repositories
	parser  reader.Parser
	defined Definitions
	memory  sync.Pool // of *memory
	kept    kept
	rest    rest
}

// New returns a Service for the repositories that repos knows.
func New(repos Repositories) *Service { return &Service{repos: repos} }

// Parse sets the parser that finds symbols. Without it they are found by reader.Parse.
func (s *Service) Parse(p reader.Parser) { s.parser = p }

// Define sets what finds symbols whose file is not given. Without it that is an error.
func (s *Service) Define(d Definitions) { s.defined = d }

// Lines reads the lines from start to end, 1-indexed and inclusive, of one
// file; an end of 0 is the last line. Limits and errors are those of File.
//
// Their language is not told. They are the file's own lines: where they could only be had with a credential
// masked, that is a fault.Forbidden. The warnings tell when they are not from
// the repository's folder.
func (s *Service) Lines(ctx context.Context, id models.RepoID, file string, start, end int) (models.FileContent,
	[]models.Warning, error,
) {
	got, err := s.read(ctx, id, file, span{start: start, end: end})
	if err != nil {
		return models.FileContent{}, nil, err
	}
	for _, line := range got.maskedLines {
		if got.content.StartLine <= line && line <= got.content.EndLine {
			return models.FileContent{}, nil,
				fault.New(fault.Forbidden, "line %d of %q holds a credential, which is masked in stored content", line,
					got.content.FilePath)
		}
	}
	return got.content, got.caveats(0), nil
}

// A reading is lines that were read, and what is to be said about them.
type reading struct {
	content     models.FileContent
	message     string // how to go on when they were cut
	cursor      string // likewise
	masked      int    // credentials in the file
	maskedLines []int
	caveats     func(masked int) []models.Warning
}

// read reads a span of a file.
func (s *Service) read(ctx context.Context, id models.RepoID, name string, want span) (reading, error) {
	if err := want.check(); err != nil {
		return reading{}, err
	}
	from, done, err := s.open(ctx, id)
	if err != nil {
		return reading{}, err
	}
	defer done()
	m, ok := s.memory.Get().(*memory)
	if !ok {
		m = new(memory)
	}
	defer s.memory.Put(m)
	t, known := m.recall(s.together(ctx), id, name)
	if !known {
		if t, err = s.kept.read(ctx, from, name, m); err != nil {
			return reading{}, err
		}
		m.remember(s.together(ctx), id, name, t)
	}
	return t.read(want)
}

// A memory is what files are read into, one after the other.
type memory struct {
	of []byte

	// What was read last, and by which request: it reads several parts of a file in turn.
	by   *opened
	repo models.RepoID
	name string
	last text
}

// maxMemory is what is kept of it: few files are larger.
const maxMemory = 256 << 10

// recall is the text that the same request has read last, if it is that one. Else it is
// forgotten.
func (m *memory) recall(by *opened, repo models.RepoID, name string) (text, bool) {
	if by != nil && m.by == by && m.repo == repo && m.name == name {
		return m.last, true
	}
	m.by, m.last = nil, text{}
	return text{}, false
}

func (m *memory) remember(by *opened, repo models.RepoID, name string, t text) {
	if cap(t.data) <= maxMemory {
		m.by, m.repo, m.name, m.last = by, repo, name, t
	}
}

// read reads a file. What was read before is gone then. Of a nil m it stays.
func (m *memory) read(ctx context.Context, files repo.Files, file string) ([]byte, disk.Stat, error) {
	tree, ok := files.(repo.Tree)
	if !ok || m == nil {
		return files.Read(ctx, file, maxFile)
	}
	data, stat, err := tree.ReadInto(ctx, m.of, file, maxFile)
	if cap(data) > cap(m.of) && cap(data) <= maxMemory {
		m.of = data
	}
	return data, stat, err
}

// A text is a file that was read.
type text struct {
	repo    models.RepoID
	path    string
	data    []byte
	lines   int
	stat    disk.Stat
	caveats func(masked int) []models.Warning
	commit  string     // that it is of, or ""
	differs bool       // the file is another one now than in that commit
	marks   marks      // of a text that is kept
	whole   *wholeText // where a reply is cut of it
}

// Together returns a context under which Lines looks up and opens each repository
// once, until release: the hits of a page are of few.
func (s *Service) Together(ctx context.Context) (over context.Context, release func()) {
	o := &opened{repos: map[models.RepoID]openRepository{}}
	return context.WithValue(ctx, togetherKey{s}, o), o.close
}

// open opens a repository; done is for who has read its files.
func (s *Service) open(ctx context.Context, id models.RepoID) (r openRepository, done func(), err error) {
	o := s.together(ctx)
	if o == nil {
		if r, err = s.openAlone(ctx, id); err != nil {
			return r, nil, err
		}
		return r, func() { _ = r.files.Close() }, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	r, ok := o.repos[id]
	if !ok {
		if r, err = s.openAlone(ctx, id); err != nil {
			return r, nil, err
		}
		o.repos[id] = r
	}
	return r, func() {}, nil
}

// together is what is shared under a context of Together, else nil.
func (s *Service) together(ctx context.Context) *opened {
	o, _ := ctx.Value(togetherKey{s}).(*opened)
	return o
}

func (s *Service) openAlone(ctx context.Context, id models.RepoID) (r openRepository, err error) {
	if r.record, err = s.repos.Repository(ctx, id); err != nil {
		return r, err
	}
	files, err := s.repos.Open(ctx, r.record)
	if err == nil {
		r.files, r.near = files, &pathFinder{files: files}
	}
	return r, err
}

// text reads a file, into memory that may be nil.
func (r openRepository) text(ctx context.Context, name string, into *memory) (text, error) {
	file, err := relpath.Clean(name)
	if err != nil {
		return text{}, err
	}
	data, stat, err := readText(ctx, r.files, file, into)
	for _, form := range []norm.Form{norm.NFC, norm.NFD} { // "é" may be written otherwise there
		if other := form.String(file); fault.CodeOf(err) == fault.PathNotFound && other != file {
			if got, its, otherErr := readText(ctx, r.files, other, into); otherErr == nil {
				file, data, stat, err = other, got, its, nil
			}
		}
	}
	if err != nil {
		return text{}, r.near.offer(ctx, file, err)
	}
	t := text{
		repo: r.record.RepoID, path: file, data: data, lines: countLines(data), stat: stat, caveats: r.files.Caveats,
		commit: r.commit,
	}
	if then, ok := r.files.(repo.Past); ok {
		t.differs, err = differs(ctx, then, file, data)
	}
	return t, err
}

// language is the language of a text, as go-enry names it.
func (t text) language() string { return filekind.Of(t.path, t.data).Language }

// read is a span of a text.
func (t text) read(want span) (reading, error) {
	got, err := want.cut(t)
	if err != nil {
		return reading{}, err
	}
	content := models.FileContent{
		RepoID: t.repo, FilePath: t.path, Code: validUTF8(got.code),
		StartLine: got.start, EndLine: got.end, TotalLines: got.total, Truncated: got.next != "", Commit: t.commit,
	}
	if t.differs {
		content.Freshness = models.Stale
	}
	return reading{content, got.message(), got.next, t.stat.Masked, t.stat.MaskedLines, t.caveats}, nil
}

// validUTF8 replaces each invalid byte by U+FFFD, one for one: of white space
// that looks binary.
func validUTF8(code []byte) string {
	if utf8.Valid(code) {
		return string(code)
	}
	return string([]rune(string(code)))
}

// readText is the content of a text file that may be served.
func readText(ctx context.Context, files repo.Files, file string, into *memory) ([]byte, disk.Stat, error) {
	data, stat, err := into.read(ctx, files, file)
	if err != nil {
		return nil, stat, err
	}
	for _, p := range []string{file, stat.Path} {
		if rule, secret := filekind.Secret(p); secret {
			return nil, stat, filekind.Refusal(file, models.SkipSecret, rule)
		}
	}
	if len(data) > maxFile {
		return nil, stat, fault.New(fault.InvalidRequest, "%q has more than %d MiB, which is too large to read here", file,
			maxFile>>20)
	}
	data, err = textOf(file, data)
	return data, stat, err
}

// textOf checks that content is text to be served, and takes off its byte
// order mark. What is not UTF-8 becomes it as when it is indexed: citations
// compare the two.
func textOf(file string, data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		if text, ok := parse.Decode(data); ok {
			data = []byte(text)
		}
	}
	reason, detail := filekind.Examine(data)
	if err := filekind.Refusal(file, reason, detail); err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		if text, ok := parse.Decode(data); ok {
			return []byte(text), nil
		}
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

func outOfRange(file string, start, total int) error {
	return fault.New(fault.LineOutOfRange, "%q has %s; start_line %d is past the end", file,
		models.Counted(total, "line"), start)
}
