package reader

import (
	"context"
	"errors"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/prose"
)

// A Parser parses by an Outliner what that can read, and everything else as
// Parse does. Its zero value is Parse.
type Parser struct{ Outliner parse.Outliner }

// Parse finds what is in a file. When the Outliner fails the outline is that
// of Parse, and its Detail says why. When ctx has ended it is empty.
func (p Parser) Parse(ctx context.Context, f parse.File, want parse.Want) parse.Outline {
	f.Text = parse.WithoutConflicts(f.Text)
	if !p.reads(f.Path, f.Language) || strings.TrimSpace(f.Text) == "" {
		return Parse(f)
	}
	out, err := p.Outliner.Outline(ctx, f, want)
	if ctx.Err() != nil {
		return parse.Outline{}
	}
	if err != nil {
		out = Parse(f)
		out.Detail, out.Away = "no "+parse.MethodTree+": "+err.Error(), errors.Is(err, parse.ErrAway)
		return out
	}
	if len(out.Symbols) == 0 {
		refs := out.References
		out = Parse(f)
		out.References = refs
		for i := range out.References {
			out.References[i].Symbol = -1
		}
		return out
	}
	return filled(f, out)
}

// Revision is that of the Outliner for the files that it reads, 0 for others.
func (p Parser) Revision(path, language string) int {
	if !p.reads(path, language) {
		return 0
	}
	return p.Outliner.Revision()
}

// reads reports whether a file is one for the Outliner.
func (p Parser) reads(path, language string) bool {
	return p.Outliner != nil && language != "Go" && p.Outliner.Speaks(language) && !prose.IsDocument(path, language)
}
