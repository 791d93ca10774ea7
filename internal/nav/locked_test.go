//go:build cgo

package nav_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// projects are grammars that read manifests, too.
type projects struct{ grammars }

func (e projects) Revision(language string) string {
	if language == "JSON" || language == "TOML" {
		return "1"
	}
	return e.grammars.Revision(language)
}

func (e projects) Facts(ctx context.Context, p, language, text string) (*facts.File, error) {
	if project.Knows(p) {
		f, _ := project.Facts(p, text)
		return &f, nil
	}
	return e.grammars.Facts(ctx, p, language, text)
}

// settled is after how long a file is taken for what it was when it looks the same.
const settled = 2100 * time.Millisecond

// Of two checkouts of one module each user has the one that its lock file chose,
// and the other one as soon as that file says so: nothing is built or started again.
func TestLockFilesChooseTheCheckout(t *testing.T) {
	npm := func(version string) map[string]string {
		return map[string]string{
			"package.json": `{"name":"left","version":"` + version + `","main":"index.ts"}`,
			"index.ts":     "export function pad() {}\n",
		}
	}
	pypi := func(version string) map[string]string {
		return map[string]string{
			"pyproject.toml":   "[project]\nname = \"left\"\nversion = \"" + version + "\"\n",
			"left/__init__.py": "def pad():\n    pass\n",
		}
	}
	goModule := func(string) map[string]string {
		return map[string]string{"go.mod": "module example.com/left\n", "left.go": "package left\n\nfunc Pad() {}\n"}
	}
	composer := func(version string) map[string]string {
		return map[string]string{
			"composer.json": `{"name":"o/left","version":"` + version + `"}`,
			"src/Pad.php":   "<?php\nnamespace O\\Left;\n\nclass Pad {}\n",
		}
	}
	nuget := func(version string) map[string]string {
		return map[string]string{
			"Left.csproj": "<Project><PropertyGroup><Version>" + version + "</Version></PropertyGroup></Project>",
			"Pad.cs":      "namespace Left;\n\npublic class Pad {}\n",
		}
	}
	gem := func(version string) map[string]string {
		return map[string]string{
			"left.gemspec": "Gem::Specification.new do |s|\n  s.name = 'left'\n  s.version = '" + version + "'\nend\n",
			"lib/left.rb":  "module Left\n  def self.pad\n  end\nend\n",
		}
	}
	php := map[string]string{
		"composer.json": `{"name":"o/user","require":{"o/left":">=1"}}`,
		"use.php":       "<?php\nuse O\\Left\\Pad;\n\nnew Pad();\n",
	}
	csharp := map[string]string{
		"User.csproj": `<Project><ItemGroup><PackageReference Include="Left" Version="[1.0,)" /></ItemGroup></Project>`,
		"Use.cs":      "using Left;\n\nnamespace User;\n\nclass Use { object a = new Pad(); }\n",
	}
	ruby := map[string]string{
		"Gemfile": "gem 'left', '>= 1'\n",
		"use.rb":  "require 'left'\n\nLeft.pad\n",
	}
	script := map[string]string{
		"package.json": `{"name":"user","dependencies":{"left":">=1"}}`,
		"use.ts":       "import { pad } from \"left\";\n\npad();\n",
	}
	python := map[string]string{
		"pyproject.toml": "[project]\nname = \"user\"\ndependencies = [\"left>=1\"]\n",
		"use.py":         "from left import pad\n\npad()\n",
	}
	golang := map[string]string{"use.go": "package user\n\nimport \"example.com/left\"\n\nfunc use() { left.Pad() }\n"}
	packageLock := func(v string) string { return `{"packages":{"node_modules/left":{"version":"` + v + `"}}}` }
	table := func(v string) string { return "[[package]]\nname = \"left\"\nversion = \"" + v + "\"\n" }
	goMod := func(v string) string { return "module example.com/user\n\nrequire example.com/left v" + v + "\n" }
	for _, test := range []struct {
		lock, ignored, symbol string
		text                  func(version string) string
		lib                   func(version string) map[string]string
		user                  map[string]string
	}{
		{"package-lock.json", "", "pad", packageLock, npm, script},
		{"uv.lock", "uv.lock", "pad", table, pypi, python},
		{"poetry.lock", "", "pad", table, pypi, python},
		{"composer.lock", "", "Pad", func(v string) string {
			return `{"packages":[{"name":"o/left","version":"` + v + `"}]}`
		}, composer, php},
		{"packages.lock.json", "", "Pad", func(v string) string {
			return `{"dependencies":{"net8.0":{"Left":{"resolved":"` + v + `"}}}}`
		}, nuget, csharp},
		{"Gemfile.lock", "", "pad", func(v string) string {
			return "GEM\n  specs:\n    left (" + v + ")\n"
		}, gem, ruby},
		{"go.mod", "", "Pad", goMod, goModule, golang}, // go.sum chooses nothing: it has versions that were only looked at
	} {
		t.Run(test.lock, func(t *testing.T) {
			all := folders{}
			add := func(id models.RepoID, folder string, files map[string]string) {
				all[id] = filepath.Join(t.TempDir(), folder)
				for name, text := range files {
					put(t, all[id], name, text)
				}
			}
			add("a/left", "left@v1.0.0", test.lib("1.0.0"))
			add("b/left", "left@v1.5.0", test.lib("1.5.0"))
			add("c/user", "user", test.user)
			put(t, all["c/user"], test.lock, test.text("1.0.0"))
			svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: projects{}, Locals: goLocals})
			git(t, all["c/user"], "init", "-q") // a lock file that git ignores is read, too
			put(t, all["c/user"], ".gitignore", test.ignored+"\n")
			for id := range all {
				if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: id}); err != nil {
					t.Fatal(err)
				}
			}
			for i, step := range []struct{ version, user string }{
				{"1.0.0", "a/left"}, {"1.5.0", "b/left"}, {"1.0.0", "a/left"},
			} {
				put(t, all["c/user"], test.lock, test.text(step.version))
				if i == 0 && test.ignored != "" {
					time.Sleep(settled)
				}
				r, err := svc.WhereUsed(t.Context(),
					nav.WhereUsedRequest{RepoID: "*", Symbol: test.symbol, Edges: []string{"calls"}})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, item := range r.Items {
					if item.RepoID == "c/user" {
						got = append(got, item.Definition[:len("a/left")])
					}
				}
				if len(got) != 1 || got[0] != step.user {
					t.Errorf("locked to %s: the call is of %q, want %s: %q", step.version, got, step.user, placesAcross(r))
				}
			}
		})
	}
}
