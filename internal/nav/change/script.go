package change

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// runners are the programs that scripts name to run files of tests, and how they are
// called for some files.
var runners = map[string]string{
	"vitest": "npx vitest run", "jest": "npx jest --runTestsByPath", "mocha": "npx mocha", "ava": "npx ava",
	"tap": "npx tap", "playwright": "npx playwright test", "react-scripts": "npx react-scripts test",
}

// script runs a file of tests in its package, or in one around it, whichever says how.
func (m *manifests) script(file string) (c command, arg string) {
	if dir, rest := m.within(file, "deno.json", "deno.jsonc", "package.json"); !m.hasAny(dir, "package.json") &&
		m.hasAny(dir, "deno.json", "deno.jsonc") {
		return command{head: "deno test -A "}.in(dir), quoted(rest)
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if run := m.runner(dir); run != "" {
			return command{head: run + " "}.in(dir), quoted(strings.TrimPrefix(file, dir+"/"))
		}
		if dir == "." || dir == "/" {
			return command{head: "npm test -- "}, quoted(file)
		}
	}
}

// runner is how the package in a folder runs files of tests, by its scripts or else by what
// it asks for; "" if it is none, or does not say.
func (m *manifests) runner(dir string) string {
	run, known := m.runs[dir]
	if !known {
		run = m.runnerIn(dir)
		m.runs[dir] = run
	}
	return run
}

func (m *manifests) runnerIn(dir string) string {
	text := m.read(path.Join(dir, "package.json"))
	if text == nil {
		return ""
	}
	var p struct {
		Scripts      map[string]string
		Dependencies map[string]string
		Dev          map[string]string `json:"devDependencies"`
	}
	_ = json.Unmarshal([]byte(*text), &p)                      // what is of another type than it should be is left out
	for _, name := range slices.Sorted(maps.Keys(p.Scripts)) { // "test" comes before "test:unit"
		if run := invocation(p.Scripts[name]); strings.HasPrefix(name, "test") && run != "" {
			return run
		}
	}
	for _, name := range slices.Sorted(maps.Keys(runners)) {
		if cmp.Or(p.Dev[name], p.Dependencies[name]) != "" {
			return runners[name]
		}
	}
	return ""
}

// between are what separates commands of a line of a shell.
var between = pattern.NewLazy(`&&|\|\||[;|&]`)

// invocation is how a script calls a program that runs tests, without the files; "" if it
// calls none.
func invocation(script string) string {
	for _, line := range between().Split(script, -1) {
		words := strings.Fields(line)
		for i, w := range words {
			run := runners[path.Base(w)]
			switch {
			case w == "node" && slices.Contains(words[i:], "--test"):
				run = w
			case w == "bun" && slices.Contains(words[i:], "test"):
				run = "bun test"
			}
			if run != "" {
				return strings.Join(slices.Concat(variables(words[:i]), []string{run}, flags(words[i+1:])), " ")
			}
		}
	}
	return ""
}

// plain is a word that means itself, or ends with quotes around such.
var plain = pattern.NewLazy(`^[\w./:=@,+-]+('[\w./:=@,+-]*'|"[\w./:=@,+-]*")?$`)

// variables are those of the environment that words set.
func variables(words []string) (all []string) {
	for _, w := range words {
		if name, _, ok := strings.Cut(w, "="); ok && plain().MatchString(w) && name == strings.ToUpper(name) {
			all = append(all, w)
		}
	}
	return all
}

// valued are the flags that have a value behind them.
var valued = map[string]bool{
	"-r": true, "--require": true, "--import": true, "--loader": true, "--experimental-loader": true,
	"-c": true, "--config": true, "--project": true, "--conditions": true, "-C": true, "--env": true,
	"--environment": true, "--timeout": true, "-t": true,
}

// dull are the flags of runs that do not end, or tell of more than the tests, and what is said
// without them.
var dull = map[string]bool{
	"-w": true, "--watch": true, "--watchAll": true, "--ui": true, "--coverage": true, "--run": true,
}

// flags are those of words, with their values.
func flags(words []string) (all []string) {
	for i, w := range words {
		switch {
		case !plain().MatchString(w):
		case w[0] == '-' && !dull[w], i > 0 && valued[words[i-1]]:
			all = append(all, w)
		}
	}
	return all
}
