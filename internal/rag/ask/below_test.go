package ask_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// below is a Graph that knows what implements Store.save.
type below []models.Definition

func (b below) Near(_ context.Context, symbol models.Header, _ int) (ask.Near, bool, error) {
	return ask.Near{Below: b}, symbol.QualifiedName == "Store.save", nil
}

// Before a declaration without a body stands what implements it, two at most, those that
// say most of the question; no test, and nothing that has no body itself. A question for
// no work, and a declaration that does something, stay as they are.
func TestAskCitesImplementations(t *testing.T) {
	const declared = "void save(Record record);"
	does := func(what string) string { return "void save(Record r) {\n\tcheck(r);\n\t" + what + "\n\tsync();\n}" }
	def := func(file, name string) models.Definition { return models.Definition{FilePath: file, Qualified: name} }
	all := below{
		def("memory.java", "Memory.save"), def("disk.java", "Disk.save"), def("remote.java", "Remote.save"),
		def("test.java", "Fake.save"), def("none.java", "None.save"), def("gone.java", "Gone.save"),
	}
	for _, test := range []struct{ name, question, text, want string }{
		{"two of three", "how is a record saved to disk", declared, "disk.java memory.java store.java"},
		{"what happens", "what happens when a record is saved to disk", declared, "disk.java memory.java store.java"},
		{"what it is", "what is a record saved to disk", declared, "store.java"},
		{"with a body", "how is a record saved to disk", does("put(r);"), "store.java"},
	} {
		c := corpus{files: map[string]string{"store.java": test.text}}
		c.docs = []models.Document{doc(models.TypeSymbol, "store.java", "Store.save", test.text, 1)}
		for _, d := range all[:5] {
			text := does("put(r);")
			switch d.FilePath {
			case "disk.java":
				text = does("disk.write(r); // a record on disk")
			case "none.java":
				text = "void save(Record r) {}"
			}
			hidden := doc(models.TypeSymbol, d.FilePath, d.Qualified, text, 1)
			hidden.Content, hidden.Test, hidden.Kind = text, d.FilePath == "test.java", "method"
			c.hidden, c.files[d.FilePath] = append(c.hidden, hidden), text
		}
		c.docs[0].Kind = "method"
		svc := ask.New(c, c, c)
		svc.Follow(all)
		resp, err := svc.Ask(t.Context(), ask.Request{Query: test.question})
		if err != nil {
			t.Fatal(err)
		}
		var cited []string
		for _, citation := range resp.Items[0].Citations {
			cited = append(cited, citation.FilePath)
		}
		if got := strings.Join(cited, " "); got != test.want {
			t.Errorf("%s: cited %s, want %s", test.name, got, test.want)
		}
	}
}
