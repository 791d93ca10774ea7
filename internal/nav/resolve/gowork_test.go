package resolve_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// workspaces are repositories of several modules, in each of which something
// else decides where an import leads.
var workspaces = map[string]string{
	"a module that is used, not one of the same path": `
-- go.work --
go 1.26

use (
	./app
	./lib/b
)
-- app/go.mod --
module example.org/app
-- app/app.go --
package app

import _ "example.org/b"
import _ "example.org/b/sub"
-- lib/b/go.mod --
module example.org/b
-- lib/b/b.go --
package b
-- lib/b/sub/sub.go --
package sub
-- some/old/copy/of/b/go.mod --
module example.org/b
-- some/old/copy/of/b/b.go --
package b
-- some/old/copy/of/b/sub/sub.go --
package sub
`,
	"a replacement of the workspace counts for all modules, and over theirs": `
-- go.work --
go 1.26
use ./app
use "./tool"
replace example.org/old => ./new
replace example.org/gone v1.0.0 => ./.back
-- app/go.mod --
module example.org/app
require example.org/old v1.0.0
require example.org/gone v1.0.0
replace example.org/old => ../second
-- app/app.go --
package app

import _ "example.org/old"
import _ "example.org/gone/in"
-- tool/go.mod --
module example.org/tool
require example.org/old v1.0.0
require example.org/gone v1.0.0
-- tool/main.go --
package main

import _ "example.org/old"
import _ "example.org/gone/in"

func main() {}
-- new/go.mod --
module example.org/new
-- new/new.go --
package old
-- second/go.mod --
module example.org/old
-- second/old.go --
package old
-- .back/go.mod --
module example.org/gone
-- .back/in/in.go --
package in
`,
	"a replacement of one module counts for the others in the workspace": `
-- go.work --
go 1.26
use .
use ./tool
-- go.mod --
module example.org/app
require example.org/dep v1.0.0
replace example.org/dep => ./third/dep
-- app.go --
package app
-- tool/go.mod --
module example.org/app/tool
require example.org/dep v1.0.0
-- tool/main.go --
package main

import _ "example.org/app"
import _ "example.org/dep"

func main() {}
-- third/dep/go.mod --
module example.org/dep
-- third/dep/dep.go --
package dep
`,
	"the nearest workspace": `
-- go.work --
go 1.26
use ./outer
-- outer/go.mod --
module example.org/lib
-- outer/lib.go --
package lib
-- inner/go.work --
go 1.26
use (
	./app
	./lib
)
-- inner/app/go.mod --
module example.org/app
-- inner/app/app.go --
package app

import _ "example.org/lib"
-- inner/lib/go.mod --
module example.org/lib
-- inner/lib/lib.go --
package lib
`,
	"no workspace: a nested module is no part of the one around it": `
-- go.mod --
module example.org/app
require example.org/app/nested v1.0.0
require example.org/dep v1.0.0
replace example.org/app/nested => ./moved
replace example.org/dep => ./hidden/dep
-- app.go --
package app

import _ "example.org/app/nested/x"
import _ "example.org/app/plain"
import _ "example.org/dep"
-- plain/plain.go --
package plain
-- nested/go.mod --
module example.org/app/nested
-- nested/x/x.go --
package x
-- moved/go.mod --
module example.org/app/nested
-- moved/x/x.go --
package x
-- hidden/dep/go.mod --
module example.org/dep
-- hidden/dep/dep.go --
package dep
`,
}

// Imports lead where the go command says.
func TestGoImportsAsTheGoCommand(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: no go command, so imports are not compared with those that go list finds")
	}
	for name, text := range workspaces {
		t.Run(name, func(t *testing.T) {
			a := txtar.Parse([]byte(text))
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			files, err := txtar.FS(a)
			if err == nil {
				err = os.CopyFS(root, files)
			}
			if err != nil {
				t.Fatal(err)
			}
			w := goWorld(t, a)
			r := resolve.New(w, languages.All())
			got, want := map[string]string{}, map[string]string{}
			for _, f := range a.Files {
				id, _ := w.ByPath(f.Name)
				file := w.File(id)
				if file.Language != "Go" {
					continue
				}
				for i := range file.Imports {
					key := f.Name + " " + file.Imports[i].Path
					want[key] = listed(t, root, path.Dir(f.Name), file.Imports[i].Path)
					got[key] = "nothing"
					if found := r.Import(id, i); len(found) > 0 {
						got[key] = path.Dir(w.File(found[0]).Path)
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
				t.Errorf("folders of imports (-go +ours):\n%s", diff)
			}
		})
	}
}

// listed is the folder that the go command finds for an import.
func listed(t *testing.T, root, from, p string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-find", "-json=Dir", p)
	cmd.Dir = filepath.Join(root, from)
	cmd.Env = append(cmd.Environ(), "GOFLAGS=", "GOWORK=", "GOPROXY=off", "GOTOOLCHAIN=local", "GO111MODULE=on",
		"PWD="+cmd.Dir)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var found struct{ Dir string }
	if err == nil {
		err = json.NewDecoder(strings.NewReader(string(out))).Decode(&found)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("go list %s in %s: %v %s", p, from, err, errs.String())
	}
	dir, err := filepath.Rel(root, found.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(dir)
}
