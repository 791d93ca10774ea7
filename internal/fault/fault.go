// Package fault defines the one error type that crosses package boundaries,
// and the one table that says how each kind of error looks to a client.
//
// A package that knows what kind of failure happened returns an *Error.
// Everything else wraps with fmt.Errorf("...: %w", err) and keeps the kind.
package fault

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// An Error is a classified failure. Message is shown to users and says what to
// do next; Err is logged and never shown.
type Error struct {
	Code       Code
	Message    string
	Fields     map[string]string // per-field problems, only for InvalidRequest
	RetryAfter time.Duration     // only for RateLimited, Overloaded, and a Conflict that passes
	Err        error
}

// New returns an error of that code with a message for users.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap is New with a cause that users don't see.
func Wrap(code Code, cause error, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Err: cause}
}

// Later is a Conflict with work that ends by itself: asking again will do.
func Later(format string, args ...any) *Error {
	e := New(Conflict, format, args...)
	e.RetryAfter = time.Second
	return e
}

// Passes reports whether err is a Conflict that is over soon; others stand until
// somebody changes something.
func Passes(err error) bool {
	e, ok := As(err)
	return ok && e.Code == Conflict && e.RetryAfter > 0
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v", e.Message, e.Err)
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// CodeOf is the code of the outermost *Error in err's chain. A passed deadline
// is Timeout, a cancelled context Canceled, an error of the system what As says,
// anything else Internal, and so is a *Panic whatever it is wrapped in.
func CodeOf(err error) Code {
	e, ok := As(err)
	_, panicked := errors.AsType[*Panic](err)
	switch {
	case panicked:
		return Internal
	case ok:
		return e.Code
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	case errors.Is(err, context.Canceled):
		return Canceled
	}
	return Internal
}

// As is the outermost *Error in err's chain. Of an error of the system that nobody
// classified, such as that too many files are open, it is what to do about it.
func As(err error) (*Error, bool) {
	if e, ok := errors.AsType[*Error](err); ok {
		return e, true
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return nil, false
	}
	e := ofSystem(err)
	return e, e != nil
}

// MessageOf is the text that a client may see: the message of the outermost
// *Error, or the table's text. An Internal error never shows its own words.
func MessageOf(err error) string {
	code := CodeOf(err)
	if e, ok := As(err); ok && code != Internal && e.Message != "" {
		return e.Message
	}
	return code.Row().Text
}
