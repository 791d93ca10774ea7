package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
)

// maxHelp is the width of help on a wide terminal, in columns.
const maxHelp = 100

// FitHelp has the help of all commands fit the terminal: paragraphs and what flags
// mean are wrapped between words. Piped, help is as it is written.
func FitHelp(root *cobra.Command, s *term.Screen) {
	if !s.Terminal {
		return
	}
	columns := min(s.Width, maxHelp)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ",
		fmt.Sprintf(".FlagUsagesWrapped %d ", columns)))
	fitLong(root, columns)
}

func fitLong(cmd *cobra.Command, columns int) {
	cmd.Long = Reflow(cmd.Long, columns)
	for _, sub := range cmd.Commands() {
		fitLong(sub, columns)
	}
}

// Reflow is a text with its paragraphs wrapped anew. Lines that are indented are
// examples, and stay.
func Reflow(text string, columns int) string {
	var out []string
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, term.Wrap(strings.Join(paragraph, " "), columns, 0))
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			flush()
			out = append(out, line)
			continue
		}
		paragraph = append(paragraph, line)
	}
	flush()
	return strings.Join(out, "\n")
}
