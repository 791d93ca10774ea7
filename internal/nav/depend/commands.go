package depend

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// maxCommands is how many commands are listed.
const maxCommands = 16

// usualWords are the names of targets and scripts that newcomers ask for.
var usualWords = []string{
	"build", "test", "run", "start", "dev", "serve", "lint", "check", "fmt", "format", "install",
	"bench", "docs", "all",
}

var makeTarget = pattern.NewLazy(`(?m)^([A-Za-z][\w-]*):(?:[^=]|$)`)

// A buildFile in the root says how to build and test.
type buildFile struct {
	path     string
	commands func(text string) []string
}

// buildFiles are those that are known: targets of make, scripts, and what the tools
// of a manifest are always called by.
func buildFiles(paths []string, has map[string]bool) []buildFile {
	always := func(commands ...string) func(string) []string { return func(string) []string { return commands } }
	node := nodeProgram(has)
	return []buildFile{
		{"Makefile", targets},
		{"makefile", targets},
		{"package.json", func(text string) []string { return scripts(text, node+" install", node+" run ") }},
		{"go.mod", always("go build ./...", "go test ./...")},
		{"Cargo.toml", always("cargo build", "cargo test")},
		{"tox.ini", always("tox")},
		{"pyproject.toml", pythonTests},
		{"setup.cfg", pythonTests},
		{"pom.xml", always("mvn package", "mvn test")},
		{"gradlew", always("./gradlew build", "./gradlew test")},
		{"CMakeLists.txt", always("cmake -B build", "cmake --build build")},
		{solution(paths), always(dotnetCommands(solution(paths))...)},
		{"composer.json", func(text string) []string { return scripts(text, "composer install", "composer ") }},
		{phpunit(has), func(string) []string { return []string{"vendor/bin/phpunit"} }},
		{"Rakefile", always("bundle install", "bundle exec rake")},
		{"mix.exs", always("mix deps.get", "mix test")},
		{"build.sbt", always("sbt compile", "sbt test")},
		{"Package.swift", always("swift build", "swift test")},
		{"build.zig", always("zig build", "zig build test")},
		{"pubspec.yaml", always("dart pub get", "dart test")},
	}
}

// Commands are how to build and test a repository, as the manifests among its paths
// say that are in the root. read is the text of a file, nil where it can't be had.
func Commands(paths []string, read func(path string) (*string, error)) ([]string, error) {
	has := map[string]bool{}
	for _, p := range paths {
		has[p] = true
	}
	commands := []string{}
	for _, of := range buildFiles(paths, has) {
		if !has[of.path] {
			continue
		}
		text, err := read(of.path)
		if err != nil {
			return nil, err
		}
		if text != nil {
			commands = append(commands, of.commands(*text)...)
		}
	}
	return commands[:min(len(commands), maxCommands)], nil
}

// targets are those of a makefile that have usual names.
func targets(text string) []string {
	var all []string
	for _, found := range makeTarget().FindAllStringSubmatch(text, -1) {
		if slices.Contains(usualWords, found[1]) && !slices.Contains(all, "make "+found[1]) {
			all = append(all, "make "+found[1])
		}
	}
	return all
}

// nodeProgram is the program whose lock file is there.
func nodeProgram(has map[string]bool) string {
	switch {
	case has["pnpm-lock.yaml"]:
		return "pnpm"
	case has["yarn.lock"]:
		return "yarn"
	case has["bun.lockb"], has["bun.lock"]:
		return "bun"
	}
	return "npm"
}

// scripts are how to install what a manifest in JSON asks for, and those of its
// scripts that have usual names, run by a program.
func scripts(text, install, run string) []string {
	var manifest struct{ Scripts map[string]any }
	if json.Unmarshal([]byte(text), &manifest) != nil {
		return nil
	}
	all := []string{install}
	for _, name := range slices.Sorted(maps.Keys(manifest.Scripts)) {
		if slices.Contains(usualWords, name) {
			all = append(all, run+name)
		}
	}
	return all
}

// solution is the file that tells .NET what to build, or "": one in the root, else the only one
// in the folders there.
func solution(paths []string) string {
	var below []string
	for _, p := range paths {
		ext := path.Ext(p)
		switch is := ext == ".sln" || ext == ".slnx"; {
		case (is || ext == ".csproj") && !strings.Contains(p, "/"):
			return p
		case is && strings.Count(p, "/") == 1:
			below = append(below, p)
		}
	}
	if len(below) != 1 {
		return ""
	}
	return below[0]
}

// dotnetCommands name the solution if that is not in the root, where it is found by itself.
func dotnetCommands(solution string) []string {
	if !strings.Contains(solution, "/") {
		return []string{"dotnet build", "dotnet test"}
	}
	if strings.Contains(solution, " ") {
		solution = "'" + solution + "'"
	}
	return []string{"dotnet build " + solution, "dotnet test " + solution}
}

// phpunit is the file in the root that tells PHPUnit what to test, or "".
func phpunit(has map[string]bool) string {
	for _, name := range []string{"phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"} {
		if has[name] {
			return name
		}
	}
	return ""
}

// pythonTests are the commands of a Python project that says how it is tested.
func pythonTests(text string) []string {
	var all []string
	if strings.Contains(text, "[build-system]") || strings.Contains(text, "[project]") {
		all = append(all, "pip install -e .")
	}
	if strings.Contains(text, "[tool.pytest") || strings.Contains(text, "[tool:pytest]") {
		all = append(all, "python -m pytest")
	}
	return all
}
