package storetest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/ragnav/ragnav/internal/filter"
)

// Every operator that a field has is tried on documents that fit, that don't, and
// that lack the field; what a field doesn't have is refused. Each case is also run
// negated, on every store, see conditions.
func TestEveryOperatorIsTried(t *testing.T) {
	samples := map[filter.Field]any{
		filter.CreatedDate: "2026", filter.ModifiedDate: "2026", filter.HeadingLevel: 2.0, filter.Language: "go",
	}
	cases := slices.Concat(dateConditions(), listConditions(), textConditions(), otherConditions())
	for _, field := range filter.Fields() {
		for _, operator := range filter.Operators() {
			if slices.Contains([]filter.Operator{filter.And, filter.Or, filter.Not}, operator) {
				continue
			}
			value, given := samples[field]
			if !given {
				value = "x"
			}
			_, err := filter.Condition{Field: field, Operator: operator, Value: value}.Query()
			fits, lacks, negates := false, false, operator == filter.Ne || operator == filter.Nin
			for _, tt := range cases {
				var c filter.Condition
				if err := json.Unmarshal([]byte(tt.condition), &c); err != nil {
					t.Fatal(err)
				}
				if c.Field != field || c.Operator != operator {
					continue
				}
				if err != nil {
					t.Errorf("%s is tried, but %s has no %s: %v", tt.condition, field, operator, err)
				}
				fits = fits || len(tt.want) > 0 && len(tt.want) < len(notes())
				lacks = lacks || slices.Contains(tt.want, "bare") == negates
			}
			if err == nil && (!fits || !lacks && field != filter.RepoID) {
				t.Errorf("%s %s: fits some %v, right without the field %v", field, operator, fits, lacks)
			}
		}
	}
}
