package filekind

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2"
	"github.com/go-enry/go-enry/v2/data"

	"github.com/ragnav/ragnav/internal/repo/filekind/linguist"
)

// enryLanguage is what language gave when it asked all of go-enry.
func enryLanguage(p string, content []byte) string {
	base := path.Base(p)
	if lang, ok := enry.GetLanguageByFilename(base); ok {
		return lang
	}
	ext := strings.ToLower(path.Ext(base))
	if lang := usual[ext]; lang != "" && !isXML(content) {
		return lang
	}
	lang, safe := enry.GetLanguageByExtension(base)
	switch {
	case safe:
		return lang
	case len(content) == 0 && bare[ext] != "":
		return bare[ext]
	case lang == "":
		lang, _ = enry.GetLanguageByShebang(content)
		return lang
	}
	return enry.GetLanguage(base, content)
}

func TestLanguageByName(t *testing.T) {
	names := []string{"a.blade.php", "x.tar.gz", "a.b.unknown", ".", "noext", "a.d.ts", "A.PY"}
	names = append(names, slices.Sorted(maps.Keys(data.LanguagesByFilename))...)
	for ext := range data.LanguagesByExtension {
		names = append(names, "name"+ext)
	}
	for _, name := range names {
		got, want := language(name, nil), enryLanguage(name, nil)
		if got != want && linguist.Share(got) != linguist.Share(want) { // of equals go-enry takes any
			t.Errorf("%s is %q, go-enry: %q", name, got, want)
		}
	}
}

func TestLanguageByInterpreter(t *testing.T) {
	lines := []string{
		"#!", "#! ", "#!/usr/bin/env", "#!/usr/bin/env -S", "#!/usr/bin/python3.12",
		"#!/usr/bin/osascript -l JavaScript",
	}
	for run := range data.LanguagesByInterpreter {
		if strings.Contains(run, "-") { // which go-enry takes for an option of env
			continue
		}
		lines = append(lines, "#!/bin/"+run, "#! /usr/bin/env "+run+" -x", "#!/usr/bin/env -S A=b "+run)
	}
	lines = append(lines, "#!/bin/sh\n# \\\nexec tclsh \"$0\" ${1+\"$@\"}")
	for _, line := range lines {
		content := []byte(line + "\nx\n")
		if got, want := language("run", content), enryLanguage("run", content); got != want {
			t.Errorf("%q is %q, go-enry: %q", line, got, want)
		}
	}
}

// sure is what go-enry finds before its classifier has to guess.
func sure(p string, content []byte) (string, bool) {
	var found []string
	for _, strategy := range enry.DefaultStrategies[:len(enry.DefaultStrategies)-1] {
		if next := strategy(path.Base(p), content, found); len(next) == 1 {
			return next[0], true
		} else if len(next) > 0 {
			found = next
		}
	}
	return "", len(found) == 0
}

// Files whose extension several languages share are in the language that
// go-enry finds, wherever it does not guess.
func TestLanguageByContent(t *testing.T) {
	root := os.DirFS(filepath.Join(runtime.GOROOT(), "src", "runtime")) //nolint:staticcheck // the tree that tests are run with
	files := 0
	err := fs.WalkDir(root, ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || len(byExtension(e.Name())) < 2 || usual[strings.ToLower(path.Ext(e.Name()))] != "" {
			return err
		}
		content, err := fs.ReadFile(root, p)
		content = content[:min(len(content), classifyBytes)]
		files++
		if want, ok := sure(p, content); ok && language(p, content) != want {
			t.Errorf("%s is %q, go-enry: %q", p, language(p, content), want)
		}
		return err
	})
	if files == 0 || err != nil {
		t.Error("none to compare", err)
	}
}
