package llm

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// rescue finds calls of tools that a model wrote as text, as those do that were
// not, or badly, trained for tools: a JSON object or list, fenced or behind the
// marks of Hermes, Qwen, Mistral or Llama. Without such a mark a text that says
// anything else calls nothing: it may quote JSON.
func rescue(text string, tools []Tool) []Call {
	if len(tools) == 0 {
		return nil
	}
	if at := plain.FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	var calls []Call
	rest := marks.ReplaceAllStringFunc(text, func(m string) string {
		if name := functionMark.FindStringSubmatch(m); name != nil {
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
	marks = regexp.MustCompile(
		"(?m)</?tool_calls?>|<\\|/?tool_calls?\\|?>|<\\|python_tag\\|>|\\[TOOL_CALLS\\]|<\\|eom_id\\|>|<function=[\\w.-]+>|" +
			"</function>|" +
			"^[ \t]*```[a-z_]*[ \t]*$")
	plain        = regexp.MustCompile(`<tool_calls?>|<\|python_tag\|>|\[TOOL_CALLS\]|<function=[\w.-]+>`)
	functionMark = regexp.MustCompile(`<function=([\w.-]+)>`)
)

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
