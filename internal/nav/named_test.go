//go:build cgo

package nav_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/treesitter"
)

func allLocals(_ context.Context, path, language, text string) ([]facts.Local, error) {
	return treesitter.New().Locals(parse.File{Path: path, Language: language, Text: text})
}

// named has names that no declaration is for: those of arguments, keys of
// objects, parts of paths; and locals that are bound several times.
const named = `
-- shop/__init__.py --
from . import till
from .base import core as heart
-- shop/till.py --
def ring(): ...
-- shop/base/__init__.py --
-- shop/base/core.py --
from typing import overload

class Plain:
    def __init__(self, size, *, deep=False):
        self.size = size

class Heir(Plain):
    pass

def pack(size, *, flat):
    def inner(deep):
        return deep
    return inner(size)

@overload
def load(x: int): ...
@overload
def load(x: str): ...
def load(x, more=None):
    return x
-- use.py --
import os.path
import shop.base.core
from shop.base import core
from shop.base.core import Heir, Plain, load, pack
from .shop.base.core import Plain as Other

def go(n):
    Plain(1, deep=n)
    Heir(2, deep=n)
    core.pack(3, flat=n)
    pack(3, deep=n)
    open("x", encoding="utf-8")
    load(1, more=n)
    total = 1
    total = total + n
    if n:
        total = 3
    return total
-- aliases.py --
from __future__ import annotations
import typing as t
import collections.abc as cabc
import shop.base.core as deep
-- modules.py --
import shop
from shop import base, heart, till
from shop import till as desk

def go():
    till.ring()
    heart.pack(1, flat=2)
    desk.ring()
    shop.till.ring()
    base.core.pack(1, flat=2)

def later():
    from shop import till as inner
    inner.ring()
-- keys.ts --
interface Known { size: number; deep: boolean }
const other = { size: 1 };
export function go(k: Known, f: any) {
  f({ loose: { size: 1 } });
  const known: Known = { size: 2, deep: true };
  const shape: { width: number } = f();
  return [known, other.size, shape];
}
-- short.ts --
interface Known { size: number }
const size = 3;
export const known: Known = { size };
-- alias.ts --
import { go as run } from './keys';
export { go as again } from './keys';
export * as keys from './keys';
run();
-- taken.ts --
import { keys as k } from './alias';
k.go();
`

