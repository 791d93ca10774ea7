package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// exitInterrupted is the exit code after Ctrl-C, as shells use it.
const exitInterrupted = 128 + 2

// A statusError ends the program with that code after its reply was printed.
type statusError struct {
	code    int
	message string
}

func (e *statusError) Error() string { return e.message }

// exit prints err, if any, and returns the exit code.
func (s *session) exit(ctx context.Context, args []string, err error) int {
	if err == nil {
		return 0
	}
	if e, ok := errors.AsType[*statusError](err); ok {
		if e.message != "" {
			s.screen.note("%s", e.message)
		}
		return e.code
	}
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || fault.CodeOf(err) == fault.Canceled) {
		s.screen.note("interrupted")
		return exitInterrupted
	}
	if !s.running {
		err = asUsage(err)
	}
	if s.json || !s.running && slices.Contains(args, "--json") {
		s.printError(err)
	} else {
		s.screen.note("%s", told(err))
	}
	return fault.CodeOf(err).Row().Exit
}

// asUsage classifies what the command library itself reports, such as an
// unknown command.
func asUsage(err error) error {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	what, near, _ := strings.Cut(err.Error(), "\n\nDid you mean this?")
	hint := "see `ragnav --help`"
	if names := strings.Fields(near); len(names) > 0 {
		hint = "did you mean " + strings.Join(names, ", ") + "?"
	}
	return fault.Wrap(fault.InvalidRequest, err, "%s; %s", firstLine(what), hint)
}

// told is an error as the user at this machine may see it: unlike a client of
// the server, with the cause of an internal error, because there is no log.
func told(err error) string {
	if p, ok := errors.AsType[*fault.Panic](err); ok {
		return fmt.Sprintf("internal error: %v\n%s", err, p.Stack)
	}
	if fault.CodeOf(err) == fault.Internal {
		return fmt.Sprintf("internal error: %v", err)
	}
	return fault.MessageOf(err)
}

// printError prints an error's envelope: the server's own where there is one.
func (s *session) printError(err error) {
	if s.remote() && s.lastReply != nil {
		_, _ = s.screen.out.Write(s.lastReply)
		return
	}
	// A message is one line; several problems of the configuration have one each.
	message := strings.ReplaceAll(fault.MessageOf(err), "\n", "; ")
	reply := models.ErrorResult(string(fault.CodeOf(err)), message)
	if e, ok := errors.AsType[*fault.Error](err); ok {
		reply.Meta.Fields = e.Fields
	}
	stamp(&reply.Meta, time.Now())
	_ = models.Encode(s.screen.out, reply)
}
