//go:build cgo

package nav_test

import (
	"context"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// grammars reads Go, and other languages by their grammars.
type grammars struct{ goOnly }

var byExtension = map[string]string{
	".py": "Python", ".ts": "TypeScript", ".java": "Java", ".c": "C", ".h": "C", ".ex": "Elixir", ".rs": "Rust",
	".php": "PHP", ".kt": "Kotlin", ".cs": "C#", ".scala": "Scala", ".swift": "Swift", ".rb": "Ruby",
}

func (g grammars) Revision(language string) string {
	for _, l := range byExtension {
		if l == language {
			return "1"
		}
	}
	return g.goOnly.Revision(language)
}

func (g grammars) Facts(ctx context.Context, p, language, text string) (*facts.File, error) {
	if language := byExtension[path.Ext(p)]; language != "" {
		f, err := treesitter.New().Facts(parse.File{Path: p, Language: language, Text: text})
		return &f, err
	}
	return g.goOnly.Facts(ctx, p, language, text)
}

// heirs has in each language a type that inherits, through one that stands
// between, and one whose base is not here.
const heirs = `
-- go.mod --
module example.org/heirs

go 1.26
-- a/base.go --
package a

type Base struct{ Count int }

func (*Base) Route() {}

type Walker interface{ Walk() }
-- b/app.go --
package b

import (
	"io"

	"example.org/heirs/a"
)

type middle struct{ *a.Base }

type App struct {
	middle
	io.Reader
}

type Runner interface{ a.Walker }

type Named a.Base

func use(app App, r Runner) { app.Route(); r.Walk(); app.Count++ }
-- py/base.py --
class Base:
    limit = 3

    def route(self):
        self.name = 1

class Mixin:
    def route(self): ...
    def extra(self): ...
-- py/app.py --
import threading
from .base import Base, Mixin

class Middle(Base): ...

class Flask(Middle, Mixin):
    def run(self):
        self.route()
        return self.limit, self.name

class Worker(threading.Thread): ...
-- ts/base.ts --
export class Base<T> {
  title = "x";
  route(x: T): T { return x; }
}
-- ts/app.ts --
import { Base } from "./base";
import { Outer } from "outer";

class Middle extends Base<string> {}

export class Client extends Middle {
  run() { return this.route(this.title); }
}

export class Other extends Outer {}
-- java/org/x/Base.java --
package org.x;

public class Base {
  protected int size;

  public void route() {}
}
-- java/org/x/Shop.java --
package org.x;

public class Shop extends Base implements Sells {
  void run() { this.route(); sell(); size++; }
}
-- java/org/x/Sells.java --
package org.x;

interface Sells {
  default void sell() {}
}
`

func heirsService(t *testing.T) *nav.Service {
	t.Helper()
	return serviceOf(t, heirs)
}

// serviceOf is a service of one repository with the files of an archive.
func serviceOf(t *testing.T, archive string) *nav.Service {
	t.Helper()
	_, svc := repositoryOf(t, archive)
	return svc
}

// repositoryOf is serviceOf, with the folder of the files.
func repositoryOf(t *testing.T, archive string) (root string, svc *nav.Service) {
	t.Helper()
	root = t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		put(t, root, f.Name, string(f.Data))
	}
	return root, nav.New(gateway.Config{Repos: folder(root), Extract: grammars{}})
}

