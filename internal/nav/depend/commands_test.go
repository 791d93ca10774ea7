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
		{[]string{"pom.xml"}, []string{"mvn package", "mvn test"}},
		{[]string{"pom.xml", "mvnw"}, []string{"./mvnw package", "./mvnw test"}},
		{[]string{"configure.ac", "autogen.sh"}, []string{"sh autogen.sh && ./configure && make"}},
		{[]string{"configure.ac", "configure"}, []string{"./configure && make"}},
		{[]string{"configure.ac"}, []string{"autoreconf -i && ./configure && make"}},
		{[]string{"WORKSPACE"}, []string{"bazel build //...", "bazel test //..."}},
		{[]string{"Cargo.toml", "clippy.toml"}, []string{"cargo build", "cargo test", "cargo clippy"}},
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

// Files of programs that run what they are told by name.
func TestCommandsOfRunners(t *testing.T) {
	texts := map[string]string{
		"justfile": "set shell := ['sh']\nalias t := test\n\n# all of them\ntest *args: build\n  cargo test\n\n" +
			"@build:\n    cargo build\n\nother:\n  true\n",
		"Taskfile.yml": "version: '3'\nvars:\n  test:\n    x: 1\ntasks:\n  test:\n    cmds:\n      - go test\n\n" +
			"  other:\n    desc: x\n",
		"Makefile.am": "bin_PROGRAMS = x\nTESTS = a b\n",
		"noxfile.py": "import nox\n\n@nox.session(python=[\"3.12\"])\ndef tests(session):\n    pass\n\n" +
			"@nox.session\ndef lint(s):\n",
		"Rakefile": "require 'x'\nRake::TestTask.new do |t|\nend\nRSpec::Core::RakeTask.new(:spec)\n" +
			"task :other\ntask default: :spec\n",
		"CMakeLists.txt": "project(x)\nif(A)\n  enable_testing()\nendif()\n",
		"pyproject.toml": "[tool.ruff]\n[tool.tox]\n",
	}
	got, err := depend.Commands(slices.Sorted(maps.Keys(texts)),
		func(path string) (*string, error) { return new(texts[path]), nil })
	if err != nil {
		t.Fatal(err)
	}
	want := []depend.Command{
		{"just test", "justfile", 5, 6},
		{"just build", "justfile", 8, 9},
		{"task test", "Taskfile.yml", 6, 8},
		{"make check", "Makefile.am", 2, 2},
		{"nox", "noxfile.py", 1, 1},
		{"nox -s tests", "noxfile.py", 3, 4},
		{"nox -s lint", "noxfile.py", 7, 8},
		{"tox", "pyproject.toml", 2, 2},
		{"ruff check .", "pyproject.toml", 1, 1},
		{"cmake -B build", "CMakeLists.txt", 1, 1},
		{"cmake --build build", "CMakeLists.txt", 1, 1},
		{"ctest --test-dir build", "CMakeLists.txt", 3, 3},
		{"bundle install", "Rakefile", 1, 1},
		{"bundle exec rake", "Rakefile", 1, 1},
		{"bundle exec rake test", "Rakefile", 2, 2},
		{"bundle exec rake spec", "Rakefile", 4, 4},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
