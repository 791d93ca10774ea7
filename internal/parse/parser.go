package parse

import (
	"context"
	"errors"
	"strings"
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

// A Parser parses by an Outliner what that can read, and everything else as
// Parse does. Its zero value is Parse.
type Parser struct{ Outliner Outliner }

// Parse finds what is in a file. When the Outliner fails the outline is that
// of Parse, and its Detail says why. When ctx has ended it is empty.
func (p Parser) Parse(ctx context.Context, f File, want Want) Outline {
	if !p.Reads(f.Path, f.Language) || strings.TrimSpace(f.Text) == "" {
		return Parse(f)
	}
	out, err := p.Outliner.Outline(ctx, f, want)
	if ctx.Err() != nil {
		return Outline{}
	}
	if err != nil {
		out = Parse(f)
		out.Detail, out.Away = "no "+MethodTree+": "+err.Error(), errors.Is(err, ErrAway)
		return out
	}
	if len(out.Symbols) == 0 {
		refs := out.References
		out = Parse(f)
		out.References = refs
		for i := range out.References {
			out.References[i].Symbol = -1
		}
	}
	return out
}

// Revision is that of the Outliner for the files that it reads, 0 for others.
func (p Parser) Revision(path, language string) int {
	if !p.Reads(path, language) {
		return 0
	}
	return p.Outliner.Revision()
}

// Reads reports whether a file is one for the Outliner.
func (p Parser) Reads(path, language string) bool {
	return p.Outliner != nil && language != "Go" && p.Outliner.Speaks(language) && !IsDocument(path, language)
}
