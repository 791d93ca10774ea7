package main

import (
	"bufio"
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
)

// answerTimeout is the limit of an answer, unless another is given: a language
// model may take that long.
const answerTimeout = 2 * time.Minute

func newAsk(s *session) *cobra.Command {
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
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Query = strings.Join(args, " ")
			s.allowAnswer(cmd)
			if s.json || s.text {
				return show(cmd, s, op.Ask, req, viewAnswer)
			}
			_, err := s.answer(cmd.Context(), req)
			return err
		},
	}
	addRepoFilter(cmd, s, &req.RepoFilter)
	return cmd
}

func newChat(s *session) *cobra.Command {
	var req ask.Request
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Ask one question after another",
		Long: `Ask questions that may go back to those before them, one a line. /new begins
anew, /exit or the end of the input ends. Answers are those of ` + "`ragnav ask`.",
		Example: `  ragnav chat
  ragnav chat --repo-filter golang/go < questions.txt`,
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.text {
				return usageError(cmd, fault.New(fault.InvalidRequest, "chat has no --text; ragnav ask has"))
			}
			s.allowAnswer(cmd)
			return s.chat(cmd, req)
		},
	}
	addRepoFilter(cmd, s, &req.RepoFilter)
	return cmd
}

// allowAnswer gives an answer the time of its own.
func (s *session) allowAnswer(cmd *cobra.Command) {
	if !cmd.Flags().Changed("timeout") {
		s.timeout = max(answerTimeout, s.cfg.LLM.Timeout+s.timeout)
	}
}

// answer finds an answer and prints it as it comes.
func (s *session) answer(ctx context.Context, req ask.Request) (ask.Response, error) {
	b, err := s.openFor(ctx, &req)
	if err != nil {
		return ask.Response{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	v := &answerView{screen: s.screen, quiet: s.quiet}
	resp, err := b.AskStream(ctx, req, v.event)
	if err != nil {
		return resp, err
	}
	s.screen.printf("\n")
	head := resp.Head()
	if head.Message != nil && !s.quiet {
		s.screen.note("%s", *head.Message)
	}
	viewSources(s.screen, resp.Items[0])
	s.hints(&resp)
	return resp, nil
}

// maxRemembered is how many turns a question is asked after.
const maxRemembered = 20

// chat answers the lines of the input, one after the other. A question that
// can't be answered doesn't end it, and is forgotten.
func (s *session) chat(cmd *cobra.Command, req ask.Request) error {
	lines := bufio.NewScanner(cmd.InOrStdin())
	lines.Buffer(nil, 1<<20)
	var failed error
	for s.prompt(); lines.Scan(); s.prompt() {
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
		resp, err := s.turn(cmd, req)
		if cmd.Context().Err() != nil {
			return cmd.Context().Err()
		}
		if err != nil {
			s.screen.note("%s", told(err))
			failed = err
			continue
		}
		req.History = append(req.History, ask.Message{Role: "user", Content: req.Query}, ask.Message{Role: "assistant", Content: remembered(resp)})
		req.History = req.History[max(0, len(req.History)-maxRemembered):]
	}
	return cmp.Or(lines.Err(), failed)
}

// turn is one answer of a chat.
func (s *session) turn(cmd *cobra.Command, req ask.Request) (ask.Response, error) {
	if !s.json {
		return s.answer(cmd.Context(), req)
	}
	b, err := s.openFor(cmd.Context(), &req)
	if err != nil {
		return ask.Response{}, err
	}
	resp, err := do(cmd.Context(), s, b, op.Ask, req)
	if err != nil {
		return resp, err
	}
	return resp, s.printJSON(&resp)
}

// maxTurn is what of an answer is remembered, in bytes.
const maxTurn = 20_000

func remembered(resp ask.Response) string {
	text := resp.Items[0].Answer
	return cmp.Or(strings.ToValidUTF8(text[:min(maxTurn, len(text))], ""), "(no answer)")
}

func (s *session) prompt() {
	if s.screen.terminal && s.screen.progress && !s.quiet {
		s.screen.printf("%s ", s.screen.styled(bold, ">"))
	}
}
