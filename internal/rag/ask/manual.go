package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
)

// A Manual knows by which commands repositories are built, tested and run.
type Manual interface {
	// Only is the one repository that a filter means, or "".
	Only(ctx context.Context, filter string) (models.RepoID, error)
	// Commands are those that files of a repository give.
	Commands(ctx context.Context, repo models.RepoID) ([]Command, error)
}

// A Command is one that a file gives.
type Command struct {
	Text       string
	Path       string
	Start, End int // the lines of the file that say so
}

// handler answers how to use a repository.
type handler struct {
	manual Manual // may be nil
	finder finder
	reader reader
	repo   models.RepoID  // the only one that is asked about
	task   *question.Task // nil: it is not asked for
}

// consult finds what a question asks for that is about how to use the one repository
// of its scope.
func (h *handler) consult(ctx context.Context) error {
	asked := h.finder.asked
	level := asked.Level
	ofTasks := level == "" || level == models.LevelAuto || level == models.LevelDoc
	if h.manual == nil || !ofTasks || !asked.MayAskTask() {
		return nil
	}
	var err error
	if h.repo, err = h.manual.Only(ctx, asked.Filter); err != nil || h.repo == "" {
		return err
	}
	h.task = asked.Task(h.repo)
	return nil
}

// maxTold is how many sections of documents are cited beside commands.
const maxTold = 3

// handle answers with the commands that are for the task and the sections that tell
// how; without any it does not.
func (h *handler) handle(ctx context.Context) (c extract.Answer, ok bool, err error) {
	commands, err := h.commands(ctx)
	if err != nil {
		return c, false, err
	}
	sections, err := h.sections(ctx)
	if err != nil || len(commands)+len(sections) == 0 {
		return c, false, err
	}
	first, then := commands, sections
	if h.task.Read && len(sections) > 0 || len(commands) == 0 {
		first, then = sections, commands
	}
	c.Told, c.Also, c.Quotes = h.task.Told, len(first), slices.Concat(first, then)
	if most := h.reader.notes.citations; len(c.Quotes) > most {
		c.Quotes = c.Quotes[:most]
	}
	return c, true, nil
}

// commands quotes the lines that give commands for the task, as the files are now.
func (h *handler) commands(ctx context.Context) ([]extract.Quote, error) {
	notes := h.reader.notes
	if !notes.Step(1, "commands were looked for") {
		return nil, nil
	}
	all, err := h.manual.Commands(ctx, h.repo)
	if err != nil {
		return nil, err
	}
	var quotes []extract.Quote
	for _, c := range all {
		if !h.task.Does(c.Text) {
			continue
		}
		text, warnings, err := h.reader.lines.Lines(ctx, h.repo, c.Path, c.Start, c.End)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			notes.gaps = append(notes.gaps, fmt.Sprintf("%s could not be read: %s", c.Path, fault.MessageOf(err)))
			continue
		}
		notes.Warn(warnings)
		text, _ = redact.Text(text)
		q := extract.Quote{Start: c.Start, End: c.End, Text: text}
		q.Doc.RepoID, q.Doc.FilePath, q.Doc.QualifiedName = h.repo, c.Path, c.Text
		if at := slices.IndexFunc(quotes, q.Overlaps); at >= 0 {
			quotes[at].Doc.QualifiedName += " && " + c.Text
			continue
		}
		quotes = append(quotes, q)
	}
	notes.Did("map", "commands of "+string(h.repo), len(quotes))
	return quotes, nil
}

// sections quotes what the documents of the repository tell under a heading of the task.
func (h *handler) sections(ctx context.Context) ([]extract.Quote, error) {
	if !h.reader.notes.Step(0, "level doc was searched") {
		return nil, nil
	}
	resp, err := h.finder.searchedFor(ctx, h.task.Words, models.LevelDoc)
	if err != nil {
		return nil, err
	}
	var found []place
	for _, item := range resp.Items {
		if item.FilePath != nil && ownDocument().MatchString(*item.FilePath) {
			found = append(found, place{
				repo: item.RepoID, path: *item.FilePath, parts: []models.DocumentID{item.DocumentID}, document: true,
			})
		}
	}
	docs, err := h.reader.documents(ctx, found)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(p place) bool {
		d := docs[p.parts[0]]
		return d.Test || d.Vendored || !h.task.Tells(d.Heading) || ofDocuments().MatchString(d.Heading)
	})
	slices.SortStableFunc(found, func(a, b place) int { return strings.Count(a.path, "/") - strings.Count(b.path, "/") })
	quotes, err := h.reader.read(ctx, found[:min(len(found), maxTold)], docs)
	return quotes, err
}

var ofDocuments = pattern.NewLazy(`(?i)\b(?:documentation|docs?|manual|website|site|book)\b`)

// ownDocument is one that tells those who have a repository how it is used: not what
// changed, or what is for a part.
var ownDocument = pattern.NewLazy(`(?i)^(?:(?:docs?|documentation|\.github|doc/content|docs/content)/(?:contributing/|` +
	`development/|dev/|getting[-_]started/)?)?(?:readme|contributing|hacking|install|building?|develop|development|testing|` +
	`getting[-_]?started|quick[-_]?start|tests?|setup|running|building[-_]\w+)[^/]*$`)
