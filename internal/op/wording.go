package op

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Way is a way in. Messages say what to do next by a command in backquotes, as
// `ragnav coverage`, by a tool, or by a field of the request: each way in tells it in
// its own words, also where another one told it before, as a server its client.
type Way struct {
	call  func(reference) string
	field func(name string) string // nil leaves fields as they are called
}

// The ways in.
var (
	REST = Way{call: reference.route}
	MCP  = Way{call: reference.tool}
)

// Commands is the way by the command line, on which fields are flags where field says so.
func Commands(field func(name string) string) Way { return Way{call: reference.command, field: field} }

// Say is a message in the words of the way in.
func (w Way) Say(message string) string {
	return spans().ReplaceAllStringFunc(message, func(span string) string {
		switch span[0] {
		case '"': // what somebody else wrote
			return span
		case '`':
			if ref, ok := referenceOf(strings.Trim(span, "`")); ok {
				return w.call(ref)
			}
			return span
		}
		if ref, ok := toolCalled(span); ok {
			return w.call(ref)
		}
		if w.field != nil {
			return w.field(span)
		}
		return span
	})
}

// SayHead has the head of a reply say its messages so.
func (w Way) SayHead(head *models.Meta) {
	if head.Message != nil {
		head.Message = new(w.Say(*head.Message))
	}
	if s := head.IndexStatus; s != nil && s.LastError != nil {
		said := *s
		said.LastError = new(w.Say(*s.LastError))
		head.IndexStatus = &said
	}
	head.Warnings = slices.Clone(head.Warnings) // a reply may be kept by who gave it
	for i := range head.Warnings {
		head.Warnings[i].Message = w.Say(head.Warnings[i].Message)
	}
}

// Row is an operation whose replies say their messages so.
func (w Way) Row(row Row) Row { return saying{row, w} }

type saying struct {
	Row

	way Way
}

// Do implements Row.
func (s saying) Do(ctx context.Context, c Caller, req any) (models.Envelope, error) {
	env, err := s.Row.Do(ctx, c, req)
	if err == nil {
		s.way.SayHead(env.Head())
	}
	return env, err
}

// spans are the parts of a message that are looked at: what is quoted, and names with
// underscores, or fields that are to be true.
var spans = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`[^`]*`" + `|"(?:[^"\\]|\\.)*"|\b[a-z]+(?:_[a-z]+)*: true\b|\b[a-z]+(?:_[a-z]+)+\b`)
})

// A reference is an operation that a message names, with what is given to it.
type reference struct {
	Spec

	given []argument
	shell string // the command as it was written, where it can be written in no other way
}

// An argument is a field, and its value: "true" of one that is only said.
type argument struct{ field, value string }

// extra are what the programs can be asked for that is no operation.
var extra = []Spec{
	{Name: "doctor", Method: get, Path: "/readyz"},
	{Name: "version", Method: get, Path: "/version"},
}

// standIns are tools that tell what an operation without a tool does.
var standIns = map[string]string{
	Jobs.Name: Repos.Tool, NavStatus.Name: Repos.Tool, Definition.Name: WhereUsed.Tool,
	Implementations.Name: Lineage.Tool, Context.Name: Search.Tool, Map.Name: Structure.Tool,
}

// specs are all that can be named, longer names first.
var specs = sync.OnceValue(func() []Spec {
	all := slices.Clone(extra)
	for _, row := range All() {
		if s := row.About(); s.Variant == "" {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Spec) int { return len(b.Name) - len(a.Name) })
	return all
})

func toolCalled(name string) (reference, bool) {
	for _, s := range specs() {
		if s.Tool == name && name != "" {
			return reference{Spec: s}, true
		}
	}
	return reference{}, false
}

// referenceOf reads what is in backquotes: a command, a route or a tool.
func referenceOf(text string) (reference, bool) {
	command, ours := strings.CutPrefix(text, "ragnav ")
	if !ours && !strings.HasPrefix(text, "nav ") {
		if ref, ok := toolCalled(text); ok {
			return ref, true
		}
		return routeCalled(text)
	}
	for _, s := range specs() {
		rest, ok := strings.CutPrefix(command, s.Name)
		if !ok || rest != "" && rest[0] != ' ' {
			continue
		}
		given, ok := arguments(s, rest)
		ref := reference{Spec: s, given: given}
		if !ok {
			ref.shell = "ragnav " + command
		}
		return ref, true
	}
	return reference{shell: "ragnav " + command}, true
}

