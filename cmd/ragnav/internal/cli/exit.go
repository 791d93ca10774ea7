package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Interrupted is the exit code after Ctrl-C, as shells use it.
const Interrupted = 128 + 2

// A StatusError ends the program with that code after its reply was printed.
type StatusError struct {
	Code    int
	Message string
}

func (e *StatusError) Error() string { return e.Message }

// Exit prints err, if any, and returns the exit code.
func (s *Session) Exit(ctx context.Context, root *cobra.Command, args []string, err error) int {
	if err == nil {
		return 0
	}
	if e, ok := errors.AsType[*StatusError](err); ok {
		if e.Message != "" {
			s.Screen.Note("%s", e.Message)
		}
		return e.Code
	}
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || fault.CodeOf(err) == fault.Canceled) {
		s.Screen.Note("interrupted")
		return Interrupted
	}
	if !s.running {
		err = asUsage(err, root, args)
	}
	if s.JSON || !s.running && slices.Contains(args, "--json") {
		s.PrintError(err)
	} else {
		s.Screen.Note("%s%s%s", s.Say(Told(err)), nearest(err, s.flags), elsewhere(err, s.Config, s.Server))
	}
	return fault.CodeOf(err).Row().Exit
}

// asUsage classifies what the command library itself reports, such as an
// unknown command. Of a command that is another's, the whole is named.
func asUsage(err error, root *cobra.Command, args []string) error {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	what, near, _ := strings.Cut(err.Error(), "\n\nDid you mean this?")
	hint := "see `ragnav --help`"
	if names := strings.Fields(near); len(names) > 0 {
		for i, name := range names {
			names[i] = whole(root, name, args)
		}
		hint = "did you mean " + strings.Join(names, ", ") + "?"
	}
	return fault.Wrap(fault.InvalidRequest, err, "%s; %s", firstLine(what), hint)
}

// whole is a command that is near to what was given, with what was given where that
// is one of its own.
func whole(root *cobra.Command, name string, args []string) string {
	cmd, _, err := root.Find([]string{name})
	if err != nil {
		return name
	}
	i := slices.IndexFunc(args, func(a string) bool { return slices.Contains(cmd.SuggestFor, a) })
	if i < 0 {
		return name
	}
	return fmt.Sprintf("`%s %s`", cmd.CommandPath(), args[i])
}

// Told is an error as the user at this machine may see it: unlike a client of
// the server, with the cause of an internal error, because there is no log.
func Told(err error) string {
	if p, ok := errors.AsType[*fault.Panic](err); ok {
		return fmt.Sprintf("internal error: %v\n%s", err, p.Stack)
	}
	if fault.CodeOf(err) == fault.Internal {
		return fmt.Sprintf("internal error: %v", err)
	}
	return fault.MessageOf(err)
}

// PrintError prints an error's envelope: the server's own where there is one.
func (s *Session) PrintError(err error) {
	if s.Remote() && s.lastReply != nil {
		_, _ = s.Screen.Out.Write(s.lastReply)
		return
	}
	// A message is one line; several problems of the configuration have one each.
	message := strings.ReplaceAll(fault.MessageOf(err), "\n", "; ")
	if s.routed() {
		message = op.REST.Say(message)
	}
	reply := models.ErrorResult(string(fault.CodeOf(err)), message)
	if e, ok := errors.AsType[*fault.Error](err); ok {
		reply.Meta.Fields = e.Fields
	}
	Stamp(&reply.Meta, time.Now())
	_ = models.Encode(s.Screen.Out, reply)
}
