package linguist_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2/data"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/repo/filekind/linguist"
)

// A rule is written as package linguist reads it.
type rule struct {
	Kind      string   `json:"kind"`
	Languages []string `json:"languages,omitempty"`
	Pattern   string   `json:"pattern,omitempty"`
	Rules     []rule   `json:"rules,omitempty"`
}

// ruleOf reads what go-enry hides: a rule, an expression, or one that Go can't have.
func ruleOf(v reflect.Value) rule {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return rule{Kind: "none"}
		}
		v = v.Elem()
	}
	if v.Type().Name() == "Regexp" {
		return rule{Kind: "pattern", Pattern: v.FieldByName("expr").String()}
	}
	r := rule{Kind: v.Type().Name()}
	languages := v.FieldByName("langs")
	for i := range languages.Len() {
		if name := languages.Index(i).String(); name != "" {
			r.Languages = append(r.Languages, name)
		}
	}
	switch r.Kind {
	case "or":
		r.Rules = []rule{ruleOf(v.FieldByName("pattern"))}
	case "and", "not":
		name := map[string]string{"and": "patterns", "not": "Patterns"}[r.Kind]
		for i := range v.FieldByName(name).Len() {
			r.Rules = append(r.Rules, ruleOf(v.FieldByName(name).Index(i)))
		}
	}
	return r
}

// The tables are those of go-enry; -update writes them.
func TestTables(t *testing.T) {
	var b strings.Builder
	section := func(name string, lines []string) { fmt.Fprintf(&b, "== %s\n%s\n", name, strings.Join(lines, "\n")) }
	section("filename", linesOf(data.LanguagesByFilename, tabbed))
	section("extension", linesOf(data.LanguagesByExtension, tabbed))
	section("interpreter", linesOf(data.LanguagesByInterpreter, tabbed))
	section("alias", linesOf(data.LanguageByAliasMap, func(v string) string { return v }))
	section("group", linesOf(data.LanguagesGroup, func(v string) string { return v }))
	section("type", linesOf(data.LanguagesType, func(v int) string { return fmt.Sprint(v) }))
	section("share", linesOf(data.LanguagesLogProbabilities, func(v float64) string { return fmt.Sprint(v) }))
	var all []string
	for _, m := range data.DocumentationMatchers {
		all = append(all, m.String())
	}
	section("documentation", all)
	all = nil
	for _, m := range data.TestMatchers {
		all = append(all, m.String())
	}
	section("test", all)
	section("vendored", []string{data.FastVendorMatcher.String()})
	section("heuristic", linesOf(data.ContentHeuristics, func(of *data.Heuristics) string {
		var rules []rule
		for _, one := range *of {
			rules = append(rules, ruleOf(reflect.ValueOf(one)))
		}
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		if err := e.Encode(rules); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(line.String())
	}))
	golden.File(t, "tables.txt", b.String())
}

func tabbed(values []string) string { return strings.Join(values, "\t") }

func linesOf[V any](table map[string]V, text func(V) string) []string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(table)) {
		lines = append(lines, key+"\t"+text(table[key]))
	}
	return lines
}

