package plan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/plan"
)

// today is a Saturday, that of the specification.
var today = time.Date(2025, 7, 12, 22, 30, 0, 0, time.FixedZone("", -5*3600))

// spelled writes a plan on one line: what to look for | filters | form.
func spelled(p plan.Plan) string {
	var parts []string
	for _, f := range p.Filters {
		if f.Field == "" {
			text, _ := json.Marshal(f)
			parts = append(parts, string(text))
			continue
		}
		value := strings.TrimSuffix(fmt.Sprint(f.Value), "T00:00:00Z")
		parts = append(parts, fmt.Sprint(f.Field, " ", f.Operator, " ", value))
	}
	return p.SemanticQuery + " | " + strings.Join(parts, ", ") + " | " +
		map[string]string{plan.MetadataOnly: "meta", plan.SelectiveContext: "text"}[p.ResponseFormat]
}

// What looks like a condition and is none is told.
func TestDoubts(t *testing.T) {
	for text, want := range map[string]string{
		"titel:Home walrus":        "titel: is no condition",
		"walrus of 3/4/2024":       "3/4/2024 was taken for words",
		"sym:Foo walrus":           "",
		"label:bug base:x gang:y":  "",
		"std::vector in a walrus":  "",
		"see http://x.org/walrus":  "",
		"key:value pairs of yaml":  "",
		"kind:func lang:go walrus": "",
		"walrus kind:klass":        "kind:klass is no usual kind; the nearest is class",
		"walrus -kind:funktion":    "kind:funktion is no usual kind; the nearest is function",
		"walrus kind:rule":         "",
	} {
		resp, err := plan.New(func() time.Time { return today }).Plan(t.Context(), plan.Request{Query: text})
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, w := range resp.Meta.Warnings {
			got += w.Message
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestRules(t *testing.T) {
	const noDrafts = `{"operator":"$not","value":[{"operator":"$or","value":[` +
		`{"field":"tags","operator":"$in","value":["draft","drafts"]},` +
		`{"field":"file_path","operator":"$like","value":"draft"},` +
		`{"field":"file_path","operator":"$like","value":"drafts"},` +
		`{"field":"file_path","operator":"$like","value":"Draft"},` +
		`{"field":"file_path","operator":"$like","value":"Drafts"}]}]}`
	for text, want := range map[string]string{
		"find notes about gardening":                      "gardening |  | meta",
		"what did I write about rust lifetimes?":          "rust lifetimes |  | text",
		"How does the retry policy work?":                 "How does the retry policy work? |  | text",
		"everything about walrus except drafts":           `walrus | ` + noDrafts + ` | meta`,
		"show all my notes except the draft":              ` | ` + noDrafts + ` | meta`,
		"everything except those about birds":             "-birds |  | meta",
		"everything but drafts":                           ` | ` + noDrafts + ` | meta`,
		"How do I delete everything except node_modules?": "How do I delete everything except node_modules? |  | text",
		"Why does the regex match anything but newline?":  "Why does the regex match anything but newline? |  | text",
		"Does anything use gocb apart from couchbase?":    "Does anything use gocb apart from couchbase? |  | text",
		"everything that is called but not exported":      "everything that is called but not exported |  | meta",
		"walrus linked to [[Sea]] or #ice": `walrus | {"operator":"$or","value":[` +
			`{"field":"wikilinks","operator":"$in","value":["Sea"]},{"field":"tags","operator":"$in","value":["ice"]}]} | meta`,
		"walrus not linked to [[Sea|the sea]] or #ice": "walrus | wikilinks $nin [Sea], tags $nin [ice] | meta",
		"tag:ice walrus before Christmas":              "walrus | created_date $lt 2024-12-25, tags $in [ice] | meta",
		"walrus since New Year's Eve 2023":             "walrus | created_date $gte 2023-12-31 | meta",
		"How are the days until Christmas computed?":   "How are the days until Christmas computed? |  | text",
		"code run after Christmas tree is drawn":       "code run after Christmas tree is drawn |  | meta",
		"walrus for Christmas":                         "walrus for Christmas |  | meta",
		"modified_at:2024 walrus": "walrus | modified_date $gte 2024-01-01, " +
			"modified_date $lt 2025-01-01 | meta",
		"gardening":          "gardening |  | meta",
		"notes tagged draft": " | tags $in [draft] | meta",
		"Show me all notes tagged project/alpha and urgent about budgets": "budgets | tags $in [project/alpha], tags $in " +
			"[urgent] | meta",
		"notes tagged a or b":                               " | tags $in [a b] | meta",
		"notes not tagged draft about walrus":               "walrus | tags $nin [draft] | meta",
		"notes about walrus that are not tagged draft":      "walrus | tags $nin [draft] | meta",
		"walrus notes tagged zoo but not tagged draft":      "walrus notes | tags $nin [draft], tags $in [zoo] | meta",
		"walrus without #draft":                             "walrus | tags $nin [draft] | meta",
		"walrus -#draft #zoo/sea":                           "walrus | tags $nin [draft], tags $in [zoo/sea] | meta",
		"#include <stdio.h> or C# 7":                        "#include <stdio.h> or C# 7 |  | meta",
		"issue #12":                                         "issue #12 |  | meta",
		"notes linking to [[Home]]":                         " | wikilinks $in [Home] | meta",
		"backlinks of [[projects/Beta#Plan|the plan]]":      " | wikilinks $in [projects/Beta] | meta",
		"which notes link to [[Home]] but not to [[Beta]]?": " | wikilinks $nin [Beta], wikilinks $in [Home] | meta",
		"notes that link to Home Page about money":          "money | wikilinks $in [Home Page] | meta",
		"walrus -[[Draft board]]":                           "walrus | wikilinks $nin [Draft board] | meta",
		"tag:idea lang:md walrus":                           "walrus | tags $in [idea], language $eq md | meta",
		"-tag:idea walrus":                                  "walrus | tags $nin [idea] | meta",
		"path:notes/daily walrus":                           "walrus | file_path $like notes/daily | meta",
		"-path:archive walrus": `walrus | {"operator":"$not","value":[{"field":"file_path",` +
			`"operator":"$like","value":"archive"}]} | meta`,
		"walrus in the projects folder":  "walrus | file_path $like projects | meta",
		"kind:func retry or kind:method": "kind:func retry or kind:method |  | meta",
		"retry (kind:func or kind:method)": `retry | {"operator":"$or","value":[{"field":"kind",` +
			`"operator":"$eq","value":"func"},{"field":"kind","operator":"$eq","value":"method"}]} | meta`,
		`notes with "exact words" since yesterday`: `"exact words" | created_date $gte 2025-07-11 | meta`,
		`notes titled "Weekly Plan" in 2024`: " | title $contains Weekly Plan, created_date $gte " +
			"2024-01-01, created_date $lt 2025-01-01 | meta",
		`"in 2024" /since may/`:         `"in 2024" /since may/ |  | meta`,
		"level 2 headings about walrus": "walrus | level $eq 2 | meta",
		"walrus last month": "walrus | created_date $gte 2025-06-01, created_date $lt " +
			"2025-07-01 | meta",
		"notes from last week": " | created_date $gte 2025-06-30, created_date $lt 2025-07-07 " +
			"| meta",
		"notes I modified this week": " | modified_date $gte 2025-07-07, modified_date $lt " +
			"2025-07-14 | meta",
		"what did I write yesterday?": " | created_date $gte 2025-07-11, created_date $lt 2025-07-12 " +
			"| text",
		"notes created today about x": "x | created_date $gte 2025-07-12, created_date $lt " +
			"2025-07-13 | meta",
		"notes since March":      " | created_date $gte 2025-03-01 | meta",
		"notes since November":   " | created_date $gte 2024-11-01 | meta",
		"notes since 2025-01-05": " | created_date $gte 2025-01-05 | meta",
		"walrus in 2024": "walrus | created_date $gte 2024-01-01, created_date $lt " +
			"2025-01-01 | meta",
		"walrus in March 2024": "walrus | created_date $gte 2024-03-01, created_date $lt " +
			"2024-04-01 | meta",
		"walrus on March 9th, 2024": "walrus | created_date $gte 2024-03-09, created_date $lt " +
			"2024-03-10 | meta",
		"walrus before 2024":        "walrus | created_date $lt 2024-01-01 | meta",
		"walrus after June 2024":    "walrus | created_date $gte 2024-07-01 | meta",
		"walrus in the last 3 days": "walrus | created_date $gte 2025-07-09 | meta",
		"walrus past two weeks":     "walrus | created_date $gte 2025-06-28 | meta",
		"walrus 2 months ago": "walrus | created_date $gte 2025-05-01, created_date $lt " +
			"2025-06-01 | meta",
		"walrus between 2024-01-01 and 2024-02": "walrus | created_date $gte 2024-01-01, created_date $lt " +
			"2024-03-01 | meta",
		"walrus from January to March 2024 tagged zoo": "walrus | tags $in [zoo], created_date $gte 2024-01-01, " +
			"created_date $lt 2024-04-01 | meta",
		"walrus updated last friday": "walrus | modified_date $gte 2025-07-11, modified_date $lt " +
			"2025-07-12 | meta",
		"walrus this saturday": "walrus | created_date $gte 2025-07-12, created_date $lt " +
			"2025-07-13 | meta",
		"walrus in Q1 2025": "walrus | created_date $gte 2025-01-01, created_date $lt " +
			"2025-04-01 | meta",
		"walrus last year": "walrus | created_date $gte 2024-01-01, created_date $lt " +
			"2025-01-01 | meta",
		"notes from the last 7 days tagged #meeting": " | tags $in [meeting], created_date $gte 2025-07-05 | meta",
		"What did we decide about the API in May 2025?": "What did we decide about the API? | created_date $gte " +
			"2025-05-01, created_date $lt 2025-06-01 | text",
		"notes with tag work and tag urgent":         " | tags $in [work], tags $in [urgent] | meta",
		"notes that are either tagged a or tagged b": " | tags $in [a b] | meta",
		"notes without tags": ` | {"operator":"$not","value":[{"field":"tags",` +
			`"operator":"$like","value":"%"}]} | meta`,
		"untagged notes": ` | {"operator":"$not","value":[{"field":"tags","operator":"$like","value":"%"}]} | meta`,
		"untagged union": "untagged union |  | meta",
		`notes tagged "deep work" not tagged "old stuff"`: " | tags $ne old stuff, tags $eq deep work | meta",
		"Which notes did I edit yesterday?": " | modified_date $gte 2025-07-11, modified_date $lt " +
			"2025-07-12 | meta",
		"summarize my notes about sleep from 2024": "sleep | created_date $gte 2024-01-01, created_date $lt " +
			"2025-01-01 | text",
		"notes older than 6 months": " | created_date $lt 2025-01-12 | meta",
		"walrus not created in 2024": `walrus | {"operator":"$not","value":[{"operator":"$and",` +
			`"value":[{"field":"created_date","operator":"$gte","value":"2024-01-01T00:00:00Z"},` +
			`{"field":"created_date","operator":"$lt","value":"2025-01-01T00:00:00Z"}]}]} | meta`,
		"walrus since Monday":  "walrus | created_date $gte 2025-07-07 | meta",
		"walrus NOT tag:draft": "walrus | tags $nin [draft] | meta",
		"walrus not path:archive": `walrus | {"operator":"$not","value":[{"field":"file_path",` +
			`"operator":"$like","value":"archive"}]} | meta`,
		"walrus where level > 2":                            "walrus | level $gt 2 | meta",
		"files modified since 2025-01-01 in path:src/":      " | modified_date $gte 2025-01-01, file_path $like src/ | meta",
		"walrus #zoo or #sea":                               "walrus | tags $in [zoo sea] | meta",
		"may I march in 404":                                "may I march in 404 |  | meta",
		"what happens in version 2024.1?":                   "what happens in version 2024.1? |  | text",
		"sym:Client repo:o/r lang:go":                       "sym:Client repo:o/r | language $eq go | meta",
		"recent notes about walrus":                         "walrus | created_date $gte 2025-06-12 | meta",
		"notes I recently modified":                         " | modified_date $gte 2025-06-12 | meta",
		"what have I written lately?":                       " | created_date $gte 2025-06-12 | text",
		"recently added files":                              " | created_date $gte 2025-06-12 | meta",
		"how does the retry policy handle recent failures?": "how does the retry policy handle recent failures? |  | text",
		"the most recent notes about walrus":                "latest notes about walrus |  | meta",
		"walrus in the first quarter of 2024": "walrus | created_date $gte 2024-01-01, created_date $lt " +
			"2024-04-01 | meta",
		"walrus in q2": "walrus | created_date $gte 2025-04-01, created_date $lt " +
			"2025-07-01 | meta",
		"walrus last summer": "walrus | created_date $gte 2024-06-01, created_date $lt " +
			"2024-09-01 | meta",
		"walrus this summer": "walrus | created_date $gte 2025-06-01, created_date $lt " +
			"2025-09-01 | meta",
		"walrus last spring": "walrus | created_date $gte 2025-03-01, created_date $lt " +
			"2025-06-01 | meta",
		"walrus in the last winter": "walrus | created_date $gte 2024-12-01, created_date $lt " +
			"2025-03-01 | meta",
		"notes from spring 2024": " | created_date $gte 2024-03-01, created_date $lt 2024-06-01 | " +
			"meta",
		"notes I wrote in the fall of 2023": " | created_date $gte 2023-09-01, created_date $lt 2023-12-01 | " +
			"meta",
		"notes since winter 2023":                         " | created_date $gte 2022-12-01 | meta",
		"walrus since the summer":                         "walrus | created_date $gte 2025-06-01 | meta",
		"how is a bean made in spring boot":               "how is a bean made in spring boot |  | text",
		"calls that fall through in the spring framework": "calls that fall through in the spring framework |  | meta",
		"walrus early 2024": "walrus | created_date $gte 2024-01-01, created_date $lt " +
			"2024-05-01 | meta",
		"walrus in late 2024":              "walrus | created_date $gte 2024-09-01, created_date $lt 2025-01-01 | meta",
		"walrus mid-March":                 "walrus | created_date $gte 2025-03-11, created_date $lt 2025-03-21 | meta",
		"walrus from mid-march 2024":       "walrus | created_date $gte 2024-03-11, created_date $lt 2024-03-21 | meta",
		"walrus late last year":            "walrus | created_date $gte 2024-09-01, created_date $lt 2025-01-01 | meta",
		"walrus at the end of May 2024":    "walrus | created_date $gte 2024-05-21, created_date $lt 2024-06-01 | meta",
		"walrus in the first half of 2024": "walrus | created_date $gte 2024-01-01, created_date $lt 2024-07-01 | meta",
		"walrus since early June":          "walrus | created_date $gte 2025-06-01 | meta",
		"an early return in 2024": "an early return | created_date $gte 2024-01-01, created_date $lt " +
			"2025-01-01 | meta",
		"walrus the week of March 5th":           "walrus | created_date $gte 2025-03-03, created_date $lt 2025-03-10 | meta",
		"notes from the week of 2024-05-01":      " | created_date $gte 2024-04-29, created_date $lt 2024-05-06 | meta",
		"walrus in Q3 of 2024":                   "walrus | created_date $gte 2024-07-01, created_date $lt 2024-10-01 | meta",
		"walrus 2024 Q2":                         "walrus | created_date $gte 2024-04-01, created_date $lt 2024-07-01 | meta",
		"walrus in H2 2024":                      "walrus | created_date $gte 2024-07-01, created_date $lt 2025-01-01 | meta",
		"walrus last quarter":                    "walrus | created_date $gte 2025-04-01, created_date $lt 2025-07-01 | meta",
		"walrus 2022-2024":                       "walrus | created_date $gte 2022-01-01, created_date $lt 2025-01-01 | meta",
		"walrus in 2022–24":                      "walrus | created_date $gte 2022-01-01, created_date $lt 2025-01-01 | meta",
		"walrus from 2022 through 2024":          "walrus | created_date $gte 2022-01-01, created_date $lt 2025-01-01 | meta",
		"walrus from 2022 to 2024":               "walrus | created_date $gte 2022-01-01, created_date $lt 2025-01-01 | meta",
		"walrus in the 2010s":                    "walrus | created_date $gte 2010-01-01, created_date $lt 2020-01-01 | meta",
		"walrus this quarter":                    "walrus | created_date $gte 2025-07-01, created_date $lt 2025-10-01 | meta",
		"walrus between March and May":           "walrus | created_date $gte 2025-03-01, created_date $lt 2025-06-01 | meta",
		"walrus from March until now":            "walrus | created_date $gte 2025-03-01, created_date $lt 2025-07-13 | meta",
		"walrus since the beginning of the year": "walrus | created_date $gte 2025-01-01 | meta",
		"walrus earlier this year":               "walrus | created_date $gte 2025-01-01, created_date $lt 2026-01-01 | meta",
		"walrus over the past year":              "walrus | created_date $gte 2024-01-01, created_date $lt 2025-01-01 | meta",
		"walrus last weekend":                    "walrus | created_date $gte 2025-07-05, created_date $lt 2025-07-07 | meta",
		"walrus last night":                      "walrus | created_date $gte 2025-07-11, created_date $lt 2025-07-12 | meta",
		"walrus in the last 24 hours":            "walrus | created_date $gte 2025-07-11 | meta",
		"walrus no later than May 2024":          "walrus | created_date $lt 2024-06-01 | meta",
		"walrus not before May 2024":             "walrus | created_date $gte 2024-05-01 | meta",
		"walrus more than 2 weeks old":           "walrus | created_date $lt 2025-06-28 | meta",
		"Notizen von gestern":                    " | created_date $gte 2025-07-11, created_date $lt 2025-07-12 | meta",
		"Notizen seit März 2024":                 " | created_date $gte 2024-03-01 | meta",
		"Walross vor 3 Tagen": "Walross " +
			"| created_date $gte 2025-07-09, created_date $lt 2025-07-10 | meta",
		"Walross zwischen März und Mai": "Walross " +
			"| created_date $gte 2025-03-01, created_date $lt 2025-06-01 | meta",
		"notes de la semaine dernière": " | created_date $gte 2025-06-30, created_date $lt 2025-07-07 | meta",
		"notes depuis mars 2024":       " | created_date $gte 2024-03-01 | meta",
		"morse il y a 3 jours":         "morse | created_date $gte 2025-07-09, created_date $lt 2025-07-10 | meta",
		"notas del mes pasado":         " | created_date $gte 2025-06-01, created_date $lt 2025-07-01 | meta",
		"notas desde marzo de 2024":    " | created_date $gte 2024-03-01 | meta",
		"morsa de 2024":                "morsa | created_date $gte 2024-01-01, created_date $lt 2025-01-01 | meta",
		"the mars rover and mai tai":   "the mars rover and mai tai |  | meta",
		"notes not in the archive folder": ` | {"operator":"$not","value":[{"field":"file_path","operator":"$like",` +
			`"value":"archive"}]} | meta`,
		"walrus outside the archive folder": `walrus | {"operator":"$not","value":[{"field":"file_path",` +
			`"operator":"$like","value":"archive"}]} | meta`,
		"notes tagged neither a nor b":        " | tags $nin [a b] | meta",
		"files not written in Python":         " | language $ne Python | meta",
		"python files about walrus":           "walrus | language $eq python | meta",
		"walrus in rust":                      "walrus | language $eq rust | meta",
		"notes about generics in rust":        "generics in rust |  | meta",
		"walrus in go to statements":          "walrus in go to statements |  | meta",
		"what did I write about walrus in Go": "walrus in Go |  | text",
		"how to feed a walrus in docs/":       "how to feed a walrus | file_path $like docs/ | text",
		"walrus in src/pole/, fed":            "walrus fed | file_path $like src/pole/ | meta",
		"files about parsing written in Rust": "parsing | language $eq Rust | meta",
		"notes not written in German":         "not written in German |  | meta",
		"notes about walrus but not seals":    "walrus -seals |  | meta",
		"functions called but not exported": "functions called but not exported " +
			"|  | meta",
		"notes that don't mention seals": "-seals |  | meta",
		"find notes about gardening tagged plants, but not draft, created last month ": "gardening | tags $nin [draft], " +
			"tags $in [plants], created_date $gte 2025-06-01, created_date $lt 2025-07-01 | meta",
	} {
		got, err := plan.Rules(text, today)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, spelled(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if _, err := got.Query(); err != nil {
			t.Errorf("%s: the filters can't be executed: %v", text, err)
		}
	}
}

func TestMistakesAreOfWhatWasGiven(t *testing.T) {
	_, err := plan.Rules(`walrus last month lang:go or`, today)
	m, ok := errors.AsType[*query.Mistake](err)
	if !ok || m.At != 27 || fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("%v, want a mistake at 27", err)
	}
}

// Whatever is asked, what is planned can be carried out, or the mistake has a place.
func FuzzRules(f *testing.F) {
	for _, seed := range []string{
		"notes tagged a, b and c or d but not e since 3 days ago", "[[a]] -[[b|c]] #d -#e", "from March 3 to 9 April 2020",
		`"x" /y/ -"z" titled "w"`,
		"with tags and or", "not tagged", "in the last 9999 years", "on 31 February", "path: path:a -path:b",
		"what did i write? \x01\x02", "in q4 1900 or since since",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := plan.Rules(text, today)
		if err != nil {
			if _, ok := errors.AsType[*query.Mistake](err); !ok {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if _, err := p.Query(); err != nil && fault.CodeOf(err) != fault.InvalidRequest &&
			fault.CodeOf(err) != fault.InvalidPath {
			t.Errorf("%q: %v", text, err)
		}
		if _, err := query.Parse(p.SemanticQuery); err != nil {
			t.Errorf("%q: what to look for is %q: %v", text, p.SemanticQuery, err)
		}
	})
}
