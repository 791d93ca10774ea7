package nav_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A map has what a newcomer asks first, most used first, with and without a
// graph, and of the files as they are.
func TestMap(t *testing.T) {
	root, svc := many(t, 3)
	put(t, root, "shared/shared.go",
		"// Package shared is for all. It does more.\npackage shared\n\n// Shared is used everywhere.\nfunc Shared() {}\n\n"+
			"func Rare() {}\n")
	put(t, root, "p0/use.go",
		"package p0\n\nimport \"example.com/many/shared\"\n\nfunc Use0() { shared.Shared(); shared.Rare() }\n")
	put(t, root, "p0/use_test.go", "package p0\n\nfunc both() { Use0(); Use0() }\n")
	put(t, root, "cmd/tool/main.go", "// Tool does it.\npackage main\n\nfunc main() {}\n")
	put(t, root, "bench/main.go", "package main\n\nfunc main() {}\n")
	put(t, root, "Makefile", "X := 1\nbuild: all\n\tgo build\ntest:\n\tgo test\nodd:\n")
	put(t, root, "package.json", `{"scripts": {"build": "x", "other": "y"}}`)
	put(t, root, "yarn.lock", "")
	put(t, root, "composer.json", `{"scripts": {"test": "x", "post-install-cmd": "y"}}`)
	put(t, root, "all.sln", "")
	shared := func(n int) []models.FolderUse { return []models.FolderUse{{Path: "shared", Uses: n}} }
	want := models.RepoMap{
		RepoID: "o/a",
		Folders: []models.MapFolder{
			{Path: ".", Files: 6},
			{Path: "bench", Files: 1},
			{Path: "p0", Files: 2, UsesOf: shared(2)},
			{Path: "p1", Files: 1, UsesOf: shared(1)},
			{Path: "p2", Files: 1, UsesOf: shared(1)},
			{Path: "shared", Purpose: "Package shared is for all.", Files: 1},
			{Path: "cmd/tool", Purpose: "Tool does it.", Files: 1},
		},
		Symbols: []models.MapSymbol{
			{FilePath: "shared/shared.go", Line: 5, Symbol: "Shared", Signature: "func Shared()", Uses: 3},
			{FilePath: "shared/shared.go", Line: 7, Symbol: "Rare", Signature: "func Rare()", Uses: 1},
		},
		EntryPoints: []string{"cmd/tool/main.go", "bench/main.go"},
		Commands: []string{
			"make build", "make test", "yarn install", "yarn run build", "go build ./...", "go test ./...",
			"dotnet build", "dotnet test", "composer install", "composer test",
		},
	}
	check := func(step string) {
		t.Helper()
		r, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, r.Items[0]); diff != "" || r.Meta.Truncated {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
	}
	check("live")
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	check("graph")
	put(t, root, "p1/use.go",
		"package p1\n\nimport \"example.com/many/shared\"\n\nfunc Use1() { shared.Rare(); shared.Rare() }\n")
	want.Symbols[0].Uses, want.Symbols[1].Uses, want.Folders[3].UsesOf = 2, 3, shared(2)
	want.Symbols[0], want.Symbols[1] = want.Symbols[1], want.Symbols[0]
	check("edited")
	below, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", Path: "shared/"})
	if err != nil || len(below.Items[0].Folders) != 1 || len(below.Items[0].Symbols) != 2 ||
		len(below.Items[0].Commands) != 0 {
		t.Errorf("of a folder: %+v, %v", below.Items, err)
	}
	if _, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", Path: "../x"}); fault.CodeOf(err) !=
		fault.InvalidPath {
		t.Errorf("outside: %v", err)
	}
	if _, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", Path: "nosuch"}); fault.CodeOf(err) !=
		fault.PathNotFound {
		t.Errorf("a folder that isn't there: %v", err)
	}
	small, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", MaxTokens: 40})
	if err != nil || !small.Meta.Truncated || !strings.Contains(*small.Meta.Message, "of 7 folders") {
		t.Errorf("of few tokens: %+v, %v", small, err)
	}
}

// Tests are shown by the map of their folder only, and a folder of nothing else says so.
func TestMapOfTests(t *testing.T) {
	root, svc := many(t, 1)
	put(t, root, "pkg/tests/help.go", "package tests\n\nfunc Helper() {}\n")
	put(t, root, "pkg/tests/sub/use.go",
		"package sub\n\nimport \"example.com/many/pkg/tests\"\n\nfunc Use() { tests.Helper() }\n")
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	of, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", Path: "pkg/tests"})
	if err != nil || len(of.Items[0].Folders) != 2 || len(of.Items[0].Symbols) != 1 {
		t.Errorf("of tests: %+v, %v", of, err)
	}
	above, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", Path: "pkg"})
	if err != nil || len(above.Items[0].Folders) != 0 ||
		!strings.Contains(models.Or(above.Meta.Message, ""), "only tests") {
		t.Errorf("above them: %+v, %v", above, err)
	}
}

