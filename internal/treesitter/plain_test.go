//go:build cgo

package treesitter

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlain(t *testing.T) {
	for name, tc := range map[string]struct {
		plain      func(string) string
		text, want string
	}{
		"lua, nothing to do":         {plainLua, "-- a\nlocal b = 1 - -1", "-- a\nlocal b = 1 - -1"},
		"lua, annotation":            {plainLua, "---@return ...\nf()", "-- @return ...\nf()"},
		"lua, not a block":           {plainLua, "---[[ a\nf() ---", "-- [[ a\nf() -- "},
		"lua, ruler":                 {plainLua, "-------", "-- -- -"},
		"swift, macro":               {plainSwift, "#expect(a)\n#if b\n#endif\n#Preview { }", " expect(a)\n#if b\n#endif\n Preview { }"},
		"swift, literals":            {plainSwift, "f(#file, #_sourceLocation, ##\"a\"##, #/b/#)", "f(#file,  _sourceLocation, ##\"a\"##, #/b/#)"},
		"c#, with body":              {plainCSharp, "class A : B { int c; }\n", "class A : B { int c; }\n"},
		"c#, bare":                   {plainCSharp, "class A;\nclass B(int c) : D(c, e()); // f\n", "class A{}class B(int c) : D(c, e()){}// f\n"},
		"c#, constraint":             {plainCSharp, "void F<T>()\n  where T : class;\n", "void F<T>()\n  where T : class;\n"},
		"c#, no room":                {plainCSharp, "class A;", "class A;"},
		"c#, before a directive":     {plainCSharp, "class A;\n\n  #if B\n", "class A;\n\n  #if B\n"},
		"c#, struct":                 {plainCSharp, "ref struct A<T>(T b) { }\nrecord struct C(int d);\nstruct E(int f);\n", "ref struct A<T>      { }\nrecord struct C(int d);\nstruct E       {}"},
		"c#, after another with one": {plainCSharp, "class A\n{\n  class B;\n  int c;\n}\n", "class A\n{\n  class B{}  int c;\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := tc.plain(tc.text)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(got) != len(tc.text) {
				t.Errorf("%d bytes, not %d", len(got), len(tc.text))
			}
		})
	}
}
