package couchbase

import (
	"strings"
	"testing"
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
	for _, tt := range []struct {
		name    string
		cluster degraded
		says    string
	}{
		{"a node of each service", degraded{gocb.ServiceTypeKeyValue: both, gocb.ServiceTypeQuery: both, gocb.ServiceTypeSearch: both}, ""},
		{"no node of one", degraded{gocb.ServiceTypeKeyValue: both, gocb.ServiceTypeQuery: both, gocb.ServiceTypeSearch: {away, away}}, "does not answer as Search;"},
		{"no node of two", degraded{gocb.ServiceTypeKeyValue: both}, "does not answer as Query and Search;"},
		{"no node", degraded{}, "no Couchbase cluster is ready at couchbase://h"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := awaitReady(t.Context(), Config{ConnStr: "couchbase://h", ReadyTimeout: time.Millisecond}, tt.cluster, needed)
			if tt.says == "" && err != nil || tt.says != "" && !strings.Contains(fault.MessageOf(err), tt.says) {
				t.Errorf("awaitReady = %v, want %q", err, tt.says)
			}
		})
	}
}
