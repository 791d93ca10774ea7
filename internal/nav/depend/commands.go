package depend

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
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

// remark is a line at the head of a file that says nothing by itself.
var remark = pattern.NewLazy(`^\s*(?:$|#|//|/?\*|<[?!]|\{\s*$|import\b)`)

// A Command is one that a file of a repository gives.
type Command struct {
	Text       string
	Path       string // of the file
	Start, End int    // its lines that say so, from 1, inclusive
}

// A buildFile in the root says how to build and test.
type buildFile struct {
	path     string
	commands func(text string) []Command // without their path
}

// buildFiles are those that are known: targets of make, scripts, and what the tools
// of a manifest are always called by.
func buildFiles(paths []string, has map[string]bool) []buildFile {
	node, maven := nodeProgram(has), "mvn"
	if has["mvnw"] {
		maven = "./mvnw"
	}
	own := []buildFile{{"Makefile", targets}, {"makefile", targets}}
	return slices.Concat(own, runners(has), []buildFile{
		{"package.json", func(text string) []Command { return scripts(text, node+" install", node+" run ") }},
		{"go.mod", always("go build ./...", "go test ./...")},
		{"Cargo.toml", always("cargo build", "cargo test")},
		{"tox.ini", always("tox")},
		{"pyproject.toml", pythonTests},
		{"setup.cfg", pythonTests},
		{"pom.xml", always(maven+" package", maven+" test")},
		{gradleBuild(has), always("./gradlew build", "./gradlew test")},
		{"CMakeLists.txt", cmakeCommands},
		{solution(paths), always(dotnetCommands(solution(paths))...)},
		{"composer.json", func(text string) []Command { return scripts(text, "composer install", "composer ") }},
		{phpunit(has), always("vendor/bin/phpunit")},
		{"Rakefile", rakeTasks},
		{"mix.exs", always("mix deps.get", "mix test")},
		{"build.sbt", always("sbt compile", "sbt test")},
		{"Package.swift", always("swift build", "swift test")},
		{"build.zig", always("zig build", "zig build test")},
		{"pubspec.yaml", always("dart pub get", "dart test")},
	}, linters(has))
}

// always are commands that go with a kind of file. Its first line that is no comment
// stands for what it says.
func always(commands ...string) func(string) []Command {
	return func(text string) (all []Command) {
		n, end := 1, max(1, strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1)
		for line := range strings.Lines(text) {
			if n == end || !remark().MatchString(line) {
				break
			}
			n++
		}
		for _, c := range commands {
			all = append(all, Command{Text: c, Start: n, End: n})
		}
		return all
	}
}

// Commands are how to build and test a repository, as the manifests among its paths
// say that are in the root. read is the text of a file, nil where it can't be had.
func Commands(paths []string, read func(path string) (*string, error)) ([]Command, error) {
	has := map[string]bool{}
	for _, p := range paths {
		has[p] = true
	}
	var commands []Command
	for _, of := range buildFiles(paths, has) {
		if of.path == "" || !has[of.path] {
			continue
		}
		text, err := read(of.path)
		if err != nil {
			return nil, err
		}
		if text != nil {
			for _, c := range of.commands(*text) {
				c.Path = of.path
				commands = append(commands, c)
			}
		}
	}
	return commands, nil
}

// CommandLines are the texts of the first Commands.
func CommandLines(paths []string, read func(path string) (*string, error)) ([]string, error) {
	commands, err := Commands(paths, read)
	commands = commands[:min(len(commands), maxCommands)]
	texts := make([]string, len(commands))
	for i, c := range commands {
		texts[i] = c.Text
	}
	return texts, err
}

// maxRecipe is how many lines of a target are told.
const maxRecipe = 6

// targets are those of a makefile that have usual names.
func targets(text string) []Command {
	return named(text, makeTarget(), "make ", func(line string) bool { return strings.HasPrefix(line, "\t") })
}

// named are the commands that a file gives usual names, each with its lines below it.
func named(text string, names *regexp.Regexp, run string, below func(line string) bool) []Command {
	var all []Command
	for _, at := range names.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		known := func(c Command) bool { return c.Text == run+name }
		if !slices.Contains(usualWords, name) || slices.ContainsFunc(all, known) {
			continue
		}
		start := lineAt(text, at[2])
		end := start
		for line := range strings.Lines(afterLine(text[at[2]:])) { // its recipe
			if !below(line) || end-start == maxRecipe {
				break
			}
			end++
		}
		all = append(all, Command{Text: run + name, Start: start, End: end})
	}
	return all
}

func afterLine(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}

// lineAt is the number of the line of a text that has a byte.
func lineAt(text string, at int) int { return strings.Count(text[:max(at, 0)], "\n") + 1 }

// lineOf is that of the first of some texts that is there; the first where none is.
func lineOf(text string, wanted ...string) int {
	for _, w := range wanted {
		if at := strings.Index(text, w); at >= 0 {
			return lineAt(text, at)
		}
	}
	return 1
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
func scripts(text, install, run string) []Command {
	var manifest struct{ Scripts map[string]any }
	if json.Unmarshal([]byte(text), &manifest) != nil {
		return nil
	}
	n := lineOf(text, `"dependencies"`, `"devDependencies"`, `"require"`, `"require-dev"`)
	all := []Command{{Text: install, Start: n, End: n}}
	head, list, _ := strings.Cut(text, `"scripts"`)
	for _, name := range slices.Sorted(maps.Keys(manifest.Scripts)) {
		if slices.Contains(usualWords, name) {
			n := strings.Count(head, "\n") + lineOf(list, `"`+name+`":`, `"`+name+`"`)
			all = append(all, Command{Text: run + name, Start: n, End: n})
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

// gradleBuild is the file that says what Gradle builds where its program is kept, or "".
func gradleBuild(has map[string]bool) string {
	if !has["gradlew"] {
		return ""
	}
	return anyOf(has, "build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle", "gradlew")
}

// phpunit is the file in the root that tells PHPUnit what to test, or "".
func phpunit(has map[string]bool) string {
	return anyOf(has, "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
}

// pythonTests are the commands of a Python project that says how it is tested.
func pythonTests(text string) []Command {
	var all []Command
	for _, of := range []struct {
		command string
		signs   []string
	}{
		{"pip install -e .", []string{"[build-system]", "[project]"}},
		{"python -m pytest", []string{"[tool.pytest", "[tool:pytest]"}},
		{"tox", []string{"[tool.tox"}},
		{"ruff check .", []string{"[tool.ruff"}},
	} {
		if slices.ContainsFunc(of.signs, func(sign string) bool { return strings.Contains(text, sign) }) {
			n := lineOf(text, of.signs...)
			all = append(all, Command{Text: of.command, Start: n, End: n})
		}
	}
	return all
}
