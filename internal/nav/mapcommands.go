package nav

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/gateway"
)

// maxCommands is how many commands are listed.
const maxCommands = 16

// usualWords are the names of targets and scripts that newcomers ask for.
var usualWords = []string{
	"build", "test", "run", "start", "dev", "serve", "lint", "check", "fmt", "format", "install",
	"bench", "docs", "all",
}

var makeTarget = regexp.MustCompile(`(?m)^([A-Za-z][\w-]*):(?:[^=]|$)`)

// commands are those that the manifests in the root say: targets of make,
// scripts of npm, and what the tools of a manifest are always called by.
func (m *mapper) commands(ctx context.Context, paths []string) ([]string, error) {
	has := map[string]bool{}
	for _, p := range paths {
		has[p] = true
	}
	commands := []string{}
	for _, of := range []struct {
		file string
		of   func(text string) []string
	}{
		{"Makefile", targets},
		{"makefile", targets},
		{"package.json", func(text string) []string { return scripts(text, has) }},
		{"go.mod", func(string) []string { return []string{"go build ./...", "go test ./..."} }},
		{"Cargo.toml", func(string) []string { return []string{"cargo build", "cargo test"} }},
		{"tox.ini", func(string) []string { return []string{"tox"} }},
		{"pyproject.toml", python},
		{"setup.cfg", python},
		{"pom.xml", func(string) []string { return []string{"mvn package", "mvn test"} }},
		{"gradlew", func(string) []string { return []string{"./gradlew build", "./gradlew test"} }},
		{"CMakeLists.txt", func(string) []string { return []string{"cmake -B build", "cmake --build build"} }},
	} {
		if !has[of.file] {
			continue
		}
		text, err := gateway.TextOf(ctx, m.Gateway, of.file)
		if err != nil {
			return nil, err
		}
		if text != nil {
			commands = append(commands, of.of(*text)...)
		}
	}
	return commands[:min(len(commands), maxCommands)], nil
}

// targets are those of a makefile that have usual names.
func targets(text string) []string {
	var all []string
	for _, found := range makeTarget.FindAllStringSubmatch(text, -1) {
		if slices.Contains(usualWords, found[1]) && !slices.Contains(all, "make "+found[1]) {
			all = append(all, "make "+found[1])
		}
	}
	return all
}

// scripts are those of a package.json, by the program whose lock file is there.
func scripts(text string, has map[string]bool) []string {
	var manifest struct{ Scripts map[string]any }
	if json.Unmarshal([]byte(text), &manifest) != nil {
		return nil
	}
	program := "npm"
	switch {
	case has["pnpm-lock.yaml"]:
		program = "pnpm"
	case has["yarn.lock"]:
		program = "yarn"
	case has["bun.lockb"], has["bun.lock"]:
		program = "bun"
	}
	all := []string{program + " install"}
	for _, name := range slices.Sorted(maps.Keys(manifest.Scripts)) {
		if slices.Contains(usualWords, name) {
			all = append(all, program+" run "+name)
		}
	}
	return all
}

// python are the commands of a Python project that says how it is tested.
func python(text string) []string {
	var all []string
	if strings.Contains(text, "[build-system]") || strings.Contains(text, "[project]") {
		all = append(all, "pip install -e .")
	}
	if strings.Contains(text, "[tool.pytest") || strings.Contains(text, "[tool:pytest]") {
		all = append(all, "python -m pytest")
	}
	return all
}
