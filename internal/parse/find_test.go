package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

func TestFind(t *testing.T) {
	code := parse.Outline{Package: "http", Symbols: []parse.Symbol{
		{Name: "Client", Qualified: "Client", Kind: "struct", StartLine: 3, EndLine: 5},
		{Name: "Do", Qualified: "Client.Do", Kind: "method", StartLine: 7, EndLine: 9},
		{Name: "Do", Qualified: "Server.Do", Kind: "method", StartLine: 11, EndLine: 12},
		{Name: "init", Qualified: "init", Kind: "func", StartLine: 14, EndLine: 14},
		{Name: "init", Qualified: "init", Kind: "func", StartLine: 15, EndLine: 15},
		{Name: "run", Qualified: "ns::Loop::run", Kind: "method", StartLine: 20, EndLine: 22},
	}}
	prose := reader.Parse(parse.File{
		Path: "a.md", Language: "Markdown",
		Text: "# Use\n\ntext\n\n## How to start\n\nmore\n\n# End\n\nx\n",
	})
	tests := []struct {
		in   parse.Outline
		name string
		want string
	}{
		{code, "Client.Do", "7-9"},
		{code, "http.Client.Do", "7-9"},
		{code, "Do", "7-9 11-12"},
		{code, "Do#2", "11-12"},
		{code, "Do#3", ""},
		{code, "client", "3-5"},
		{code, "init", "14-14 15-15"},
		{code, "Loop::run", "20-22"},
		{code, "oop::run", ""},
		{code, "", ""},
		{prose, "use", "1-8"},
		{prose, "how-to-start", "5-8"},
		{prose, "How to start", "5-8"},
	}
	for _, test := range tests {
		var got []string
		for _, p := range test.in.Find(test.name) {
			got = append(got, fmt.Sprintf("%d-%d", p.StartLine, p.EndLine))
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%q is at %q, want %q", test.name, s, test.want)
		}
	}
	if got := code.Nearest("Clint.Doo", 2); len(got) != 2 || !strings.HasSuffix(got[0], "Do") {
		t.Errorf("nearest: %q", got)
	}
	for name, want := range map[string]string{
		"Client.Reset": "Client.Do", "Client.init": "init", "Client.run": "ns::Loop::run",
	} {
		if got := code.Nearest(name, 1); len(got) != 1 || got[0] != want {
			t.Errorf("nearest to %s: %q, want %s first", name, got, want)
		}
	}
}
