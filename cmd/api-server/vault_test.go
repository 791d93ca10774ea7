package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/retrieve"
)

// vault is a folder of notes as Obsidian writes it, with a script among them.
var vault = map[string]string{
	"Home.md": "---\ntitle: Home\naliases: [Start, \"Main page\"]\ntags: [index]\ncreated: 2024-01-05\n" +
		"modified: 2024-01-06\n---\n" +
		"# Home\nSee [[Alpha|the alpha project]] and [[projects/Beta#Plan]].\n",
	"projects/Alpha.md": "---\ntags:\n  - project/alpha\n  - Draft\ncreated: 2024-03-10T09:00:00Z\n" +
		"modified: 2024-10-12\nup: \"[[Home]]\"\n---\n" +
		"# Alpha\nThe walrus research of the zoo.\n\n## Plan\nThe walrus pool must be **big enough** for all. #todo\n\n" +
		"## Later\nNothing here.\n",
	"projects/Beta.md": "---\ntags: project/beta\ncreated: 2023-11-02\nmodified: 2023-11-02\n---\n# Beta\n" +
		"Penguin census. Links to [[start]] and ![[Alpha]].\n\n## Plan\nCount the penguins twice.\n",
	"daily/2024-11-21.md": "---\nmodified: 2024-11-22\n---\n# Thursday\nMet the walrus keeper. #meeting #project/alpha\n",
	"daily/2024-11-22.md": "---\nmodified: 2024-11-22\n---\nNothing but [[2024-11-21]].\n",
	"scripts/feed.py":     "def feed_walrus(kilos):\n    \"\"\"Feed the walrus.\"\"\"\n    return kilos * 2\n",
}

const (
	home, alpha, beta, thursday, friday, feed = "Home.md", "projects/Alpha.md", "projects/Beta.md", "daily/2024-11-21.md",
		"daily/2024-11-22.md", "scripts/feed.py"
)

// A vault answers questions of tags, links, dates and text.
func TestVault(t *testing.T) {
	p, id := startWith(t, vault)
	for query, want := range map[string][]string{
		"notes tagged project":                      {alpha, beta, thursday},
		"notes tagged #project/alpha":               {alpha, thursday},
		"notes tagged project but not tagged draft": {beta, thursday},
		"notes not tagged project":                  {friday, home},
		"#todo":                                     {alpha},
		"notes linking to [[Home]]":                 {alpha, beta}, // one by an alias
		"notes linking to [[Main page]]":            {alpha, beta},
		"notes linking to [[projects/Alpha.md]]":    {beta, home},
		"backlinks of [[2024-11-21]]":               {friday},
		// not the other sections of Alpha and Beta, which link to it
		"notes about walrus that do not link to [[Home]]": {friday, home, thursday},
		"notes not tagged todo":                           {beta, friday, home, thursday},
		"notes in 2023":                                   {beta},
		"notes created since November 2024":               {friday, thursday},
		"notes modified in October 2024":                  {alpha},
		"notes before 2024-03-10 in the projects folder":  {beta},
		"notes from 2024-11-21":                           {thursday},
		"level 2 headings":                                {alpha, beta},
		`notes titled "Home"`:                             {home},
		`"big enough" path:projects`:                      {alpha},
		`notes with "pool must be big enough"`:            {alpha},
		"kind:func walrus":                                {feed},
		"walrus lang:python":                              {feed},
		"tag:nothing":                                     nil,
		"notes in 1999":                                   nil,
	} {
		reply, items := p.context(t, map[string]any{"query": query, "repo_filter": id, "limit": 50})
		slices.Sort(want)
		if diff := cmp.Diff(want, placesOf(items)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", query, diff, reply["plan"])
		}
		if meta := reply["meta"].(map[string]any); len(want) == 0 && meta["message"] == nil {
			t.Errorf("%s: nothing, without a word", query)
		}
	}
}

