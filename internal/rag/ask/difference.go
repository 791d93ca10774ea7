package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A question for how two things differ, and a name as it is written in one.
var (
	ofDifference = pattern.NewLazy(`(?i)(?:\bdifferen(?:ce|ces|t)\b.*?\bbetween\s+(.+?)\s+and\s+(.+?)|` +
		`\bhow (?:does|do|is|are)\s+(.+?)\s+(?:differ|different) from\s+(.+?)|^\W*(.+?)\s+(?:vs\.?|versus)\s+(.+?))\W*$`)
	nameBeside = pattern.NewLazy("(?i)^(?:(?:the|an?|using|calling)\\s+)?(?:(?:class|function|method|option|type|" +
		"setting|macro|struct)\\s+)?[`\"']?([\\w.:#$]+?)(?:\\(\\))?[`\"']?(?:\\s+(?:class|function|method|option|type|" +
		"setting|macro|struct)e?s?)?$")
)

// differing are the names that a question asks the difference of.
func differing(question string) (names []string) {
	m := ofDifference().FindStringSubmatch(question)
	for _, side := range m[min(1, len(m)):] {
		if name := nameBeside().FindStringSubmatch(strings.TrimSpace(side)); name != nil {
			names = append(names, name[1])
		}
	}
	if len(names) != 2 || strings.EqualFold(names[0], names[1]) {
		return nil
	}
	return names
}

// beside puts both of two things first that a question asks the difference of, if both
// are declared, and says what each is. Told is how the answer begins then.
func (a arranger) beside(ctx context.Context, quotes []extract.Quote) (all []extract.Quote, told string, err error) {
	names := differing(a.asked.req.Query)
	if names == nil || a.asked.about.after != "" || len(quotes) == 0 ||
		!a.notes.step(0, "both things were searched for") {
		return quotes, "", nil
	}
	var both []extract.Quote
	for _, name := range names {
		found, err := a.firstOf(ctx, name, models.LevelSymbol)
		if err != nil {
			return nil, "", err
		}
		last := name[strings.LastIndexAny(name, ".:#")+1:]
		if len(found) == 0 || !strings.EqualFold(strings.TrimLeft(found[0].Doc.SymbolName, "#"), last) {
			return quotes, "", nil
		}
		both = append(both, found[0])
	}
	if both[0].Overlaps(both[1]) {
		return quotes, "", nil
	}
	others := slices.DeleteFunc(slices.Clone(quotes), func(q extract.Quote) bool {
		return q.Overlaps(both[0]) || q.Overlaps(both[1])
	})
	var b strings.Builder
	for i, q := range both {
		fmt.Fprintf(&b, "%s is in %s [%d]", q.Name(), inert.Code(q.Doc.FilePath), i+1)
		if line := q.DocLine(); line != "" {
			fmt.Fprintf(&b, ": “%s”", line)
		}
		b.WriteString(". ")
	}
	return append(both, others[:max(min(len(others), a.notes.citations-len(both)), 0)]...),
		strings.TrimSpace(b.String()), nil
}
