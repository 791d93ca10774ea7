package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/retrieve"
)

func planPage(r *plan.Response) page {
	p := page{counts: "planned by " + r.Planner}
	for _, item := range r.Items {
		p.parts = append(p.parts, PlanLines(item))
	}
	return p
}

// PlanLines is a plan as lines of text.
func PlanLines(p plan.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "look for: %s\n", cmp.Or(p.SemanticQuery, "anything"))
	for _, f := range p.Filters {
		fmt.Fprintf(&b, "where: %s\n", condition(f))
	}
	fmt.Fprintf(&b, "as: %s\n", p.ResponseFormat)
	return b.String()
}

// condition is a condition on one line: tags $in ["idea"].
func condition(c filter.Condition) string {
	if len(c.Parts) > 0 {
		parts := make([]string, len(c.Parts))
		for i, part := range c.Parts {
			parts[i] = condition(part)
		}
		return fmt.Sprintf("%s (%s)", c.Operator, strings.Join(parts, "; "))
	}
	value := oneLine(c.Value)
	if value == "" {
		return ""
	}
	return fmt.Sprintf("%s %s %s", c.Field, c.Operator, value)
}

// ContextLines is retrieved context as text, whole.
func ContextLines(r *retrieve.Response) string {
	p := contextPage(r)
	return strings.Join(p.parts, "") + p.outro
}

func contextPage(r *retrieve.Response) page {
	p := page{
		counts: fmt.Sprintf("%s as %s", counted(len(r.Items), &r.Meta, "item"), r.ResponseFormat),
		intro:  PlanLines(r.Plan),
	}
	for i, item := range r.Items {
		p.parts = append(p.parts, ContextItem(i, item))
	}
	if e := r.Explain; e != nil {
		p.outro = explained(e)
	}
	return p
}

// ContextItem is the item at an index: its place, title and tags, and its
// content where that was asked for.
func ContextItem(i int, item retrieve.Item) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d. %s · %s", i+1, item.ID, item.Title)
	if h := value(item.Heading); h != "" && h != item.Title {
		b.WriteString(" > " + h)
	}
	tags := value(item.Tags)
	if m := item.Metadata; m != nil {
		fmt.Fprintf(&b, " · %s %s%s", m.RepoID, m.FilePath, lines(m.StartLine, m.EndLine))
		tags = m.Tags
	}
	for _, tag := range tags {
		b.WriteString(" #" + tag)
	}
	b.WriteString("\n")
	if item.Metadata != nil && len(item.Metadata.Backlinks) > 0 {
		fmt.Fprintf(&b, "linked from: %s\n", strings.Join(item.Metadata.Backlinks, ", "))
	}
	if item.Content != nil {
		b.WriteString(*item.Content + "\n")
	}
	return b.String()
}

func explained(e *retrieve.Explanation) string {
	var b strings.Builder
	if e.Filter != nil {
		fmt.Fprintf(&b, "filter: %s\n", condition(*e.Filter))
	}
	for i, h := range e.Hits {
		weak := ""
		if h.Weak {
			weak = " weak"
		}
		fmt.Fprintf(&b, "hit %d: %s %s %.3f%s\n", i+1, h.Level, h.ID, h.Score, weak)
	}
	for _, d := range e.Dropped {
		fmt.Fprintf(&b, "dropped: %s: %s\n", d.ID, d.Why)
	}
	return b.String()
}
