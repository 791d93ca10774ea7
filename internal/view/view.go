// Package view writes replies as text, for the models and people that read
// them: one view for each kind of reply. MCP tools and the command line's
// --text give the same bytes.
//
// The first line has the status, the source, the freshness and the counts; the last
// one, when the reply was cut, the exact next call. Lines are numbered as in the file.
package view

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// DefaultTokens bounds a reply unless it is said how long it may be. Clients
// refuse replies, or cut them in the middle, from about 10,000 tokens.
const DefaultTokens = 8000

// What the head of a reply takes of its tokens, and how few an answer may have.
const (
	headTokens  = 70
	leastTokens = 200
)

// Tokens is how many tokens a text has at most.
func Tokens(text string) int { return models.Tokens(len(text)) }

// A page is a reply as text, in parts that may be left out from the end.
type page struct {
	counts string // of the first line
	// countsOf is counts where only the first parts are shown; nil where it is the same
	countsOf func(shown int) string
	intro    string   // before the parts
	parts    []string // one for each item, or line
	outro    string   // behind the parts; never cut
	rest     func(shown int) any
}

// Do has c do an operation and gives its reply as text of at most so many
// tokens. What does not fit is left out from the end: of a list by asking for
// fewer items, so that the cursor goes on from there, of files by lines.
func Do(ctx context.Context, c op.Caller, row op.Row, req any, tokens int) (models.Envelope, string, error) {
	asked := duplicate(req)
	if tokens != DefaultTokens {
		setTokens(asked, tokens)
	}
	switch r := req.(type) {
	case *ask.Request:
		brief(r, tokens)
	case *nav.ImpactRequest:
		r.MaxTests = cmp.Or(r.MaxTests, new(testsWithin(tokens)))
	}
	for {
		env, err := row.Do(ctx, c, req)
		if err != nil {
			return nil, "", err
		}
		text, shown, all := render(row, asked, env, tokens)
		limit := limitOf(req)
		if shown >= all || shown == 0 || !limit.IsValid() {
			return env, text, nil
		}
		limit.Set(reflect.ValueOf(&shown))
	}
}

// testsWithin is how many tests of an edit a text names where it isn't said: 50, or what a third
// of a short one has room for, as lines that run tests are not cut.
func testsWithin(tokens int) int {
	const most, each = 50, 30 // tokens
	return min(most, max(1, tokens/3/each))
}

// duplicate is a copy of a request.
func duplicate(req any) any {
	c := reflect.New(reflect.TypeOf(req).Elem())
	c.Elem().Set(reflect.ValueOf(req).Elem())
	return c.Interface()
}

// setTokens has a request say how long its reply may be, if it can.
func setTokens(req any, tokens int) {
	if most := op.Field(req, "max_tokens"); most.Kind() == reflect.Pointer {
		most.Set(reflect.ValueOf(&tokens))
	}
}

// brief has an answer be no longer than its text may be.
func brief(req *ask.Request, tokens int) {
	var b ask.Budget
	if req.Budget != nil {
		b = *req.Budget
	}
	if b.MaxReplyTokens == nil && tokens < ask.DefaultTokens {
		b.MaxReplyTokens = new(max(tokens-headTokens, leastTokens))
		req.Budget = &b
	}
}

// Text is a reply as text, whole.
func Text(row op.Row, req any, env models.Envelope) string {
	text, _, _ := render(row, req, env, 1<<30)
	return text
}

// render writes as many parts of a reply as fit, and tells how many of all.
func render(row op.Row, req any, env models.Envelope, tokens int) (text string, shown, all int) {
	p, head := pageOf(env), env.Head()
	all = len(p.parts)
	room := tokens*models.BytesPerToken - len(p.intro) - len(p.outro) - longest(row, req, head, p) -
		len(notes(head)) - 200
	for shown < all && room >= len(p.parts[shown]) {
		room -= len(p.parts[shown])
		shown++
	}
	parts := p.parts[:shown]
	if shown == 0 && all > 0 { // not even the first one fits
		parts = []string{closed(clip(p.parts[0], max(room, 200)) + "… (cut)\n")}
		shown = 1
	}
	if p.countsOf != nil && shown < all {
		p.counts = p.countsOf(shown)
	}
	more := next(row, req, head, p, shown)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", head.Status, head.Source, head.FreshnessState)
	if p.counts != "" {
		b.WriteString(" · " + p.counts)
	}
	b.WriteString("\n" + notes(head) + p.intro + strings.Join(parts, "") + p.outro)
	text = b.String()
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if more != "" {
		text += "next: " + more + "\n"
	}
	return text, shown, all
}

