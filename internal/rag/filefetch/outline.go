package filefetch

import (
	"context"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
)

// An Outline is what is in a file, and where that was read.
type Outline struct {
	RepoID   models.RepoID
	FilePath string
	Language string
	Outline  parse.Outline // of the text with credentials masked, which keeps its lines
	Status   *models.IndexStatus
	Caveats  []models.Warning // when it was not read from the repository's folder
	Commit   string           // whose file it is, by its full name, or ""
	Differs  bool             // the file is another one now than in that commit
}

// Outline reads a file, of a commit if that isn't "", and parses it. Errors are
// those of File.
func (s *Service) Outline(ctx context.Context, id models.RepoID, file, commit string) (Outline, error) {
	r, err := openAt(ctx, s, id, commit)
	if err != nil {
		return Outline{}, err
	}
	defer func() { _ = r.files.Close() }()
	t, err := r.text(ctx, file, nil)
	if err != nil {
		return Outline{}, err
	}
	return Outline{
		RepoID: t.repo, FilePath: t.path, Language: t.language(), Outline: s.outline(ctx, t), Status: r.record.Status(),
		Caveats: t.caveats(t.stat.Masked), Commit: t.commit, Differs: t.differs,
	}, ctx.Err()
}

func (s *Service) outline(ctx context.Context, t text) parse.Outline {
	masked, _ := redact.Text(validUTF8(t.data))
	return s.parser.Parse(ctx, parse.File{Path: t.path, Language: t.language(), Text: masked}, parse.WantSymbols)
}

// nearby is how many names an error offers in place of one that is not there.
const nearby = 5

// find finds the lines of a symbol, or of a section, in a text.
func (s *Service) find(ctx context.Context, t text, name string) ([]parse.Place, error) {
	out := s.outline(ctx, t)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if found := out.FindAs(t.path, name); found != nil {
		return found, nil
	}
	if names := out.Nearest(name, nearby); names != nil {
		return nil, fault.New(fault.SymbolNotFound, "%q has no symbol %q; %s %s", t.path, name,
			models.TheNearest(len(names)), strings.Join(names, ", "))
	}
	return nil, fault.New(fault.SymbolNotFound, "%q has no symbol %q, nor any other; read its lines", t.path, name)
}