// A member of a subclass is what it inherits, and the reply says so. Graph and
// live answer the same.
func TestInherited(t *testing.T) {
	svc := heirsService(t)
	check := func(t *testing.T) {
		for _, test := range []struct{ symbol, definition, used, says string }{
			{
				"App.Route", "a/base.go:Base.Route", "b/app.go:20",
				"App (b/app.go:11) inherits Route: it is Base.Route, declared in a/base.go:5",
			},
			{
				"App.Count", "a/base.go:Base.Count", "b/app.go:20",
				"App (b/app.go:11) inherits Count: it is Base.Count, declared in a/base.go:3",
			},
			{"b.Runner.Walk", "a/base.go:Walker.Walk", "b/app.go:20", "Runner (b/app.go:16) inherits Walk"},
			{"Named.Count", "a/base.go:Base.Count", "b/app.go:20", "Named (b/app.go:18) inherits Count"},
			{
				"Flask.route", "py/base.py:Base.route", "py/app.py:8",
				"Flask (py/app.py:6) inherits route: it is Base.route, declared in py/base.py:4",
			},
			{"flask.ROUTE", "py/base.py:Base.route", "py/app.py:8", "Flask (py/app.py:6) inherits route"},
			{"py/app.py:Flask.name", "py/base.py:Base.name", "py/app.py:9", "inherits name"},
			{"Middle.limit", "py/base.py:Base.limit", "py/app.py:9", "Middle (py/app.py:4) inherits limit"},
			{"Flask.extra", "py/base.py:Mixin.extra", "", "it is Mixin.extra"},
			{
				"Client.route", "ts/base.ts:Base.route", "ts/app.ts:7",
				"Client (ts/app.ts:6) inherits route: it is Base.route, declared in ts/base.ts:3",
			},
			{"Client.title", "ts/base.ts:Base.title", "ts/app.ts:7", "inherits title"},
			{
				"Shop.route", "java/org/x/Base.java:Base.route", "java/org/x/Shop.java:4",
				"Shop (java/org/x/Shop.java:3) inherits route",
			},
			{"org.x.Shop.sell", "java/org/x/Sells.java:Sells.sell", "java/org/x/Shop.java:4", "it is Sells.sell"},
			{"Shop.size", "java/org/x/Base.java:Base.size", "java/org/x/Shop.java:4", "inherits size"},
		} {
			res, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: test.symbol})
			if err != nil {
				t.Errorf("%s: %v", test.symbol, err)
				continue
			}
			used := ""
			if len(res.Items) > 0 {
				used = res.Items[0].FilePath + ":" + strconv.Itoa(res.Items[0].Line)
			}
			if diff := cmp.Diff([]string{test.definition, test.used}, []string{res.Definitions[0].ID, used}); diff != "" ||
				len(res.Definitions) != 1 {
				t.Errorf("%s (-want +got) %v\n%s", test.symbol, res.Definitions, diff)
			}
			if res.Meta.Message == nil || !strings.Contains(*res.Meta.Message, test.says) {
				t.Errorf("%s says %v, want %q", test.symbol, res.Meta.Message, test.says)
			}
		}
	}
	t.Run("live", check)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	t.Run("graph", check)

	res, err := svc.Lineage(t.Context(), nav.LineageRequest{RepoID: "o/a", Symbol: "Flask.route", Direction: "upstream"})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Items) == 0 || res.Items[0].Symbol != "Flask.run" || res.Meta.Message == nil ||
		!strings.Contains(*res.Meta.Message, "inherits route") {
		t.Errorf("lineage of an inherited method: %+v, %v", res.Items, res.Meta.Message)
	}
}

// What a base outside of the repository may have is not found, and the reply
// says why; what a type does not inherit by the rules of its language neither.
func TestNotInherited(t *testing.T) {
	svc := heirsService(t)
	for _, test := range []struct{ symbol, says string }{
		{
			"App.Read",
			"App (b/app.go:11) does not declare Read, and it may come from a base that is outside of the repository",
		},
		{"Worker.start", "Worker (py/app.py:11) does not declare start"},
		{"Other.send", "Other (ts/app.ts:10) does not declare send"},
		{"Worker.route", "Worker (py/app.py:11) does not declare route"},
		{"Named.Route", "Route is defined in a/base.go:5"}, // a defined type has no methods of the other
		{"Base.run", "run is defined in"},
		{"Shop.nothing", "no definition of"},
	} {
		_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: test.symbol})
		if fault.CodeOf(err) != fault.SymbolNotFound || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", test.symbol, err, test.says)
		}
	}
}

// A pick chooses among types of one name, or among the members.
func TestInheritedPicked(t *testing.T) {
	svc := heirsService(t)
	for _, test := range []struct{ symbol, file, want string }{
		{"Middle.route", "py/app.py", "py/base.py:Base.route"},
		{"Middle.route", "ts/base.ts", "ts/base.ts:Base.route"},
		{"Middle.route", "java/org/x/Base.java", ""},
	} {
		res, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: test.symbol, File: test.file})
		got := ""
		if err == nil && len(res.Definitions) == 1 {
			got = res.Definitions[0].ID
		}
		if got != test.want {
			t.Errorf("%s in %s is %q, want %q (%v)", test.symbol, test.file, got, test.want, err)
		}
	}
}
