package parse

import (
	"context"
	"errors"
)

// ErrAway is in the errors of an Outliner that say nothing about the file: it
// could not be asked, and may find an outline another time.
var ErrAway = errors.New("the parser could not be asked")

// A Want says what an Outliner looks for.
type Want int

// Symbols are always found; references cost about as much again.
const (
	WantSymbols Want = iota
	WantReferences
	WantFacts // only symbols; what the file says about names is found, too, for who asks for that next
)

// An Outliner finds outlines by means that this package does not have:
// grammars that run in another process.
type Outliner interface {
	// Speaks reports whether it knows a language.
	Speaks(language string) bool
	// Revision is higher when outlines of the same text become better; at least 1.
	Revision() int
	// Outline reads a file. The message of its error says why there is no
	// outline, and is shown to users.
	Outline(ctx context.Context, f File, want Want) (Outline, error)
}
