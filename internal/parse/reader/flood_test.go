package reader_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/data"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

// Long lists of data have no steps, tasks or scripts, and neither has a list of very many.
func TestDataIsNoSteps(t *testing.T) {
	items := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		path, language, text string
		want                 int
	}{
		{"values.yaml", "YAML", "env:\n" + items(2500, "  - name: A%d\n    value: x\n"), 0},
		{"values.yaml", "YAML", "steps:\n" + items(2500, "  - name: a%d\n    value: x\n"), 0},
		{"pnpm-lock.yaml", "YAML", "packages:\n" + items(2500, "  /a/%d:\n    name: a\n"), 0},
		{"Chart.lock", "YAML", "dependencies:\n" + items(2500, "- name: a%d\n  repository: x\n"), 0},
		{"users.yml", "YAML", items(2500, "- name: u%d\n  group: x\n"), 0},
		{"roles/a/tasks/main.yml", "YAML", items(20, "- name: t%d\n  apt: name=x\n"), 20},
		{"roles/a/tasks/main.yml", "YAML", items(1500, "- name: t%d\n  apt: name=x\n"), 0},
		{"package.json", "JSON", "{\n\"scripts\": {\n\"a\": \"b\"" + items(20, ",\n\"s%d\": \"x\"") + "\n}}", 21},
		{"package-lock.json", "JSON", "{\n\"scripts\": {\n\"a\": \"b\"" + items(2500, ",\n\"s%d\": \"x\"") + "\n}}", 0},
		{"package.json", "JSON", "{\n\"scripts\": {\n\"a\": \"b\"" + items(2500, ",\n\"s%d\": \"x\"") + "\n}}", 0},
		{"package.json", "JSON", "{\n\"scripts\": {\n\"a\": \"b\",\n", 0},
		{"package.json", "JSON", "{\"scripts\": [{\"a\": \"b\"}]}", 0},
		{"package.json", "JSON", "{\"x\": " + strings.Repeat(`[{"y":`, 9) + "1" + strings.Repeat("}]", 9) +
			",\n\"scripts\": {\"a\": \"b\"}}", 1},
	} {
		out := reader.Parse(parse.File{Path: c.path, Language: c.language, Text: c.text})
		got := 0
		for _, s := range out.Symbols {
			if slices.Contains([]string{"task", "handler", "play", "step", "stage", "job", "script"}, s.Kind) {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s of %d bytes has %d steps, tasks or scripts, want %d", c.path, len(c.text), got, c.want)
		}
	}
}

// A long name is not kept once for each of very many parts, and what is nested deeply is
// not read as deeply.
func TestDataTakesLittleMemory(t *testing.T) {
	const most = 30 // MiB
	for name, text := range map[string]string{
		"a long name": `{"openapi":"3","paths":{"/` + strings.Repeat("a", 100_000) + `":{` +
			strings.Repeat("\"get\":0,\n", 5000) + `"put":0}}}`,
		"deep": strings.Repeat("[\n", 300_000),
	} {
		out := make(chan [2]int)
		go func() { // on a stack of its own
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			data.JSONParts(parse.File{Path: "package.json", Text: text})
			data.JSONParts(parse.File{Path: "api.json", Text: text})
			runtime.ReadMemStats(&after)
			out <- [2]int{int(after.TotalAlloc - before.TotalAlloc), int(after.StackSys) - int(before.StackSys)}
		}()
		if got := <-out; got[0]>>20 > most || got[1]>>20 > 1 {
			t.Errorf("%s, %d bytes: %d bytes were allocated, and %d for stacks", name, len(text), got[0], got[1])
		}
	}
}
