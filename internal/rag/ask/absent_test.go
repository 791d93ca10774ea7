package ask_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An answer begins with a word that nothing has where that is what is asked for, or a name.
func TestAskTellsWhatNothingHas(t *testing.T) {
	for _, test := range []struct {
		query  string
		absent []string
		want   string
	}{
		{"Is there an LDAP backend?", []string{"LDAP"}, "nothing was found that has “LDAP”. "},
		{"does it support ldap", []string{"ldap"}, "nothing was found that has “ldap”. "},
		{"can it work with Redis or Kafka", []string{"Redis", "Kafka"}, "nothing was found that has “Redis” or “Kafka”. "},
		{"how do I connect it to Redis", []string{"Redis"}, "nothing was found that has “Redis”. "},
		{"how are fetches deduplicated", []string{"deduplicated"}, ""}, // a verb, which code has other words for
		{"Is there an LDAP backend?", nil, ""},
		{"panic: Redis is gone", []string{"Redis"}, ""}, // asks nothing
	} {
		c := files(2)
		c.absent = test.absent
		resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: test.query})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimPrefix(resp.Items[0].Answer, "Extractive answer, without a language model: ")
		if has := strings.HasPrefix(got, "nothing was found that has"); !strings.HasPrefix(got, test.want) ||
			has != (test.want != "") {
			t.Errorf("%s: %.80q, want it to begin with %q", test.query, got, test.want)
		}
		if fits := strings.Contains(got, "fits the rest best [1]"); fits != (test.want != "") {
			t.Errorf("%s: %.80q", test.query, got)
		}
	}
}

// What tells of the name that is asked of comes first.
func TestAskPutsWhatMentionsANameFirst(t *testing.T) {
	c := files(4)
	about := doc(models.TypeDocument, "docs/limits.md", "", "Across machines use Redis.", 1)
	c.docs = append(c.docs, about)
	c.files["docs/limits.md"] = about.Content
	c.cosine = map[models.DocType]float64{models.TypeSymbol: 1, models.TypeDocument: 0.1}
	for query, want := range map[string]string{
		"does it support locking by Redis?":     "docs/limits.md",
		"does it support locking by Zookeeper?": "a/long/path/of/file0.go",
		"does it support locking?":              "a/long/path/of/file0.go",
	} {
		resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Items[0].Citations[0].FilePath; got != want {
			t.Errorf("%s: begins with %s, want %s", query, got, want)
		}
	}
}

// Of the sections of a document the best is cited, not the longest.
func TestAskCitesTheBestSection(t *testing.T) {
	best, long := "# Locks\nOne at a time.", "# Others\n"+strings.Repeat("Much more.\n", 9)
	c := corpus{
		docs: []models.Document{
			doc(models.TypeDocument, "a.md", "", best, 1), doc(models.TypeDocument, "a.md", "", long, 3),
		},
		files: map[string]string{"a.md": best + "\n" + long},
	}
	c.docs[0].ID, c.docs[1].ID = "doc:o/r:a.md#1", "doc:o/r:a.md#2"
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "how are locks taken"})
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.Items[0].Citations[0].EndLine; got != 2 {
		t.Errorf("the first citation ends at line %d, want the first section", got)
	}
}
