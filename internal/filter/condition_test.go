package filter_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
)

// What conditions select is checked on every store, by package storetest.

func TestConditionFaults(t *testing.T) {
	deep := strings.Repeat(`{"operator":"$not","value":`, 12) + `{"tags":"x"}` + strings.Repeat("}", 12)
	for condition, says := range map[string]string{
		`{"field":"nope","operator":"$eq","value":"x"}`: `"nope": there is no such field; the fields are ` +
			`created_date`,
		`{"field":"tags","operator":"$near","value":"x"}`:                `no operator "$near"; the operators are $eq`,
		`{"field":"tags","operator":"eq","value":"x"}`:                   `no operator "eq"`,
		`{"field":"tags","operator":"$eq"}`:                              "$eq wants a value",
		`{"field":"tags","operator":"$eq","value":null}`:                 "filter on tags: $eq wants text",
		`{"field":"tags","operator":"$eq","value":7}`:                    "filter on tags: $eq wants text",
		`{"field":"tags","operator":"$eq","value":["a"]}`:                "single value",
		`{"field":"tags","operator":"$in","value":["a",7]}`:              "$in wants text",
		`{"field":"tags","operator":"$in","value":[["a"]]}`:              "$in wants text",
		`{"field":"tags","operator":"$gt","value":"a"}`:                  `it has no "$gt"`,
		`{"field":"title","operator":"$lte","value":"a"}`:                `it has no "$lte"`,
		`{"field":"title","operator":"$contains","value":""}`:            "not empty",
		`{"field":"title","operator":"$contains","value":true}`:          "text",
		`{"field":"file_path","operator":"$gt","value":"a"}`:             `it has no "$gt"`,
		`{"field":"level","operator":"$gt","value":"high"}`:              "whole number",
		`{"field":"level","operator":"$gt","value":2.5}`:                 "whole number",
		`{"field":"level","operator":"$contains","value":2}`:             `it has no "$contains"`,
		`{"field":"level","operator":"$eq","value":null}`:                "whole number",
		`{"field":"created_date","operator":"$gt","value":"yesterday"}`:  "a date such as",
		`{"field":"created_date","operator":"$gt","value":1700000000}`:   "a date such as",
		`{"field":"created_date","operator":"$gt","value":"2026-13-01"}`: "a date such as",
		`{"field":"created_date","operator":"$like","value":"2026"}`:     `it has no "$like"`,
		`{"field":"language","operator":"$eq","value":"pyhton"}`:         "the nearest are Python",
		`{"field":"language","operator":"$gt","value":"go"}`:             `it has no "$gt"`,
		`{"operator":"$and","value":[]}`:                                 "$and wants a list of filters",
		`{"operator":"$not","value":[{"tags":"a"},{"tags":"b"}]}`:        "$not wants",
		`{"field":"tags","operator":"$or","value":[{"tags":"a"}]}`:       "$or wants a list",
		`{"operator":"$or","value":"x"}`:                                 "a filter is an object",
		`{"operator":"$or","value":[{"tags":{"$is":"x"}}]}`:              "an operator is unknown",
		`{"field":"tags","operator":"$eq","value":"x","more":1}`:         `unknown field "more"`,
		`{}`: "a field, an operator and a value", `[]`: "a filter is an object", `"x"`: "a filter is an object", `null`: "",
		deep: "nested more than",
		`{"operator":"$and","value":[` + strings.Repeat(`{"tags":"x"},`, 200) + `{"tags":"y"}]}`: "more than 100",
	} {
		var c filter.Condition
		err := json.Unmarshal([]byte(condition), &c)
		if err == nil {
			_, err = c.Query()
		}
		if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), says) {
			t.Errorf("%.80s: %v, want INVALID_REQUEST that says %q", condition, err, says)
		}
	}
}

func TestConditionJSON(t *testing.T) {
	for given, want := range map[string]string{
		`{"tags":{"$in":["a"]}}`: `{"field":"tags","operator":"$in","value":["a"]}`,
		`{"title":"x"}`:          `{"field":"title","operator":"$eq","value":"x"}`,
		`{"level":{"$gte":2,"$lt":4}}`: `{"operator":"$and","value":[{"field":"level","operator":"$gte",` +
			`"value":2},{"field":"level","operator":"$lt","value":4}]}`,
		`{"$or":[{"title":"x"},{"$not":{"level":1}}]}`: `{"operator":"$or","value":[{"field":"title","operator":"$eq",` +
			`"value":"x"},{"operator":"$not","value":[{"field":"level","operator":"$eq","value":1}]}]}`,
	} {
		var c filter.Condition
		if err := json.Unmarshal([]byte(given), &c); err != nil {
			t.Fatal(err)
		}
		for range 2 { // what it writes it reads
			got, err := json.Marshal(c)
			if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", given, err, diff)
			}
			if err := json.Unmarshal(got, &c); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Whatever is given as a condition is refused by name, or can be executed.
func FuzzCondition(f *testing.F) {
	for _, seed := range []string{
		`{"field":"tags","operator":"$in","value":["a"]}`, `{"$or":[{"level":{"$gt":1}}]}`, `{"file_path":{"$like":"a_[b"}}`,
		`{"created_date":{"$lt":"9999"}}`,
		`{"title":{"$like":"\\"}}`, `{"operator":"$and","value":{}}`, `{"a":{}}`, `{"language":""}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var c filter.Condition
		if !json.Valid([]byte(text)) {
			return
		}
		err := json.Unmarshal([]byte(text), &c)
		if err == nil {
			_, err = c.Query()
		}
		if code := fault.CodeOf(err); err != nil && code != fault.InvalidRequest && code != fault.InvalidPath {
			t.Errorf("%s: %v", text, err)
		}
	})
}
