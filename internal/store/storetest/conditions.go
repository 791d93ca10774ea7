package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// notes are the documents that conditions select from, by name: plan and idea
// have every field of a note, with other values; bare has none of them, odd has
// texts where others have dates; code is a symbol.
func notes() map[string]models.Document {
	note := func(name string, d models.Document) models.Document {
		d.Header = models.Header{
			ID: models.DocumentID("doc:o/r:" + name), Type: models.TypeDocument, RepoID: "o/r",
			Kind: "section", Language: "Markdown",
		}
		d.FilePath = "notes/" + name + ".md"
		return d
	}
	plan := note("plan", models.Document{
		Title: "The Plan", Aliases: []string{"Roadmap"}, Heading: "Next Steps", HeadingLevel: 2,
		Tags: []string{"Work", "project/alpha"}, Wikilinks: []string{"Home", "people/Ada"},
		CreatedDate: "2026-03-09T10:00:00Z", ModifiedDate: "2026-05-01T00:00:00Z",
	})
	idea := note("idea", models.Document{
		Title: "Idea 100%", Heading: "Why", HeadingLevel: 3, Tags: []string{"draft"}, Wikilinks: []string{"plan"},
		CreatedDate: "2025-12-31T23:59:59Z", ModifiedDate: "2026-01-01T00:00:00Z",
	})
	odd := note("odd", models.Document{CreatedDate: "soon", Tags: []string{"projector"}})
	bare := models.Document{Header: models.Header{ID: "module:o/r:src", Type: models.TypeModule, RepoID: "o/r"}}
	code := symbol("o/rest", "src/my_file.go", "Parse", "walrus")
	return map[string]models.Document{"plan": plan, "idea": idea, "odd": odd, "bare": bare, "code": code}
}

// A conditionCase is a condition and the names of the notes that fit.
type conditionCase struct {
	condition string
	want      []string
}

// conditions checks every operator on every field that has it: on documents that
// fit, that don't, and without the field, and with a negation before and behind
// another condition.
func conditions(t *testing.T, open opener) {
	st := open(t)
	all := notes()
	for _, d := range all {
		put(t, st, d)
	}
	for _, tt := range slices.Concat(dateConditions(), listConditions(), textConditions(), otherConditions(),
		joinedConditions()) {
		t.Run(tt.condition, func(t *testing.T) {
			var c filter.Condition
			if err := json.Unmarshal([]byte(tt.condition), &c); err != nil {
				t.Fatal(err)
			}
			q, err := c.Query()
			if err != nil {
				t.Fatal(err)
			}
			wantNotes(t, all, tt.want, find(t, st, q))
			others := slices.DeleteFunc([]string{"bare", "code", "idea", "odd", "plan"},
				func(name string) bool { return slices.Contains(tt.want, name) })
			wantNotes(t, all, others, find(t, st, fts.Not{Query: q}))
		})
	}
}

