package views

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Coverage prints totals, then a line a file: "+" indexed, "-" not and why.
func Coverage(s *term.Screen, resp index.CoverageResponse) {
	s.Wrapped(fmt.Sprintf("%s indexed, %s", term.Counted(resp.Indexed, "file"), Skipped(resp.Skipped)), 2)
	Masked(s, resp.MaskCount)
	if resp.Pending > 0 {
		s.Printf("  %s without a vector yet, found by words only\n", term.Counted(resp.Pending, "document"))
	}
	rows := make([][]string, 0, len(resp.Items))
	for _, item := range resp.Items {
		rows = append(rows, coverageRow(item))
	}
	s.Table(rows...)
}

func coverageRow(item index.CoverageItem) []string {
	if item.Indexed {
		return []string{
			"+ " + item.FilePath, item.Language, item.Method,
			strings.TrimSuffix(term.Counted(item.Documents, "document")+", "+item.Detail, ", "),
		}
	}
	return []string{"- " + item.FilePath, string(item.Reason), item.Detail, ""}
}

// Skipped is "3 skipped: 2 binary, 1 ignored", most first.
func Skipped(byReason map[models.SkipReason]int) string {
	total, parts := 0, []string{}
	reasons := slices.SortedFunc(maps.Keys(byReason), func(a, b models.SkipReason) int {
		return cmp.Or(cmp.Compare(byReason[b], byReason[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		total += byReason[reason]
		parts = append(parts, fmt.Sprintf("%s %s", term.Thousands(byReason[reason]), reason))
	}
	if total == 0 {
		return "none skipped"
	}
	return fmt.Sprintf("%s skipped: %s", term.Thousands(total), strings.Join(parts, ", "))
}

// Masked prints a line if there are credentials: "  3 credentials in 2 files are masked".
func Masked(s *term.Screen, n models.MaskCount) {
	if n.Masked == 0 {
		return
	}
	verb := "are"
	if n.Masked == 1 {
		verb = "is"
	}
	s.Printf("  %s in %s %s masked\n", term.Counted(n.Masked, "credential"), term.Counted(n.MaskedFiles, "file"), verb)
}
