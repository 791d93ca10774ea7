package filekind

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestClassify(t *testing.T) {
	for _, tc := range []struct {
		path, content string
		want          Marks
	}{
		{"main.go", "package main\n", Marks{Language: "Go"}},
		{"go.mod", "module x\n", Marks{Language: "Go Module", Data: true}},
		{"Makefile", "all:\n", Marks{Language: "Makefile"}},
		{"Dockerfile", "FROM x\n", Marks{Language: "Dockerfile"}},
		{"docker/Dockerfile-windows", "FROM x\n", Marks{Language: "Dockerfile"}},
		{"Dockerfile.dev", "", Marks{Language: "Dockerfile"}},
		{"Dockerfile.py", "import x\n", Marks{Language: "Python"}},
		{"Dockerfiles", "a list\n", Marks{}},
		{"a/b.py", "", Marks{Language: "Python"}},
		{"a.ts", "export {}\n", Marks{Language: "TypeScript"}},
		{"de.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS></TS>\n", Marks{Language: "XML", Data: true}},
		{"a.rs", "fn main() {}\n", Marks{Language: "Rust"}},
		{"a.h", "", Marks{Language: "C"}},
		{"a.h", "#pragma once\nnamespace x { class A { public: int f(); }; }\n", Marks{Language: "C++"}},
		{"a.m", "#import <Foundation/Foundation.h>\n@interface A : NSObject\n@end\n", Marks{Language: "Objective-C"}},
		{"README.md", "# x\n", Marks{Language: "Markdown", Documentation: true}},
		{"doc/a.rst", "x\n=\n", Marks{Language: "reStructuredText", Documentation: true}},
		{"LICENSE", "text\n", Marks{Language: "Text", Documentation: true}},
		{"CHANGELOG", "text\n", Marks{Documentation: true}},
		{"a.json", "{}", Marks{Language: "JSON", Data: true}},
		{"a.yaml", "a: b\n", Marks{Language: "YAML", Data: true}},
		{"run", "#!/usr/bin/env python3\nprint()\n", Marks{Language: "Python"}},
		{"run", "", Marks{}},
		{"a.unknownext", "hello\n", Marks{}},
		{"n.ipynb", "{}", Marks{Language: "Jupyter Notebook", Documentation: true}},

		{"pkg/a_test.go", "", Marks{Language: "Go", Test: true}},
		{"testdata/a.go", "", Marks{Language: "Go", Test: true}},
		{"src/test/java/x/A.java", "", Marks{Language: "Java", Test: true}},
		{"Src/Json.Tests/Objects/Key.cs", "", Marks{Language: "C#", Test: true}},
		{"Json.Tests.Dummy/Program.cs", "", Marks{Language: "C#", Test: true}},
		{"src/Json.TestsOnly.Core/Key.cs", "", Marks{Language: "C#"}},
		{"okio/src/jvmTest/kotlin/Helper.kt", "", Marks{Language: "Kotlin", Test: true}},
		{"Sources/CoreTestHelpers/Asserts.swift", "", Marks{Language: "Swift", Test: true}},
		{"upickle/src/ujson/ParserTests.scala", "", Marks{Language: "Scala", Test: true}},
		{"regress/copy-mode.sh", "", Marks{Language: "Shell", Test: true}},
		{"integration_test/support/repo.ex", "", Marks{Language: "Elixir", Test: true}},
		{"latest/contest/Key.cs", "", Marks{Language: "C#"}},
		{"re2/testing/dump.cc", "", Marks{Language: "C++", Test: true}},
		{"test.c", "", Marks{Language: "C", Test: true}},
		{"src/test.c", "", Marks{Language: "C"}},
		{"celery/testing/manager.py", "", Marks{Language: "Python"}},
		{"dist/node/axios.cjs", "", Marks{Language: "JavaScript", Generated: true}},
		{"packages/a/dist/index.d.ts", "", Marks{Language: "TypeScript", Generated: true}},
		{"priv/static/phoenix.mjs", "", Marks{Language: "JavaScript", Generated: true}},
		{"public/app.js", "var __defProp = Object.defineProperty;\n", Marks{Language: "JavaScript", Generated: true}},
		{"src/dist/euclid.js", "", Marks{Language: "JavaScript"}},
		{"src/load.js", "const r = typeof __webpack_require__;\n// var __create = 1\n", Marks{Language: "JavaScript"}},
		{"spring-test/src/main/java/Mock.java", "", Marks{Language: "Java"}},
		{"spring-test/src/main/java/org/springframework/test/Mock.java", "", Marks{Language: "Java"}},
		{"koin-test/src/commonMain/kotlin/org/koin/test/Check.kt", "", Marks{Language: "Kotlin"}},
		{"koin-test/src/commonMain/kotlin/org/koin/CheckTest.kt", "", Marks{Language: "Kotlin", Test: true}},
		{"tests/app/src/main/kotlin/App.kt", "", Marks{Language: "Kotlin", Test: true}},
		{"cmd/ABTest/Router.java", "", Marks{Language: "Java"}},
		{"src/cmd/dist/build.go", "package main", Marks{Language: "Go"}},
		{"src/dist/index.ts", "", Marks{Language: "TypeScript"}},
		{"x/ParserTest.java", "", Marks{Language: "Java", Test: true}},
		{"x/Contest.java", "", Marks{Language: "Java"}},
		{"x/Test.java", "", Marks{Language: "Java"}},
		{"test_a.py", "", Marks{Language: "Python", Test: true}},
		{"pkg/conftest.py", "", Marks{Language: "Python", Test: true}},
		{"contest.py", "", Marks{Language: "Python"}},
		{"integration/proxy.caddyfiletest", "", Marks{Test: true}},
		{"ext/date/bug1.phpt", "", Marks{Language: "PHP", Test: true}},
		{"suite/login.bats", "", Marks{Language: "Shell", Test: true}},
		{"a.spec.ts", "", Marks{Language: "TypeScript", Test: true}},
		{"types/a.test-d.ts", "", Marks{Language: "TypeScript", Test: true}},
		{"features/post_data.feature", "", Marks{Language: "Gherkin", Test: true}},
		{"features/step_definitions/a.rb", "", Marks{Language: "Ruby", Test: true}},
		{"features/login.rb", "", Marks{Language: "Ruby"}},
		{"a.test.tsx", "", Marks{Language: "TSX", Test: true}},
		{"__tests__/a.js", "", Marks{Language: "JavaScript", Test: true}},
		{"spec/a_spec.rb", "", Marks{Language: "Ruby", Test: true}},
		{"t/t3427-rebase.sh", "", Marks{Language: "Shell", Test: true}},
		{"lib/t/a.sh", "", Marks{Language: "Shell"}},
		{"testing/testing.go", "", Marks{Language: "Go"}},
		{"latest/a.go", "", Marks{Language: "Go"}},

		{"a.go", "// Code generated by x. DO NOT EDIT.\n\npackage a\n", Marks{Language: "Go", Generated: true}},
		{"a.go", "// Copyright\n\n// Code generated by x. DO NOT EDIT.\npackage a\n", Marks{Language: "Go", Generated: true}},
		{"a.py", "# Code generated by x. DO NOT EDIT.\n", Marks{Language: "Python", Generated: true}},
		{"a.rs", "// @generated by x\n", Marks{Language: "Rust", Generated: true}},
		{"a.go", "package a\n\n// writes \"Code generated by x. DO NOT EDIT.\"\n", Marks{Language: "Go"}},
		{"x.pb.go", "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage x\n", Marks{Language: "Go", Generated: true}},
		{
			"doc/A.html", "<html><head><meta name=\"generator\" content=\"Docutils 0.18\"></head>",
			Marks{Language: "HTML", Generated: true},
		},
		{"doc/A.html", "<html><head>\n<!-- Generated by javadoc (17) -->\n</head>", Marks{Language: "HTML", Generated: true}},
		{"api/a.html", "<html>\n<script>x(\"dokka-dark-mode\")</script>", Marks{Language: "HTML", Generated: true}},
		{"out/a.html", "<html><head>\n<title>JSDoc: Class: A</title>", Marks{Language: "HTML", Generated: true}},
		{"docs/a.html", "<html><script src=\"_static/doctools.js\"></script>", Marks{Language: "HTML", Generated: true}},
		{"doc/A.html", "<html><head><link href=\"../css/jazzy.css\"></head>", Marks{Language: "HTML", Generated: true}},
		{"site/a.html", "<html><head><meta name=\"generator\" content=\"{{ .Generator }}\"></head>", Marks{Language: "HTML"}},
		{"package-lock.json", "{}", Marks{Language: "JSON", Generated: true, Data: true}},
		{"a.min.js", strings.Repeat("a=1;", 200), Marks{Language: "JavaScript", Generated: true, Vendored: true}},

		{"vendor/x/a.go", "", Marks{Language: "Go", Vendored: true}},
		{"web/node_modules/x/a.js", "", Marks{Language: "JavaScript", Generated: true, Vendored: true}},
		{"third_party/x.c", "", Marks{Language: "C", Vendored: true}},
		{"js/jquery-3.1.js", "", Marks{Language: "JavaScript", Vendored: true}},
		{"internal/cache/cache.go", "", Marks{Language: "Go"}},
		{"env/env.go", "", Marks{Language: "Go"}},
		{".github/workflows/a.yml", "", Marks{Language: "YAML", Data: true}},
	} {
		t.Run(tc.path, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Of(tc.path, []byte(tc.content))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("a.h", []byte("class A {};"))
	f.Add("x", []byte("#!/bin/sh"))
	f.Add("/", []byte("%!PS\xff"))
	f.Fuzz(func(_ *testing.T, p string, content []byte) {
		Of(p, content)
		Examine(content)
		Secret(p)
	})
}

func TestInTest(t *testing.T) {
	for _, test := range []struct {
		path, kind, qualified string
		want                  bool
	}{
		{"src/lib.rs", "func", "tests.parses", true},
		{"src/lib.rs", "module", "tests", true},
		{"src/lib.rs", "func", "inner.test.helper", true},
		{"src/lib.rs", "func", "test", false},
		{"src/lib.rs", "method", "Suite.tests", false},
		{"lib/tests.go", "func", "tests.parses", false},
		{"src/Lib.hs", "func", "prop_reversed", true},
		{"src/Lib.hs", "type", "prop_reversed", false},
		{"src/Lib.hs", "func", "property", false},
		{"src/queue.zig", "test", "wraps around", true},
		{"src/queue.zig", "func", "QueueTests", true},
		{"src/queue.zig", "const", "QueueTests.size", true},
		{"src/queue.zig", "func", "runTestsOf", false},
	} {
		if got := InTest(test.path, test.kind, test.qualified); got != test.want {
			t.Errorf("%s %s of %s: %v", test.kind, test.qualified, test.path, got)
		}
	}
}

func TestSaysTest(t *testing.T) {
	for _, test := range []struct {
		path, text string
		want       bool
	}{
		{"src/range.rs", "#[test]\nfn parses() {}\n", true},
		{
			"src/range.rs",
			"    /// Parses.\n\n    #[should_panic]\n    #[tokio::test(flavor = \"x\")]\n    async fn parses() {}\n", true,
		},
		{"src/range.rs", "#[rstest]\n#[case(1)]\nfn parses() {}\n", true},
		{"src/range.rs", "#[cfg(test)]\nfn parses() {}\n", false},
		{"src/range.rs", "fn parses() {\n    #[test]\n}\n", false},
		{"src/range.rs", "", false},
		{"src/range.go", "#[test]\n", false},
	} {
		if got := SaysTest(test.path, test.text); got != test.want {
			t.Errorf("%s of %s: %v", test.text, test.path, got)
		}
	}
}

func TestSecret(t *testing.T) {
	for p, want := range map[string]bool{
		".env": true, "a/.env": true, ".env.local": true, ".ENV": true, ".env.production.local": true,
		".env.example": false, ".env.sample": false, ".env.template": false, "env": false, ".envrc": false,
		"a.pem": true, "tls/server.key": true, "id_rsa": true, "id_ed25519": true, "id_rsa.pub": false, "a.p12": true,
		"a.pfx": true, "store/api-token": true, "api-token.go": false,
		"a.jks": true, "a.keystore": true, "a.kdbx": true, ".netrc": true, ".npmrc": true, ".pypirc": true, ".htpasswd": true,
		".aws/credentials": true, "credentials": true, "credentials/google.json": true, "credentials/credentials.go": false,
		"pkg/credentials/plugin.go": false, "credentials.go": false, ".docker/config.json": true, "config.json": false,
		".kube/config": true, "x/.kube/config": true, "kube/config": false, "terraform.tfstate": true,
		"terraform.tfstate.backup": true,
		"main.tf":                  false, "service-account.json": true, "service-account-prod.json": true,
		"service_account.json": true, "service.json": false,
		"secrets.yml": true, "secrets.yaml": true, "secrets.go": false, "keys.go": false, "monkey.go": false, "key": false,
	} {
		if rule, got := Secret(p); got != want || got == (rule == "") {
			t.Errorf("Secret(%q) = %q, %v; want %v", p, rule, got, want)
		}
	}
}

func TestExamine(t *testing.T) {
	for name, tc := range map[string]struct {
		content string
		want    models.SkipReason
		detail  string
	}{
		"code":         {"package a\n", "", ""},
		"empty":        {"", models.SkipEmpty, "nothing but white space"},
		"white space":  {" \n\t\r\n", models.SkipEmpty, "nothing but white space"},
		"NUL":          {"abc\x00def", models.SkipBinary, "application/octet-stream"},
		"PNG":          {"\x89PNG\r\n\x1a\n\x00\x00", models.SkipBinary, "image/png"},
		"random bytes": {"\x80\x81\x82\xff\xfe\x80\x81", models.SkipBinary, "text/plain; charset=utf-8"},
		"Latin-1":      {"Gr\xfc\xdfe aus einer \xe4lteren Datei, die sonst Text ist\n", "", ""},
		"Shift JIS": {"# \x95\xe0\x82\xad\x90l\x82\xcc\x83N\x83\x89\x83X\x81A" +
			"\x93\xfa\x96{\x8c\xea\x82\xcc\x83R\x83\x81\x83\x93\x83g\x82\xc5\x82\xb7\n" +
			"# \x89\x93\x82\xad\x82\xdc\x82\xc5\x91\x96\x82\xe9\x8a\xd6\x90\x94\x81A" +
			"\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\x90\xa2\x8aE\nclass Walker: pass\n", "", ""},
		"KOI8-R": {"// \xeb\xcc\xc1\xd3\xd3 \xc8\xcf\xc4\xcf\xcb\xc1, \xdc\xd4\xcf " +
			"\xcb\xcf\xcd\xcd\xc5\xce\xd4\xc1\xd2\xc9\xca\n" +
			"// \xe2\xc5\xd6\xc1\xd4\xd8 \xc4\xc1\xcc\xc5\xcb\xcf \xc9 \xc2\xd9\xd3\xd4\xd2\xcf\nint walk();\n", "", ""},
		"noise":          {strings.Repeat("\x80\x91\xe2\x03\xff\xfe\x80\x81 a", 20), models.SkipBinary, ""},
		"UTF-8 with BOM": {"\ufeffpackage a\n", "", ""},
		"RSA key":        {"-----BEGIN RSA PRIVATE KEY-----\nMII\n", models.SkipSecret, "holds a private key"},
		"key, CRLF":      {"\r\n-----BEGIN PRIVATE KEY-----\r\nMII\r\n", models.SkipSecret, "holds a private key"},
		"PGP key":        {"-----BEGIN PGP PRIVATE KEY BLOCK-----\n", models.SkipSecret, "holds a private key"},
		"LFS pointer": {
			"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n", models.SkipIrregular,
			"a pointer of Git LFS; `git lfs pull` brings the file itself",
		},
		"about LFS":   {"version https://git-lfs.github.com/spec/v1 is what a pointer begins with\n", "", ""},
		"certificate": {"-----BEGIN CERTIFICATE-----\n", "", ""},
		"public key":  {"-----BEGIN PUBLIC KEY-----\n", "", ""},
		"key in code": {"const k = `-----BEGIN RSA PRIVATE KEY-----\n`", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			reason, detail := Examine([]byte(tc.content))
			if reason != tc.want {
				t.Errorf("reason %q (%s), want %q", reason, detail, tc.want)
			}
			if tc.want != models.SkipBinary && detail != tc.detail || (detail == "") != (reason == "") {
				t.Errorf("detail %q, want %q", detail, tc.detail)
			}
		})
	}
}
