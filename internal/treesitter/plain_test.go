//go:build cgo

package treesitter

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/treesitter/plain"
)

func TestPlain(t *testing.T) {
	for name, tc := range map[string]struct {
		plain      func(string) string
		text, want string
	}{
		"lua, nothing to do": {plain.Lua, "-- a\nlocal b = 1 - -1", "-- a\nlocal b = 1 - -1"},
		"lua, annotation":    {plain.Lua, "---@return ...\nf()", "-- @return ...\nf()"},
		"lua, not a block":   {plain.Lua, "---[[ a\nf() ---", "-- [[ a\nf() -- "},
		"lua, ruler":         {plain.Lua, "-------", "-- -- -"},
		"swift, macro": {
			plain.Swift, "#expect(a)\n#if b\n#endif\n#Preview { }",
			" expect(a)\n#if b\n#endif\n Preview { }",
		},
		"swift, literals": {
			plain.Swift, "f(#file, #_sourceLocation, ##\"a\"##, #/b/#)",
			"f(#file,  _sourceLocation, ##\"a\"##, #/b/#)",
		},
		"c, attribute of numbers": {
			plain.C, "void printflike(1, 2)\n\tlog_debug(const char *, ...);\nint printflike(2) *f(void);\n",
			"void                 \n\tlog_debug(const char *, ...);\nint               *f(void);\n",
		},
		"c, no attribute": {
			plain.C, "#define A printflike(1) b\nif (1) f(2);\nwhile (1) g(3);\nh(4);\nreturn (1);",
			"#define A printflike(1) b\nif (1) f(2);\nwhile (1) g(3);\nh(4);\nreturn (1);",
		},
		"c#, with body": {plain.CSharp, "class A : B { int c; }\n", "class A : B { int c; }\n"},
		"c#, bare": {
			plain.CSharp, "class A;\nclass B(int c) : D(c, e()); // f\n",
			"class A{}class B(int c) : D(c, e()){}// f\n",
		},
		"c#, constraint": {
			plain.CSharp, "void F<T>()\n  where T : class;\n",
			"void F<T>()\n  where T : class;\n",
		},
		"c#, no room":            {plain.CSharp, "class A;", "class A;"},
		"c#, before a directive": {plain.CSharp, "class A;\n\n  #if B\n", "class A;\n\n  #if B\n"},
		"c#, struct": {
			plain.CSharp, "ref struct A<T>(T b) { }\nrecord struct C(int d);\nstruct E(int f);\n",
			"ref struct A<T>      { }\nrecord struct C(int d);\nstruct E       {}",
		},
		"c#, after another with one": {
			plain.CSharp, "class A\n{\n  class B;\n  int c;\n}\n",
			"class A\n{\n  class B{}  int c;\n}\n",
		},
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