// notes are the message, the warnings and the stale files of a reply.
func notes(head *models.Meta) string {
	var b strings.Builder
	said, changed := value(head.Message), "not as indexed: "
	if i := strings.Index(said, models.AsNow); i >= 0 && head.StaleFileCount > 0 { // the files say it
		said, changed = strings.TrimPrefix(said[i+len(models.AsNow):], "; "), "changed since indexed, read as now: "
	}
	if said != "" {
		b.WriteString("note: " + said + "\n")
	}
	for _, w := range head.Warnings {
		b.WriteString("warning: " + w.Message + "\n")
	}
	if head.StaleFileCount > 0 {
		b.WriteString(changed + strings.Join(head.StaleFiles, ", "))
		if more := head.StaleFileCount - len(head.StaleFiles); more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// next is the call that goes on behind what is shown, or "".
func next(row op.Row, req any, head *models.Meta, p page, shown int) string {
	var args any
	switch {
	case p.rest != nil && (shown < len(p.parts) || head.Truncated):
		args = p.rest(shown)
	case head.NextCursor != "":
		args = with(req, "cursor", head.NextCursor)
	}
	if most := op.Field(req, "max_tokens"); args != nil && most.Kind() == reflect.Pointer && !most.IsNil() {
		setTokens(args, int(most.Elem().Int()))
	}
	if args == nil {
		return ""
	}
	text := oneLine(args)
	if text == "" {
		return ""
	}
	return row.About().Called() + " " + text
}

// oneLine is a value as JSON, with the signs of code as they are: it is no HTML. "" is
// of what has no JSON.
func oneLine(v any) string {
	var b strings.Builder
	if err := models.Encode(&b, v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// aCursor is as long as one may be, more or less.
const aCursor = "ABCDEFGHIJKL"

// longest is how long the call that goes on may be, wherever the reply is cut.
func longest(row op.Row, req any, head *models.Meta, p page) int {
	cut := *head
	cut.NextCursor = aCursor
	return max(len(next(row, req, head, p, 0)), len(next(row, req, &cut, p, 0)))
}

// closed is a text that was cut, and in a block of code ends that.
func closed(text string) string {
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(bare, "```"):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		case fence != "" && bare == fence:
			fence = ""
		}
	}
	if fence == "" {
		return text
	}
	return text + fence + "\n"
}

// limitOf is the field of a request that bounds its items, a *int.
func limitOf(req any) reflect.Value { return op.Field(req, "limit", "max_results") }

// with is a copy of a request with one field changed.
func with(req any, name, value string) any {
	c := duplicate(req)
	f := op.Field(c, name)
	if !f.IsValid() {
		return nil
	}
	f.SetString(value)
	return c
}

// clip is the first n bytes of a text, whole characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// counted is models.Counted, "of" how many there are.
func counted(n int, head *models.Meta, noun string) string {
	if head.Total != nil && *head.Total > n {
		least := ""
		if head.TotalAtLeast {
			least = "≥ "
		}
		return fmt.Sprintf("%d of %s%s", n, least, models.Counted(*head.Total, noun))
	}
	return models.Counted(n, noun)
}

func value[T any](p *T) T {
	var none T
	if p == nil {
		return none
	}
	return *p
}

func lines(start, end int) string {
	switch {
	case start <= 0:
		return ""
	case end <= start:
		return fmt.Sprintf(":%d", start)
	}
	return fmt.Sprintf(":%d-%d", start, end)
}
