package valid_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/valid"
)

func TestCheckAccepts(t *testing.T) {
	for name, req := range map[string]any{
		"only what is required": search.Request{Query: "x"},
		"pointer":               &search.Request{Query: "x"},
		"bounds":                search.Request{Query: strings.Repeat("é", 2000), Limit: new(100)},
		"nested": ask.Request{
			Query: "x", History: []ask.Message{{Role: "user", Content: "y"}},
			Budget: &ask.Budget{MaxSteps: new(1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := valid.Check(req); err != nil {
				t.Errorf("Check: %v", err)
			}
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, test := range []struct {
		name    string
		req     any
		message string
		fields  map[string]string
	}{
		{
			name: "missing", req: search.Request{},
			message: "query is required",
			fields:  map[string]string{"query": "is required"},
		},
		{
			name: "a place of zeros", req: nav.DefinitionRequest{RepoID: "a/b", FilePath: "a.go", Column: 1},
			message: "line is required, and counts from 1",
			fields:  map[string]string{"line": "is required, and counts from 1"},
		},
		{
			name: "zero behind a pointer", req: search.Request{Query: "x", Limit: new(0)},
			message: "limit must be at least 1",
			fields:  map[string]string{"limit": "must be at least 1"},
		},
		{
			name: "several, in the order of the struct", req: search.Request{Query: "x", Level: "class", Limit: new(101)},
			message: "level must be one of symbol, file, module, repo, doc, auto; limit must be at most 100",
			fields: map[string]string{
				"level": "must be one of symbol, file, module, repo, doc, auto",
				"limit": "must be at most 100",
			},
		},
		{
			name: "characters", req: search.Request{Query: strings.Repeat("é", 8001)},
			message: "query must have at most 8000 characters",
			fields:  map[string]string{"query": "must have at most 8000 characters"},
		},
		{
			name: "list element",
			req: ask.Request{
				Query:   "x",
				History: []ask.Message{{Role: "user", Content: "y"}, {Role: "system", Content: "y"}},
			},
			message: "history[1].role must be one of user, assistant",
			fields:  map[string]string{"history[1].role": "must be one of user, assistant"},
		},
		{
			name: "nested pointer", req: ask.Request{Query: "x", Budget: &ask.Budget{MaxSteps: new(51)}},
			message: "budget.max_steps must be at most 50",
			fields:  map[string]string{"budget.max_steps": "must be at most 50"},
		},
		{
			name: "length of a list", req: index.StartRequest{Targets: make([]string, 101)},
			message: "targets must have at most 100 entries",
			fields:  map[string]string{"targets": "must have at most 100 entries"},
		},
		{
			name: "empty list", req: index.StartRequest{Targets: []string{}},
			message: "targets must have at least 1 entry",
			fields:  map[string]string{"targets": "must have at least 1 entry"},
		},
		{
			name: "line", req: filefetch.Request{RepoID: "r", FilePath: "a", StartLine: new(-1)},
			message: "start_line must be at least 1",
			fields:  map[string]string{"start_line": "must be at least 1"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := errors.AsType[*fault.Error](valid.Check(test.req))
			if !ok {
				t.Fatal("Check gave no *fault.Error")
			}
			want := &fault.Error{Code: fault.InvalidRequest, Message: test.message, Fields: test.fields}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Check (-want +got):\n%s", diff)
			}
		})
	}
}

// A long list of problems stays one readable line; none is lost from Fields.
func TestCheckShortensTheMessage(t *testing.T) {
	err, ok := errors.AsType[*fault.Error](valid.Check(index.StartRequest{Targets: make([]string, 8)}))
	if !ok {
		t.Fatal("Check gave no *fault.Error")
	}
	if !strings.HasSuffix(err.Message, "targets[4] is required; and 3 more") || len(err.Fields) != 8 {
		t.Errorf("message %q with %d fields", err.Message, len(err.Fields))
	}
}

// What is not a struct is a bug of the caller, not of the client.
func TestCheckNonStruct(t *testing.T) {
	if got := fault.CodeOf(valid.Check(3)); got != fault.Internal {
		t.Errorf("code = %s, want %s", got, fault.Internal)
	}
}

// JSON Schema calls 4.0 an integer.
func TestDecodeWholeNumbers(t *testing.T) {
	for text, want := range map[string]int{"4": 4, "4.0": 4, "4.00e0": 4, "4e1": 40, "400E-2": 4, "-0.0": 0} {
		var got ask.Request
		body := `{"query": "4.0", "budget": {"max_steps": ` + text + ` , "max_calls":7.0}}`
		if err := valid.Decode([]byte(body), &got); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if b := got.Budget; got.Query != "4.0" || *b.MaxSteps != want || *b.MaxCalls != 7 {
			t.Errorf("%s: query %q, max_steps %d, max_calls %d", text, got.Query, *b.MaxSteps, *b.MaxCalls)
		}
	}
}

// A checked is a value that checks itself.
type checked struct{ text string }

func (c *checked) UnmarshalJSON(text []byte) error {
	c.text = string(text)
	return nil
}

// Names and values are compared with the type, however they are written.
func TestDecode(t *testing.T) {
	type request struct {
		Name  string             `json:"name"`
		Lists []struct{ N *int } `json:"lists"`
		Own   checked            `json:"own"`
	}
	for body, want := range map[string]string{
		`{"n\u0061me": "a\"}", "own" : [{"}": "\\"}, 1e1 ], "lists":[ {} , {}]}`: "",
		`{"name":"a","n\u0061me":"b"}`:                                           `field "name" is given twice`,
		`{"own":{"x":null},"Name":"a"}`:                                          `unknown field "Name"; the fields are name, lists, own`,
		`{"own":"]","lists":[{"x":1}]}`:                                          `unknown field "lists[0].x"; the fields are `,
		`{"name":4e0}`:                                                           `name must be a string, not 4e0`,
		`{"lists":[{},null]}`:                                                    `lists[1] must be an object, not null`,
		`{"lists":{}}`:                                                           `lists must be a list, not an object`,
		`[]`:                                                                     `the body must be an object, not a list`,
		`{"name":"a"`:                                                            `malformed JSON at line 1, column 11: unexpected end of JSON input`,
	} {
		var got request
		err := valid.Decode([]byte(body), &got)
		if message := fault.MessageOf(err); want != "" && (err == nil || !strings.HasPrefix(message, want)) {
			t.Errorf("%s: %q, want %q", body, message, want)
		}
		if want == "" && (err != nil || got.Name != `a"}` || got.Own.text != `[{"}": "\\"}, 1e1 ]` || len(got.Lists) != 2) {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
}