// What is looked up is what go-enry has.
func TestLookups(t *testing.T) {
	for key, want := range data.LanguagesByFilename {
		if diff := cmp.Diff(want, linguist.ByFilename(key)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	for key, want := range data.LanguagesByExtension {
		if diff := cmp.Diff(want, linguist.ByExtension(key)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	for key, want := range data.LanguagesByInterpreter {
		if diff := cmp.Diff(want, linguist.ByInterpreter(key)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	for language, want := range data.LanguagesType {
		share, known := data.LanguagesLogProbabilities[language]
		if got := linguist.TypeOf(language); int(got) != want || known && linguist.Share(language) != share {
			t.Errorf("%s: type %d, not %d; share %g, not %g", language, got, want, linguist.Share(language), share)
		}
		got, ok := linguist.ByAlias(strings.ToUpper(language))
		if want, known := data.LanguageByAlias(strings.ToUpper(language)); got != want || ok != known {
			t.Errorf("%s is %s, %t, not %s, %t", language, got, ok, want, known)
		}
	}
	for _, diff := range []string{
		cmp.Diff(data.LanguageByAliasMap, linguist.Aliases()), cmp.Diff(data.LanguagesGroup, linguist.Groups()),
	} {
		if diff != "" {
			t.Error(diff)
		}
	}
	for _, none := range []string{"", "no such", "=="} {
		if linguist.ByFilename(none) != nil || linguist.ByExtension(none) != nil || linguist.ByContent(none, nil) != nil {
			t.Errorf("%q is something", none)
		}
	}
}

// contents are texts that generators and languages know again, and what is near to
// them.
func contents(t *testing.T) [][]byte {
	t.Helper()
	all := [][]byte{nil, bytes.Repeat([]byte("long "), 60)}
	for _, text := range []string{"\n", "\n\n", "x", "x\ny", "x\ny\n"} {
		all = append(all, []byte(text))
	}
	source, err := os.ReadFile("generated.go")
	if err != nil {
		t.Fatal(err)
	}
	quoted := strings.FieldsFunc(string(source), func(r rune) bool { return r == '"' || r == '`' })
	said := append([]string{
		"// Code generated by x. DO NOT EDIT.", `{"version":3,`, "/** Begin line maps. **/{", "//# sourceMappingURL=a.map",
		"GENERATED CODE - DO NOT MODIFY", "1.2.3abc|{", `  "modelName": "GMSprite",`, "/* GIMP RGB C-Source image dump (a.c) */",
		"/*  GIMP header image file format (RGB): a.h  */", "<!-- Generated by Doxygen 1.8.1 -->", "%%Creator: MATLAB",
		"%%Creator: me", "%%Creator: EAGLE", "%%Title: EAGLE Drawing x", "x\r  currentfile eexec ", " /sfnts [",
		`<meta name="generator" content="groff 1.2">`, `<meta content='Org  mode' name='generator'>`,
		`<META name=generator value=Makeinfo>`, `<meta name="generator" content="">`, `<meta name="author" content="groff">`,
		"/* Generated by PEG.js 1 */", "(function() {", "}).call(this);", "var _i, _len, _ref, __bind;", "var x;", "",
		"<doc>", "<assembly>", "</doc>", "recorded_with: VCR 2.0", "#include <jni.h>",
	}, quoted...)
	r := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // to be repeated
	for _, s := range said {
		for at := range 9 {
			all = append(all, []byte(strings.Repeat("x\n", at)+s), []byte(strings.Repeat("\n", at)+"y "+s+"\nend\n"))
		}
	}
	for range 300 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(said[r.IntN(len(said))] + []string{"\n", "\r\n", "", " "}[r.IntN(4)])
		}
		all = append(all, []byte(b.String()))
	}
	for i := range all {
		if head, _, _ := bytes.Cut(all[i], []byte("\n")); string(head) == "(function() {" {
			all = append(all, slices.Concat(all[i], []byte("\nvar _i, _len, _ref;\n}).call(this);\n")))
		}
	}
	return all
}

// written are lines of languages that share extensions.
var written = []string{
	"#import <Foundation/Foundation.h>", "@interface A : B", "class A {", "  public:",
	":- module(a, []).", "use strict;", "my $x = 1;", "use v6;", "fn main() {", "function y = f(x)",
	"%{", "<?xml version=\"1.0\"?>", "(defun f (x) x)", "(* a *)", "module A where", "import \"a\"",
	"#include <a>", "template <class T>", "std::string s;", "namespace a {", "%!PS", "% a",
	"\\documentclass{a}", ".TH A 1", ".SH NAME", "select * from a;", "create procedure a", "BEGIN",
	"end;", "# a", "; a", "// a", "<TS version=\"2\">", "<!DOCTYPE TS>", "!function(){}", "let a = 1",
	"open System", "[<A>]", "#light", "*** a", "a: b", "[a]", "- a", "{", "}", "package a",
	"module a;", "always @(posedge clk)", "Require Import A.", "Proof.", "theory A", "imports B",
	"\t.text", "$ a", "@prefix a: <b> .", "<rdf:RDF>", "Red []", "unit A;", "uses A;", "#version 330",
	"precision highp float;", "function a() {", "if (a) {", "def a", "proc a {} {}", "apiVersion: v1",
	"vcl 4.0;", "#lang racket", "=head1 A", "",
}

// Rules for content say what those of go-enry say.
func TestContent(t *testing.T) {
	skipShort(t)
	r := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // to be repeated
	for ext := range data.ContentHeuristics {
		for range 150 {
			var b strings.Builder
			for range 1 + r.IntN(4) {
				b.WriteString(written[r.IntN(len(written))] + "\n")
			}
			compareContent(t, ext, []byte(b.String()))
		}
	}
	texts := contents(t)
	exts := strings.Fields(".go .proto .py .java .h .cc .cpp .m .rb .php .js .css .c .mod .meta .rd .hpp .dsp .lua .cs " +
		".html .htm .xhtml .dart .yy .yyp .xml .ps .eps .pfa .yml .map .s .d")
	for _, text := range texts {
		for _, name := range append([]string{"a/ppport.h", "a.js.map", "a.css.map", "Makefile"}, exts...) {
			p := strings.TrimPrefix(name, "a/")
			if strings.HasPrefix(p, ".") {
				p = "file" + p
			}
			compareGenerated(t, p, text)
		}
	}
}

// skipShort leaves out what takes minutes with the race detector, of code that one
// goroutine runs.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("many expressions over many texts")
	}
}

func compareContent(t *testing.T, ext string, text []byte) {
	t.Helper()
	var want []string
	if of := data.ContentHeuristics[ext]; of != nil {
		want = of.Match(text)
	}
	if diff := cmp.Diff(want, linguist.ByContent(ext, text)); diff != "" {
		t.Errorf("%s of %q (-want +got):\n%s", ext, text, diff)
	}
}

func compareGenerated(t *testing.T, p string, text []byte) {
	t.Helper()
	ext := filepath.Ext(p)
	want := slices.ContainsFunc(data.GeneratedCodeMatchers,
		func(m data.GeneratedCodeMatcher) bool { return m(p, ext, text) })
	if got := linguist.SaysGenerated(p, ext, text); got != want {
		t.Errorf("%s with %q: %t, not %t", p, text, got, want)
	}
}

// Of Go's own sources, of all languages, everything is as go-enry has it.
func TestTree(t *testing.T) {
	skipShort(t)
	root := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // where the tests run it is there
	n := 0
	err := filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		p, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		p = filepath.ToSlash(p)
		compareNames(t, p)
		if n++; filepath.Ext(p) != ".go" || n%20 == 0 {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			text = text[:min(len(text), 16<<10)]
			compareContent(t, filepath.Ext(p), text)
			compareGenerated(t, strings.ToLower(p), text)
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Skipf("no sources of Go: %v", err)
	}
}

// Paths are judged as go-enry does.
func TestNames(t *testing.T) {
	for p := range strings.FieldsSeq(`.idea/a.xml x/.idea/b Pods/a aPods/b x/Pods/c Carthage/Build/x a.Designer.cs b.designer.vb
		c.designer.c d.feature.cs node_modules/x vendor/github.com/x vendor/x Gopkg.lock glide.lock
		x/poetry.lock pdm.lock uv.lock esy.lock x.esy.lock deno.lock npm-shrinkwrap.json package-lock.json
		pnpm-lock.yaml .pnp.js x/.pnp.cjs Godeps/x composer.lock a.zep.c b.zep.php Cargo.lock
		Cargo.toml.orig flake.lock xflake.lock MODULE.bazel.lock Pipfile.lock .terraform.lock.hcl
		x/__generated__/y a_TLB.pas htmlcov/x .sqlx/query-a.json x/.sqlx/query-b.json .sqlx/a.json a.nib
		b.xcuserstate docs/a man/x README readme.md x/CHANGELOG tests/aTest.php test/x/ATest.java a_test.go
		a_spec.rb a.spec.ts test_a.py jquery-1.2.3.js a.min.css bootstrap.css a.d.ts xesyxlock x/axesyxlock`) {
		compareNames(t, p)
	}
}

func compareNames(t *testing.T, p string) {
	t.Helper()
	base := filepath.Base(p)
	_, ext := data.GeneratedCodeExtensions[filepath.Ext(p)]
	for what, both := range map[string][2]bool{
		"generated": {
			slices.ContainsFunc(data.GeneratedCodeNameMatchers, func(m data.GeneratedCodeNameMatcher) bool { return m(p) }),
			linguist.IsGeneratedName(p),
		},
		"generated by its extension": {ext, linguist.IsGeneratedExtension(filepath.Ext(p))},
		"vendored":                   {data.FastVendorMatcher.MatchString(base), linguist.IsVendored(base)},
		"documentation": {
			slices.ContainsFunc(data.DocumentationMatchers, func(m *regexp.Regexp) bool { return m.MatchString(p) }),
			linguist.IsDocumentation(p),
		},
		"a test": {
			slices.ContainsFunc(data.TestMatchers, func(m *regexp.Regexp) bool { return m.MatchString(p) }), linguist.IsTest(p),
		},
	} {
		if both[0] != both[1] {
			t.Errorf("%s: %s is %t, not %t", p, what, both[1], both[0])
		}
	}
}
