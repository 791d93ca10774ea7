package agents_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/agents"
	"github.com/ragnav/ragnav/internal/op"
)

// apply is what the files of a project are after a plan.
func apply(t *testing.T, files map[string]string, remove bool) map[string]string {
	t.Helper()
	project, after := fstest.MapFS{}, map[string]string{}
	for path, text := range files {
		project[path] = &fstest.MapFile{Data: []byte(text)}
		after[path] = text
	}
	changes, err := agents.Plan(project, agents.Clients(), remove)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if after[c.Path] = c.After; c.Removed {
			delete(after, c.Path)
		}
	}
	return after
}

func TestInitAndRemove(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
	}{
		{"empty project", map[string]string{}},
		{"others are there", map[string]string{
			".mcp.json":          "{\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\"},\n\t},\n}\n",
			".vscode/mcp.json":   "{\n\t// of the team\n\t\"inputs\": [],\n}\n",
			".codex/config.toml": "model = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\"\n",
			"AGENTS.md":          "# Rules\n\nBe kind.\n",
			"CLAUDE.md":          "See AGENTS.md.\n",
		}},
		{"nothing in them", map[string]string{
			".mcp.json": `{"mcpServers": {}}`, ".cursor/mcp.json": "{\n  \"mcpServers\": {}\n}\n",
			".vscode/mcp.json": `{"servers":{}}`, ".codex/config.toml": "\n", "AGENTS.md": "\n\n",
		}},
		{"files of no bytes", map[string]string{
			".mcp.json": "", ".cursor/mcp.json": "\n", ".vscode/mcp.json": " \n\n", ".codex/config.toml": "", "AGENTS.md": "",
			"CLAUDE.md": "",
		}},
		{"no newline at the end", map[string]string{
			".mcp.json": `{"mcpServers": {"x": {"command": "y"}}}`, ".cursor/mcp.json": "{}", ".vscode/mcp.json": "{\"a\":1}",
			".codex/config.toml": "[a]\nb = 1", "AGENTS.md": "# Rules\n\nBe kind.",
		}},
		{"more lines than needed", map[string]string{
			".mcp.json": "{\n\n  \"mcpServers\": {\n\n  }\n\n}\n\n", ".cursor/mcp.json": "{ }\n", "AGENTS.md": "# Rules\n\n\n",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			once := apply(t, test.files, false)
			for _, want := range []string{
				".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".codex/config.toml",
				"AGENTS.md",
			} {
				if !strings.Contains(once[want], "ragnav") {
					t.Errorf("%s has no ragnav:\n%s", want, once[want])
				}
			}
			if diff := cmp.Diff(once, apply(t, once, false)); diff != "" {
				t.Errorf("the second time (-first +second):\n%s", diff)
			}
			back := apply(t, once, true)
			for path, text := range back {
				if strings.Contains(text, "ragnav") {
					t.Errorf("ragnav is left in %s:\n%s", path, text)
				}
			}
			if diff := cmp.Diff(test.files, back); diff != "" {
				t.Errorf("what was there before (-want +got):\n%s", diff)
			}
		})
	}
}

// What was written below the section since then stays, on lines of its own.
func TestRemoveKeepsWhatWasAdded(t *testing.T) {
	files := apply(t, map[string]string{"AGENTS.md": "Be kind."}, false)
	files["AGENTS.md"] += "Be brief.\n"
	if got, want := apply(t, files, true)["AGENTS.md"], "Be kind.\nBe brief.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBadFiles(t *testing.T) {
	for _, test := range []struct{ file, text, says string }{
		{".mcp.json", "{", "it is not JSON"},
		{".mcp.json", "[]", "what it has must be an object"},
		{".mcp.json", `{"mcpServers": null}`, "mcpServers must be an object"},
		{".mcp.json", `{"mcpServers": [1]}`, "mcpServers must be an object"},
		{"AGENTS.md", "<!-- ragnav: begin -->\n", ""},
	} {
		project := fstest.MapFS{test.file: &fstest.MapFile{Data: []byte(test.text)}}
		if _, err := agents.Plan(project, agents.Clients(), false); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s with %s: %v, want it unchanged: %q", test.file, test.text, err, test.says)
		}
	}
}

// The section is short, and names tools that there are.
func TestSection(t *testing.T) {
	if n := strings.Count(agents.Section, "\n"); n > 12 {
		t.Errorf("%d lines", n)
	}
	tools := 0
	for _, row := range op.All() {
		if tool := row.About().Tool; tool != "" &&
			slices.ContainsFunc(strings.Split(agents.Section, "\n"),
				func(line string) bool { return strings.Contains(line, ": "+tool+",") }) {
			tools++
		}
	}
	if named := strings.Count(agents.Section, "\n- "); tools != named {
		t.Errorf("%d lines name %d tools", named, tools)
	}
}
