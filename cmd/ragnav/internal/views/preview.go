package views

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/index"
)

// Preview prints two lines a repository, then a line a file: "+" would be
// indexed, "=" is indexed and stays, "-" is left out and why.
func Preview(s *term.Screen, resp index.PreviewResponse) {
	for _, r := range resp.Repositories {
		s.Printf("%s would have %s with %s and %s (%s), %s\n", r.RepoID, term.Counted(r.Indexed, "file"),
			term.Counted(int(r.Bytes), "byte"), term.Counted(r.Documents, "document"), s.Safe(r.Target), Skipped(r.Skipped))
		s.Printf("  %s changed, %s removed, about %s to embed\n", term.Thousands(r.Changed), term.Thousands(r.Removed),
			term.Counted(r.Tokens, "token"))
		Masked(s, r.MaskCount)
		if t := r.Summaries; t != nil {
			price := "; set RAGNAV_LLM_PRICE to see what they cost"
			switch {
			case t.Price >= 0.01:
				price = fmt.Sprintf(", %.2f in the money of RAGNAV_LLM_PRICE", t.Price)
			case t.Price > 0:
				price = ", less than 0.01 in the money of RAGNAV_LLM_PRICE"
			}
			s.Printf("  summaries: at most %s, about %s to the model and %s from it%s\n",
				term.Counted(t.Requests, "request"), term.Counted(t.PromptTokens, "token"), term.Thousands(t.ReplyTokens), price)
		}
		if r.Renewed {
			s.Printf("  every file would be read again: its documents were made by the rules of another version\n")
		}
	}
	rows := make([][]string, 0, len(resp.Items))
	for _, item := range resp.Items {
		rows = append(rows, previewRow(item, len(resp.Repositories) > 1))
	}
	s.Table(rows...)
}

func previewRow(item index.PreviewItem, several bool) []string {
	row := coverageRow(item.CoverageItem)
	name := item.FilePath
	if several {
		name = string(item.RepoID) + " " + name
	}
	mark := strings.Fields(row[0])[0]
	if item.Indexed && !item.Changed {
		mark = "="
	}
	row[0] = mark + " " + name
	if item.Tokens > 0 {
		row[3] += ", about " + term.Counted(item.Tokens, "token")
	}
	return row
}
