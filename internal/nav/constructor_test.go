package nav_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
)

// oneClass reads any text as a class with a constructor, as Java has it.
type oneClass struct{}

func (oneClass) Revision(language string) string {
	if language == "Java" || language == "Dart" {
		return "1"
	}
	return ""
}

func (oneClass) Facts(_ context.Context, path, language, _ string) (*facts.File, error) {
	return &facts.File{Path: path, Language: language, Symbols: []facts.Symbol{
		{Name: "Box", Qualified: "Box", Kind: "class", Parent: -1, Line: 1, Column: 7, StartLine: 1, EndLine: 4},
		{Name: "Box", Qualified: "Box.Box", Kind: "method", Parent: 0, Line: 2, Column: 3, StartLine: 2, EndLine: 2},
		{Name: "size", Qualified: "Box.size", Kind: "method", Parent: 0, Line: 3, Column: 7, StartLine: 3, EndLine: 3},
	}}, nil
}

// TestConstructorIsUsedByItsClass: a constructor without uses is not said to be
// used nowhere, as new Box() is a use of Box.
func TestConstructorIsUsedByItsClass(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"Box.java", "box.dart"} {
		put(t, root, name, "class Box {\n  Box(int n) {}\n  int size() { return 1; }\n}\n")
	}
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: oneClass{}})
	for symbol, want := range map[string]string{
		"Box.java:Box.Box":  "ask for Box",
		"box.dart:Box.Box":  "ask for Box",
		"Box.java:Box.size": "not used anywhere",
	} {
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: symbol})
		if err != nil {
			t.Fatal(err)
		}
		if got := message(r); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", symbol, got, want)
		}
	}
}

func message(r nav.WhereUsedResponse) string {
	if r.Meta.Message == nil {
		return ""
	}
	return *r.Meta.Message
}
