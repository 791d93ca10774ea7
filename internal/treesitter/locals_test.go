//go:build cgo

package treesitter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// Names that are bound in functions are found with their uses; those of the
// file, of classes and of imports are not among them.
func TestLocals(t *testing.T) {
	for _, test := range []struct{ language, text, want string }{
		{"Python", `import os
TOP = 1

def go(first, *rest, key=TOP):
    total = first
    for i, one in enumerate(rest):
        total += one
        key(i)
    with open(first) as f:
        pass
    def inner():
        nonlocal total
        total = 2
        return first
    return [x for x in rest if x], lambda y: y + total, os
`, `
4:8 first parameter: 5:13 9:15 14:16
4:16 rest parameter: 6:29 15:24
4:22 key parameter: 8:9!
5:5 total variable: 7:9= 12:18 13:9= 15:50
6:9 i variable: 8:13
6:12 one variable: 7:18
9:25 f variable:
15:19 x variable: 15:13 15:32
15:43 y parameter: 15:46
`},
		{"PHP", `<?php
$top = 1;
function go(int $first, ...$rest) {
    $total = $first;
    foreach ($rest as $k => $one) {
        $total += f($one, $k);
    }
    return array_map(function ($x) use ($total) { return $x + $total; }, $rest);
}
`, `
2:1 $top variable:
3:17 $first parameter: 4:14
3:28 $rest parameter: 5:14 8:74
4:5 $total variable: 6:9= 8:41 8:63
5:23 $k variable: 6:27
5:29 $one variable: 6:21
8:32 $x parameter: 8:58
`},
		{"TypeScript", `export const map: <A>(f: (a: A) => A) => A = (f) => f(1 as any);
`, `
1:20 A parameter: 1:30 1:36 1:42
1:23 f parameter:
1:27 a parameter:
1:47 f parameter: 1:53!
`},
		{"TypeScript", `import { a } from "b";
const top = 1;
function go<T>(first: T, { left, right: other }: any, ...rest: T[]): T {
  let total = top;
  for (const one of rest) { total += one; }
  rest.map((x) => x + total);
  { const total = other; left(total); }
  try { a(); } catch (err) { throw err; }
  const more = { total };
  return first;
}
`, `
3:13 T parameter: 3:23 3:64 3:70
3:16 first parameter: 10:10
3:28 left parameter: 7:26!
3:41 other parameter: 7:19
3:58 rest parameter: 5:21 6:3
4:7 total variable: 5:29= 6:23 9:18
5:14 one variable: 5:38
6:13 x parameter: 6:19
7:11 total variable: 7:31
8:23 err variable: 8:36
9:9 more variable:
`},
		{"TypeScript", `export function go(all: Record<string, string>) {
  const made = { first: { second: 1 }, third() { return [{ fourth: 2 }]; } };
  const typed: Record<string, { unit: string }> = { file: { unit: "b" } };
  const give = () => made;
  each((one, { fifth }: { fifth: number }) => one + fifth);
  const { first } = give();
  return first.second + made.third()[0].fourth + typed.x.unit + all.other;
}
`, `
2:18 first property: 6:11
2:27 second property: 7:16
2:40 third property: 7:30!
2:60 fourth property: 7:41
3:33 unit property: 3:61= 7:58
5:27 fifth property: 5:16
1:20 all parameter: 7:65
2:9 made variable: 4:22 7:25
3:9 typed variable: 7:50
3:53 file property:
4:9 give variable: 6:21!
5:9 one parameter: 5:47
5:16 fifth parameter: 5:53
6:11 first variable: 7:10
`},
		{"Java", `class A {
  int size;
  int go(int first, String... rest) {
    int total = first;
    for (String one : rest) { total += one.length(); }
    return total + size;
  }
}
`, `
3:14 first parameter: 4:17
3:31 rest parameter: 5:23
4:9 total variable: 5:31= 6:12
5:17 one variable: 5:40
`},
	} {
		t.Run(test.language, func(t *testing.T) {
			locals, err := treesitter.New().Locals(parse.File{Path: "x", Language: test.language, Text: test.text})
			if err != nil {
				t.Fatal(err)
			}
			got := "\n"
			for _, l := range locals {
				line := fmt.Sprintf("%d:%d %s %s:", l.Line, l.Column, l.Name, l.Kind)
				for _, u := range l.Uses {
					line += fmt.Sprintf(" %d:%d%s", u.Line, u.Column, map[string]string{"writes": "=", "calls": "!"}[string(u.Kind)])
				}
				got += line + "\n"
			}
			if diff := cmp.Diff(strings.Split(test.want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
