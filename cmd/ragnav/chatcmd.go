package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask"
)

func newChat(s *cli.Session) *cobra.Command {
	var req ask.Request
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Ask one question after another",
		Long: `Ask questions that may go back to those before them, one a line. /new begins
anew, /exit or the end of the input ends. On a terminal, Ctrl-C stops an answer,
or ends where there is none. Answers are those of ` + "`ragnav ask`" + `. While it waits for a
question others can write to the index.`,
		Example: `  ragnav chat
  ragnav chat --repo-filter golang/go < questions.txt`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.Text {
				return cli.UsageError(cmd, fault.New(fault.InvalidRequest, "chat has no --text; ragnav ask has"))
			}
			s.Allow(cmd, answerLimit(s))
			return converse(s, cmd, req)
		},
	}
	cli.AddRepoFilter(cmd, s, &req.RepoFilter)
	return cmd
}

// Bounds of a chat.
const (
	maxRemembered = 20     // turns that a question is asked after
	maxTurn       = 20_000 // bytes of an answer that are remembered
	maxLine       = 1 << 20
)

// held is for how long a chat that waits for the next question keeps the store open.
// Nobody else can write to it meanwhile.
const held = 500 * time.Millisecond

// slashed is a line that means to be a command.
var slashed = pattern.NewLazy(`^/[\w?-]*$`)

// converse answers the lines of the input, one after the other. A question that
// can't be answered doesn't end it, and is forgotten; where nobody sees that, the
// exit code is that of the last one.
func converse(s *cli.Session, cmd *cobra.Command, req ask.Request) error {
	seen := s.Screen.Terminal && s.Screen.Progress
	lines, ended := linesOf(cmd)
	var failed error
	for {
		prompt(s)
		idle := time.After(held)
		for asked := false; !asked; {
			select {
			case <-cmd.Context().Done():
				endPrompt(s)
				return cmd.Context().Err()
			case err := <-ended:
				endPrompt(s)
				return cmp.Or(err, code(failed, seen))
			case <-idle:
				if err := s.Release(); err != nil {
					return err
				}
			case req.Query = <-lines:
				asked = true
			}
		}
		switch {
		case req.Query == "":
		case req.Query == "/exit", req.Query == "/quit":
			return code(failed, seen)
		case req.Query == "/new":
			req.History = nil
		case slashed().MatchString(req.Query):
			s.Screen.Note("%s is no command; there are /new and /exit", req.Query)
		default:
			resp, err := turn(s, cmd, req, seen)
			if cmd.Context().Err() != nil {
				return cmd.Context().Err()
			}
			if err != nil {
				failed = err
				continue
			}
			req.History = append(req.History, ask.Message{Role: "user", Content: req.Query},
				ask.Message{Role: "assistant", Content: remembered(resp)})
			req.History = req.History[max(0, len(req.History)-maxRemembered):]
		}
	}
}

// linesOf reads the input, which may block for ever, beside what waits for more than
// that. One nil or error comes at its end, when all lines were taken.
func linesOf(cmd *cobra.Command) (lines <-chan string, ended <-chan error) {
	to := make(chan string)
	return to, parallel.Start(func() error {
		in := bufio.NewScanner(cmd.InOrStdin())
		in.Buffer(nil, maxLine)
		for in.Scan() {
			to <- strings.TrimSpace(in.Text())
		}
		if errors.Is(in.Err(), bufio.ErrTooLong) {
			return fault.New(fault.InvalidRequest, "a line is longer than %d bytes; ask in fewer words", maxLine)
		}
		return in.Err()
	})
}

// code ends the program with that of an error that was told.
func code(failed error, seen bool) error {
	if failed == nil || seen {
		return nil
	}
	return &cli.StatusError{Code: fault.CodeOf(failed).Row().Exit}
}

// turn is one answer of a chat, or what it failed by. Where somebody sees it, an
// interrupt ends it alone.
func turn(s *cli.Session, cmd *cobra.Command, req ask.Request, seen bool) (ask.Response, error) {
	ctx := cmd.Context()
	if seen {
		alone, done := s.Interrupts.Turn(ctx)
		defer done()
		ctx = alone
	}
	resp, err := turnOf(ctx, s, req)
	switch {
	case err == nil || cmd.Context().Err() != nil:
	case ctx.Err() != nil:
		s.Screen.Printf("\n")
		s.Screen.Note("stopped; /exit ends the chat")
	case s.JSON:
		s.PrintError(err)
	default:
		s.Screen.Note("%s", cli.Told(err))
	}
	return resp, err
}

func turnOf(ctx context.Context, s *cli.Session, req ask.Request) (ask.Response, error) {
	if !s.JSON {
		return answered(ctx, s, req)
	}
	b, err := s.OpenFor(ctx, &req)
	if err != nil {
		return ask.Response{}, err
	}
	resp, err := cli.Do(ctx, s, b, op.Ask, req)
	if err != nil {
		return resp, err
	}
	return resp, s.PrintJSON(&resp)
}

func remembered(resp ask.Response) string {
	text := resp.Items[0].Answer
	return cmp.Or(strings.ToValidUTF8(text[:min(maxTurn, len(text))], ""), "(no answer)")
}

func prompted(s *cli.Session) bool { return s.Screen.Terminal && s.Screen.Progress && !s.Quiet }

func prompt(s *cli.Session) {
	if prompted(s) {
		s.Screen.Printf("%s ", s.Screen.Styled(term.Bold, ">"))
	}
}

// endPrompt ends the line of a prompt that nobody answers.
func endPrompt(s *cli.Session) {
	if prompted(s) {
		s.Screen.Printf("\n")
	}
}
