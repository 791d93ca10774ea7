package change_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
)

const before = `package p

type T struct {
	A int
	B string // kept
}

const Limit = 1

func (t T) Do(n int) int {
	return n
}

func Same() {}

func gone() {}
`

const after = `package p

// T is moved.
type T struct {
	A int64
	B string // said otherwise
	C bool
}

const Limit = 2

func (t T) Do(n int, more bool) int {
	return n
}

func Same() {}

func fresh() { Same() }
`

func side(t *testing.T, text string) change.Side {
	t.Helper()
	f, err := golang.Extract("p.go", text)
	if err != nil {
		t.Fatal(err)
	}
	s := change.Side{Facts: &f, Text: text, Signatures: make([]string, len(f.Symbols))}
	for i, x := range f.Symbols {
		if x.Kind == "func" || x.Kind == "method" {
			s.Signatures[i], _, _ = strings.Cut(strings.Split(text, "\n")[x.StartLine-1], "{")
		}
	}
	return s
}

func TestCompare(t *testing.T) {
	old, now := side(t, before), side(t, after)
	for _, test := range []struct {
		what   string
		a, b   change.Side
		expect string
	}{
		{"an edit", old, now, "signature T.A, body T.B, added T.C, body Limit, signature T.Do, added fresh, removed gone"},
		{"the same", old, old, ""},
		{"a new file", change.Side{}, side(t, "package p\n\nfunc F() {}\n"), "added F"},
		{"a file that goes", side(t, "package p\n\nfunc F() {}\n"), change.Side{}, "removed F"},
		{
			"a body", side(t, "package p\n\nfunc F() {\n\tg()\n}\n"), side(t, "package p\n\nfunc F() {\n\tg()\n\tg()\n}\n"),
			"body F",
		},
		{"indentation", side(t, "package p\n\nfunc F() {\n\tg()\n}\n"), side(t, "package p\n\nfunc F() {\ng()\n}\n"), ""},
		{
			"twice", side(t, "package p\n\nfunc init() {}\n\nfunc init() { a() }\n"),
			side(t, "package p\n\nfunc init() {}\n\nfunc init() { b() }\n"), "body init",
		},
	} {
		var got []string
		for _, c := range change.Compare(test.a, test.b) {
			s := test.b
			i := c.New
			if i < 0 {
				s, i = test.a, c.Old
			}
			got = append(got, fmt.Sprintf("%s %s", c.Kind, s.Facts.Symbols[i].Qualified))
		}
		if diff := cmp.Diff(test.expect, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}
}

const edit = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
`

func parsed(diff string, read func(string) (*string, error)) ([]change.File, error) {
	d, err := change.Parse(diff)
	if err != nil {
		return nil, err
	}
	return d.Files(read)
}

func TestParse(t *testing.T) {
	was, is := "one\ntwo\nthree\n", "one\nTWO\nthree\n"
	moved := strings.NewReplacer("diff --git a/a.txt b/a.txt",
		"diff --git a/a.txt b/b.txt\nsimilarity index 60%\nrename from a.txt\nrename to b.txt", "+++ b/a.txt",
		"+++ b/b.txt").Replace(edit)
	created := "diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+new\n"
	deleted := "diff --git a/n.txt b/n.txt\ndeleted file mode 100644\n--- a/n.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n"
	later, last := strings.NewReplacer("two", "TWO", "TWO", "2").Replace(edit), "one\n2\nthree\n"
	grown := "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-new\n+new+\n"
	gone := strings.NewReplacer("n.txt", "a.txt", "-new", "-new+").Replace(deleted)
	for _, test := range []struct {
		what, diff string
		disk       map[string]string
		want       string
	}{
		{"not applied", edit, map[string]string{"a.txt": was}, "a.txt: two > TWO"},
		{"applied", edit, map[string]string{"a.txt": is}, "a.txt: two > TWO"},
		{
			"without git's lines", strings.TrimPrefix(edit, "diff --git a/a.txt b/a.txt\n"),
			map[string]string{"a.txt": was},
			"a.txt: two > TWO",
		},
		{"created, without git's lines", "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+new\n", nil, "n.txt: - > new"},
		{"created, not yet", created, nil, "n.txt: - > new"},
		{"created", created, map[string]string{"n.txt": "new\n"}, "n.txt: - > new"},
		{"deleted, not yet", deleted, map[string]string{"n.txt": "new\n"}, "n.txt: new > -"},
		{"deleted", deleted, nil, "n.txt: new > -"},
		{"renamed, not yet", moved, map[string]string{"a.txt": was}, "a.txt: two > -, b.txt: - > TWO"},
		{"renamed", moved, map[string]string{"b.txt": is}, "a.txt: two > -, b.txt: - > TWO"},
		{
			"of lines that end otherwise", strings.ReplaceAll(edit, "\n", "\r\n"),
			map[string]string{"a.txt": was},
			"a.txt: two > TWO",
		},
		{
			"of a file whose lines do", edit,
			map[string]string{"a.txt": strings.ReplaceAll(is, "\n", "\r\n")},
			"a.txt: two > TWO",
		},
		{
			"of a submodule, too", "diff --git a/sub b/sub\nindex 1234567..89abcde 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n" +
				"-Subproject commit 1234567\n+Subproject commit 89abcde\n" + edit,
			map[string]string{"a.txt": was},
			"a.txt: two > TWO",
		},
		{"twice the same", edit + edit, map[string]string{"a.txt": was}, "a.txt: two > TWO"},
		{"twice the same, applied", edit + edit, map[string]string{"a.txt": is}, "a.txt: two > TWO"},
		{"one after the other", edit + later, map[string]string{"a.txt": was}, "a.txt: two > 2"},
		{"one after the other, applied", edit + later, map[string]string{"a.txt": last}, "a.txt: two > 2"},
		{"one after the other, and half of it applied", edit + later, map[string]string{"a.txt": is}, "a.txt: two > 2"},
		{"created, then edited", strings.ReplaceAll(created, "n.txt", "a.txt") + grown, nil, "a.txt: - > new+"},
		{"edited, then deleted", grown + gone, map[string]string{"a.txt": "new\n"}, "a.txt: new > -"},
		{"of another file", edit, map[string]string{"a.txt": "other\n"}, "INVALID_REQUEST"},
		{"of no file", edit, nil, "INVALID_REQUEST"},
		{"of an empty name", strings.ReplaceAll(edit, "a.txt", ""), nil, "INVALID_REQUEST"},
		{"no diff", "hello\n", nil, "INVALID_REQUEST"},
		{"cut off", edit[:len(edit)-8], map[string]string{"a.txt": was}, "INVALID_REQUEST"},
	} {
		files, err := parsed(test.diff, func(p string) (*string, error) {
			if text, ok := test.disk[p]; ok {
				return &text, nil
			}
			return nil, nil
		})
		got := string(fault.CodeOf(err))
		if err == nil {
			var all []string
			for _, f := range files {
				all = append(all, fmt.Sprintf("%s: %s > %s", f.Path, short(f.Old), short(f.New)))
			}
			got = strings.Join(all, ", ")
		}
		if got != test.want {
			t.Errorf("%s: %s, %v, want %s", test.what, got, err, test.want)
		}
	}
}

// short is what tells a text from others.
func short(text *string) string {
	if text == nil {
		return "-"
	}
	lines := strings.Split(*text, "\n")
	if len(lines) > 2 {
		return lines[1]
	}
	return lines[0]
}

func TestCommands(t *testing.T) {
	tests := []change.Test{
		{"a_test.go", "TestB"},
		{"a_test.go", "TestA"},
		{"x/y_test.go", "TestY"},
		{"tools/z_test.go", "TestZ"},
		{"tools/in/it's/z_test.go", "TestZ"},
		{"tests/test_a.py", "TestCase.test_it"},
		{"tests/a.rs", "works"},
		{"tests/a.rs", "fails"},
		{"src/lib.rs", ""},
		{"other/crate/src/c.rs", ""},
		{"other/crate/src/b.rs", "tests.too"},
		{"src/test/java/p/ATest.java", "ATest.does"},
		{"core/src/test/java/p/BTest.java", "BTest.does"},
		{"core/src/test/kotlin/p/CTest.kt", "CTest.does"},
		{"app/src/test/java/p/DTest.java", "DTest.does"},
		{"app/src/jvmTest/kotlin/p/ETest.kt", "ETest.does"},
		{"app/src/commonTest/kotlin/p/GTest.kt", "GTest.does"},
		{"multi/src/zlibTest/kotlin/p/HTest.kt", "HTest.does"},
		{"multi/src/jsTest/kotlin/p/ITest.kt", "ITest.does"},
		{"app/src/integrationTest/kotlin/p/JTest.kt", "JTest.does"},
		{"spring-x/src/test/java/p/FTests.java", "FTests.does"},
		{"src/a.test.ts", ""},
		{"src/it's.test.ts", ""},
		{"packages/web/src/b.test.tsx", ""},
		{"packages/web/src/c.test.tsx", ""},
		{"packages/old/test/d.test.js", ""},
		{"packages/none/test/e.test.js", ""},
		{"packages/plain/test/f.test.mjs", ""},
		{"spec/a_spec.rb", "a"},
		{"gems/one/test/b_test.rb", ""},
		{"apps/x/test/c_test.exs", "c"},
		{"tests/ATest.php", "ATest.testIt"},
		{"tests/BTest.php", "BTest.testIt"},
		{"Tests/CTests.cs", "CTests.It"},
		{"Tests/DTests.cs", "DTests.It"},
		{"src/App.Tests/Unit/ETests.cs", "ETests.It"},
		{"tests/a.c", "main"},
	}
	files := map[string]string{
		"go.mod": "", "tools/go.mod": "", "Cargo.toml": "", "other/crate/Cargo.toml": "",
		"pom.xml": "", "core/pom.xml": "", "app/build.gradle.kts": "", "spring-x/spring-x.gradle": "", "gradlew": "",
		"package.json":                `{"scripts": {"test": "turbo test"}, "devDependencies": {"jest": "29"}}`,
		"packages/web/package.json":   `{"scripts": {"test": "npm run build && NODE_OPTIONS='--import=tsx' TZ=UTC vitest run --config v.ts --coverage src"}}`,
		"packages/old/package.json":   `{"scripts": {"test": "mocha -r ts-node/register 'test/**/*.js'"}}`,
		"packages/none/package.json":  `{"scripts": {"build": "tsc"}}`,
		"packages/plain/package.json": `{"scripts": {"test:unit": "node --import tsx --test test/*.mjs"}}`,
		"multi/build.gradle.kts":      `plugins { kotlin("multiplatform") }`, "src/App.Tests/App.Tests.csproj": "",
		"Gemfile": "", "gems/one/Rakefile": "", "apps/x/mix.exs": "", "composer.json": "{}",
	}
	read := func(file string) *string {
		text, ok := files[file]
		if !ok {
			return nil
		}
		return &text
	}
	want := []string{
		"go test ./ -run '^(TestB|TestA)$'",
		"go test ./x -run '^(TestY)$'",
		"go test -C tools ./ -run '^(TestZ)$'",
		`go test -C tools './in/it'\''s' -run '^(TestZ)$'`,
		"python -m pytest tests/test_a.py::TestCase::test_it",
		"cargo test -- works fails",
		"cargo test --doc -- src/lib.rs",
		"cargo test --manifest-path other/crate/Cargo.toml --doc -- src/c.rs",
		"cargo test --manifest-path other/crate/Cargo.toml -- tests::too",
		"mvn test -Dtest=ATest",
		"mvn test -pl core -am -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false -Dtest=BTest,CTest",
		"./gradlew -p app test --tests DTest",
		"./gradlew -p app jvmTest --tests ETest --tests GTest",
		"./gradlew -p multi jvmTest --tests HTest",
		"./gradlew -p multi jsTest --tests ITest",
		"./gradlew -p app integrationTest --tests JTest",
		"./gradlew -p spring-x test --tests FTests",
		`npx jest --runTestsByPath src/a.test.ts 'src/it'\''s.test.ts' packages/none/test/e.test.js`,
		"(cd packages/web && NODE_OPTIONS='--import=tsx' TZ=UTC npx vitest run --config v.ts src/b.test.tsx src/c.test.tsx)",
		"(cd packages/old && npx mocha -r ts-node/register test/d.test.js)",
		"(cd packages/plain && node --import tsx --test test/f.test.mjs)",
		"bundle exec rspec spec/a_spec.rb",
		"(cd gems/one && bundle exec ruby -Ilib -Itest test/b_test.rb)",
		"(cd apps/x && mix test test/c_test.exs)",
		"vendor/bin/phpunit tests/ATest.php",
		"vendor/bin/phpunit tests/BTest.php",
		"dotnet test --filter 'FullyQualifiedName~CTests|FullyQualifiedName~DTests'",
		"dotnet test src/App.Tests --filter 'FullyQualifiedName~ETests'",
	}
	var ways []change.Way
	for _, t := range tests {
		ways = append(ways, change.Way{Test: t})
	}
	if diff := cmp.Diff(want, change.Commands(ways, read)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAround(t *testing.T) {
	for qualified, want := range map[string]string{
		"test_a": "test_a", "test_a.test": "test_a", "test_a.Class.test_b": "test_a", "TestA.test_b.inner": "TestA.test_b",
		"TestA.help": "TestA.help", "fixture.inner": "fixture.inner", "": "",
	} {
		if got := change.Around("test_a.py", qualified); got != want {
			t.Errorf("%q: %q, want %q", qualified, got, want)
		}
	}
	if got := change.Around("a.ts", "test_a.b"); got != "test_a.b" {
		t.Errorf("of TypeScript: %q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(edit, "one\ntwo\nthree\n")
	f.Add("--- a\n+++ b\n@@ -1 +1,9999999 @@\n", "")
	f.Fuzz(func(t *testing.T, diff, text string) {
		files, err := parsed(diff, func(string) (*string, error) { return &text, nil })
		if err != nil && fault.CodeOf(err) != fault.InvalidRequest {
			t.Error(err)
		}
		for _, file := range files {
			if file.Old == nil && file.New == nil {
				t.Errorf("%q is on neither side", file.Path)
			}
		}
	})
}

func TestAbout(t *testing.T) {
	for _, c := range []struct {
		test, file string
		want       bool
	}{
		{"nav/parse_test.go", "nav/parse.go", true},
		{"nav/parse_test.go", "nav/render.go", false},
		{"tests/test_urls.py", "httpx/_url.py", true},
		{"tests/client/test_auth.py", "httpx/_client.py", true},
		{"tests/server.rs", "src/server/conn.rs", true},
		{"tests/server/conn.rs", "src/server/mod.rs", true},
		{"tests/lib.rs", "src/lib.rs", false},
		{"src/test/java/a/JsonReaderTest.java", "src/main/java/a/JsonReader.java", true},
		{"src/test/java/a/JsonWriterTest.java", "src/main/java/a/JsonReader.java", false},
		{"test/http-client.spec.ts", "src/HttpClient.ts", true},
		{"tests/models/test_cookies.py", "src/models/url.py", false},
	} {
		if got := change.SubjectsOf([]string{c.file}).Of(c.test); got != c.want {
			t.Errorf("%s about %s: got %v", c.test, c.file, got)
		}
	}
}

func TestOrder(t *testing.T) {
	const tierB, tierD = 'B', 'D'
	way := func(name string, depth int, tier byte, about bool) change.Way {
		return change.Way{Test: change.Test{File: "a_test.go", Name: name}, Depth: depth, Tier: tier, About: about}
	}
	for _, c := range []struct {
		what  string
		tests []change.Way
		names []string
	}{
		{"nearest first", []change.Way{
			way("TestItself", 0, 0, false), way("TestNear", 1, tierB, false), way("TestOther", 2, tierB, false),
		}, nil},
		{"a hop less where the file is named for one that differs", []change.Way{
			way("TestZ", 2, tierB, true), way("TestA", 2, tierB, false),
		}, nil},
		{"of those as near the surest", []change.Way{way("TestZ", 1, tierB, false), way("TestA", 1, tierD, false)}, nil},
		{"behind the third hop all are as far", []change.Way{
			way("TestZ", 9, tierB, false), way("TestA", 4, tierD, false),
		}, nil},
		{"but for those equal otherwise", []change.Way{way("TestZ", 4, tierB, false), way("TestA", 5, tierB, false)}, nil},
		{"those that are named alike, by rare words", []change.Way{
			way("TestParseHTTPHeaders", 1, tierB, false), way("TestParseA", 1, tierB, false), way("TestParseB", 1, tierB, false),
			way("Test", 1, tierB, false),
		}, []string{"Reader.parse_header"}},
		{"by the beginnings of words", []change.Way{
			way("test_completion", 1, tierB, false), way("test_a", 1, tierB, false),
		}, []string{"completes"}},
	} {
		got := slices.Clone(c.tests)
		slices.Reverse(got)
		change.Order(got, c.names, nil)
		if diff := cmp.Diff(c.tests, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, diff)
		}
	}
}

func TestTopLevel(t *testing.T) {
	const text = "package p\n\nimport \"a\"\n\nvar _ = f()\n\nfunc G() { a.F() }\n"
	top := func(text string, line int, name string) change.Side {
		s := side(t, text)
		s.Facts.Refs = append(s.Facts.Refs, facts.Ref{Name: name, Kind: facts.Call, In: -1, Line: line, Column: 1})
		s.Facts.Symbols = slices.DeleteFunc(s.Facts.Symbols, func(x facts.Symbol) bool { return x.Name == "_" })
		return s
	}
	was := top(text, 5, "f")
	for _, c := range []struct {
		what string
		now  change.Side
		line int
		want bool
	}{
		{"the same", was, 5, false},
		{"another call", top(strings.Replace(text, "f()", "g()", 1), 5, "g"), 5, true},
		{"further down", top("// Package p is.\n"+text, 6, "f"), 6, false},
		{"gone", side(t, "package p\n\nimport \"a\"\n\nfunc G() { a.F() }\n"), 1, true},
		{"in a symbol", top(strings.Replace(text, "a.F", "a.H", 1), 5, "f"), 5, false},
	} {
		if line, differs := change.TopLevel(was, c.now); line != c.line || differs != c.want {
			t.Errorf("%s: %d, %v", c.what, line, differs)
		}
	}
	for imported, want := range map[string][]int{"\"b/a\"": {0}, "\"a\"": nil, "\"b\"": nil, "b \"a\"": nil} {
		now := side(t, strings.Replace(text, "\"a\"", imported, 1))
		now.Facts.Refs = append(now.Facts.Refs, facts.Ref{Name: "a", Kind: facts.Read, In: 0, Line: 7, Column: 12})
		if got, _ := change.Rebound(was, now); !slices.Equal(got, want) {
			t.Errorf("import %s: %v, want %v", imported, got, want)
		}
	}
}

func TestDocTests(t *testing.T) {
	files := map[string]string{
		"src/lib.rs": "", "a/pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--doctest-modules'\n",
	}
	read := func(file string) *string {
		if text, ok := files[file]; ok {
			return &text
		}
		return nil
	}
	const python = "def f():\n    \"\"\"\n    >>> f()\n    \"\"\"\n"
	const rust = "/// Adds.\n/// ```\n/// add(1);\n/// ```\nfn add() {}\n"
	for _, c := range []struct {
		file, text string
		want       bool
	}{
		{"src/a.rs", rust, true},
		{"src/a.rs", strings.ReplaceAll(rust, "```", "```no_run"), true},
		{"src/a.rs", strings.Replace(rust, "```", "```text", 1), false},
		{"src/a.rs", strings.ReplaceAll(rust, "///", "//"), false},
		{"a/b/c.py", python, true},
		{"b/c.py", python, false},
		{"a/b/c.py", "def f(): pass\n", false},
		{"a/b/c.go", rust, false},
	} {
		if got := change.DocTests(c.file, c.text, read); got != c.want {
			t.Errorf("%s %q: %v", c.file, c.text, got)
		}
	}
}

// A line of many tests names the files that most of them are in, or their package, so that it
// can be pasted.
func TestLongCommands(t *testing.T) {
	var tests []change.Way
	add := func(file string, n int) {
		for i := range n {
			tests = append(tests, change.Way{Test: change.Test{File: file, Name: fmt.Sprintf("TestCase.test_number_%d", i)}})
		}
	}
	add("tests/test_a.py", 3)
	add("tests/it's/test_b.py", 40)
	add("tests/test_c.py", 1)
	add("many/a_test.go", 40)
	add("few/b_test.go", 1)
	got := change.Commands(tests, func(string) *string { return nil })
	want := []string{
		"python -m pytest tests/test_a.py::TestCase::test_number_0 tests/test_a.py::TestCase::test_number_1 " +
			"tests/test_a.py::TestCase::test_number_2 'tests/it'\\''s/test_b.py' tests/test_c.py::TestCase::test_number_0",
		"go test ./many",
		"go test ./few -run '^(test_number_0)$'",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
