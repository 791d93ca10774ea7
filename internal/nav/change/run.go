package change

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A Test is a test to run. Name is its qualified name, "" for all of a file.
type Test struct {
	File, Name string
}

// IsTest reports whether a function of a file with tests is a test by the
// customs of its language, and not a helper. Where tests are calls that have a block or a
// function, the code around all functions is one: all of the file, without kind and name.
func IsTest(file, kind, qualified string) bool {
	name := qualified[strings.LastIndexByte(qualified, '.')+1:]
	switch path.Ext(file) {
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte":
		return kind == ""
	case ".rb", ".exs":
		return true
	case ".go":
		return kind == "func" &&
			(strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Example"))
	case ".py":
		return (kind == "func" || kind == "method") && strings.HasPrefix(name, "test")
	case ".java", ".rs":
		return kind == "func" || kind == "method"
	}
	return kind != ""
}

// Commands are the lines of a shell that run tests, by the usual program of each
// language. Each line runs in the root of the repository. has reports whether a
// file is there: modules within others are run where they are.
func Commands(tests []Test, has func(file string) bool) []string {
	by := map[string][]string{}
	add := func(command, arg string) {
		if !slices.Contains(by[command], arg) {
			by[command] = append(by[command], arg)
		}
	}
	for _, t := range tests {
		name := t.Name[strings.LastIndexByte(t.Name, '.')+1:]
		switch path.Ext(t.File) {
		case ".go":
			add(goTest(path.Dir(t.File), has), name)
		case ".py":
			id := t.File
			if t.Name != "" {
				id += "::" + strings.ReplaceAll(t.Name, ".", "::")
			}
			add("python -m pytest", quoted(id))
		case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts":
			add("npm test --", quoted(t.File))
		case ".rs":
			add(cargoTest(path.Dir(t.File), has), name)
		case ".java":
			add("mvn test", strings.TrimSuffix(path.Base(t.File), ".java"))
		}
	}
	var lines []string
	for command, args := range by {
		slices.Sort(args)
		switch {
		case strings.HasPrefix(command, "go test"):
			lines = append(lines, fmt.Sprintf("%s -run '^(%s)$'", command, strings.Join(args, "|")))
		case strings.HasPrefix(command, "cargo test"):
			for _, a := range args {
				lines = append(lines, command+" "+a)
			}
		case command == "mvn test":
			lines = append(lines, command+" -Dtest="+strings.Join(args, ","))
		default:
			lines = append(lines, command+" "+strings.Join(args, " "))
		}
	}
	slices.Sort(lines)
	return lines
}

// goTest runs tests of the package in a folder, in its module.
func goTest(dir string, has func(file string) bool) string {
	if module := around(dir, "go.mod", has); module != "." {
		rest := strings.TrimPrefix(strings.TrimPrefix(dir, module), "/")
		return "go test -C " + quoted(module) + " " + quoted("./"+rest)
	}
	return "go test " + quoted("./"+strings.TrimSuffix(dir, "."))
}

// cargoTest runs tests of the crate that a folder is in. A manifest in the root
// knows the crates below.
func cargoTest(dir string, has func(file string) bool) string {
	if crate := around(dir, "Cargo.toml", has); crate != "." && !has("Cargo.toml") {
		return "cargo test --manifest-path " + quoted(crate+"/Cargo.toml")
	}
	return "cargo test"
}

// around is the closest folder around one that has a manifest, "." without any.
func around(dir, manifest string, has func(file string) bool) string {
	for ; dir != "." && dir != "/"; dir = path.Dir(dir) {
		if has(path.Join(dir, manifest)) {
			return dir
		}
	}
	return "."
}

// quoted is a word for the shell.
func quoted(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
