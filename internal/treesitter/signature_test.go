//go:build cgo

package treesitter_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// A signature without a semicolon before it costs no other declaration.
func TestSignatureLosesNothing(t *testing.T) {
	text := "export interface A {\n  <B>(c: B): D\n  <E>(f: E): G\n  h: number\n}\nexport function i(): A {}\n"
	f, err := treesitter.New().Facts(parse.File{Path: "a.ts", Language: "TypeScript", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range f.Symbols {
		got = append(got, s.Qualified)
	}
	if diff := cmp.Diff("A A.() A.() A.h i", strings.Join(got, " ")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
