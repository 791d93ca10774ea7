package plan_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/plan"
)

// days are what the filters of a plan say of created_date, as "from to".
func days(p plan.Plan) string {
	text := spelled(p)
	for _, cut := range []string{"created_date $gte ", "created_date $lt ", ",", "| meta"} {
		text = strings.ReplaceAll(text, cut, "")
	}
	return strings.TrimSpace(text)
}

func TestRanges(t *testing.T) {
	autumn := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"walrus between 3 and 9 May":            "walrus | 2026-05-03 2026-05-10",
		"walrus between the 3rd and 9th of May": "walrus | 2026-05-03 2026-05-10",
		"walrus from the 3rd to the 9th of May": "walrus | 2026-05-03 2026-05-10",
		"walrus between 3 and 9 May 2024":       "walrus | 2024-05-03 2024-05-10",
		"walrus 3-9 May":                        "walrus | 2026-05-03 2026-05-10",
		"walrus on 3–9 May 2024":                "walrus | 2024-05-03 2024-05-10",
		"walrus between May 3rd and 9th":        "walrus | 2026-05-03 2026-05-10",
		"walrus from May 3 to 9, 2024":          "walrus | 2024-05-03 2024-05-10",
		"walrus May 3-9":                        "walrus | 2026-05-03 2026-05-10",
		"walrus between May 3 and 9 June":       "walrus | 2026-05-03 2026-06-10",
		"walrus between 3 May and 9 May":        "walrus | 2026-05-03 2026-05-10",
		"walrus from 5 May until 9 May":         "walrus | 2026-05-05 2026-05-10",
		// Of a range that is not over the end is this year's; of one over the new year
		// the beginning is last year's.
		"walrus between 3 and 30 November":     "walrus | 2026-11-03 2026-12-01",
		"walrus between October and December":  "walrus | 2026-10-01 2027-01-01",
		"walrus between December and February": "walrus | 2025-12-01 2026-03-01",
		"walrus in the first week of May":      "walrus | 2026-05-01 2026-05-08",
		"walrus from the 2nd week of May 2024": "walrus | 2024-05-08 2024-05-15",
		"walrus in the last week of February":  "walrus | 2026-02-22 2026-03-01",
		"walrus since the last week of May":    "walrus | 2026-05-25",
		"walrus on the first day of 2024":      "walrus | 2024-01-01 2024-01-02",
		"walrus on the last day of May":        "walrus | 2026-05-31 2026-06-01",
		"walrus from 3.5.2024":                 "walrus | 2024-05-03 2024-05-04",
		"walrus since 2024-05-03T10:00":        "walrus | 2024-05-03T10:00:00Z",
		"walrus last Tuesday":                  "walrus | 2026-11-17 2026-11-18",
		// Up to a month without a year is up to the next one.
		"walrus after 2024-01-15 and before Feb":   "walrus | 2024-01-16 2024-02-01",
		"walrus since October 2024 and before Feb": "walrus | 2024-10-01 2025-02-01",
		"walrus after 3 May 2024 before June 2025": "walrus | 2024-05-04 2025-06-01",
		"walrus after May 2025 and before 2024":    "walrus | 2025-06-01 2024-01-01",
		"yesterday's notes":                        "| 2026-11-22 2026-11-23",
		"last week's notes on walrus":              "walrus | 2026-11-16 2026-11-23",
		"walrus in week 3 of 2024":                 "walrus | 2024-01-15 2024-01-22",
		"walrus in week 53 of 2025":                "walrus in week 53 of 2025 |",
		"walrus in week 53 of 2020":                "walrus | 2020-12-28 2021-01-04",
		"week 1 2021 walrus":                       "walrus | 2021-01-04 2021-01-11",
		"walrus from week 50":                      "walrus | 2025-12-08 2025-12-15",
		"week 3 homework of a walrus":              "week 3 homework of a walrus |",
		"values between 3 and 9 may overflow":      "values between 3 and 9 may overflow |",
		"a range of 3 to 9 items":                  "a range of 3 to 9 items |",
		"walrus in client/server mode":             "walrus in client/server mode |",
	} {
		got, err := plan.Rules(text, autumn)
		if err != nil || days(got) != want {
			t.Errorf("%s: %q, %v, want %q", text, days(got), err, want)
		}
	}
}

func TestEitherMoment(t *testing.T) {
	either := func(a, b, c, d string) string {
		of := func(from, to string) string {
			return `{"operator":"$and","value":[{"field":"created_date","operator":"$gte","value":"` + from + `T00:00:00Z"},` +
				`{"field":"created_date","operator":"$lt","value":"` + to + `T00:00:00Z"}]}`
		}
		return ` | {"operator":"$or","value":[` + of(a, b) + "," + of(c, d) + "]} | meta"
	}
	for text, want := range map[string]string{
		"notes from May or March": either("2025-05-01", "2025-06-01", "2025-03-01", "2025-04-01"),
		"notes written in May and in June 2024": either("2024-05-01", "2024-06-01", "2024-06-01",
			"2024-07-01"),
		"notes from 2021 or 2023": either("2021-01-01", "2022-01-01", "2023-01-01", "2024-01-01"),
	} {
		got, err := plan.Rules(text, today)
		if err != nil || spelled(got) != want {
			t.Errorf("%s: %s, %v, want %s", text, spelled(got), err, want)
		}
		if _, err := got.Query(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestHeadingsAndFoldersInWords(t *testing.T) {
	for text, want := range map[string]string{
		"notes with the heading Next Goals about walrus": "walrus | heading $contains Next Goals | meta",
		"notes not in journal/2023": ` | {"operator":"$not","value":[{"field":"file_path","operator":"$like",` +
			`"value":"journal/2023"}]} | meta`,
	} {
		got, err := plan.Rules(text, today)
		if err != nil || spelled(got) != want {
			t.Errorf("%s: %s, %v, want %s", text, spelled(got), err, want)
		}
	}
}

// What a search refuses a plan refuses too, and tells the place in what was given.
func TestMistakesInFields(t *testing.T) {
	for text, at := range map[string]int{
		"walrus last month lang:golnag": 19, "lang:golnag": 1, "walrus -(lang:go or lang:golnag)": 21,
		"walrus path:../etc": 8, "since May file:/abs/../..": 11,
	} {
		_, err := plan.Rules(text, today)
		if m, ok := errors.AsType[*query.Mistake](err); !ok || m.At != at {
			t.Errorf("%s: %v, want a mistake at %d", text, err, at)
		}
	}
}
