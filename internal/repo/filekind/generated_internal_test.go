package filekind

import (
	"slices"
	"testing"

	"github.com/go-enry/go-enry/v2/data"
)

// generatedNames has a path for each of go-enry's matchers.
var generatedNames = []string{
	"a/.idea/b.xml", "Pods/a.m", "a/Carthage/Build/b.h", "Form.Designer.cs", "a.feature.cs", "node_modules/a.js",
	"vendor/github.com/a/b.go", "Gopkg.lock", "a/glide.lock", "poetry.lock", "pdm.lock", "uv.lock", "a/b.esy.lock",
	"deno.lock", "npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "a/.pnp.cjs", "Godeps/a.go",
	"composer.lock", "a.zep.c", "Cargo.lock", "Cargo.toml.orig", "flake.lock", "MODULE.bazel.lock", "Pipfile.lock",
	"a/.terraform.lock.hcl", "__generated__/a.ts", "a_TLB.pas", "htmlcov/a.html", ".sqlx/query-1.json",
}

// A matcher of another version of go-enry wants a sign and a path here.
func TestSignsOfGeneratedNamesAreThoseOfAllMatchers(t *testing.T) {
	for _, p := range generatedNames {
		if !hasGeneratedName(p) {
			t.Errorf("%s: not taken for generated", p)
		}
	}
	for i, matches := range data.GeneratedCodeNameMatchers {
		if !slices.ContainsFunc(generatedNames, matches) {
			t.Errorf("no path here is for matcher %d of go-enry", i)
		}
	}
	if hasGeneratedName("internal/app/main.go") {
		t.Error("main.go is taken for generated")
	}
}
