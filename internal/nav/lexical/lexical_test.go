package lexical_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/cputime"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/lexical"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// Uses mean what the fixture says, or nothing.
func TestEdges(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(fixtures) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, fixture := range fixtures {
		t.Run(strings.TrimSuffix(filepath.Base(fixture), ".txtar"), func(t *testing.T) { checkEdges(t, fixture) })
	}
}

func checkEdges(t *testing.T, fixture string) {
	t.Helper()
	ar, err := txtar.ParseFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	var files []facts.File
	for _, f := range ar.Files {
		if f.Name != "want" {
			language := filekind.Dialect(f.Name, filekind.Language(f.Name), string(f.Data))
			files = append(files, lexical.Extract(f.Name, language, string(f.Data)))
			continue
		}
		got := meanings(files)
		for line := range strings.Lines(string(f.Data)) {
			use, want, _ := strings.Cut(strings.TrimSpace(line), " ")
			name, want, _ := strings.Cut(want, " ")
			if meant := got[use+" "+name]; meant != want && (meant != "" || want != "-") {
				t.Errorf("%s %s means %q, want %q", use, name, meant, want)
			}
		}
	}
}

// meanings are what the names of files stand for, by "path:line name"; of several on a line the
// first that means something.
func meanings(files []facts.File) map[string]string {
	w := resolve.NewMemory(files)
	r, out := resolve.New(w, languages.All()), map[string]string{}
	for f := range w.Len() {
		file := w.File(resolve.FileID(f))
		for i, res := range r.Refs(resolve.FileID(f)) {
			var meant []string
			for _, to := range res.Targets {
				at := w.File(to.File)
				meant = append(meant, fmt.Sprintf("%s:%d", at.Path, at.Symbols[to.Index].Line))
			}
			use := fmt.Sprintf("%s:%d %s", file.Path, file.Refs[i].Line, file.Refs[i].Name)
			if len(meant) > 0 && out[use] == "" {
				out[use] = res.Tier.String() + " " + strings.Join(meant, " ")
			}
		}
	}
	return out
}

// What a type declares without an outline of it is a symbol, with its type where that is a name.
func TestFields(t *testing.T) {
	f := lexical.Extract("a.dart", "Dart", `class A {
  final B next;
  int n = 1;
  void f(int n) {}
}
enum E { one, two }
`)
	var got []string
	for _, s := range f.Symbols {
		got = append(got, fmt.Sprintf("%s %s %s", s.Kind, s.Qualified, s.Type))
	}
	want := []string{
		"class A ", "method A.f ", "enum E ", "field A.next B{}", "field A.n ", "const E.one ", "const E.two ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("symbols %q, want %q", got, want)
	}
}

// Every language is one that go-enry and the patterns of outlines know.
func TestLanguages(t *testing.T) {
	for _, language := range lexical.Languages() {
		if !lexical.Speaks(language) {
			t.Errorf("%s is not spoken", language)
		}
		f := lexical.Extract("a", language, "x")
		if f.Language != language {
			t.Errorf("the file of %s is one of %q", language, f.Language)
		}
	}
	if lexical.Speaks("Python") || lexical.Speaks("") {
		t.Error("languages with a grammar are spoken")
	}
}

// mostTime is far more than what is linear takes, and far less than what is not.
const mostTime = 4 * time.Second

// Nobody writes such files, but programs may, or somebody who wants to keep a server busy.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and with the race detector ten times as long")
	}
	for _, language := range []string{"Dart", "Haskell", "Clojure", "Perl", "HCL", "SQL", "Nix", "Objective-C"} {
		for _, part := range []string{
			"a.", "f(a, ", "(let [a ", "\\x -> ", "class A { B b;\n", "a::", "a.b[", "\"${", "[for a in ", "a \"b\" { c = <<D\n",
			"create function a as $b$ c ", "from (a, ", "'", "<a", "with a as (select b.c from b d), ",
			"@interface A\n- (a)b:(c)d {[e f:", "[[", "^(a *b) {", "(a *)b<", "@property (a=b) c<d> *e;", "#if a\n(",
		} {
			cputime.Bound(t, mostTime, func() { lexical.Extract("a", language, strings.Repeat(part, 300_000/len(part))) })
			if t.Failed() {
				t.Fatalf("%s of %q", language, part)
			}
		}
	}
}

// firstPart is what a name begins with that the text has at its place: of a selector up to its first colon.
func firstPart(name string) string {
	first, _, _ := strings.Cut(name, ":")
	return first
}

// Facts are in the text, whatever it is.
func FuzzExtract(f *testing.F) {
	all := lexical.Languages()
	f.Add(byte(0), "class A extends B { int x = f(a, b: c); }")
	f.Add(byte(3), "(defn f [a {:keys [b]}] (let [c (g a)] c))")
	f.Add(byte(slices.Index(all, "HCL")),
		"module \"a\" {\n  source = \"./b\"\n  c = \"${var.d[0].e}\"\n}\nlocals { x = <<E\n${local.y}\nE\n}")
	f.Add(byte(slices.Index(all, "Nix")),
		"{ a, b ? 1 }@c: let d = import ./e {}; in rec { inherit (d) f; g = \"${d.h}\" + ''${d}''; i = { j }: d.k; }")
	f.Add(byte(slices.Index(all, "SQL")),
		"create function f() as $$ begin update a.b c set d = e(1); end $$; grant x on \"a\" to b;\ncopy a from stdin;\n\\.")
	f.Add(byte(slices.Index(all, "Objective-C")),
		"#import \"a.h\"\n@interface A : B <C> { int _d; }\n- (id)e:(F<G> *)h i:(int)j;\n@end\n@implementation A\n"+
			"- (id)e:(F *)h i:(int)j { return [[h k] l:^(M *n) { self.o = n[1]; } p:@selector(q:)]; }\n@end")
	f.Add(byte(7), "f (x:xs) | x == y = \\z -> z <> g x where g a = a\nimport A.B as C")
	f.Fuzz(func(t *testing.T, language byte, text string) {
		if !utf8.ValidString(text) {
			return
		}
		got := lexical.Extract("a/b", all[int(language)%len(all)], text)
		lines := strings.Split(text, "\n")
		for _, r := range got.Refs {
			if r.Line < 1 || r.Line > len(lines) || !strings.HasPrefix(lines[r.Line-1][r.Column-1:], firstPart(r.Name)) ||
				r.In >= len(got.Symbols) {
				t.Fatalf("%+v is not in the text", r)
			}
		}
		for i, s := range got.Symbols {
			if s.Parent == i || s.Parent >= len(got.Symbols) || s.Line < 1 || s.Line > len(lines) {
				t.Fatalf("%+v is not in the text", s)
			}
		}
	})
}
