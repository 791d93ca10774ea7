//go:build cgo

package treesitter_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

func TestDump(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	text, _ := os.ReadFile(path)
	f, err := treesitter.New().Facts(parse.File{Path: path, Language: os.Getenv("LANGUAGE"), Text: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range f.Imports {
		fmt.Printf("@%d %+v\n", i, s)
	}
	for i, s := range f.Symbols {
		fmt.Printf("^%d %s %s %d:%d %d-%d parent %d type %q results %q bases %v\n", i, s.Kind, s.Qualified, s.Line, s.Column, s.StartLine, s.EndLine, s.Parent, s.Type, s.Results, s.Bases)
	}
	for _, r := range f.Refs {
		fmt.Printf("%d:%d %s %q of %q bare %v in %d\n", r.Line, r.Column, r.Kind, r.Name, r.Of, r.Bare, r.In)
	}
}
