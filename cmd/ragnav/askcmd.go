package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
)

// answerTimeout is the limit of an answer, unless another is given: a language
// model may take that long.
const answerTimeout = 2 * time.Minute

func newAsk(s *cli.Session) *cobra.Command {
	var req ask.Request
	cmd := &cobra.Command{
		Use:   "ask QUESTION...",
		Short: "Answer a question with checked citations",
		Long: `Answer a question about the indexed code. With a language model (RAGNAV_LLM_URL,
RAGNAV_LLM_MODEL) it reads what it needs and writes the answer, which is printed
as it comes. Without one the answer is extractive: it quotes the places that fit
best. Every citation was checked against the file.`,
		Example: `  ragnav ask where is the HTTP/2 frame header decoded
  ragnav ask --repo-filter golang/go "how does ServeMux choose a handler?"`,
		Args: cli.Arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Query = strings.Join(args, " ")
			s.Allow(cmd, answerLimit(s))
			if s.JSON || s.Text {
				return cli.Show(cmd, s, op.Ask, req, views.Answer)
			}
			_, err := answered(cmd.Context(), s, req)
			return err
		},
	}
	cli.AddRepoFilter(cmd, s, &req.RepoFilter)
	return cmd
}

// answerLimit is the time of an answer.
func answerLimit(s *cli.Session) time.Duration {
	return max(answerTimeout, s.Config.LLM.Timeout+s.Timeout)
}

// answered finds an answer and prints it as it comes.
func answered(ctx context.Context, s *cli.Session, req ask.Request) (ask.Response, error) {
	b, err := s.OpenFor(ctx, &req)
	if err != nil {
		return ask.Response{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	v := &views.AnswerView{Text: term.Markdown{Screen: s.Screen}, Quiet: s.Quiet}
	resp, err := b.AskStream(ctx, req, v.Event)
	if err != nil {
		return resp, err
	}
	v.Text.End()
	head := resp.Head()
	if head.Message != nil && !s.Quiet {
		s.Screen.Note("%s", s.Say(*head.Message))
	}
	views.Sources(s.Screen, resp.Items[0])
	s.Hints(&resp)
	return resp, nil
}
