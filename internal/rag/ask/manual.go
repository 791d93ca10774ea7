package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
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

// A use is what is done with a repository as a whole by those who have it, such as to
// run its tests.
type use struct {
	told     string // how an answer begins
	words    string // by which documents are searched
	asked    pattern.Lazy
	commands []string     // a command for it has one of these words
	heads    pattern.Lazy // of sections that tell how
	read     bool         // what documents say comes before what commands do
}

const (
	howIs = `(?i)^\W*(?:please\W+)?(?:(?:show|tell) me\W+)?(?:how (?:do|does|can|could|should|would|must|to|are|is)` +
		`(?: (?:i|you|we|one|people|someone))?(?: to)?|(?:what|which)(?: is| are)?(?: the)? commands?(?: that| which)?` +
		`(?: do i use| should i use| can i use)?(?: to| for)?|what do i (?:run|type|call) to)\s+(?:`
	asAWhole = `(?:it|everything|(?:this|the|your|our)(?: whole| entire)? ` + aProject + `|this)`
	aProject = `(?:project|repository|repo|library|code ?base|code|package|program|application|app|tool|software|` +
		`sources?|crate|gem|module)`
	ofIt = `)(?:\s+(?:locally|up|here|myself|from (?:the )?sources?|from scratch|on my (?:own )?(?:machine|computer)|` +
		`(?:of|for|in|with) ` + asAWhole + `))*\W*$`
)

var uses = []use{
	{
		told: "To run the tests: ", words: "running the tests, the test suite",
		asked: pattern.NewLazy(howIs + `(?:run|running|execute|executing|start|launch)\s+(?:all )?(?:of )?(?:the |its |your )?` +
			`(?:whole |full |entire |unit |integration )?(?:tests?|test ?suites?|specs?)|(?:test|testing)\s+` + asAWhole +
			`|(?:the |its )?(?:tests?|specs?) (?:run|executed|started)` + ofIt),
		commands: strings.Fields("test tests check ctest tox nox pytest phpunit rake rspec spec"),
		heads:    pattern.NewLazy(`(?i)\b(?:tests?|testing|specs?)\b`),
	},
	{
		told: "To build it: ", words: "building from source, compiling",
		asked: pattern.NewLazy(howIs + `(?:build|building|compile|compiling|make)\s+` + asAWhole + `|` + asAWhole +
			`\s+(?:built|compiled)` + ofIt),
		commands: strings.Fields("build package compile configure all"),
		heads:    pattern.NewLazy(`(?i)\b(?:build|building|compil\w+|from source)\b`),
	},
	{
		told: "To install it: ", words: "installation, installing, getting started",
		asked: pattern.NewLazy(howIs + `(?:install|installing|set ?up)\s+` + asAWhole + `|set\s+` + asAWhole +
			`(?:\s+up)|` + asAWhole + `\s+installed|(?:get|getting) started` + ofIt),
		commands: []string{"install", "get"}, read: true,
		heads: pattern.NewLazy(`(?i)\b(?:install\w*|getting started|set ?up|quick ?start|download)\b`),
	},
	{
		told: "To start it: ", words: "running, starting, getting started",
		asked: pattern.NewLazy(howIs + `(?:start|starting|run|running|launch|serve)\s+(?:` + asAWhole +
			`|the (?:dev|development|local) server)` + ofIt),
		commands: strings.Fields("run start dev serve"),
		heads:    pattern.NewLazy(`(?i)^(?:running|run|start|starting|getting started|quick ?start|development)\b`),
	},
	{
		told: "To check its style: ", words: "linting, code style, formatting the code",
		asked: pattern.NewLazy(howIs + `(?:lint|linting|format|formatting|check|checking)\s+(?:(?:the |its |your )?` +
			`(?:code )?(?:style|formatting)|` + asAWhole + `)|(?:run|running)\s+(?:the |its |your )?` +
			`(?:linters?|lints|formatters?|static analysis|style checks?)|` + asAWhole + `\s+(?:linted|formatted)` + ofIt),
		commands: strings.Fields("lint fmt format clippy rubocop golangci ruff credo swiftlint phpcs phpstan commit"),
		heads:    pattern.NewLazy(`(?i)\b(?:lint\w*|code style|style guide|coding (?:style|standards?)|format(?:ting)?)\b`),
	},
}

