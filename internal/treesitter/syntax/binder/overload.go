package binder

import "strings"

// longestSignature bounds what is kept of parameters and arguments, in bytes.
const longestSignature = 200

// Signature is what a function accepts, "" if that is too long to keep.
func Signature(parameters []string) string {
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
