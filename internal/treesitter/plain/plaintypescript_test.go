package plain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainTypeScript(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"nothing to do": {"type A = { b: C<D>\n  e: F }", "type A = { b: C<D>\n  e: F }"},
		"exported types": {
			"export type * from './a'\nexport type * as b from 'b'",
			"export      * from './a'\nexport      * as b from 'b'",
		},
		"exported type": {"export type A = B", "export type A = B"},
		"signature": {
			"interface A {\n  (b: C): D\n  <E>(f: E): G\n}",
			"interface A {\n  (b: C): D\n ;<E>(f: E): G\n}",
		},
		"over lines": {
			"interface A {\n  b: C[]\n\n  // of all\n  /** d */\n  <\n    E extends F<G>,\n" +
				"  >(h: () => E): I\n}",
			"interface A {\n  b: C[]\n\n  // of all\n  /** d */\n ;<\n    E extends F<G>,\n  >(h: () => E): I\n}",
		},
		"separated": {"interface A {\n  b: C;\n  <E>(f: E): G\n}", "interface A {\n  b: C;\n  <E>(f: E): G\n}"},
		"first":     {"interface A {\n  <E>(f: E): G\n}", "interface A {\n  <E>(f: E): G\n}"},
		"function": {
			"const a =\n  <B>(c: B): D => c\nf(\n  <E>(g: E): H => g,\n  <I>(j: I): K => j)",
			"const a =\n  <B>(c: B): D => c\nf(\n  <E>(g: E): H => g,\n  <I>(j: I): K => j)",
		},
		"of a function":   {"const a = (b) =>\n  <B>(c: B): D => c", "const a = (b) =>\n  <B>(c: B): D => c"},
		"comparison":      {"if (a\n  < b && c > (d))\n  e()", "if (a\n  < b && c > (d))\n  e()"},
		"member named in": {"type A = {\n  b: C<D>\n  in?: E }", "type A = {\n  b: C<D>\n ;in?: E }"},
		"variance": {
			"interface A<in B, out C = D, in out E> { in: F }",
			"interface A<   B,     C = D,        E> { in: F }",
		},
		"variance, comments": {
			"class A<\n  /** b */\n  out B extends C,\n  D> {}",
			"class A<\n  /** b */\n      B extends C,\n  D> {}",
		},
		"variance, comments of a line": {
			"class A<\n  in out B, // b\n  in out C extends D // c\n> {}",
			"class A<\n         B, // b\n         C extends D // c\n> {}",
		},
		"named out": {"interface A<out, B = out> {}\nf<out>(b, out)", "interface A<out, B = out> {}\nf<out>(b, out)"},
		"disposed of": {
			"{\n  using a = b()\n  await using c: D = e;\n}\nusing(f); using = g; h.using i",
			"{\n  const a = b()\n  const       c: D = e;\n}\nUsing(f); Using = g; h.Using i",
		},
		"named type": {
			"export type A<type> = { [k in keyof type]: type[k] }\ntype B<type extends C> = type extends A ? type : D",
			"export type A<Type> = { [k in keyof Type]: Type[k] }\ntype B<Type extends C> = Type extends A ? Type : D",
		},
		"keyword type": {
			"import { type A } from 'a'\nexport type { A }\nexport type * from 'b'\nf<type>(a.type)",
			"import { type A } from 'a'\nexport type { A }\nexport      * from 'b'\nf<Type>(a.Type)",
		},
		"named type elsewhere": {"let type: type = { type }", "let type: type = { type }"},
		"named using":          {"f(using, usings); { using: 1 }", "f(Using, usings); { Using: 1 }"},
		"not closed":           {"interface A<out B", "interface A<out B"},
		"not closed either":    {"a\n  <B>(", "a\n  <B>("},
		"in a comment only":    {"// using a = b\nusing_; $using a", "// Using a = b\nusing_; $Using a"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, TypeScript(tc.text)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// An element may begin a line and look like a signature.
func TestPlainTSX(t *testing.T) {
	text := "return (\n  <a>b</a>\n  <b>(c): d</b>)"
	if diff := cmp.Diff(text, TSX(text)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff("export      * from 'a'", TSX("export type * from 'a'")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