func TestDefinitionOfNames(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(named)).Files {
		put(t, root, f.Name, string(f.Data))
		files[f.Name] = string(f.Data)
	}
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: grammars{}, Locals: allLocals})
	for _, c := range []struct{ file, row, word, want string }{
		{"use.py", "Plain(1, deep", "deep", "shop/base/core.py:4 deep parameter"},
		{"use.py", "Heir(2, deep", "deep", "shop/base/core.py:4 deep parameter"},
		{"use.py", "core.pack(3, flat", "flat", "shop/base/core.py:10 flat parameter"},
		{"use.py", "pack(3, deep=n)", "deep", "what deep at use.py:11:13 stands for is not known"}, // of a function in it
		{"use.py", `open("x", encoding`, "encoding", "encoding at use.py:12:15 is declared outside of the repository"},
		{"use.py", "load(1, more", "more", "shop/base/core.py:19 more parameter"},
		{"use.py", "load(1, more", "load", "shop/base/core.py:19 load func"}, // the one that runs
		{"use.py", "total = 1", "total", "use.py:14 total variable"},
		{"use.py", "total = total + n", "total", "use.py:15 total variable"},
		{"use.py", "total + n", "total", "use.py:14 total variable"},
		{"use.py", "return total", "total", "use.py:17 total variable"},
		{"use.py", "import os.path", "os", "external os"},
		{"aliases.py", "from __future__", "__future__", "external __future__"},
		{"aliases.py", "import annotations", "annotations", "external __future__"},
		{"aliases.py", "import typing", "typing", "external typing"},
		{"aliases.py", "typing as t", "t", "external typing"},
		{"aliases.py", "import collections", "collections", "external collections"},
		{"aliases.py", "as cabc", "cabc", "external collections.abc"},
		{"aliases.py", "import shop.base.core", "base", "shop/base/__init__.py:1 base module"},
		{"aliases.py", "as deep", "deep", "shop/base/core.py:1 deep module"},
		{"use.py", "import shop.base.core", "shop", "shop/__init__.py:1 shop module"},
		{"use.py", "shop.base.core", "base", "shop/base/__init__.py:1 base module"},
		{"use.py", "shop.base.core", "core", "shop/base/core.py:1 shop.base.core module"},
		{"use.py", "from shop.base import core", "shop", "shop/__init__.py:1 shop module"},
		{"use.py", "from shop.base import core", "base", "shop/base/__init__.py:1 base module"},
		{"use.py", "shop.base.core import Heir", "core", "shop/base/core.py:1 core module"},
		{"use.py", ".shop.base.core import", "base", "shop/base/__init__.py:1 base module"},
		{"shop/base/core.py", "from typing", "typing", "external typing"},
		{"shop/__init__.py", "import till", "till", "shop/till.py:1 till module"},
		{"shop/__init__.py", "core as heart", "core", "shop/base/core.py:1 core module"},
		{"shop/__init__.py", "core as heart", "heart", "shop/base/core.py:1 core module"},
		{"modules.py", "import base, heart, till", "base", "shop/base/__init__.py:1 base module"},
		{"modules.py", "import base, heart, till", "heart", "shop/base/core.py:1 heart module"}, // by another name
		{"modules.py", "import base, heart, till", "till", "shop/till.py:1 till module"},        // taken by the package
		{"modules.py", "till as desk", "till", "shop/till.py:1 till module"},
		{"modules.py", "till as desk", "desk", "shop/till.py:1 till module"},
		{"modules.py", " till.ring", "till", "shop/till.py:1 till module"},
		{"modules.py", "heart.pack", "heart", "shop/base/core.py:1 heart module"},
		{"modules.py", "heart.pack", "pack", "shop/base/core.py:10 pack func"},
		{"modules.py", "desk.ring", "desk", "shop/till.py:1 desk module"},
		{"modules.py", "shop.till.ring", "till", "shop/till.py:1 till module"}, // a member
		{"modules.py", "base.core.pack", "core", "shop/base/core.py:1 core module"},
		{"modules.py", "inner.ring", "inner", "shop/till.py:1 till module"},
		{"keys.ts", "loose: { size", "loose", "keys.ts:4 loose property"},
		{"keys.ts", "loose: { size", "size", "keys.ts:4 size property"},
		{"keys.ts", "{ size: 2", "size", "keys.ts:1 Known.size field"},
		{"keys.ts", "other.size", "size", "keys.ts:2 other.size field"},
		{"keys.ts", "{ width", "width", "keys.ts:6 width property"},
		{"short.ts", "{ size };", "size", "short.ts:2 size const"}, // before the key
		{"alias.ts", "go as run", "run", "keys.ts:3 go func"},
		{"alias.ts", "go as again", "again", "keys.ts:3 go func"},
		{"alias.ts", "go as again", "go", "keys.ts:3 go func"},
		{"taken.ts", "keys as k", "keys", "keys.ts:1 keys module"},
		{"taken.ts", "k.go()", "k", "keys.ts:1 k module"},
		{"taken.ts", "k.go()", "go", "keys.ts:3 go func"},
	} {
		t.Run(c.file+" "+c.row+" "+c.word, func(t *testing.T) {
			line, column := within(t, files[c.file], c.row, c.word)
			r, err := svc.Definition(t.Context(),
				nav.DefinitionRequest{RepoID: "o/a", FilePath: c.file, Line: line, Column: column})
			if err != nil {
				t.Fatal(err)
			}
			got := "nothing"
			switch {
			case len(r.Items) > 0 && r.Items[0].FilePath == "":
				got = "external " + r.Items[0].External
			case len(r.Items) > 0:
				d := r.Items[0]
				got = fmt.Sprintf("%s:%d %s %s", d.FilePath, d.Line, d.Symbol, d.Kind)
			case r.Meta.Message != nil:
				got = (*r.Meta.Message)[strings.LastIndex(*r.Meta.Message, "; ")+2:]
			}
			if got != c.want {
				t.Errorf("%d:%d is %q, want %q", line, column, got, c.want)
			}
		})
	}
}

// within is where a word is in the first occurrence of a part of a text.
func within(t *testing.T, text, part, word string) (line, column int) {
	t.Helper()
	at := strings.Index(text, part)
	if at < 0 || !strings.Contains(part, word) {
		t.Fatalf("no %q with %q", part, word)
	}
	at += strings.Index(part, word)
	before := text[:at]
	return strings.Count(before, "\n") + 1, at - strings.LastIndexByte(before, '\n')
}

