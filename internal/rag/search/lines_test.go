package search

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// files are the texts of files, read by line.
type files map[string]string

func (f files) Lines(_ context.Context, _ models.RepoID, path string, start, end int) (string, []models.Warning,
	error,
) {
	text, ok := f[path]
	if !ok {
		return "", nil, fault.New(fault.PathNotFound, "%s", path)
	}
	return strings.Join(strings.SplitAfter(text, "\n")[start-1:end], ""), nil, nil
}

// A hit shows the lines that have most of the query: rare words before those that
// are everywhere, lines that add words before those that repeat them.
func TestLines(t *testing.T) {
	const retry = "package retry\n\n// Do calls do again.\nfunc Do(do func() error) error {\n\twait := first\n\tfor {\n" +
		"\t\terr := do()\n" +
		"\t\tif err == nil { return nil }\n\t\ttime.Sleep(jitter(wait)) // päuse\n\t\twait *= 2\n\t}\n}\n"
	const licence = "// Copyright X. Expressed or implied.\n\npackage retry\n\n"
	read := files{
		"retry.go": retry, "licence.go": licence, "licensed.go": licence + "var express = 1\n",
		"key.go": "var apiKey = \"AKIA" + "ZQ3DRSTUVWXY2345\" // the jitter\n",
	}
	for _, c := range []struct {
		name, query, path string
		start, end        int
		want              []models.MatchLine
	}{
		{"the words that are rare", "jitter of the error", "retry.go", 1, 12, []models.MatchLine{
			{Line: 4, Text: "func Do(do func() error) error {", Matches: [][2]int{{18, 23}, {25, 30}}},
			{Line: 9, Text: "\t\ttime.Sleep(jitter(wait)) // päuse", Matches: [][2]int{{13, 19}}},
		}},
		{"places are characters", "päuse", "retry.go", 4, 12, []models.MatchLine{
			{Line: 9, Text: "\t\ttime.Sleep(jitter(wait)) // päuse", Matches: [][2]int{{30, 35}}},
		}},
		{"an expression", "/wait \\S?=/", "retry.go", 1, 12, []models.MatchLine{
			{Line: 5, Text: "\twait := first", Matches: [][2]int{{1, 8}}},
			{Line: 10, Text: "\t\twait *= 2", Matches: [][2]int{{2, 9}}},
		}},
		{"no credentials", "jitter", "key.go", 1, 1, []models.MatchLine{
			{Line: 1, Text: "var apiKey = \"********************\" // the jitter", Matches: [][2]int{{43, 49}}},
		}},
		{"no licence header", "implied express", "licensed.go", 1, 5, []models.MatchLine{
			{Line: 5, Text: "var express = 1", Matches: [][2]int{{4, 11}}},
		}},
		{"a licence header, if nothing else has the words", "implied express", "licence.go", 1, 3, []models.MatchLine{
			{Line: 1, Text: "// Copyright X. Expressed or implied.", Matches: [][2]int{{16, 25}, {29, 36}}},
		}},
		{"nothing of the query", "kubernetes", "retry.go", 1, 12, nil},
		{"a file that is gone", "jitter", "gone.go", 1, 12, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(nil, nil, nil)
			s.Read(read)
			asked, err := query.Parse(c.query)
			if err != nil {
				t.Fatal(err)
			}
			items := []models.SearchResult{{FilePath: &c.path, StartLine: &c.start, EndLine: &c.end}, {RepoID: "a folder"}}
			warnings, err := s.lines.show(t.Context(), asked, items)
			if err != nil {
				t.Fatal(err)
			}
			if said := strings.Contains(fmt.Sprint(warnings),
				"1 of 2 hits have no lines, their files can't be read: gone.go"); said != (c.path == "gone.go") {
				t.Errorf("warnings %v", warnings)
			}
			if diff := cmp.Diff(c.want, items[0].Lines); diff != "" {
				t.Error(diff)
			}
		})
	}
}
