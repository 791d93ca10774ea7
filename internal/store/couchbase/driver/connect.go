// Package driver is what the SDK of Couchbase is told and what it says: configuration,
// connections, what is done again, and errors for users.
package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
)

// Connect starts a connection to the cluster. It does not wait: a cluster that
// is not there is told by awaitReady.
func Connect(c Config) (*gocb.Cluster, error) {
	roots, err := c.roots()
	if err != nil {
		return nil, err
	}
	cluster, err := gocb.Connect(withOption(c.ConnStr, reconnectSoon), gocb.ClusterOptions{
		Username:       c.Username,
		Password:       c.Password,
		SecurityConfig: gocb.SecurityConfig{TLSRootCAs: roots},
		RetryStrategy:  patience{},
		// the default one, whose log nobody reads, races with operations that are cancelled
		Tracer: &gocb.NoopTracer{},
		TimeoutsConfig: gocb.TimeoutsConfig{
			KVTimeout: c.OpTimeout, KVDurableTimeout: c.OpTimeout, QueryTimeout: c.OpTimeout, SearchTimeout: c.OpTimeout,
			ManagementTimeout: c.OpTimeout,
		},
	})
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err,
			"%s is not the address of a Couchbase cluster; it looks like couchbase://host or couchbases://host", c.ConnStr)
	}
	return cluster, nil
}

// reconnectSoon makes the driver try a node that went away every second; its
// default of 5 s is half of OpTimeout.
const reconnectSoon = "server_wait_backoff=1000"

func withOption(connStr, option string) string {
	if strings.Contains(connStr, "?") {
		return connStr + "&" + option
	}
	return connStr + "?" + option
}

// Open connects to the cluster and its bucket, and waits until the
// services in use answer there. An HTTP request of a connection that does not
// know the cluster waits until its timeout, so that is looked for too: when the
// configuration of the cluster comes between the making of a connection and the
// registration of what sends those requests, the latter has to wait for the next
// one (gocbcore v10.8.1, AgentGroup.OpenBucket), which may never come. A near
// server is fast enough for that. Such a connection is made anew.
func Open(ctx context.Context, c Config) (*gocb.Cluster, error) {
	end := time.Now().Add(c.ReadyTimeout)
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		cluster, err := Connect(c)
		if err != nil {
			return nil, err
		}
		err = AwaitReady(ctx, c, cluster.Bucket(c.Bucket), Needed)
		if err == nil && informed(ctx, cluster, wait) {
			return cluster, nil
		}
		_ = cluster.Close(nil)
		if err == nil && time.Now().After(end) {
			err = ErrSilent(c, []string{serviceName(gocb.ServiceTypeSearch)}, nil)
		}
		if err != nil {
			return nil, err
		}
	}
}

// informed reports whether a connection knows where the cluster's services are.
func informed(ctx context.Context, cluster *gocb.Cluster, wait time.Duration) bool {
	const asked = gocb.ServiceTypeSearch
	report, err := cluster.Ping(&gocb.PingOptions{ServiceTypes: []gocb.ServiceType{asked}, Timeout: wait, Context: ctx})
	return err == nil && slices.ContainsFunc(report.Services[asked],
		func(node gocb.EndpointPingReport) bool { return node.Remote != "" })
}

// A pinger is a cluster or a bucket of one.
type pinger interface {
	WaitUntilReady(timeout time.Duration, opts *gocb.WaitUntilReadyOptions) error
	Ping(opts *gocb.PingOptions) (*gocb.PingResult, error)
}

// Needed are the services without which a store answers nothing, in the order
// they are told. The Query service is for lists only.
var Needed = []gocb.ServiceType{gocb.ServiceTypeKeyValue, gocb.ServiceTypeSearch}

// AwaitReady waits until all nodes with the services answer, up to
// ReadyTimeout; then one node for each is enough, so that a program can start
// while a node is away. It gives up at once when the credentials are refused,
// and when no node has a service, for which the driver does not wait.
func AwaitReady(ctx context.Context, c Config, p pinger, services []gocb.ServiceType) error {
	end := time.Now().Add(c.ReadyTimeout)
	var missing error // that there is no such bucket, once somebody said so; later there may be no time to
	for wait := time.Second; ; {
		left := time.Until(end)
		err := waitOnce(ctx, p, services, min(wait, left))
		if errors.Is(err, gocb.ErrBucketNotFound) {
			missing = err
		}
		var silent silence
		if err == nil {
			silent = Ask(ctx, p, services)
		}
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("wait for Couchbase: %w", ctx.Err())
		case err == nil && len(silent.Services) == 0:
			return nil
		case errors.Is(err, gocb.ErrAuthenticationFailure):
			return Refused(c, err)
		case err == nil && (!silent.passing || wait >= left):
			return ErrSilent(c, silent.Services, nil)
		case wait >= left:
			if !errors.Is(err, gocb.ErrBucketNotFound) {
				silent = Ask(ctx, p, services)
			}
			return notReady(c, services, silent.Services, err, missing)
		case err != nil:
			wait *= 2
		default: // what is ready for the driver may be silent for a while
			Pause(ctx, betweenPings)
		}
	}
}

// betweenPings is a pause between two rounds of pings.
const betweenPings = 20 * time.Millisecond

