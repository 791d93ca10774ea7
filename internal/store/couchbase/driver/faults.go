package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/couchbase/gocb/v2"
	"github.com/couchbase/gocbcore/v10"

	"github.com/ragnav/ragnav/internal/fault"
)

// retryAfter is what clients are told when the cluster has too much to do.
const retryAfter = 2 * time.Second

// Failed makes an error of the driver one for users: the context's when it is
// done, else a *fault.Error. doing says what was being done, for the log.
func (c Config) Failed(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	if _, known := errors.AsType[*fault.Error](err); known {
		return err
	}
	err = fmt.Errorf("%s: %w", doing, err)
	if errors.Is(err, gocb.ErrTimeout) {
		return c.timedOut(ctx, err)
	}
	for _, kind := range c.kinds() {
		if slices.ContainsFunc(kind.causes, func(cause error) bool { return errors.Is(err, cause) }) {
			return &fault.Error{Code: kind.code, Message: kind.message, RetryAfter: kind.retryAfter, Err: err}
		}
	}
	return c.answered(err)
}

// A kind is what some errors of the driver mean.
type kind struct {
	causes     []error
	code       fault.Code
	message    string
	retryAfter time.Duration
}

func (c Config) kinds() []kind {
	const busy = "the Couchbase cluster has too much to do; wait and try again; if it goes on, look at its memory quotas"
	unavailable := func(message string, causes ...error) kind { return kind{causes, fault.RAGUnavailable, message, 0} }
	return []kind{
		{
			[]error{
				gocb.ErrTemporaryFailure, gocb.ErrRateLimitedFailure, gocb.ErrQuotaLimitedFailure, gocb.ErrOverload,
				gocb.ErrDurableWriteInProgress, gocb.ErrDurableWriteReCommitInProgress, gocb.ErrDocumentLocked,
			},
			fault.Overloaded, busy, retryAfter,
		},
		{[]error{gocb.ErrValueTooLarge}, fault.InvalidRequest, TooLarge, 0},
		unavailable(c.refusal(), gocb.ErrAuthenticationFailure),
		unavailable("the bucket has too few copies or nodes for durable writes; add nodes or reduce its replicas, or set "+
			"RAGNAV_COUCHBASE_DURABILITY=none",
			gocb.ErrDurabilityImpossible, gocb.ErrDurabilityLevelNotAvailable),
		unavailable("it is not known whether a write is durable, because a node of the cluster failed meanwhile; try again",
			gocb.ErrDurabilityAmbiguous),
		unavailable(c.absence(), gocb.ErrCollectionNotFound, gocb.ErrScopeNotFound, gocb.ErrBucketNotFound),
		unavailable("the Query service has no index for a list; run `ragnav setup couchbase`", gocb.ErrPlanningFailure,
			gocb.ErrIndexFailure),
		unavailable("the Couchbase cluster is too old: it has no vector search or no search index in a scope; ragnav needs "+
			"7.6", gocb.ErrFeatureNotAvailable),
		unavailable("the connection to Couchbase is closed; start the program again", gocb.ErrShutdown),
	}
}

// TooLarge says what to do about a value that is.
const TooLarge = "a document or record is larger than the 20 MiB that Couchbase stores; exclude its file from the index"

// answered is for errors that only what the server answered tells apart.
func (c Config) answered(err error) error {
	search, ok := errors.AsType[*gocb.SearchError](err)
	manager, managed := errors.AsType[*gocb.HTTPError](err)
	switch {
	case managed && (manager.StatusCode == 401 || manager.StatusCode == 403):
		return fault.Wrap(fault.RAGUnavailable, err, "%s", c.refusal())
	case IsNoIndex(err):
		return fault.Wrap(fault.RAGUnavailable, err, "the search index is missing; run `ragnav setup couchbase`")
	case ok && (search.HTTPStatusCode == 429 || search.HTTPStatusCode == 503):
		return &fault.Error{
			Code: fault.Overloaded, RetryAfter: retryAfter, Err: err,
			Message: "the Search service has too much to do; wait and try again; if it goes on, raise its memory quota",
		}
	case ok && IsTooMany(search.ErrorText):
		return TooMany(err)
	case ok && search.HTTPStatusCode == 400:
		return fault.Wrap(fault.RAGUnavailable, err,
			"the Search service does not take the request; run `ragnav doctor` to compare index and program")
	}
	return fault.Wrap(fault.RAGUnavailable, err, "Couchbase does not answer; try again, then check /readyz")
}

