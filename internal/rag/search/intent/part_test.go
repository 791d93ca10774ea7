package intent

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A noun that speaks of a part of configuration asks for that kind of symbols.
func TestParts(t *testing.T) {
	service := func(name string) []Part { return []Part{{"resource", []string{name}}, {"service", []string{name}}} }
	resource := func(name string) []Part { return []Part{{"resource", []string{name}}} }
	for query, want := range map[string][]Part{
		"task that installs nginx":           {{Kind: "task"}},
		"which step signs the binaries":      {{Kind: "step"}},
		"the job that publishes to the hub":  {{Kind: "job"}},
		"npm script for coverage":            {{Kind: "script"}},
		"the service postgres":               service("postgres"),
		"ports of the redis service":         service("redis"),
		"the frontend deployment":            resource("frontend"),
		"how does a deployment work":         resource("work"),
		"which container runs clickhouse":    {{Kind: "service"}},
		"how does the scheduler queue a job": nil,
		"service account of the nodes":       nil,
		"a service":                          nil,
		"jobs":                               nil,
		"parse the task list":                nil,
		"handle errors":                      nil,
	} {
		if diff := cmp.Diff(want, Of(query).Parts); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
}