// Of many folders side by side those are listed that others use, and what most of
// the rest uses has its share of the page.
func TestMapOfManyFolders(t *testing.T) {
	root, svc := many(t, 1)
	put(t, root, "lib/zone/zone.go", "// Package zone is for all.\npackage zone\n\nfunc Zone() {}\n\nfunc Other() {}\n")
	put(t, root, "gen.go", "//go:build ignore\n\npackage main\n\nfunc main() {}\n")
	for i := range 60 {
		name := fmt.Sprintf("p%02d", i)
		put(t, root, "lib/"+name+"/x.go", "// Package "+name+" does one of many things.\npackage "+name+
			"\n\nimport \"example.com/many/lib/zone\"\n\nfunc X() { zone.Zone(); zone.Other() }\n")
	}
	tokens := 300
	r, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", MaxTokens: tokens})
	if err != nil {
		t.Fatal(err)
	}
	item := r.Items[0]
	zone := slices.IndexFunc(item.Folders, func(f models.MapFolder) bool { return f.Path == "lib/zone" })
	sorted := slices.IsSortedFunc(item.Folders, func(a, b models.MapFolder) int {
		return cmp.Or(strings.Count(a.Path, "/")-strings.Count(b.Path, "/"), strings.Compare(a.Path, b.Path))
	})
	if zone < 0 || !sorted || len(item.Folders) > 20 || !r.Meta.Truncated {
		t.Errorf("folders %+v", item.Folders)
	}
	if len(item.Symbols) != 3 || len(item.EntryPoints) > 0 {
		t.Errorf("symbols %+v, begins %v", item.Symbols, item.EntryPoints)
	}
}

// The page of a monorepo is of what others use: libraries begin where their manifest
// is, a sentence that several folders say is of none, examples come last, and of
// overloads one is listed.
func TestMapOfMonorepo(t *testing.T) {
	root, svc := many(t, 1)
	put(t, root, "packages/core/package.json", `{"name": "core"}`)
	put(t, root, "packages/core/src/index.ts", "// Keep this file first.\nexport const first = 1\n")
	put(t, root, "packages/core/src/core.go", "// Keep this file first.\npackage src\n\n"+
		"import \"example.com/many/packages/core/src/in\"\n\nfunc Use() int { return in.Make() + in.Make() }\n")
	put(t, root, "packages/core/src/in/in.go", "// Keep this file first.\npackage in\n\nfunc Make() int { return 1 }\n\n"+
		"func Make() int { return 2 }\n")
	for i := range 50 {
		dir := fmt.Sprintf("examples/e%02d", i)
		put(t, root, dir+"/package.json", `{}`)
		put(t, root, dir+"/index.js", "// Starts the example.\nconsole.log(1)\n")
		put(t, root, dir+"/src/deep/x.js", "console.log(2)\n")
	}
	r, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", MaxTokens: 2000})
	if err != nil {
		t.Fatal(err)
	}
	item := r.Items[0]
	if want := []string{
		"packages/core/src/index.ts", "examples/e00/index.js", "examples/e01/index.js", "examples/e02/index.js",
	}; !slices.Equal(item.EntryPoints, want) {
		t.Errorf("begins at %v, want %v", item.EntryPoints, want)
	}
	for _, f := range item.Folders {
		if f.Purpose != "" || strings.HasSuffix(f.Path, "/deep") {
			t.Errorf("lists %s, for %q", f.Path, f.Purpose)
		}
	}
	if !slices.ContainsFunc(item.Folders, func(f models.MapFolder) bool { return f.Path == "packages/core/src/in" }) {
		t.Errorf("a folder that is used is missing: %+v", item.Folders)
	}
	made := 0
	for _, s := range item.Symbols {
		made += strings.Count(s.Symbol, "Make")
	}
	if made != 1 {
		t.Errorf("Make is listed %d times: %+v", made, item.Symbols)
	}
}

