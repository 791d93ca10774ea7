// Package treesitter finds the symbols and references of source files by
// tree-sitter grammars. Each language is a query in queries/ and a row of the
// table in languages.go; what a query's captures mean is said in capture.go.
//
// The grammars are C. They need cgo to build, and no input is safe to give
// to them: they may take for ever, take all memory or crash. Call them in a process
// that can be killed (package parse/worker) and ask Guard before. Without
// cgo the package builds, and knows no language.
package treesitter

import "errors"

// Revision goes up when the outlines of any language change: files that were
// parsed with a lower one are then parsed again.
const Revision = 32

// ErrUnknown is returned for languages that no grammar is built in for.
var ErrUnknown = errors.New("no grammar for the language in this build")

// ErrBroken is returned for text that is not of the language: most of it is
// syntax errors.
var ErrBroken = errors.New("most of it is syntax errors")
