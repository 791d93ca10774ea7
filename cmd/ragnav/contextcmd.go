package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/retrieve"
	"github.com/ragnav/ragnav/internal/valid"
	textview "github.com/ragnav/ragnav/internal/view"
)

func newPlan(s *cli.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "plan QUESTION...",
		Short: "Show the query plan of a question",
		Long: `Show what a question is taken to ask for: what to look for, the filters that must
hold, and the form of the answer. Without a language model rules understand dates,
#tags, [[links]], folders and the operators of ` + "`ragnav search`" + `.`,
		Example: `  ragnav plan "notes about gardening tagged plants since March, not tagged draft"
  ragnav plan --json "what did I write about walruses last month?"`,
		Args: cli.Arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return cli.Show(cmd, s, op.Plan, plan.Request{Query: strings.Join(args, " ")}, viewPlan)
		},
	}
}

func viewPlan(s *term.Screen, resp plan.Response) {
	for _, item := range resp.Items {
		s.Printf("%s", s.Safe(textview.PlanLines(item)))
	}
}

func newContext(s *cli.Session) *cobra.Command {
	var req retrieve.Request
	var planned string
	cmd := &cobra.Command{
		Use:   "context [QUESTION...]",
		Short: "Retrieve what a question or plan asks for",
		Long: `Retrieve the sections of notes and documents, and the symbols, that a question asks
for, the best of each file: pointers to them for a broad question, their text for
a specific one. The question is planned first (see ` + "`ragnav plan`" + `), or the plan is given.`,
		Example: `  ragnav context "notes linking to [[Home]]"
  ragnav context "what did I write about walruses last month?" --max-tokens 2000
  ragnav context --plan '{"semantic_query":"pools","filters":[{"field":"tags","operator":"$in","value":["zoo"]}]}'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Query = strings.Join(args, " ")
			if planned != "" {
				req.Plan = new(plan.Plan)
				if err := valid.Decode([]byte(planned), req.Plan); err != nil {
					return fault.Wrap(fault.InvalidRequest, err, "--plan: %s", fault.MessageOf(err))
				}
			}
			return cli.Show(cmd, s, op.Context, req, viewContext)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&planned, "plan", "", "a plan as JSON, in place of a question")
	cli.AddRepoFilter(cmd, s, &req.RepoFilter)
	cli.AddInt(cmd, &req.Limit, "limit", "l", "items (1-50, default 10)")
	cli.AddInt(cmd, &req.MaxTokens, "max-tokens", "", "tokens of all items (default 8000)")
	flags.BoolVar(&req.Explain, "explain", false, "show filter, hits and what was dropped")
	return cmd
}

// contextLines is how much of an item's text a terminal shows.
const contextLines = 6

// contextItem prints where an item is and what it is called, if that says more,
// and the beginning of its text.
func contextItem(s *term.Screen, i int, item retrieve.Item) {
	m := item.Metadata
	heading := cmp.Or(term.Text(item.Heading), m.Symbol, item.Title)
	if heading == m.FilePath {
		heading = ""
	}
	s.Pair(fmt.Sprintf("%d. %s %s", i+1, m.RepoID,
		s.Styled(term.Bold, s.Safe(fmt.Sprintf("%s:%d-%d", m.FilePath, m.StartLine, m.EndLine)))),
		"  "+s.Styled(term.Green, s.Safe(heading)), len("1. "))
	lines := s.Code(m.FilePath, m.Language, strings.TrimSpace(term.Text(item.Content)))
	for _, line := range lines[:min(len(lines), contextLines)] {
		s.Printf("%s\n", strings.TrimRight(s.Row("   "+line), " "))
	}
	if more := len(lines) - contextLines; more > 0 {
		s.Printf("   %s\n", s.Styled(term.Dim, fmt.Sprintf("… %s more", term.Counted(more, "line"))))
	}
}

// viewContext prints the plan and each item, best first.
func viewContext(s *term.Screen, resp retrieve.Response) {
	s.Printf("%s\n", s.Styled(term.Dim,
		s.Safe(strings.ReplaceAll(strings.TrimSpace(textview.PlanLines(resp.Plan)), "\n", " · "))))
	for i, item := range resp.Items {
		if item.Metadata != nil && s.Terminal {
			contextItem(s, i, item)
			continue
		}
		s.Printf("%s", s.Safe(textview.ContextItem(i, item)))
	}
	s.Printf("%s", s.Safe(textview.ContextLines(&retrieve.Response{Explain: resp.Explain})))
}
