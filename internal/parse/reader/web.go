package reader

import (
	"slices"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/data"
	"github.com/ragnav/ragnav/internal/parse/markup"
)

// A reader finds the outline of a language that the table of patterns does not
// fit; no symbols mean that there is nothing to find.
type reader func(f parse.File) parse.Outline

// readers are by go-enry's name in lower case.
var readers = map[string]reader{
	"html": markup.ReadHTML, "html+erb": markup.ReadHTML, "html+django": markup.ReadHTML, "html+eex": markup.ReadHTML,
	"html+razor": markup.ReadHTML, "html+ecr": markup.ReadHTML,
	"html+php": markup.ReadHTML, "jinja": markup.ReadHTML, "nunjucks": markup.ReadHTML, "twig": markup.ReadHTML,
	"liquid": markup.ReadHTML, "handlebars": markup.ReadHTML,
	"mustache": markup.ReadHTML, "ejs": markup.ReadHTML, "smarty": markup.ReadHTML,
	"css": markup.ReadCSS, "postcss": markup.ReadSCSS, "scss": markup.ReadSCSS, "less": markup.ReadSCSS,
	"yaml": data.ReadYAML,
	"sql":  data.ReadSQL, "plpgsql": data.ReadSQL, "plsql": data.ReadSQL, "tsql": data.ReadSQL, "sqlpl": data.ReadSQL,
	"mysql": data.ReadSQL, "sqlite": data.ReadSQL,
}

// read is the outline that a reader finds, or chunks.
func (r reader) read(f parse.File) parse.Outline {
	out := r(f)
	out.Method, out.Lines = parse.MethodOutline, parse.Lines(f.Text)
	if len(out.Symbols) == 0 {
		out.Symbols, out.Method = parse.Chunks(f.Text), parse.MethodChunks
		return out
	}
	slices.SortStableFunc(out.Symbols, parse.ByStart)
	out.Exports = parse.Exports(out.Symbols)
	return out
}