func wantNotes(t *testing.T, all map[string]models.Document, names []string, got []models.DocumentID) {
	t.Helper()
	var want []models.DocumentID
	for _, name := range names {
		want = append(want, all[name].ID)
	}
	if diff := cmp.Diff(sorted(want), sorted(got), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

func condition(field, operator, value string) string {
	return fmt.Sprintf(`{"field":%q,"operator":%q,"value":%s}`, field, operator, value)
}

func dateConditions() []conditionCase {
	created := func(operator, value string, want ...string) conditionCase {
		return conditionCase{condition("created_date", operator, value), want}
	}
	return []conditionCase{
		created("$eq", `"2026-03-09T10:00:00Z"`, "plan"),
		created("$eq", `"2026-03-09T11:00:00+01:00"`, "plan"),
		created("$eq", `"2026-03-09"`, "plan"),
		created("$eq", `"2026-03"`, "plan"),
		created("$eq", `"2025"`, "idea"),
		created("$eq", `"2024"`),
		created("$ne", `"2026-03-09"`, "bare", "code", "idea", "odd"),
		created("$ne", `"2024"`, "bare", "code", "idea", "odd", "plan"),
		created("$in", `["2024", "2025-12-31", "2026-03"]`, "idea", "plan"),
		created("$in", `[]`),
		created("$nin", `["2025"]`, "bare", "code", "odd", "plan"),
		created("$nin", `[]`, "bare", "code", "idea", "odd", "plan"),
		created("$gt", `"2025-12-31"`, "plan"),
		created("$gt", `"2025-12-31T23:59:58Z"`, "idea", "plan"),
		created("$gt", `"2026-03-09T10:00:00Z"`),
		created("$gte", `"2026-03-09T10:00:00Z"`, "plan"),
		created("$gte", `"2025-12-31"`, "idea", "plan"),
		created("$gte", `"2027"`),
		created("$lt", `"2026"`, "idea"),
		created("$lt", `"2025-12-31"`),
		created("$lte", `"2025-12-31"`, "idea"),
		created("$lte", `"2026-03-09T10:00:00Z"`, "idea", "plan"),
		created("$lte", `"2024"`),
		{condition("modified_date", "$gt", `"2026-01-01T00:00:00Z"`), []string{"plan"}},
		{condition("modified_date", "$eq", `"2026-01-01"`), []string{"idea"}},
		{condition("modified_date", "$ne", `"2026-01-01"`), []string{"bare", "code", "odd", "plan"}},
		{condition("modified_date", "$lte", `"2026-01"`), []string{"idea"}},
		{condition("modified_date", "$lt", `"2026-01-01"`), nil},
		{condition("modified_date", "$lt", `"2026-02"`), []string{"idea"}},
		{condition("modified_date", "$gte", `"2026-01-01"`), []string{"idea", "plan"}},
		{condition("modified_date", "$in", `["2026-01-01"]`), []string{"idea"}},
		{condition("modified_date", "$nin", `["2026-01-01"]`), []string{"bare", "code", "odd", "plan"}},
	}
}

func listConditions() []conditionCase {
	tags := func(operator, value string, want ...string) conditionCase {
		return conditionCase{condition("tags", operator, value), want}
	}
	links := func(operator, value string, want ...string) conditionCase {
		return conditionCase{condition("wikilinks", operator, value), want}
	}
	return []conditionCase{
		tags("$eq", `"work"`, "plan"),
		tags("$eq", `"#Work"`, "plan"),
		tags("$eq", `"project"`, "plan"),
		tags("$eq", `"project/alpha"`, "plan"),
		tags("$eq", `"alpha"`),
		tags("$ne", `"draft"`, "bare", "code", "odd", "plan"),
		tags("$ne", `"project"`, "bare", "code", "idea", "odd"),
		tags("$in", `["draft", "work"]`, "idea", "plan"),
		tags("$in", `"draft"`, "idea"),
		tags("$in", `["none"]`),
		tags("$in", `[]`),
		tags("$nin", `["draft", "projector"]`, "bare", "code", "plan"),
		tags("$nin", `[]`, "bare", "code", "idea", "odd", "plan"),
		tags("$contains", `"draft"`, "idea"),
		tags("$contains", `"dra"`),
		tags("$like", `"pro%"`, "odd", "plan"),
		tags("$like", `"dr_ft"`, "idea"),
		tags("$like", `"pro"`),
		links("$eq", `"home"`, "plan"),
		links("$eq", `"[[Home|the start]]"`, "plan"),
		links("$eq", `"Ada"`, "plan"),
		links("$eq", `"people/ada.md"`, "plan"),
		links("$eq", `"people"`),
		links("$ne", `"Home"`, "bare", "code", "idea", "odd"),
		links("$in", `["home", "Plan"]`, "idea", "plan"),
		links("$nin", `["plan"]`, "bare", "code", "odd", "plan"),
		links("$contains", `"Plan"`, "idea"),
		links("$contains", `"pla"`),
		links("$like", `"%ada"`, "plan"),
		links("$like", `"none%"`),
	}
}

func textConditions() []conditionCase {
	on := func(field, operator, value string, want ...string) conditionCase {
		return conditionCase{condition(field, operator, value), want}
	}
	return []conditionCase{
		on("title", "$eq", `"the plan"`, "plan"),
		on("title", "$eq", `"roadmap"`, "plan"),
		on("title", "$eq", `"plan"`),
		on("title", "$ne", `"The Plan"`, "bare", "code", "idea", "odd"),
		on("title", "$in", `["The Plan", "Idea 100%"]`, "idea", "plan"),
		on("title", "$nin", `["The Plan"]`, "bare", "code", "idea", "odd"),
		on("title", "$contains", `"PLAN"`, "plan"),
		on("title", "$contains", `"100%"`, "idea"),
		on("title", "$contains", `".*"`),
		on("title", "$like", `"%plan"`, "plan"),
		on("title", "$like", `"the*"`, "plan"),
		on("title", "$like", `"plan"`),
		on("title", "$like", `"idea 100\\%"`, "idea"),
		on("heading", "$eq", `"NEXT steps"`, "plan"),
		on("heading", "$ne", `"why"`, "bare", "code", "odd", "plan"),
		on("heading", "$in", `["why"]`, "idea"),
		on("heading", "$nin", `["why"]`, "bare", "code", "odd", "plan"),
		on("heading", "$contains", `"step"`, "plan"),
		on("heading", "$like", `"W_y"`, "idea"),
		on("file_path", "$eq", `"notes/plan.md"`, "plan"),
		on("file_path", "$eq", `"notes/Plan.md"`),
		on("file_path", "$ne", `"notes/plan.md"`, "bare", "code", "idea", "odd"),
		on("file_path", "$in", `["notes/plan.md", "./notes/idea.md", "notes"]`, "idea", "plan"),
		on("file_path", "$nin", `["notes/plan.md"]`, "bare", "code", "idea", "odd"),
		on("file_path", "$contains", `"NOTES/i"`, "idea"),
		on("file_path", "$like", `"notes"`, "idea", "odd", "plan"),
		on("file_path", "$like", `"*.go"`, "code"),
		on("file_path", "$like", `"%.md"`, "idea", "odd", "plan"),
		on("file_path", "$like", `"src/my_file.go"`, "code"),
		on("file_path", "$like", `"none/**"`),
	}
}

func otherConditions() []conditionCase {
	on := func(field, operator, value string, want ...string) conditionCase {
		return conditionCase{condition(field, operator, value), want}
	}
	return []conditionCase{
		on("level", "$eq", `2`, "plan"),
		on("level", "$eq", `"2"`, "plan"),
		on("level", "$eq", `0`, "odd"),
		on("level", "$eq", `9`),
		on("level", "$ne", `2`, "bare", "code", "idea", "odd"),
		on("level", "$in", `[2, 3]`, "idea", "plan"),
		on("level", "$nin", `[2, 3]`, "bare", "code", "odd"),
		on("level", "$gt", `2`, "idea"),
		on("level", "$gt", `6`),
		on("level", "$gte", `2`, "idea", "plan"),
		on("level", "$lt", `3`, "odd", "plan"),
		on("level", "$lt", `-1`),
		on("level", "$lte", `2`, "odd", "plan"),
		on("repo_id", "$eq", `"o/rest"`, "code"),
		on("repo_id", "$ne", `"o/rest"`, "bare", "idea", "odd", "plan"),
		on("repo_id", "$in", `["o/rest", "x"]`, "code"),
		on("repo_id", "$nin", `["o/r"]`, "code"),
		on("repo_id", "$contains", `"RES"`, "code"),
		on("repo_id", "$like", `"o/%"`, "bare", "code", "idea", "odd", "plan"),
		on("repo_id", "$like", `"o/re%"`, "code"),
		on("language", "$eq", `"golang"`, "code"),
		on("language", "$ne", `"md"`, "bare", "code"),
		on("language", "$in", `["Go", "python"]`, "code"),
		on("language", "$nin", `["go"]`, "bare", "idea", "odd", "plan"),
		on("language", "$contains", `"down"`, "idea", "odd", "plan"),
		on("language", "$like", `"g_"`, "code"),
		on("kind", "$eq", `"function"`, "code"),
		on("kind", "$ne", `"section"`, "bare", "code"),
		on("kind", "$in", `["func", "class"]`, "code"),
		on("kind", "$nin", `["func"]`, "bare", "idea", "odd", "plan"),
		on("kind", "$contains", `"sect"`, "idea", "odd", "plan"),
		on("kind", "$like", `"f%"`, "code"),
	}
}

func joinedConditions() []conditionCase {
	const notDraft, work, level3 = `{"field":"tags","operator":"$ne","value":"draft"}`,
		`{"field":"tags","operator":"$eq","value":"work"}`, `{"field":"level","operator":"$eq","value":3}`
	join := func(operator string, parts string, want ...string) conditionCase {
		return conditionCase{`{"operator":"` + operator + `","value":[` + parts + `]}`, want}
	}
	return []conditionCase{
		join("$and", notDraft+","+work, "plan"),
		join("$and", work+","+notDraft, "plan"),
		join("$and", notDraft+","+level3),
		join("$and", notDraft, "bare", "code", "odd", "plan"),
		join("$and", notDraft+`,{"field":"kind","operator":"$nin","value":["func"]}`, "bare", "odd", "plan"),
		join("$or", notDraft+","+level3, "bare", "code", "idea", "odd", "plan"),
		join("$or", level3+","+work, "idea", "plan"),
		join("$or", `{"field":"title","operator":"$eq","value":"none"},`+work, "plan"),
		join("$or", `{"field":"level","operator":"$gt","value":6},`+work, "plan"),
		join("$not", notDraft, "idea"),
		join("$not", condition("created_date", "$gte", `"2026"`), "bare", "code", "idea", "odd"),
		join("$not", condition("level", "$lt", `3`), "bare", "code", "idea"),
		join("$not", condition("title", "$contains", `"plan"`), "bare", "code", "idea", "odd"),
		join("$not", condition("file_path", "$like", `"notes"`), "bare", "code"),
		join("$not", condition("wikilinks", "$in", `["home", "plan"]`), "bare", "code", "odd"),
		join("$not", condition("kind", "$nin", `["func"]`), "code"),
		join("$or", condition("tags", "$nin", `["work"]`)+","+work, "bare", "code", "idea", "odd", "plan"),
		join("$and", `{"operator":"$not","value":`+work+`},{"operator":"$or","value":[`+notDraft+`,`+level3+`]}`, "bare",
			"code", "idea", "odd"),
		{`{"tags":{"$nin":["draft"]},"level":{"$gte":1,"$lt":3}}`, []string{"plan"}},
		{`{"$or":[{"tags":"work"},{"$and":[{"level":{"$ne":2}},{"wikilinks":{"$in":["plan"]}}]}]}`, []string{"idea", "plan"}},
	}
}