// IsTooMany reports whether the Search service refuses a query because one of
// its parts stands for too many terms.
func IsTooMany(text string) bool { return strings.Contains(text, "TooManyClauses") }

// TooMany is the error of a query that IsTooMany.
func TooMany(err error) error {
	return fault.Wrap(fault.InvalidRequest, err,
		"the filter fits more terms than the Search service takes; make it narrower, or raise the cluster's "+
			"bleveMaxClauseCount")
}

// timedOut tells the caller's deadline, a cluster that nothing reaches, and a
// slow one apart.
func (c Config) timedOut(ctx context.Context, err error) error {
	const timers = 50 * time.Millisecond // the driver's may fire before the context's
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < timers {
		return fmt.Errorf("%w: %w", err, context.DeadlineExceeded)
	}
	if reasonsOf(err, gocb.KVCollectionOutdatedRetryReason) {
		return fault.Wrap(fault.RAGUnavailable, err, "%s", c.absence())
	}
	if timeout, ok := errors.AsType[*gocb.TimeoutError](err); ok && timeout.LastDispatchedTo == "" ||
		reasonsOf(err, notSent...) {
		return fault.Wrap(fault.RAGUnavailable, err, "Couchbase does not answer; try again, then check /readyz")
	}
	return fault.Wrap(fault.Timeout, err, "Couchbase took more than %v; try again, or narrow the request", c.OpTimeout)
}

// reasonsOf reports whether the driver repeated an operation for one of those reasons.
func reasonsOf(err error, wanted ...gocb.RetryReason) bool {
	if e, ok := errors.AsType[*gocb.TimeoutError](err); ok && anyOf(e.RetryReasons, wanted) {
		return true
	}
	if e, ok := errors.AsType[*gocb.KeyValueError](err); ok && anyOf(e.RetryReasons, wanted) {
		return true
	}
	if e, ok := errors.AsType[*gocb.SearchError](err); ok && anyOf(e.RetryReasons, wanted) {
		return true
	}
	e, ok := errors.AsType[*gocb.QueryError](err)
	return ok && anyOf(e.RetryReasons, wanted)
}

// passing reports whether an idempotent operation may succeed when it is done
// again, and the driver has not done so yet.
func passing(err error) bool {
	if errors.Is(err, gocb.ErrTimeout) || errors.Is(err, gocb.ErrRequestCanceled) {
		return false
	}
	if search, ok := errors.AsType[*gocb.SearchError](err); ok {
		switch search.HTTPStatusCode {
		case 503, 412: // the partitions are moving, or the node is starting
			return true
		case 0, 200: // the connection broke before the answer, or in it
			return search.RetryAttempts == 0
		}
		return false
	}
	if query, ok := errors.AsType[*gocb.QueryError](err); ok {
		return query.RetryAttempts == 0 && len(query.Errors) == 0
	}
	if manager, ok := errors.AsType[*gocb.HTTPError](err); ok && manager.RetryAttempts > 0 {
		return false
	}
	return errors.Is(err, gocb.ErrDurabilityAmbiguous) || Broken(err)
}

// Broken reports whether the connection to the server broke.
func Broken(err error) bool {
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, gocbcore.ErrMemdClientClosed)
}

// ErrNoIndex is the error of a search index that is not there.
func ErrNoIndex(name string) error {
	return fault.New(fault.RAGUnavailable, "the search index %s is missing; run `ragnav setup couchbase`", name)
}

// IsNoIndex reports whether an error says that there is no such search index.
// The server has three ways to say so.
func IsNoIndex(err error) bool {
	if errors.Is(err, gocb.ErrIndexNotFound) {
		return true
	}
	search, ok := errors.AsType[*gocb.SearchError](err)
	return ok && (strings.Contains(search.ErrorText, "no index definitions found") ||
		strings.Contains(search.ErrorText, "index not found") || search.HTTPStatusCode == 404)
}

// IsForbidden reports whether the user lacks a right.
func IsForbidden(err error) bool {
	status := StatusOf(err)
	return status == 401 || status == 403 || errors.Is(err, gocb.ErrAuthenticationFailure)
}

// StatusOf is the HTTP status that an error comes from, 0 for none.
func StatusOf(err error) int {
	if e, ok := errors.AsType[*gocb.HTTPError](err); ok {
		return int(e.StatusCode)
	}
	if e, ok := errors.AsType[*gocb.QueryError](err); ok {
		return e.HTTPStatusCode
	}
	return 0
}
