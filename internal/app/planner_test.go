package app

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/llm/scripted"
	"github.com/ragnav/ragnav/internal/rag/plan"
)

const goodPlan = `{"semantic_query":"roses","filters":[{"field":"tags","operator":"$in","value":["garden"]}],` +
	`"response_format":"metadata_only"}`

// A model plans; what is wrong with a plan is told to it, twice. One that makes no
// plan, or is not there, costs a warning and not the answer.
func TestModelPlans(t *testing.T) {
	says := scripted.Says
	for _, c := range []struct {
		name    string
		turns   []scripted.Turn
		want    string // semantic query, number of filters
		planner string
		warning string
		asked   int
		told    string // in the last request
	}{
		{
			"at once",
			[]scripted.Turn{says("```json\n" + goodPlan + "\n```")},
			"roses", "scripted", "", 1,
			`"notes tagged garden about \"roses\""`,
		},
		{
			"not JSON, then right",
			[]scripted.Turn{says("Sure!"), says(goodPlan)},
			"roses", "scripted", "", 2, "That is not right",
		},
		{"a wrong operator, a wrong field, then right", []scripted.Turn{
			says(strings.Replace(goodPlan, "$in", "$near", 1)), says(strings.Replace(goodPlan, "tags", "color", 1)),
			says(goodPlan),
		}, "roses", "scripted", "", 3, `there is no such field`},
		{
			"a wrong type",
			[]scripted.Turn{says(strings.Replace(goodPlan, `["garden"]`, "7", 1)), says(goodPlan)},
			"roses",
			"scripted", "", 2, "$in wants text",
		},
		{
			"a mistake in the query",
			[]scripted.Turn{says(strings.Replace(goodPlan, "roses", "lang:go or", 1)), says(goodPlan)},
			"roses", "scripted", "", 2, "at character 9",
		},
		{
			"another form",
			[]scripted.Turn{says(strings.Replace(goodPlan, "metadata_only", "prose", 1)), says(goodPlan)},
			"roses",
			"scripted", "", 2, "response_format",
		},
		{
			"never",
			[]scripted.Turn{
				says("no"), says("{}"),
				says(`{"semantic_query":"","filters":[],"response_format":"metadata_only"}`),
			},
			question, "scripted", "PLAN_DEFAULT",
			3, "",
		},
		{
			"not there",
			[]scripted.Turn{scripted.Fails("", fault.New(fault.LLMUnavailable, "no answer"))},
			`"roses"`, "rules",
			"LLM_UNAVAILABLE", 1, "",
		},
		{
			"gone after a wrong one",
			[]scripted.Turn{says("no"), scripted.Fails("{", errors.New("broke"))},
			`"roses"`, "rules",
			"LLM_UNAVAILABLE", 2, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			model := &scripted.Model{Turns: c.turns}
			p := plan.New(func() time.Time { return time.Date(2025, 7, 12, 9, 0, 0, 0, time.UTC) })
			p.By(completer{model}, "scripted")
			resp, err := p.Plan(t.Context(), plan.Request{Query: question})
			if err != nil {
				t.Fatal(err)
			}
			got := resp.Items[0]
			if got.SemanticQuery != c.want || resp.Planner != c.planner ||
				(len(got.Filters) == 1) != (c.warning != "PLAN_DEFAULT") {
				t.Errorf("%+v by %s, want %q by %s", got, resp.Planner, c.want, c.planner)
			}
			if (len(resp.Meta.Warnings) == 1) != (c.warning != "") || c.warning != "" &&
				resp.Meta.Warnings[0].Code != c.warning {
				t.Errorf("warnings %v, want %q", resp.Meta.Warnings, c.warning)
			}
			asked := model.Asked()
			last := asked[len(asked)-1].Messages
			if len(asked) != c.asked || !strings.Contains(last[0].Text, "Saturday, 2025-07-12") ||
				!strings.Contains(last[0].Text+last[len(last)-1].Text, c.told) {
				t.Errorf("asked %d times, at last %q; want %d times and %q", len(asked), last[len(last)-1].Text, c.asked, c.told)
			}
		})
	}
}

const question = `notes tagged garden about "roses"`

func TestCancelledPlan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	model := &scripted.Model{Turns: []scripted.Turn{func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
		cancel()
		<-ctx.Done()
		return llm.Reply{}, ctx.Err()
	}}}
	p := plan.New(time.Now)
	p.By(completer{model}, "scripted")
	if _, err := p.Plan(ctx, plan.Request{Query: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want cancelled", err)
	}
}
