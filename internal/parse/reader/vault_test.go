package reader_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

// What a note says about itself, in the forms that Obsidian and its plugins write.
func TestNoteMetadata(t *testing.T) {
	type said struct {
		Title, Created, Modified string
		Aliases, Tags, Links     []string
	}
	for _, c := range []struct {
		name, file, text string
		want             said
	}{
		{
			"lists", "a.md", "---\naliases:\n  - Start\n  - \"Main page\"\ntags:\n  - project/alpha\n  - '#Draft'\n" +
				"created: 2024-01-05\n---\ntext\n",
			said{
				Title: "a", Aliases: []string{"Start", "Main page"}, Tags: []string{"project/alpha", "Draft"},
				Created: "2024-01-05T00:00:00Z",
			},
		},
		{
			"flow lists", "a.md", "---\nalias: [X, 'Y Z']\ntags: [a, b/c]\n---\n# T\n",
			said{Title: "T", Aliases: []string{"X", "Y Z"}, Tags: []string{"a", "b/c"}},
		},
		{
			"words", "a.md", "---\ntags: one two/three\nalias: My note\n---\n# T\n",
			said{Title: "T", Aliases: []string{"My note"}, Tags: []string{"one", "two/three"}},
		},
		{"commas", "a.md", "---\ntags: one, two\n---\n# T\n", said{Title: "T", Tags: []string{"one", "two"}}},
		{
			"links in properties", "a.md",
			"---\nup: \"[[Home]]\"\nrelated:\n  - \"[[B|b]]\"\n---\n# T [[C#x]]\nSee ![[D]] and [[B]].\n",
			said{Title: "T C#x", Links: []string{"Home", "B", "C", "D"}},
		},
		{
			"filed under notes", "a.md",
			"---\ncategories:\n  - \"[[Places]]\"\n  - \"[[All/Trips|trips]]\"\ntags: [\"[[Japan#Kyoto]]\", x]\n---\n# T\n",
			said{
				Title: "T", Tags: []string{"Places", "Trips", "Japan", "x"}, Links: []string{"Places", "All/Trips", "Japan"},
			},
		},
		{
			"dates of plugins", "a.md",
			"---\ndate created: Sunday, March 10th 2024, 3:04:05 pm\ndate modified: 2024-03-11T08:00\n---\n# T\n",
			said{Title: "T", Created: "2024-03-10T15:04:05Z", Modified: "2024-03-11T08:00:00Z"},
		},
		{
			"days first", "a.md", "---\ncreated: 9.3.2024\nmodified: 11.03.2024 08:05\n---\n# T\n",
			said{Title: "T", Created: "2024-03-09T00:00:00Z", Modified: "2024-03-11T08:05:00Z"},
		},
		{
			"seconds and milliseconds", "a.md", "---\ncreated: 1710083045\nmodified: 1710083045123\n---\n# T\n",
			said{Title: "T", Created: "2024-03-10T15:04:05Z", Modified: "2024-03-10T15:04:05Z"},
		},
		{"a number that is no date", "a.md", "---\ncreated: 20240310\nmodified: -710083045\n---\n# T\n", said{Title: "T"}},
		{
			"a day's note", "daily/2026-11-21.md", "# Friday #meeting\nWith [[2026-11-20]].\n",
			said{
				Title: "Friday #meeting", Created: "2026-11-21T00:00:00Z", Tags: []string{"meeting"},
				Links: []string{"2026-11-20"},
			},
		},
		{
			"a link to a day", "a.md", "---\ncreated: \"[[2024-03-10]]\"\n---\n# T\n",
			said{Title: "T", Created: "2024-03-10T00:00:00Z", Links: []string{"2024-03-10"}},
		},
		{"a number before a name", "202403101530 Idea.md", "# T\n", said{Title: "T", Created: "2024-03-10T00:00:00Z"}},
		{"no day", "12345678 a.md", "# T\n", said{Title: "T"}},
		{"no tags", "a.md", "# C# and #1 `#code` a#b\n\n    #indented\n", said{Title: "C# and #1 #code a#b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := reader.Parse(parse.File{Path: c.file, Language: "Markdown", Text: c.text})
			if len(out.Sections) != 1 {
				t.Fatalf("%d sections", len(out.Sections))
			}
			s := out.Sections[0]
			got := said{s.Title, s.CreatedDate, s.ModifiedDate, s.Aliases, s.Tags, s.Wikilinks}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