// A folder is for what its files say of their subject, not of themselves.
func TestMapPurpose(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"inner comment of Rust": {
			"a/lib.rs", "//! Walks folders,\n//! in order. And more.\n\npub fn walk() {}\n", "Walks folders, in order.",
		},
		"encoding":    {"a/x.go", "// encoding: utf-8\npackage a\n\nfunc F() {}\n", ""},
		"licence":     {"a/README.md", "# A\n\nDual-licensed under MIT.\n\nA counts things. Quickly.\n", "A counts things."},
		"not to edit": {"a/README.md", "NOTE: This file should not be edited.\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root, svc := many(t, 1)
			put(t, root, c.file, c.text)
			put(t, root, "a/y.go", "package a\n")
			if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
				t.Fatal(err)
			}
			r, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", Path: "a"})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Items[0].Folders[0].Purpose; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The first sentence of a document says what a folder is for; pictures, badges, tables and links
// do not. Code that a program wrote is behind what people did, where it says so.
func TestMapSaysWhatIsWritten(t *testing.T) {
	root, svc := many(t, 1)
	put(t, root, "Readme.md", "# Name\n\n[![Tests](https://a/b.svg)](https://a) [![Coverage](https://c/d.svg)](https://c)"+
		"\n\n<img src=\"x.png\"/>\n\n| a | b |\n|---|---|\n| c | d. |\n\n- [Guide](https://a). And more.\n\n"+
		"It reads what others wrote. It does more.\n")
	put(t, root, "lib/a.go", "// This file is synced from elsewhere.\n\npackage lib\n\nfunc Mine() {}\n")
	put(t, root, "lib/a.pb.go", "// Code generated by a program. DO NOT EDIT.\n\npackage lib\n\nfunc Made() {}\n")
	put(t, root, "lib/proto.go", "package lib\n\nfunc Proto() {}\n")
	put(t, root, "use/use.go", "package use\n\nimport \"example.com/many/lib\"\n\n"+
		"func Use() { lib.Mine(); lib.Made(); lib.Made(); lib.Proto() }\n")
	names := func(below string) (names []string) {
		r, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", Path: below})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Items[0].Folders {
			if f.Purpose != "" {
				names = append(names, f.Path+": "+f.Purpose)
			}
		}
		for _, s := range r.Items[0].Symbols {
			if s.FilePath != "shared/shared.go" {
				names = append(names, s.Symbol)
			}
		}
		return names
	}
	if diff := gocmp.Diff([]string{".: It reads what others wrote.", "Mine", "Proto"}, names("")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	put(t, root, "gen/a.pb.go", "// Code generated by a program. DO NOT EDIT.\n\npackage gen\n\nfunc Made() {}\n\n"+
		"func Uses() { Made() }\n")
	if diff := gocmp.Diff([]string{"Made"}, names("gen")); diff != "" {
		t.Errorf("of what is written by programs (-want +got):\n%s", diff)
	}
	_, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a", Path: "lib/a.go"})
	if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("of a file: %v", err)
	}
	empty := nav.New(gateway.Config{Repos: folder(t.TempDir()), Extract: goOnly{}})
	r, err := empty.Map(t.Context(), nav.MapRequest{RepoID: "o/a"})
	if err != nil || !strings.Contains(models.Or(r.Meta.Message, ""), "there are no files in it") {
		t.Errorf("of nothing: %+v, %v", r, err)
	}
}

// Programs begin where manifests and the customs of their languages say.
func TestMapOfPrograms(t *testing.T) {
	root, svc := many(t, 1)
	for name, text := range map[string]string{
		"package.json": `{"bin": {"a": "./bin/a.js", "gone": "dist/gone.js"}}`, "bin/a.js": "",
		"web/composer.json": `{"bin": ["bin/b"]}`, "web/bin/b": "", "web/public/index.php": "<?php\n",
		"py/pyproject.toml": "[project]\nname = \"p\"\n[project.scripts]\nrun = \"p.cli:main\"\nno = \"p.none:x\"\n",
		"py/src/p/cli.py":   "def main(): pass\n", "net/Program.cs": "Run();\n", "exe/tool": "#!/usr/bin/env ruby\n",
		".cache/package.json": `{"bin": "x.js"}`, ".cache/x.js": "",
		"py/other.py":      "if __name__ == \"__main__\":\n    pass\n",
		"tests/Program.cs": "",
	} {
		put(t, root, name, text)
	}
	r, err := svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"bin/a.js", "exe/tool", "net/Program.cs", "web/bin/b", "web/public/index.php", "py/src/p/cli.py"}
	if diff := gocmp.Diff(want, r.Items[0].EntryPoints); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	put(t, root, "py/pyproject.toml", "[project]\nname = \"p\"\n")
	if r, err = svc.Map(t.Context(), nav.MapRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	if got := r.Items[0].EntryPoints; !slices.Contains(got, "py/other.py") {
		t.Errorf("without a script of Python: %v", got)
	}
}