// Packages that are taken from outside are named by the module that a manifest asks for, as
// its group or its own name tells.
func TestExternalOfMaven(t *testing.T) {
	root := t.TempDir()
	const text = `package a;

import com.google.protobuf.Message;
import io.ktor.client.HttpClient;
import okio.Buffer;
import org.junit.Test;
import org.other.Thing;

class A { void f(Message m, HttpClient c, Buffer b, Test t, Thing x) {} }
`
	put(t, root, "app/A.java", text)
	put(t, root, "pom.xml", `<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version><dependencies>
<dependency><groupId>com.google.protobuf</groupId><artifactId>protobuf-java-util</artifactId><version>4.1</version></dependency>
<dependency><groupId>com.google.protobuf</groupId><artifactId>protobuf-java</artifactId><version>4.1</version></dependency>
<dependency><groupId>io.ktor</groupId><artifactId>ktor-client-core</artifactId><version>3.0</version></dependency>
<dependency><groupId>io.ktor</groupId><artifactId>ktor-server-core</artifactId><version>3.0</version></dependency>
<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13</version></dependency>
</dependencies></project>`)
	put(t, root, "gradle/libs.versions.toml", "[libraries]\nokio = \"com.squareup.okio:okio:3.2\"\n")
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: grammars{}, Locals: allLocals})
	for word, want := range map[string]string{
		"Message": "com.google.protobuf:protobuf-java@4.1", "HttpClient": "io.ktor:ktor-client-core@3.0",
		"Buffer": "com.squareup.okio:okio@3.2", "Test": "junit:junit@4.13", "Thing": "org.other",
	} {
		line, column := within(t, text, "."+word, word)
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "o/a", FilePath: "app/A.java", Line: line, Column: column})
		if err != nil || len(r.Items) != 1 || r.Items[0].External != want {
			t.Errorf("%s: %+v, %v, want %s", word, r.Items, err, want)
		}
	}
}

// What PHP and Ruby take from outside is named by the package whose name their paths have.
func TestExternalOfPackages(t *testing.T) {
	root := t.TempDir()
	const php = "<?php\nuse Monolog\\Logger;\nuse Symfony\\Component\\HttpKernel\\Kernel;\nuse GuzzleHttp\\Client;\n" +
		"use Other\\Thing;\n\nnew Logger(); new Kernel(); new Client(); new Thing();\n"
	const ruby = "require \"dry/core/cache\"\nrequire \"rack\"\nrequire \"other\"\n"
	put(t, root, "use.php", php)
	put(t, root, "composer.json", `{"name":"o/a","require":{"monolog/monolog":"^3","symfony/http-kernel":"^7.0",`+
		`"symfony/console":"^7.1","guzzlehttp/psr7":"^2","guzzlehttp/promises":"^2"}}`)
	put(t, root, "composer.lock", `{"packages":[{"name":"monolog/monolog","version":"3.1.0"}]}`)
	put(t, root, "use.rb", ruby)
	put(t, root, "a.gemspec", "s.name = 'a'\ns.add_dependency 'dry-core', '~> 1.1'\ns.add_dependency 'rack'\n")
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: grammars{}, Locals: allLocals})
	for _, c := range []struct{ file, text, row, word, want string }{
		{"use.php", php, "new Logger", "Logger", "monolog/monolog@3.1.0"},
		{"use.php", php, "new Kernel", "Kernel", "symfony/http-kernel@^7.0"},
		{"use.php", php, "new Client", "Client", "GuzzleHttp"}, // of either
		{"use.php", php, "new Thing", "Thing", "Other"},
		{"use.rb", ruby, "dry/core/cache", "cache", "dry-core@~> 1.1"},
		{"use.rb", ruby, `"rack"`, "rack", "rack"},
		{"use.rb", ruby, `"other"`, "other", "other"},
	} {
		line, column := within(t, c.text, c.row, c.word)
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "o/a", FilePath: c.file, Line: line, Column: column})
		if err != nil || len(r.Items) == 0 || r.Items[0].External != c.want {
			t.Errorf("%s: %+v, %v, want %q", c.row, r.Items, err, c.want)
		}
	}
}

// A file that is imported by its place and is not there is said to be gone, and no module
// that could be indexed.
func TestImportOfAFileThatIsGone(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a.ts", "import { foo } from './b';\nimport { map } from 'lodash';\nfoo();\nmap();\n")
	put(t, root, "b.ts", "export function foo() {}\n")
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: grammars{}, Locals: allLocals})
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "b.ts")); err != nil {
		t.Fatal(err)
	}
	for symbol, want := range map[string]string{
		"foo": "it is declared in ./b, " + gateway.NoSuchFile, "map": "it is declared in lodash, which is not indexed",
	} {
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: symbol})
		if err != nil || r.Meta.Message == nil || !strings.HasSuffix(*r.Meta.Message, want) {
			t.Errorf("where %s is used: %s, %v; want %q", symbol, models.Or(r.Meta.Message, ""), err, want)
		}
	}
	r, err := svc.Definition(t.Context(), nav.DefinitionRequest{RepoID: "o/a", FilePath: "a.ts", Line: 3, Column: 1})
	want := "foo is declared in ./b, " + gateway.NoSuchFile
	if err != nil || r.Meta.Message == nil || !strings.HasSuffix(*r.Meta.Message, want) {
		t.Errorf("its definition: %s, %v; want %q", models.Or(r.Meta.Message, ""), err, want)
	}
}
