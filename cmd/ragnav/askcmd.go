package main

import (
	"bufio"
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/fault"
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
			allowAnswer(s, cmd)
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

func newChat(s *cli.Session) *cobra.Command {
	var req ask.Request
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Ask one question after another",
		Long: `Ask questions that may go back to those before them, one a line. /new begins
anew, /exit or the end of the input ends. Answers are those of ` + "`ragnav ask`.",
		Example: `  ragnav chat
  ragnav chat --repo-filter golang/go < questions.txt`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.Text {
				return cli.UsageError(cmd, fault.New(fault.InvalidRequest, "chat has no --text; ragnav ask has"))
			}
			allowAnswer(s, cmd)
			return converse(s, cmd, req)
		},
	}
	cli.AddRepoFilter(cmd, s, &req.RepoFilter)
	return cmd
}

// allowAnswer gives an answer the time of its own.
func allowAnswer(s *cli.Session, cmd *cobra.Command) {
	if !cmd.Flags().Changed("timeout") {
		s.Timeout = max(answerTimeout, s.Config.LLM.Timeout+s.Timeout)
	}
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
		s.Screen.Note("%s", *head.Message)
	}
	views.Sources(s.Screen, resp.Items[0])
	s.Hints(&resp)
	return resp, nil
}

// maxRemembered is how many turns a question is asked after.
const maxRemembered = 20

// converse answers the lines of the input, one after the other. A question that
// can't be answered doesn't end it, and is forgotten.
func converse(s *cli.Session, cmd *cobra.Command, req ask.Request) error {
	lines := bufio.NewScanner(cmd.InOrStdin())
	lines.Buffer(nil, 1<<20)
	var failed error
	for prompt(s); lines.Scan(); prompt(s) {
		req.Query = strings.TrimSpace(lines.Text())
		switch req.Query {
		case "":
			continue
		case "/exit", "/quit":
			return nil
		case "/new":
			req.History = nil
			continue
		}
		resp, err := turn(s, cmd, req)
		if cmd.Context().Err() != nil {
			return cmd.Context().Err()
		}
		if err != nil {
			s.Screen.Note("%s", cli.Told(err))
			failed = err
			continue
		}
		req.History = append(req.History, ask.Message{Role: "user", Content: req.Query},
			ask.Message{Role: "assistant", Content: remembered(resp)})
		req.History = req.History[max(0, len(req.History)-maxRemembered):]
	}
	return cmp.Or(lines.Err(), failed)
}

// turn is one answer of a chat.
func turn(s *cli.Session, cmd *cobra.Command, req ask.Request) (ask.Response, error) {
	if !s.JSON {
		return answered(cmd.Context(), s, req)
	}
	b, err := s.OpenFor(cmd.Context(), &req)
	if err != nil {
		return ask.Response{}, err
	}
	resp, err := cli.Do(cmd.Context(), s, b, op.Ask, req)
	if err != nil {
		return resp, err
	}
	return resp, s.PrintJSON(&resp)
}

// maxTurn is what of an answer is remembered, in bytes.
const maxTurn = 20_000

func remembered(resp ask.Response) string {
	text := resp.Items[0].Answer
	return cmp.Or(strings.ToValidUTF8(text[:min(maxTurn, len(text))], ""), "(no answer)")
}

func prompt(s *cli.Session) {
	if s.Screen.Terminal && s.Screen.Progress && !s.Quiet {
		s.Screen.Printf("%s ", s.Screen.Styled(term.Bold, ">"))
	}
}
