package depend_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/depend"
)

func TestCommandsBelowTheRoot(t *testing.T) {
	for _, test := range []struct {
		files []string
		want  []string
	}{
		{[]string{"src/All.slnx", "src/A/A.csproj"}, []string{"dotnet build src/All.slnx", "dotnet test src/All.slnx"}},
		{[]string{"my src/All.sln"}, []string{"dotnet build 'my src/All.sln'", "dotnet test 'my src/All.sln'"}},
		{[]string{"a/A.sln", "b/B.sln"}, []string{}},
		{[]string{"a/A.sln", "B.csproj"}, []string{"dotnet build", "dotnet test"}},
		{[]string{"a/b/A.sln"}, []string{}},
		{[]string{"composer.json", "phpunit.xml.dist"}, []string{"composer install", "vendor/bin/phpunit"}},
	} {
		got, err := depend.CommandLines(test.files, func(string) (*string, error) { return new("{}"), nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.files, diff)
		}
	}
}

func TestCommandsSayWhere(t *testing.T) {
	texts := map[string]string{
		"Makefile": "GO := go\n.PHONY: test\n\ntest: build\n\t$(GO) test ./...\n\t@echo done\n\nbuild:\n\t$(GO) build\n",
		"package.json": "{\n  \"name\": \"test\",\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"pretest\": \"x\",\n" +
			"    \"test\": \"jest\"\n  },\n  \"dependencies\": {}\n}\n",
		"go.mod":           "// the module\n\nmodule x\n",
		"pyproject.toml":   "[project]\nname = \"x\"\n\n[tool.pytest.ini_options]\n",
		"mix.exs":          "",
		"gradlew":          "#!/bin/sh\nexec java\n",
		"build.gradle.kts": "/*\n * of all\n */\nimport a.B\n\nplugins {\n}\n",
	}
	got, err := depend.Commands(slices.Sorted(maps.Keys(texts)),
		func(path string) (*string, error) { return new(texts[path]), nil })
	if err != nil {
		t.Fatal(err)
	}
	want := []depend.Command{
		{"make test", "Makefile", 4, 6},
		{"make build", "Makefile", 8, 9},
		{"npm install", "package.json", 8, 8},
		{"npm run build", "package.json", 4, 4},
		{"npm run test", "package.json", 6, 6},
		{"go build ./...", "go.mod", 3, 3},
		{"go test ./...", "go.mod", 3, 3},
		{"pip install -e .", "pyproject.toml", 1, 1},
		{"python -m pytest", "pyproject.toml", 4, 4},
		{"./gradlew build", "build.gradle.kts", 6, 6},
		{"./gradlew test", "build.gradle.kts", 6, 6},
		{"mix deps.get", "mix.exs", 1, 1},
		{"mix test", "mix.exs", 1, 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