// waitOnce ends with what the connections report rather than with a timeout. The
// driver has neither of its own nor a context that ends: when one of those comes
// at the moment at which all is ready, it calls back twice (gocbcore v10.8.1,
// waitUntilOp.handledOneLocked does not close it), which is a data race with who
// has gone on, and with a context waits forever. What it waits for in vain, a
// request that nobody answers, is left to it.
func waitOnce(ctx context.Context, p pinger, services []gocb.ServiceType, wait time.Duration) error {
	const lastWord, ages = 100 * time.Millisecond, 10 * time.Minute
	done := parallel.Start(func() error {
		return p.WaitUntilReady(wait+ages, &gocb.WaitUntilReadyOptions{
			ServiceTypes: services, Context: context.WithoutCancel(ctx),
			RetryStrategy: until{time.Now().Add(wait - lastWord)},
		})
	})
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-timeout.C:
		return gocb.ErrTimeout
	}
}

// until retries up to a moment.
type until struct{ end time.Time }

// RetryAfter implements gocb.RetryStrategy.
func (u until) RetryAfter(gocb.RetryRequest, gocb.RetryReason) gocb.RetryAction {
	if time.Now().After(u.end) {
		return &gocb.NoRetryRetryAction{}
	}
	return &gocb.WithDurationRetryAction{WithDuration: 20 * time.Millisecond}
}

// notReady says why the cluster is not ready: err is what the driver last saw.
// It is nil when every service has a node that answers. missing is what it said
// before of the bucket, if that was not there.
func notReady(c Config, services []gocb.ServiceType, silent []string, err, missing error) error {
	switch {
	case errors.Is(err, gocb.ErrBucketNotFound), missing != nil && len(silent) == len(services):
		return fault.Wrap(fault.RAGUnavailable, err,
			"the cluster at %s has no bucket %q that user %q may use; run `ragnav setup couchbase`", c.ConnStr, c.Bucket,
			c.Username)
	case len(silent) == 0:
		return nil
	case len(silent) < len(services):
		return ErrSilent(c, silent, err)
	}
	trust := "" // the driver does not tell what is wrong with a certificate
	if strings.HasPrefix(c.ConnStr, "couchbases://") {
		trust = ", whether RAGNAV_COUCHBASE_CA has the roots of its certificate"
	}
	return fault.Wrap(fault.RAGUnavailable, err,
		"no Couchbase cluster is ready at %s after %v; look whether it runs, whether its ports are open from here%s, and "+
			"whether the scheme (couchbase:// or couchbases://) is right",
		c.ConnStr, c.ReadyTimeout, trust)
}

// ErrSilent is the error of services that do not answer.
func ErrSilent(c Config, silent []string, cause error) error {
	return fault.Wrap(fault.RAGUnavailable, cause,
		"the Couchbase cluster at %s does not answer as %s; ragnav needs a node for each of the services Data, Query, "+
			"Index and Search", c.ConnStr, strings.Join(silent, " and "))
}

// A silence is the services of which no node answered.
type silence struct {
	Services []string // their names
	passing  bool     // at least one of them may just have been slow
}

// pings are how long the answer to each of some pings is waited for. One is not
// enough: the driver loses a ping of the Data service that it has not sent when
// it takes in another configuration of the cluster (gocbcore v10.8.1,
// DispatchDirectToAddress and requeueRequests), and a busy machine is slow.
var pings = []time.Duration{300 * time.Millisecond, 600 * time.Millisecond, 1200 * time.Millisecond}

// Ask tells which services are silent. One that is not there is asked once.
func Ask(ctx context.Context, p pinger, services []gocb.ServiceType) (s silence) {
	for _, wait := range pings {
		if services, s = askOnce(ctx, p, services, wait); !s.passing || ctx.Err() != nil {
			break
		}
	}
	return s
}

// askOnce also returns the services that did not answer. A ping over HTTP that runs
// out of time is reported as an error like that of a connection that is refused
// (gocbcore v10.8.1, httpComponent.doHTTPRequestAttempt), so that the clock tells.
func askOnce(ctx context.Context, p pinger, services []gocb.ServiceType, wait time.Duration) (silent []gocb.ServiceType,
	s silence,
) {
	begun := time.Now()
	report, err := p.Ping(&gocb.PingOptions{ServiceTypes: services, Timeout: wait, Context: ctx})
	slow := err != nil || time.Since(begun) >= wait
	for _, service := range services {
		var nodes []gocb.EndpointPingReport
		if err == nil {
			nodes = report.Services[service]
		}
		if slices.ContainsFunc(nodes,
			func(n gocb.EndpointPingReport) bool { return n.State == gocb.PingStateOk && n.Error == "" }) {
			continue
		}
		silent = append(silent, service)
		s.Services = append(s.Services, serviceName(service))
		s.passing = s.passing || slow ||
			slices.ContainsFunc(nodes, func(n gocb.EndpointPingReport) bool { return n.State == gocb.PingStateTimeout })
	}
	return silent, s
}

func serviceName(s gocb.ServiceType) string {
	switch s {
	case gocb.ServiceTypeKeyValue:
		return "Data"
	case gocb.ServiceTypeQuery:
		return "Query"
	case gocb.ServiceTypeSearch:
		return "Search"
	case gocb.ServiceTypeManagement:
		return "management"
	}
	return fmt.Sprintf("number %d", s)
}

// Refused is the error of credentials that the cluster does not take.
func Refused(c Config, err error) error {
	return fault.Wrap(fault.RAGUnavailable, err, "%s", c.refusal())
}

// CountIndexed counts what a search index has. Errors are the driver's.
func CountIndexed(ctx context.Context, scope *gocb.Scope, config Config, name string) (int64, error) {
	n, err := scope.SearchIndexes().GetIndexedDocumentsCount(name,
		&gocb.GetIndexedDocumentsCountOptions{Timeout: config.OpTimeout, Context: ctx})
	return int64(n), err
}
