package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// failed says what could not be done, and what the server said, to the person
// who sets it up. Roles are those that it takes.
func failed(ctx context.Context, config driver.Config, doing, roles string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	if _, known := errors.AsType[*fault.Error](err); known {
		return err
	}
	if driver.IsForbidden(err) {
		return fault.Wrap(fault.RAGUnavailable, err,
			"user %q may not %s; that takes the role %s, or somebody else who runs `ragnav setup couchbase`",
			config.Username, doing, roles)
	}
	return fault.Wrap(fault.RAGUnavailable, err, "Couchbase could not %s: %s", doing, said(err))
}

// insist does something until it succeeds, fails for good, or has failed for
// pace.Passing and several times: for a while after a change, not every service
// knows of it.
func insist(ctx context.Context, pace Pace, passing func(error) bool, do func() error) error {
	begun := time.Now()
	for failures := 1; ; failures++ {
		// the driver is not asked in vain: it races with operations that are cancelled while they are sent
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := do()
		if err == nil || driver.IsForbidden(err) || !passing(err) || pace.over(failures, begun) ||
			!driver.Pause(ctx, pace.Poll) {
			return err
		}
	}
}

func isNoBucket(err error) bool {
	return errors.Is(err, gocb.ErrBucketNotFound) || driver.StatusOf(err) == 404
}

func isExisting(err error) bool {
	return errors.Is(err, gocb.ErrBucketExists) || errors.Is(err, gocb.ErrScopeExists) ||
		errors.Is(err, gocb.ErrCollectionExists) || errors.Is(err, gocb.ErrIndexExists)
}

// said is what the server answered, in one line.
func said(err error) string {
	const most = 300
	text := err.Error()
	if e, ok := errors.AsType[*gocb.QueryError](err); ok && len(e.Errors) > 0 {
		text = e.Errors[0].Message
	}
	if e, ok := errors.AsType[*gocb.HTTPError](err); ok && e.ErrorText != "" {
		text = plain(e.ErrorText)
	}
	if errors.Is(err, gocb.ErrTimeout) {
		text = "no answer in time"
	}
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// plain takes the words out of the forms that the services answer in.
func plain(body string) string {
	var form struct {
		Error   string            `json:"error"`
		Message string            `json:"message"`
		Errors  map[string]string `json:"errors"`
	}
	if json.Unmarshal([]byte(body), &form) != nil {
		return body
	}
	words := slices.Collect(maps.Values(form.Errors))
	slices.Sort(words)
	for _, w := range []string{form.Error, form.Message} {
		if w != "" {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return body
	}
	return strings.Join(words, "; ")
}
