package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// rescue finds calls of tools that a model wrote as text, as those do that were
// not, or badly, trained for tools: a JSON object or list, fenced or behind the
// marks of Hermes, Qwen, Mistral or Llama. Without such a mark a text that says
// anything else calls nothing: it may quote JSON.
func rescue(text string, tools []Tool) []Call {
	if len(tools) == 0 {
		return nil
	}
	if at := plain().FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	var calls []Call
	text = parametered().ReplaceAllStringFunc(text, func(m string) string { return withArguments(m, tools) })
	rest := marks().ReplaceAllStringFunc(namedBefore(text), func(m string) string {
		if name := functionMark().FindStringSubmatch(m); name != nil {
			return `{"name":"` + name[1] + `","arguments":`
		}
		if m == "</function>" {
			return "}"
		}
		return " "
	})
	dec := json.NewDecoder(strings.NewReader(strings.Trim(rest, " \t\r\n;")))
	for dec.More() {
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			return nil
		}
		some := callsIn(v, tools)
		if some == nil {
			return nil
		}
		if calls = append(calls, some...); len(calls) > maxCalls {
			return calls[:maxCalls]
		}
	}
	return calls
}

var (
	marks = pattern.NewLazy(
		"(?m)</?tool_calls?>|<\\|/?tool_calls?\\|?>|<\\|python_tag\\|>|\\[TOOL_CALLS\\]|<\\|eom_id\\|>|<function=[\\w.-]+>|" +
			"</function>|" +
			"^[ \t]*```[a-z_]*[ \t]*$")
	plain        = pattern.NewLazy(`<tool_calls?>|<\|python_tag\|>|\[TOOL_CALLS\]|<function=[\w.-]+>`)
	functionMark = pattern.NewLazy(`<function=([\w.-]+)>`)
)

// namedBefore writes the calls of a text as objects that Mistral's models write as a
// name before its arguments.
func namedBefore(text string) string {
	const mark = "[TOOL_CALLS]"
	parts := strings.Split(text, mark)
	for i, part := range parts[1:] {
		if m := nameFirst().FindStringSubmatch(part); m != nil {
			parts[i+1] = `{"name":"` + m[1] + `","arguments":` + m[2] + "}"
		}
	}
	return strings.Join(parts, mark)
}

var nameFirst = pattern.NewLazy(`(?s)^\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(\{.*\})\s*$`)

// How Qwen's models for code write calls.
var (
	parametered = pattern.NewLazy(
		`(?s)<function=([\w.-]+)>\s*((?:<parameter=[\w.-]+>.*?</parameter>\s*)+)</function>`)
	parameterMark = pattern.NewLazy(`(?s)<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>`)
)

// withArguments writes the parameters of such a call as an object. Values are JSON
// where the tool wants something else than a text.
func withArguments(call string, tools []Tool) string {
	m := parametered().FindStringSubmatch(call)
	args := map[string]any{}
	for _, p := range parameterMark().FindAllStringSubmatch(m[2], -1) {
		args[p[1]] = p[2]
		if value := json.RawMessage(p[2]); !isText(tools, m[1], p[1]) && json.Valid(value) {
			args[p[1]] = value
		}
	}
	text, _ := json.Marshal(args) // such a map always can
	return "<function=" + m[1] + ">" + string(text) + "</function>"
}

// isText reports whether a tool wants a text for a parameter.
func isText(tools []Tool, tool, parameter string) bool {
	i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == tool })
	if i < 0 {
		return false
	}
	properties, _ := tools[i].Parameters["properties"].(map[string]any)
	property, _ := properties[parameter].(map[string]any)
	return property["type"] == "string"
}

// callsIn are the calls that a JSON value stands for; nil if it is anything else.
func callsIn(v json.RawMessage, tools []Tool) []Call {
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		var calls []Call
		for _, item := range list {
			some := callsIn(item, tools)
			if some == nil {
				return nil
			}
			calls = append(calls, some...)
		}
		return calls
	}
	var object struct {
		Name       string          `json:"name"`
		Tool       string          `json:"tool"`
		Arguments  json.RawMessage `json:"arguments"`
		Parameters json.RawMessage `json:"parameters"`
		Function   json.RawMessage `json:"function"`
		Calls      json.RawMessage `json:"tool_calls"`
	}
	if json.Unmarshal(v, &object) != nil {
		return nil
	}
	name := object.Name + object.Tool
	switch {
	case object.Calls != nil:
		return callsIn(object.Calls, tools)
	case name == "" && object.Function != nil:
		return callsIn(object.Function, tools)
	case !slices.ContainsFunc(tools, func(t Tool) bool { return t.Name == name }):
		return nil
	}
	args := argumentsOf(object.Arguments)
	if args == "" {
		args = argumentsOf(object.Parameters)
	}
	return []Call{{Name: name, Arguments: args}}
}
