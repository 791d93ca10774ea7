package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
)

func TestReflow(t *testing.T) {
	const text = "Words that go on\nand on. More.\n\nOperators:\n  repo:ID file:GLOB lang:NAME sym:NAME\nEnd."
	want := "Words that go on and\non. More.\n\nOperators:\n  repo:ID file:GLOB lang:NAME sym:NAME\nEnd."
	if diff := cmp.Diff(want, cli.Reflow(text, 20)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// On a terminal no line of help is wider than it; piped, help is as it is written.
func TestHelpFits(t *testing.T) {
	const about = "the repository that is looked at, a name, or the path of any folder below which it is"
	help := func(terminal bool) string {
		var out bytes.Buffer
		root := &cobra.Command{
			Use: "x", Long: "A long line of help, " + about + ".", Run: func(*cobra.Command, []string) {},
		}
		root.Flags().String("repo", "", about)
		cli.FitHelp(root, &term.Screen{Terminal: terminal, Width: 60})
		root.SetOut(&out)
		root.SetArgs([]string{"--help"})
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for line := range strings.Lines(help(true)) {
		if term.Columns(strings.TrimRight(line, "\n")) > 60 {
			t.Errorf("too wide: %q", line)
		}
	}
	if piped := help(false); strings.Count(piped, about) != 2 {
		t.Errorf("piped it is wrapped:\n%s", piped)
	}
}
