package archtest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var goFile = regexp.MustCompile("`([\\w/]+\\.go)`")

// Go files that the documents name are there.
func TestDocumentsNameRealFiles(t *testing.T) {
	all := sources(t)
	for document, text := range documents(t) {
		for _, m := range goFile.FindAllStringSubmatch(text, -1) {
			if strings.HasSuffix(m[1], "_test.go") {
				continue
			}
			if !slices.ContainsFunc(all, func(s source) bool { return strings.HasSuffix("/"+s.path, "/"+m[1]) }) {
				t.Errorf("%s names %s, which is not there", document, m[1])
			}
		}
	}
}

var qualified = regexp.MustCompile("`([a-z]\\w*)\\.([A-Z][\\w.]*)`")

// Functions, types and methods that the documents name with their package are there.
func TestDocumentsNameRealDeclarations(t *testing.T) {
	in := map[string][]string{} // by the last part of the path of the package
	for _, s := range sources(t) {
		in[path.Base(s.pkg)] = append(in[path.Base(s.pkg)], s.declares...)
	}
	named := 0
	for document, text := range documents(t) {
		for _, m := range qualified.FindAllStringSubmatch(text, -1) {
			declared, ours := in[m[1]]
			is := func(name string) bool { return name == m[2] || strings.HasSuffix(name, "."+m[2]) }
			if ours && !slices.ContainsFunc(declared, is) {
				t.Errorf("%s names %s.%s, which is not declared", document, m[1], m[2])
			}
			named += min(len(declared), 1)
		}
	}
	if named == 0 {
		t.Error("no declarations are named at all")
	}
}

var (
	ofContract = regexp.MustCompile(`(?m)^  (/\S*):$`)
	parameters = regexp.MustCompile(`/\{[^}]*\}`)
)

// The list of operations for programs has every path of the contract, or the last part of one
// that stands behind another.
func TestTheListOfOperationsIsWhole(t *testing.T) {
	contract, err := os.ReadFile(filepath.Join("..", "..", "api", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	list := documents(t)["docs/rest.md"]
	paths := ofContract.FindAllStringSubmatch(string(contract), -1)
	if len(paths) == 0 {
		t.Fatal("the contract has no paths")
	}
	for _, m := range paths {
		p := parameters.ReplaceAllString(m[1], "")
		named := func(text string) bool { return strings.Contains(list, text) }
		if !named(" "+p) && !named("`"+p) && !named("`/"+path.Base(p)+"`") {
			t.Errorf("docs/rest.md does not name %s", m[1])
		}
	}
}

// documents are the texts for contributors, by their names.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md"} {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("no documents in %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[strings.TrimPrefix(filepath.ToSlash(file), "../../")] = string(text)
		}
	}
	return texts
}
