package question

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// A Task is what is done with a repository as a whole by those who have it, such as to
// run its tests.
type Task struct {
	Told     string // how an answer begins
	Words    string // by which documents are searched
	asked    pattern.Lazy
	commands []string     // a command for it has one of these words
	heads    pattern.Lazy // of sections that tell how
	Read     bool         // what documents say comes before what commands do
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

var tasks = []Task{
	{
		Told: "To run the tests: ", Words: "running the tests, the test suite",
		asked: pattern.NewLazy(howIs + `(?:run|running|execute|executing|start|launch)\s+(?:all )?(?:of )?(?:the |its |your )?` +
			`(?:whole |full |entire |unit |integration )?(?:tests?|test ?suites?|specs?)|(?:test|testing)\s+` + asAWhole +
			`|(?:the |its )?(?:tests?|specs?) (?:run|executed|started)` + ofIt),
		commands: strings.Fields("test tests check ctest tox nox pytest phpunit rake rspec spec"),
		heads:    pattern.NewLazy(`(?i)\b(?:tests?|testing|specs?)\b`),
	},
	{
		Told: "To build it: ", Words: "building from source, compiling",
		asked: pattern.NewLazy(howIs + `(?:build|building|compile|compiling|make)\s+` + asAWhole + `|` + asAWhole +
			`\s+(?:built|compiled)` + ofIt),
		commands: strings.Fields("build package compile configure all"),
		heads:    pattern.NewLazy(`(?i)\b(?:build|building|compil\w+|from source)\b`),
	},
	{
		Told: "To install it: ", Words: "installation, installing, getting started",
		asked: pattern.NewLazy(howIs + `(?:install|installing|set ?up)\s+` + asAWhole + `|set\s+` + asAWhole +
			`(?:\s+up)|` + asAWhole + `\s+installed|(?:get|getting) started` + ofIt),
		commands: []string{"install", "get"}, Read: true,
		heads: pattern.NewLazy(`(?i)\b(?:install\w*|getting started|set ?up|quick ?start|download)\b`),
	},
	{
		Told: "To start it: ", Words: "running, starting, getting started",
		asked: pattern.NewLazy(howIs + `(?:start|starting|run|running|launch|serve)\s+(?:` + asAWhole +
			`|the (?:dev|development|local) server)` + ofIt),
		commands: strings.Fields("run start dev serve"),
		heads:    pattern.NewLazy(`(?i)^(?:running|run|start|starting|getting started|quick ?start|development)\b`),
	},
	{
		Told: "To check its style: ", Words: "linting, code style, formatting the code",
		asked: pattern.NewLazy(howIs + `(?:lint|linting|format|formatting|check|checking)\s+(?:(?:the |its |your )?` +
			`(?:code )?(?:style|formatting)|` + asAWhole + `)|(?:run|running)\s+(?:the |its |your )?` +
			`(?:linters?|lints|formatters?|static analysis|style checks?)|` + asAWhole + `\s+(?:linted|formatted)` + ofIt),
		commands: strings.Fields("lint fmt format clippy rubocop golangci ruff credo swiftlint phpcs phpstan commit"),
		heads:    pattern.NewLazy(`(?i)\b(?:lint\w*|code style|style guide|coding (?:style|standards?)|format(?:ting)?)\b`),
	},
}

// MayAskTask reports whether a task may be asked for, which Task tells of a repository.
func (q Question) MayAskTask() bool { return q.About.After == "" && ofTasks().MatchString(q.Query) }

// Task is the task that is asked for of a repository as a whole, or nil.
func (q Question) Task(repo models.RepoID) *Task { return taskOf(q.Query, string(repo)) }

// taskOf is the task that a question asks for of a repository as a whole, or nil.
func taskOf(question, repo string) *Task {
	if intent.AboutProject(question, repo) {
		return nil
	}
	question = named(strings.TrimRight(question, "?!. "), intent.ProjectName(repo))
	for i := range tasks {
		if tasks[i].asked().MatchString(question) {
			return &tasks[i]
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

// Does reports whether a command is one for the task.
func (t *Task) Does(command string) bool {
	if before, name, ok := strings.Cut(command, " run "); ok { // a script, of whatever runs it
		command = before + " " + name
	}
	words := strings.FieldsFunc(command, func(r rune) bool { return r < 'a' || r > 'z' })
	if slices.Contains(words, "check") && words[0] != "make" {
		return slices.Contains(t.commands, "lint") // only with make it means tests, too
	}
	return slices.ContainsFunc(t.commands, func(w string) bool { return slices.Contains(words, w) })
}

// Tells reports whether the section of a heading tells how.
func (t *Task) Tells(heading string) bool { return t.heads().MatchString(heading) }

var ofTasks = pattern.NewLazy(`(?i)\b(?:run|execut|start|launch|test|build|built|compil|mak|install|set|serve|get|lint|format|check)`)
