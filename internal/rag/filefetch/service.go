// Package filefetch reads the real lines of a file in a registered repository,
// and nothing outside of it.
package filefetch

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
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
}

// A Service reads files of registered repositories.
type Service struct{ repos Repositories }

// New returns a Service for the repositories that repos knows.
func New(repos Repositories) *Service { return &Service{repos: repos} }

// File reads the lines that req asks for. When the reply would be longer than
// 256 KiB it is cut at the end of a line, and its message names the line to go
// on with; the replies put together are the file.
func (s *Service) File(ctx context.Context, req Request) (Response, error) {
	start, end := 1, 0
	if req.StartLine != nil {
		start = *req.StartLine
	}
	if req.EndLine != nil {
		end = *req.EndLine
	}
	known, err := s.repos.Repository(ctx, req.RepoID)
	if err != nil {
		return Response{}, err
	}
	content, message, err := read(ctx, known, req.FilePath, span{start, end})
	if err != nil {
		return Response{}, err
	}
	res := Response{models.OKResult([]models.FileContent{content})}
	res.Meta.Message, res.Meta.Truncated, res.Meta.IndexStatus = models.Opt(message), content.Truncated, known.Status()
	return res, nil
}

// Lines reads the lines from start to end, 1-indexed and inclusive, of one
// file; an end of 0 is the last line. Limits and errors are those of File.
func (s *Service) Lines(ctx context.Context, id models.RepoID, file string, start, end int) (models.FileContent, error) {
	known, err := s.repos.Repository(ctx, id)
	if err != nil {
		return models.FileContent{}, err
	}
	content, _, err := read(ctx, known, file, span{start, end})
	return content, err
}

// read reads a span of a file. The message tells how to go on when it was cut.
func read(ctx context.Context, known models.Repository, name string, want span) (models.FileContent, string, error) {
	if err := want.check(); err != nil {
		return models.FileContent{}, "", err
	}
	file, err := repo.CleanPath(name)
	if err != nil {
		return models.FileContent{}, "", err
	}
	data, err := readText(ctx, known, file)
	if err != nil {
		return models.FileContent{}, "", err
	}
	got, err := want.cut(file, data)
	if err != nil {
		return models.FileContent{}, "", err
	}
	content := models.FileContent{
		RepoID: known.RepoID, FilePath: file, Code: validUTF8(got.code),
		StartLine: got.start, EndLine: got.end, TotalLines: got.total,
		Language: repo.Classify(file, data).Language, Truncated: got.next > 0,
	}
	return content, got.message(), nil
}

// validUTF8 replaces each invalid byte by U+FFFD, one for one, as the text was
// when it was indexed: citations compare the two.
func validUTF8(code []byte) string {
	if utf8.Valid(code) {
		return string(code)
	}
	return string([]rune(string(code)))
}

// readText is the content of a text file that may be served.
func readText(ctx context.Context, known models.Repository, file string) ([]byte, error) {
	tree, err := repo.Open(ctx, known.Root)
	if fault.CodeOf(err) == fault.PathNotFound {
		return nil, fault.Wrap(fault.PathNotFound, err, "the folder %s of repository %s is gone; put it back, or forget it with `ragnav remove %s`", known.Root, known.RepoID, known.RepoID)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }()
	real, err := tree.Real(file)
	if err != nil {
		return nil, err
	}
	for _, p := range []string{file, real} {
		if rule, secret := repo.Secret(p); secret {
			return nil, secretFile(file, rule)
		}
	}
	data, _, err := tree.Read(ctx, file, maxFile)
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fault.New(fault.InvalidRequest, "%q has more than %d MiB, which is too large to read here", file, maxFile>>20)
	}
	return textOf(file, data)
}

// textOf checks that content is text to be served, and takes off its byte
// order mark. UTF-16 becomes UTF-8.
func textOf(file string, data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		if text, ok := parse.Decode(data); ok {
			data = []byte(text)
		}
	}
	switch reason, detail := repo.Examine(data); reason {
	case models.SkipBinary:
		return nil, fault.New(fault.BinaryFile, "%q is not text but %s", path.Base(file), detail)
	case models.SkipSecret:
		return nil, secretFile(file, detail)
	default:
		return bytes.TrimPrefix(data, []byte("\ufeff")), nil
	}
}

func secretFile(file, rule string) error {
	return fault.New(fault.Forbidden, "%q looks like a store of secrets (%s) and is never served", file, rule)
}

func outOfRange(file string, start, total int) error {
	return fault.New(fault.LineOutOfRange, "%q has %s; start_line %d is past the end", file, plural(total, "line"), start)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
