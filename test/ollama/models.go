package ollama

// A named model, as Ollama makes it: the file that says so, and its weights.
type named struct {
	name, template string
	model          *model
}

// calling counts the results of tools, and has a place for tools, so that Ollama
// takes the model for one that can call them.
const calling = `{{- if .Tools }}tools{{ end }}{{- $turn := "0" }}{{ range .Messages }}{{ if eq .Role "tool" }}{{ if ` +
	`eq $turn "0" }}{{ $turn = "1" }}{{ else }}{{ $turn = "2" }}{{ end }}{{ end }}` +
	`{{ if .ToolCalls }}{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "parameters": {{ .Function.Arguments ` +
	`}}}{{ end }}{{ end }}{{ end }}<|turn{{ $turn }}|>`

// models are the models of the tests: one that searches, reads, answers and lies
// once; the same without tools in its template; one that never stops.
func models() []named {
	m := newModel()
	m.chain("<|turn0|>", `{"name": "search_code", `, `"parameters": {"query": "retry", `, `"level": "symbol"}}`)
	m.chain("<|turn1|>", `{"name": "get_file", `, `"parameters": {"repo_id": "app", "file_path": "client.go"}}`)
	m.chain("<|turn2|>", "Sending is tried ", "three times ", "[app/client.go:4]. ", "It never gives up ",
		"[app/client.go:400-410].")
	endless := newModel()
	endless.chain("<|turn|>", "and on ", "it goes ")
	first, last := len(endless.tokens)-2, len(endless.tokens)-1
	endless.next[last] = first
	return []named{{"scripted", calling, m}, {"plain", "<|turn0|>", m}, {"endless", "<|turn|>", endless}}
}
