package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/retrieve"
	"github.com/ragnav/ragnav/internal/valid"
	textview "github.com/ragnav/ragnav/internal/view"
)

func newPlan(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "plan QUESTION...",
		Short: "Show the query plan of a question",
		Long: `Show what a question is taken to ask for: what to look for, the filters that must
hold, and the form of the answer. Without a language model rules understand dates,
#tags, [[links]], folders and the operators of ` + "`ragnav search`" + `.`,
		Example: `  ragnav plan "notes about gardening tagged plants since March, not tagged draft"
  ragnav plan --json "what did I write about walruses last month?"`,
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, s, op.Plan, plan.Request{Query: strings.Join(args, " ")}, viewPlan)
		},
	}
}

func viewPlan(s *screen, resp plan.Response) {
	for _, item := range resp.Items {
		s.printf("%s", s.safe(textview.PlanLines(item)))
	}
}

func newContext(s *session) *cobra.Command {
	var req retrieve.Request
	var limit, tokens int
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
			req.Limit, req.MaxTokens = given(cmd, "limit", limit), given(cmd, "max-tokens", tokens)
			if planned != "" {
				req.Plan = new(plan.Plan)
				if err := valid.Decode([]byte(planned), req.Plan); err != nil {
					return fault.Wrap(fault.InvalidRequest, err, "--plan: %s", fault.MessageOf(err))
				}
			}
			return show(cmd, s, op.Context, req, viewContext)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&planned, "plan", "", "a plan as JSON, in place of a question")
	addRepoFilter(cmd, s, &req.RepoFilter)
	flags.IntVarP(&limit, "limit", "l", 0, "items (1-50, default 10)")
	flags.IntVar(&tokens, "max-tokens", 0, "tokens of all items (default 8000)")
	flags.BoolVar(&req.Explain, "explain", false, "show filter, hits and what was dropped")
	return cmd
}

// viewContext prints the plan and each item, best first.
func viewContext(s *screen, resp retrieve.Response) {
	s.printf("%s\n", s.styled(dim, s.safe(strings.ReplaceAll(strings.TrimSpace(textview.PlanLines(resp.Plan)), "\n", " · "))))
	s.printf("%s", s.safe(textview.ContextLines(&resp)))
}
