package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/redact"
)

// tokens is how many tokens a text has at most: three bytes each.
func tokens(text string) int { return (len(text) + 2) / 3 }

// pack makes items of what was kept, as far as the budget goes.
func (r *retrieval) pack(ctx context.Context, resp *Response) error {
	left := r.tokens
	for i, k := range r.kept {
		item, cost, err := r.item(ctx, k, resp)
		if err != nil {
			return err
		}
		if cost > left && i == 0 && item.Content != nil {
			room := max(0, len(*item.Content)-3*(cost-left))
			*item.Content, item.Metadata.Truncated = wholeLines((*item.Content)[:room]), true
			cost = left
		}
		if cost > left {
			for _, rest := range r.kept[i:] {
				r.drop(rest.hit, fmt.Sprintf("over the budget of %d tokens", r.tokens))
			}
			break
		}
		left -= cost
		resp.Items = append(resp.Items, item)
	}
	return nil
}

// wholeLines is a text up to the end of its last whole line, or character.
func wholeLines(text string) string {
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		return text[:i]
	}
	return strings.ToValidUTF8(text, "")
}

// item packages one hit in the form of the plan, and says what it costs.
func (r *retrieval) item(ctx context.Context, k *kept, resp *Response) (Item, int, error) {
	item := Item{ID: k.ID, Title: cmp.Or(k.Title, k.FilePath)}
	heading := cmp.Or(k.Heading, k.QualifiedName, k.SymbolName)
	tags := append([]string{}, k.Tags...)
	fixed := tokens(string(k.ID)+item.Title+heading+strings.Join(tags, "  ")) + 20 // and the names of the fields
	if r.plan.ResponseFormat != plan.SelectiveContext {
		item.Heading, item.Tags = &heading, &tags
		return item, fixed, nil
	}
	content, err := r.content(ctx, k, resp)
	if err != nil {
		return item, 0, err
	}
	back, err := backlinks(ctx, r.index, k.Document)
	if err != nil {
		return item, 0, err
	}
	item.Content = &content
	item.Metadata = &Metadata{
		RepoID: k.RepoID, FilePath: k.FilePath, StartLine: k.start, EndLine: k.end, Heading: k.Heading, Level: k.HeadingLevel,
		HeaderPath: k.HeaderPath,
		Aliases:    k.Aliases, Tags: tags, Wikilinks: k.Wikilinks, Backlinks: back, CreatedDate: k.CreatedDate,
		ModifiedDate: k.ModifiedDate,
		Language:     k.Language, Kind: k.Kind, Symbol: cmp.Or(k.QualifiedName, k.SymbolName),
	}
	about := tokens(k.FilePath+strings.Join(slices.Concat(k.HeaderPath, k.Aliases, k.Wikilinks, back), "    ")) + 60
	return item, fixed + about + tokens(content), nil
}

// content is the text of the lines, with credentials masked, or where they can't be
// read what the index has of them.
func (r *retrieval) content(ctx context.Context, k *kept, resp *Response) (string, error) {
	text, warnings, err := r.lines.Lines(ctx, k.RepoID, k.FilePath, k.start, k.end)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		k.start, k.end = k.StartLine, k.EndLine
		warnings = []models.Warning{{
			Code:    "PARTIAL_RESULTS",
			Message: fmt.Sprintf("%s %s could not be read, its summary stands in", k.RepoID, k.FilePath),
		}}
		text = k.Content
	}
	for _, w := range warnings {
		if !slices.Contains(resp.Meta.Warnings, w) {
			resp.Meta.Warnings = append(resp.Meta.Warnings, w)
		}
	}
	text, _ = redact.Text(strings.TrimRight(text, "\r\n"))
	return text, nil
}

// say tells what was cut, that nothing was found, or that all of it is weak.
func (r *retrieval) say(resp *Response) {
	meta := &resp.Meta
	total := len(resp.Items)
	over := 0
	for _, d := range r.dropped {
		if strings.HasPrefix(d.Why, "over the") {
			over++
		}
	}
	total += over
	meta.Total = &total
	switch {
	case len(r.hits) == 0 && len(r.plan.Filters) > 0 && r.plan.SemanticQuery == "":
		meta.Message = new("nothing fits the filters; leave one out, or index the notes they are about")
	case len(r.hits) == 0:
		meta.Message = new("nothing was found; try other words, or fewer filters")
	case over > 0:
		meta.Truncated = true
		meta.Message = new(fmt.Sprintf("%d more fit; raise limit (%d) or max_tokens (%d), or narrow the query", over, r.limit,
			r.tokens))
	case len(resp.Items) > 0 && resp.Items[0].Metadata != nil && resp.Items[0].Metadata.Truncated:
		meta.Truncated = true
		meta.Message = new(fmt.Sprintf("the text was cut to %d tokens; raise max_tokens, or read the lines of the file",
			r.tokens))
	case !slices.ContainsFunc(r.hits, func(h hit) bool { return !h.weak }):
		meta.Message = new("nothing is like the query; what follows is the least unlike")
	}
}
