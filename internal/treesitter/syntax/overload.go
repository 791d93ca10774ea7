package syntax

import "strings"

// longestSignature bounds what is kept of parameters and arguments, in bytes.
const longestSignature = 200

// called notes what the reference at a name, the last one, is called with;
// given says it of one argument. Comments are no arguments.
func (b *builder) called(name, args at, given func(at) string) {
	if name < 0 || args < 0 || len(b.refs) == 0 {
		return
	}
	ref := &b.refs[len(b.refs)-1]
	if line, column := b.position(int(b.Nodes[name].Start)); ref.Line != line || ref.Column != column {
		return
	}
	var list []string
	for c := range b.named(args) {
		switch b.kind(c) {
		case "parameter_pack_expansion", "ERROR": // any number
			return
		}
		list = append(list, given(c))
	}
	ref.Args = len(list) + 1
	if text := strings.Join(list, ","); strings.Trim(text, ",") != "" && len(text) <= longestSignature {
		ref.Arguments = text
	}
}

// signature is what a function accepts, "" if that is too long to keep.
func signature(parameters []string) string {
	for i, name := range parameters {
		if strings.TrimLeft(name, "=.") == "" {
			parameters[i] += "?"
		}
	}
	if text := "(" + strings.Join(parameters, ",") + ")"; len(text) <= longestSignature {
		return text
	}
	return ""
}

// hasErrors reports whether what stands at a node is broken.
func (b *builder) hasErrors(n at) bool { return b.has(n, "ERROR") || b.has(n, "MISSING") }