// arguments reads those of a command, if they are fields of the operation.
func arguments(s Spec, text string) (given []argument, ok bool) {
	text = strings.TrimSpace(text)
	if s.Name == StartIndex.Name && text != "" && text[0] != '-' { // one target, which may have blanks
		return []argument{{"targets", unquoted(text)}}, true
	}
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-r" && i+1 < len(words):
			i++
			given = append(given, argument{"repo_id", words[i]})
		case word == "--full" || word == "--reembed":
			given = append(given, argument{word[len("--"):], "true"})
		case strings.HasPrefix(word, "-"):
			return nil, false
		case strings.Contains(s.Path, "{id}"):
			given = append(given, argument{"id", word})
		default:
			given = append(given, argument{"repo_id", word})
		}
	}
	return given, true
}

// routeCalled reads "METHOD /path" with the body behind it.
func routeCalled(text string) (reference, bool) {
	route, body, _ := strings.Cut(text, " {")
	method, path, _ := strings.Cut(route, " ")
	for _, s := range specs() {
		if s.Method != method {
			continue
		}
		ref := reference{Spec: s}
		before, field, holds := strings.Cut(s.Path, "{")
		if rest, ok := strings.CutPrefix(path, before); holds && ok && rest != "" {
			ref.given = append(ref.given, argument{strings.TrimSuffix(field, "}"), rest})
			return ref, true
		}
		if s.Path != path {
			continue
		}
		if body != "" {
			ref.given = fields("{" + body)
		}
		return ref, true
	}
	return reference{}, false
}

// fields reads a request.
func fields(body string) (given []argument) {
	var request struct {
		RepoID  string   `json:"repo_id"`
		Targets []string `json:"targets"`
		Full    bool     `json:"full"`
		Reembed bool     `json:"reembed"`
	}
	if json.Unmarshal([]byte(body), &request) != nil {
		return nil
	}
	for _, target := range request.Targets {
		given = append(given, argument{"targets", target})
	}
	if request.RepoID != "" {
		given = append(given, argument{"repo_id", request.RepoID})
	}
	if request.Full {
		given = append(given, argument{"full", "true"})
	}
	if request.Reembed {
		given = append(given, argument{"reembed", "true"})
	}
	return given
}

// command is the reference as it is typed.
func (r reference) command() string {
	if r.shell != "" {
		return "`" + r.shell + "`"
	}
	words := []string{"ragnav", r.Name}
	for _, a := range r.given {
		switch {
		case a.value == "true":
			words = append(words, "--"+a.field)
		case a.field == "repo_id" && strings.HasPrefix(r.Name, "nav "):
			words = append(words, "-r", a.value)
		default:
			words = append(words, quoted(a.value))
		}
	}
	return "`" + strings.Join(words, " ") + "`"
}

// quoted is a word for a shell, unquoted what it stands for.
func quoted(word string) string {
	if !strings.ContainsAny(word, " \t\n\"'\\$&;|<>()*?") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func unquoted(word string) string {
	if len(word) < 2 || word[0] != '\'' || word[len(word)-1] != '\'' {
		return word
	}
	return strings.ReplaceAll(word[1:len(word)-1], `'\''`, "'")
}

// tool is the reference as agents can follow it.
func (r reference) tool() string {
	switch {
	case r.shell == "" && strings.Contains(r.Tool, "_"):
		return r.Tool
	case r.shell == "" && r.Tool != "": // a word
		return "`" + r.Tool + "`"
	case r.shell == "" && standIns[r.Name] != "":
		return standIns[r.Name]
	}
	return r.command() + " in a shell"
}

// route is the reference as a program sends it. What only a command does is one.
func (r reference) route() string {
	if r.shell != "" {
		return "`" + r.shell + "`"
	}
	path, body := r.Path, []string{}
	for _, a := range r.given {
		value := a.value
		if value != "true" {
			text, _ := json.Marshal(value) // a string always can be
			value = string(text)
		}
		switch {
		case strings.Contains(path, "{"+a.field+"}"):
			path = strings.Replace(path, "{"+a.field+"}", a.value, 1)
		case a.field == "targets":
			body = append(body, `"targets": [`+value+"]")
		default:
			body = append(body, `"`+a.field+`": `+value)
		}
	}
	if path = r.Method + " " + path; len(body) > 0 {
		path += " {" + strings.Join(body, ", ") + "}"
	}
	return "`" + path + "`"
}
