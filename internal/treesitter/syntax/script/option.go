package script

import (
	"strings"

	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// optioned are functions and constructors of the library that take objects whose
// keys the library declares.
var optioned = map[string]bool{
	"fetch": true, "Request": true, "Response": true, "Array.from": true, "Object.defineProperty": true,
	"Reflect.defineProperty": true, "Event": true, "CustomEvent": true, "MessageEvent": true, "Error": true,
	"TypeError": true, "Blob": true, "File": true, "Proxy": true, "ReadableStream": true, "WritableStream": true,
	"TransformStream": true, "IntersectionObserver": true, "Worker": true, "Intl.DateTimeFormat": true,
	"Intl.NumberFormat": true, "TextDecoder": true,
}

// isOption reports whether an object is given to one of these.
func isOption(p *walker, object binder.At) bool {
	call := p.Parent(p.Parent(object))
	if p.Kind(p.Parent(object)) != "arguments" {
		return false
	}
	name := p.TextAt(max(p.Child(call, "function"), p.Child(call, "constructor")))
	root, _, _ := strings.Cut(name, ".")
	v, _ := p.ScopeOf(object).Find(root, true)
	return optioned[name] && v == nil
}
