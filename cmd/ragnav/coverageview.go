package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// viewCoverage prints totals, then a line a file: "+" indexed, "-" not and why.
func viewCoverage(s *screen, resp index.CoverageResponse) {
	s.printf("%s indexed, %s\n", counted(resp.Indexed, "file"), skipped(resp.Skipped))
	viewMasked(s, resp.MaskCount)
	if resp.Pending > 0 {
		s.printf("  %s without a vector yet, found by words only\n", counted(resp.Pending, "document"))
	}
	rows := make([][]string, 0, len(resp.Items))
	for _, item := range resp.Items {
		rows = append(rows, coverageRow(item))
	}
	s.table(rows...)
}

func coverageRow(item index.CoverageItem) []string {
	if item.Indexed {
		return []string{"+ " + item.FilePath, item.Language, item.Method, strings.TrimSuffix(counted(item.Documents, "document")+", "+item.Detail, ", ")}
	}
	return []string{"- " + item.FilePath, string(item.Reason), item.Detail, ""}
}

// skipped is "3 skipped: 2 binary, 1 ignored", most first.
func skipped(byReason map[models.SkipReason]int) string {
	total, parts := 0, []string{}
	reasons := slices.SortedFunc(maps.Keys(byReason), func(a, b models.SkipReason) int {
		return cmp.Or(cmp.Compare(byReason[b], byReason[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		total += byReason[reason]
		parts = append(parts, fmt.Sprintf("%s %s", thousands(byReason[reason]), reason))
	}
	if total == 0 {
		return "none skipped"
	}
	return fmt.Sprintf("%s skipped: %s", thousands(total), strings.Join(parts, ", "))
}

// viewMasked prints a line if there are credentials: "  3 credentials in 2 files are masked".
func viewMasked(s *screen, n models.MaskCount) {
	if n.Masked == 0 {
		return
	}
	verb := "are"
	if n.Masked == 1 {
		verb = "is"
	}
	s.printf("  %s in %s %s masked\n", counted(n.Masked, "credential"), counted(n.MaskedFiles, "file"), verb)
}