// The packages have what the specification says, and nothing else.
func TestContextPackages(t *testing.T) {
	p, id := startWith(t, vault)
	filters := []any{map[string]any{"tags": map[string]any{"$in": []string{"project/alpha"}}}}
	ask := func(form string, more map[string]any) (map[string]any, []retrieve.Item) {
		req := map[string]any{
			"repo_filter": id,
			"plan":        map[string]any{"semantic_query": "walrus pool", "filters": filters, "response_format": form},
		}
		maps.Copy(req, more)
		return p.context(t, req)
	}
	reply, items := ask("metadata_only", nil)
	for _, item := range reply["items"].([]any) {
		if diff := cmp.Diff([]string{"heading", "id", "tags", "title"},
			slices.Sorted(maps.Keys(item.(map[string]any)))); diff != "" {
			t.Errorf("keys of metadata_only (-want +got):\n%s", diff)
		}
	}
	if len(items) != 2 || items[0].Title != "Alpha" || *items[0].Heading != "Plan" ||
		!slices.Contains(*items[0].Tags, "todo") {
		t.Errorf("items %+v", reply["items"])
	}
	reply, items = ask("selective_context", map[string]any{"explain": true})
	for _, item := range reply["items"].([]any) {
		if diff := cmp.Diff([]string{"content", "id", "metadata", "title"},
			slices.Sorted(maps.Keys(item.(map[string]any)))); diff != "" {
			t.Errorf("keys of selective_context (-want +got):\n%s", diff)
		}
	}
	m := items[0].Metadata
	if !strings.Contains(*items[0].Content, "The walrus pool must be **big enough** for all.") ||
		!strings.Contains(*items[0].Content, "# Alpha\n") ||
		m.FilePath != alpha || !slices.Contains(m.Tags, "todo") || m.StartLine != 9 ||
		m.CreatedDate != "2024-03-10T09:00:00Z" || !slices.Equal(m.Backlinks, []string{home, beta}) {
		t.Errorf("item %+v %q", m, *items[0].Content)
	}
	var explained struct {
		Filter  any            `json:"filter"`
		Hits    []retrieve.Hit `json:"hits"`
		Dropped []retrieve.Dropped
	}
	again, _ := json.Marshal(reply["explain"])
	if err := json.Unmarshal(again, &explained); err != nil || explained.Filter == nil || len(explained.Hits) < 3 ||
		len(explained.Hits) != len(items)+len(explained.Dropped) ||
		!slices.ContainsFunc(explained.Dropped,
			func(d retrieve.Dropped) bool { return strings.HasPrefix(d.Why, "merged into") }) {
		t.Errorf("explanation %s, %v", again, err)
	}
	reply, items = ask("selective_context", map[string]any{"max_tokens": 130})
	meta := reply["meta"].(map[string]any)
	if len(items) != 1 || meta["truncated"] != true || meta["message"] == nil || len(*items[0].Content) > 390 {
		t.Errorf("130 tokens: %d items, %v", len(items), meta)
	}
}

// What is wrong with a plan or a question is said by name.
func TestContextMistakes(t *testing.T) {
	p, _ := startWith(t, vault)
	filter := func(text string) string { return `{"plan":{"semantic_query":"x","filters":[` + text + `]}}` }
	for body, want := range map[string]string{
		`{}`:                            "query is required",
		`{"query":" ","plan":{}}`:       "not both",
		`{"plan":{}}`:                   "the plan is empty",
		`{"query":"walrus lang:go or"}`: "at character 16",
		`{"plan":{"semantic_query":"(lang:go","filters":[]}}`:              "at character 1",
		`{"plan":{"semantic_query":"x","response_format":"prose"}}`:        "response_format",
		`{"plan":{"semantic_query":"x","more":1}}`:                         "more",
		filter(`{"field":"color","operator":"$eq","value":"red"}`):         "no such field",
		filter(`{"field":"level","operator":"$gt","value":"high"}`):        "whole number",
		filter(`{"field":"tags","operator":"$gt","value":"a"}`):            `it has no "$gt"`,
		filter(`{"field":"created_date","operator":"$lt","value":"soon"}`): "a date such as",
		filter(`{"field":"tags","operator":"$near","value":"a"}`):          "no operator",
		filter(`7`): "a filter is an object",
		filter(`{"field":"repo_id","operator":"$eq","value":"nope"}`): "no repository matches",
		`{"query":"x","limit":0}`:                                     "limit",
	} {
		status, reply := p.post("/api/rag/context", body)
		if status != http.StatusBadRequest && status != http.StatusNotFound ||
			!strings.Contains(deref(reply.Meta.Message), want) {
			t.Errorf("%s: %d %q, want %q", body, status, deref(reply.Meta.Message), want)
		}
	}
}

// context retrieves, and gives the reply as JSON and its items.
func (p *program) context(t *testing.T, req map[string]any) (map[string]any, []retrieve.Item) {
	t.Helper()
	body, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	status, text := p.raw(http.MethodPost, "/api/rag/context", "application/json", string(body))
	var reply map[string]any
	var typed models.Result[retrieve.Item]
	if err := json.Unmarshal(text, &reply); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", body, status, text, err)
	}
	if err := json.Unmarshal(text, &typed); err != nil {
		t.Fatal(err)
	}
	return reply, typed.Items
}

// placesOf are the files of items, sorted.
func placesOf(items []retrieve.Item) []string {
	var files []string
	for _, item := range items {
		_, rest, _ := strings.Cut(string(item.ID), ":notebook:")
		rest, _, _ = strings.Cut(rest, "#")
		rest, _, _ = strings.Cut(rest, ":")
		files = append(files, rest)
	}
	slices.Sort(files)
	return files
}