// useOf is the use that a question asks for of a repository as a whole, or nil.
func useOf(question, repo string) *use {
	if intent.AboutProject(question, repo) {
		return nil
	}
	question = named(strings.TrimRight(question, "?!. "), intent.ProjectName(repo))
	for i := range uses {
		if uses[i].asked().MatchString(question) {
			return &uses[i]
		}
	}
	return nil
}

// named is a question with "this" for the name of a project, where that is a word.
func named(question, name string) string {
	low := strings.ToLower(question)
	at := strings.Index(" "+low+" ", " "+name+" ")
	if name == "" || len(low) != len(question) || at < 0 {
		return question
	}
	return question[:at] + "this" + question[at+len(name):]
}

// does reports whether a command is one for the use.
func (u *use) does(command string) bool {
	if before, name, ok := strings.Cut(command, " run "); ok { // a script, of whatever runs it
		command = before + " " + name
	}
	words := strings.FieldsFunc(command, func(r rune) bool { return r < 'a' || r > 'z' })
	if slices.Contains(words, "check") && words[0] != "make" {
		return slices.Contains(u.commands, "lint") // only with make it means tests, too
	}
	return slices.ContainsFunc(u.commands, func(w string) bool { return slices.Contains(words, w) })
}

// handler answers how to use a repository.
type handler struct {
	manual Manual // may be nil
	finder finder
	reader reader
	repo   models.RepoID // the only one that is asked about
	use    *use          // nil: it is not asked for
}

// consult finds what a question asks for that is about how to use the one repository
// of its scope.
func (h *handler) consult(ctx context.Context) error {
	asked := h.finder.asked
	level := asked.req.Level
	if h.manual == nil || asked.about.after != "" || level != "" && level != models.LevelAuto && level != models.LevelDoc {
		return nil
	}
	if !ofUses().MatchString(asked.req.Query) {
		return nil
	}
	var err error
	if h.repo, err = h.manual.Only(ctx, asked.req.RepoFilter); err != nil || h.repo == "" {
		return err
	}
	h.use = useOf(asked.req.Query, string(h.repo))
	return nil
}

// ofUses is a word of which each question about a use has one.
var ofUses = pattern.NewLazy(`(?i)\b(?:run|execut|start|launch|test|build|built|compil|mak|install|set|serve|get|lint|format|check)`)

// maxTold is how many sections of documents are cited beside commands.
const maxTold = 3

// handle answers with the commands that are for the use and the sections that tell
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
	if h.use.read && len(sections) > 0 || len(commands) == 0 {
		first, then = sections, commands
	}
	c.Told, c.Also, c.Quotes = h.use.told, len(first), slices.Concat(first, then)
	if most := h.reader.notes.citations; len(c.Quotes) > most {
		c.Quotes = c.Quotes[:most]
	}
	return c, true, nil
}

// commands quotes the lines that give commands for the use, as the files are now.
func (h *handler) commands(ctx context.Context) ([]extract.Quote, error) {
	notes := h.reader.notes
	if !notes.step(1, "commands were looked for") {
		return nil, nil
	}
	all, err := h.manual.Commands(ctx, h.repo)
	if err != nil {
		return nil, err
	}
	var quotes []extract.Quote
	for _, c := range all {
		if !h.use.does(c.Text) {
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
		notes.warn(warnings)
		text, _ = redact.Text(text)
		q := extract.Quote{Start: c.Start, End: c.End, Text: text}
		q.Doc.RepoID, q.Doc.FilePath, q.Doc.QualifiedName = h.repo, c.Path, c.Text
		if at := slices.IndexFunc(quotes, q.Overlaps); at >= 0 {
			quotes[at].Doc.QualifiedName += " && " + c.Text
			continue
		}
		quotes = append(quotes, q)
	}
	notes.did("map", "commands of "+string(h.repo), len(quotes))
	return quotes, nil
}

// sections quotes what the documents of the repository tell under a heading of the use.
func (h *handler) sections(ctx context.Context) ([]extract.Quote, error) {
	if !h.reader.notes.step(0, "level doc was searched") {
		return nil, nil
	}
	resp, err := h.finder.searchedFor(ctx, h.use.words, models.LevelDoc)
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
		return d.Test || d.Vendored || !h.use.heads().MatchString(d.Heading) || ofDocuments().MatchString(d.Heading)
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
