package driver

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
)

// A degraded cluster is never ready as a whole; its nodes answer as they do.
type degraded map[gocb.ServiceType][]gocb.PingState

func (degraded) WaitUntilReady(time.Duration, *gocb.WaitUntilReadyOptions) error {
	return gocb.ErrUnambiguousTimeout
}

func (d degraded) Ping(*gocb.PingOptions) (*gocb.PingResult, error) {
	report := &gocb.PingResult{Services: map[gocb.ServiceType][]gocb.EndpointPingReport{}}
	for service, nodes := range d {
		for _, state := range nodes {
			report.Services[service] = append(report.Services[service], gocb.EndpointPingReport{State: state})
		}
	}
	return report, nil
}

// A node that is away keeps no program from starting while others answer.
func TestDegradedCluster(t *testing.T) {
	const ok, away = gocb.PingStateOk, gocb.PingStateTimeout
	both := []gocb.PingState{away, ok}
	services := []gocb.ServiceType{gocb.ServiceTypeKeyValue, gocb.ServiceTypeQuery, gocb.ServiceTypeSearch}
	for _, tt := range []struct {
		name    string
		cluster degraded
		says    string
	}{
		{
			"a node of each service",
			degraded{gocb.ServiceTypeKeyValue: both, gocb.ServiceTypeQuery: both, gocb.ServiceTypeSearch: both},
			"",
		},
		{"no node of one", degraded{
			gocb.ServiceTypeKeyValue: both, gocb.ServiceTypeQuery: both,
			gocb.ServiceTypeSearch: {away, away},
		}, "does not answer as Search;"},
		{"no node of two", degraded{gocb.ServiceTypeKeyValue: both}, "does not answer as Query and Search;"},
		{"no node", degraded{}, "no Couchbase cluster is ready at couchbase://h"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := AwaitReady(t.Context(), Config{ConnStr: "couchbase://h", ReadyTimeout: time.Millisecond}, tt.cluster,
				services)
			if tt.says == "" && err != nil || tt.says != "" && !strings.Contains(fault.MessageOf(err), tt.says) {
				t.Errorf("awaitReady = %v, want %q", err, tt.says)
			}
		})
	}
}

// A forgetful cluster is ready, but does not answer the first ping.
type forgetful struct {
	degraded
	pings *int
}

func (forgetful) WaitUntilReady(time.Duration, *gocb.WaitUntilReadyOptions) error { return nil }

func (f forgetful) Ping(o *gocb.PingOptions) (*gocb.PingResult, error) {
	if *f.pings++; *f.pings == 1 {
		return degraded{gocb.ServiceTypeKeyValue: {gocb.PingStateTimeout}}.Ping(o)
	}
	return f.degraded.Ping(o)
}

// A ping that is lost does not make a service silent; one that no node has is
// asked once.
func TestOnePingIsNotEnough(t *testing.T) {
	services := []gocb.ServiceType{gocb.ServiceTypeKeyValue}
	c := Config{ConnStr: "couchbase://h", ReadyTimeout: time.Millisecond}
	var pings int
	if err := AwaitReady(t.Context(), c, forgetful{degraded{gocb.ServiceTypeKeyValue: {gocb.PingStateOk}}, &pings},
		services); err != nil || pings != 2 {
		t.Errorf("awaitReady = %v after %d pings, want ready after 2", err, pings)
	}
	pings = 1
	err := AwaitReady(t.Context(), c, forgetful{degraded{gocb.ServiceTypeKeyValue: {gocb.PingStateError}}, &pings},
		services)
	if !strings.Contains(fault.MessageOf(err), "does not answer as Data;") || pings != 2 {
		t.Errorf("awaitReady = %v after %d pings, want a word on the Data service after 1", err, pings-1)
	}
}

// A sluggish cluster is ready, but answers no ping of Search in time but the last.
// The driver calls that an error, not a timeout.
type sluggish struct {
	degraded
	slow *int // how often yet
}

func (sluggish) WaitUntilReady(time.Duration, *gocb.WaitUntilReadyOptions) error { return nil }

func (s sluggish) Ping(o *gocb.PingOptions) (*gocb.PingResult, error) {
	if *s.slow--; *s.slow < 0 {
		return s.degraded.Ping(o)
	}
	time.Sleep(o.Timeout) // of the bubble
	return degraded{gocb.ServiceTypeSearch: {gocb.PingStateError}}.Ping(o)
}

// A service that is slow on a busy machine is waited for as long as may be.
func TestSlowIsNotAway(t *testing.T) {
	for slow, ready := range map[int]bool{1: true, 3: true, 40: true, 400: false} {
		synctest.Test(t, func(t *testing.T) {
			left := slow
			begun := time.Now()
			err := AwaitReady(t.Context(), Config{ConnStr: "couchbase://h", ReadyTimeout: time.Minute},
				sluggish{degraded{gocb.ServiceTypeSearch: {gocb.PingStateOk}}, &left},
				[]gocb.ServiceType{gocb.ServiceTypeSearch})
			if ready != (err == nil) {
				t.Errorf("%d slow pings: %v", slow, err)
			}
			if took := time.Since(begun); !ready && (took < 58*time.Second || took > 62*time.Second) {
				t.Errorf("gave up after %v, of a minute", took)
			}
		})
	}
}

// A deaf cluster is never ready, whatever it is told to wait for.
type deaf struct {
	degraded
	freed chan struct{}
}

func (d deaf) WaitUntilReady(time.Duration, *gocb.WaitUntilReadyOptions) error {
	<-d.freed
	return nil
}

// Waiting ends in time, and with its context, also where the driver does not.
func TestDriverThatHangs(t *testing.T) {
	for name, limit := range map[string]time.Duration{"time": 20 * time.Second, "context": 3 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := deaf{freed: make(chan struct{})}
				defer close(d.freed)
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				begun := time.Now()
				err := AwaitReady(ctx, Config{ConnStr: "couchbase://h", ReadyTimeout: 10 * time.Second}, d,
					[]gocb.ServiceType{gocb.ServiceTypeSearch})
				if took := time.Since(begun); err == nil || took > min(limit, 10*time.Second) {
					t.Errorf("%v after %v", err, took)
				}
			})
		})
	}
}

// A bucketless cluster says once that there is no such bucket, then is too slow to.
type bucketless struct {
	degraded
	asked *int
}

func (b bucketless) WaitUntilReady(time.Duration, *gocb.WaitUntilReadyOptions) error {
	if *b.asked++; *b.asked == 1 {
		return gocb.ErrBucketNotFound
	}
	return gocb.ErrUnambiguousTimeout
}

func TestNoBucketIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := AwaitReady(t.Context(), Config{ConnStr: "couchbase://h", Bucket: "b", ReadyTimeout: 10 * time.Second},
			bucketless{asked: new(int)}, []gocb.ServiceType{gocb.ServiceTypeKeyValue})
		if want := `has no bucket "b"`; !strings.Contains(fault.MessageOf(err), want) {
			t.Errorf("%v, want %q", err, want)
		}
		made := degraded{gocb.ServiceTypeKeyValue: {gocb.PingStateTimeout, gocb.PingStateOk}}
		if err := AwaitReady(t.Context(), Config{ConnStr: "couchbase://h", Bucket: "b", ReadyTimeout: 10 * time.Second},
			bucketless{made, new(int)}, []gocb.ServiceType{gocb.ServiceTypeKeyValue}); err != nil {
			t.Errorf("once its nodes answer: %v", err)
		}
	})
}
