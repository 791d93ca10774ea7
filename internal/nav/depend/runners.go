package depend

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// runners are the build files of programs that run what a file names, and of those that
// are always called the same.
func runners(has map[string]bool) []buildFile {
	return []buildFile{
		{anyOf(has, "justfile", "Justfile", ".justfile"), func(text string) []Command {
			return named(text, recipe(), "just ", isIndented)
		}},
		{anyOf(has, "Taskfile.yml", "Taskfile.yaml"), tasks},
		{anyOf(has, "configure.ac", "configure.in"), func(text string) []Command {
			return always(autotools(has))(text)
		}},
		{"Makefile.am", func(text string) []Command {
			if !checked().MatchString(text) {
				return nil
			}
			n := lineAt(text, checked().FindStringIndex(text)[0])
			return []Command{{Text: "make check", Start: n, End: n}}
		}},
		{
			anyOf(has, "MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"),
			always("bazel build //...", "bazel test //..."),
		},
		{"meson.build", always("meson setup build", "meson compile -C build", "meson test -C build")},
		{"tox.toml", always("tox")},
		{"noxfile.py", sessions},
		{".rspec", always("bundle exec rspec")},
	}
}

// linters are the settings of programs that check code or lay it out.
func linters(has map[string]bool) []buildFile {
	return []buildFile{
		{
			anyOf(has, ".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"),
			always("golangci-lint run"),
		},
		{".pre-commit-config.yaml", always("pre-commit run --all-files")},
		{anyOf(has, "clippy.toml", ".clippy.toml"), always("cargo clippy")},
		{anyOf(has, "rustfmt.toml", ".rustfmt.toml"), always("cargo fmt")},
		{".rubocop.yml", always("bundle exec rubocop")},
		{".formatter.exs", always("mix format")},
		{".credo.exs", always("mix credo")},
		{".swiftlint.yml", always("swiftlint")},
		{anyOf(has, "phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"), always("vendor/bin/phpstan analyse")},
		{anyOf(has, "phpcs.xml", "phpcs.xml.dist", ".phpcs.xml.dist"), always("vendor/bin/phpcs")},
	}
}

// anyOf is the first of some files that is there, or "".
func anyOf(has map[string]bool, names ...string) string {
	for _, name := range names {
		if has[name] {
			return name
		}
	}
	return ""
}

// autotools is how sources of GNU Autotools are built: who has them from a repository
// mostly makes the script first.
func autotools(has map[string]bool) string {
	const build = "./configure && make"
	switch {
	case has["autogen.sh"]:
		return "sh autogen.sh && " + build
	case has["configure"]:
		return build
	}
	return "autoreconf -i && " + build
}

// cmakeCommands have one for tests where the file says that there are some.
func cmakeCommands(text string) []Command {
	all := always("cmake -B build", "cmake --build build")(text)
	if at := ctest().FindStringIndex(text); at != nil {
		n := lineAt(text, at[0])
		all = append(all, Command{Text: "ctest --test-dir build", Start: n, End: n})
	}
	return all
}

var (
	ctest   = pattern.NewLazy(`(?mi)^[ \t]*(?:enable_testing\s*\(|include\s*\(\s*CTest\b)`)
	recipe  = pattern.NewLazy(`(?m)^@?([A-Za-z][\w-]*)[^:\n]*:(?:[^=]|$)`)
	checked = pattern.NewLazy(`(?m)^(?:check_PROGRAMS|TESTS)\b`)
	session = pattern.NewLazy(`(?m)^@(?:nox\.)?session\b[^\n]*\n(?:(?:@| |\t|\)).*\n)*def (\w+)`)
	rake    = pattern.NewLazy(`(?m)^\s*(?:(?:Rake::)?TestTask\.new|RSpec::Core::RakeTask\.new|RuboCop::RakeTask\.new|` +
		`task)\b(?:[ (]*[:'"](\w+))?`)
)

func isIndented(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
}

// tasks are those of a Taskfile that have usual names.
func tasks(text string) []Command {
	var all []Command
	inside := false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		name, ok := strings.CutSuffix(trimmed, ":")
		switch depth := len(line) - len(strings.TrimLeft(line, " ")); {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case depth == 0:
			inside = name == "tasks"
		case inside && ok && depth == 2 && slices.Contains(usualWords, name):
			all = append(all, Command{Text: "task " + name, Start: i + 1, End: i + 1})
		case len(all) > 0 && inside && depth > 2 && all[len(all)-1].End == i && i-all[len(all)-1].Start < maxRecipe:
			all[len(all)-1].End++
		}
	}
	return all
}

// sessions are those of Nox.
func sessions(text string) []Command {
	all := []Command{{Text: "nox", Start: 1, End: 1}}
	for _, at := range session().FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if n := lineAt(text, at[2]); slices.Contains(usualWords, name) || name == "tests" {
			all = append(all, Command{Text: "nox -s " + name, Start: lineAt(text, at[0]), End: n})
		}
	}
	return all
}

// rakeTasks are those of a Rakefile that test or check.
func rakeTasks(text string) []Command {
	all := always("bundle install", "bundle exec rake")(text)
	for _, at := range rake().FindAllStringSubmatchIndex(text, -1) {
		name := ""
		switch whole := text[at[0]:at[1]]; {
		case at[2] >= 0:
			name = text[at[2]:at[3]]
		case strings.Contains(whole, "TestTask"):
			name = "test"
		case strings.Contains(whole, "RSpec"):
			name = "spec"
		case strings.Contains(whole, "RuboCop"):
			name = "rubocop"
		}
		known := func(c Command) bool { return c.Text == "bundle exec rake "+name }
		if slices.Contains([]string{"test", "spec", "rubocop", "lint", "build"}, name) && !slices.ContainsFunc(all, known) {
			n := lineOf(text[at[0]:], strings.TrimSpace(text[at[0]:at[1]])) + lineAt(text, at[0]) - 1
			all = append(all, Command{Text: "bundle exec rake " + name, Start: n, End: n})
		}
	}
	return all
}
