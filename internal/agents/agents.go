// Package agents writes ragnav into the configuration of agents, and takes it
// out again: the MCP server into a client's file, and a marked section into the
// notes that agents and their subagents read.
package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/tailscale/hujson"
)

// A Client is an agent that ragnav can be written into.
type Client struct {
	Name   string
	Path   string   // of its configuration, from the project's root
	Traces []string // files and folders that tell that it is used there
	key    string   // of the object with the servers; "" for TOML
	entry  string   // of the server, as JSON
}

// Clients lists the clients that are known.
func Clients() []Client {
	const stdio = `{"command": "ragnav", "args": ["mcp"]}`
	return []Client{
		{"claude", ".mcp.json", []string{".mcp.json", ".claude", "CLAUDE.md"}, "mcpServers", stdio},
		{"cursor", ".cursor/mcp.json", []string{".cursor"}, "mcpServers", stdio},
		{
			"vscode", ".vscode/mcp.json",
			[]string{".vscode"},
			"servers",
			`{"type": "stdio", "command": "ragnav", "args": ["mcp"]}`,
		},
		{"codex", ".codex/config.toml", []string{".codex"}, "", ""},
	}
}

// notes are the files with notes for agents: the first one is made when none is there.
var notes = []string{"AGENTS.md", "CLAUDE.md"}

// The marks around what ragnav wrote.
const (
	begin = "<!-- ragnav: begin -->"
	end   = "<!-- ragnav: end -->"

	beginTOML = "# ragnav: begin"
	endTOML   = "# ragnav: end"
)

// Section is what agents are told, of at most twelve lines with its marks. The
// commands are for subagents, which have a shell and no tools.
const Section = begin + `
## Finding code with ragnav
Ask ragnav before grep or reading whole files (MCP tool, or the command in a shell):
- where is it, how does it work: search_code, ` + "`ragnav search \"words\" --level symbol`" + `
- read one symbol: get_file, ` + "`ragnav file REPO path/file.go#Type.Method`" + `
- what is in a file: outline, ` + "`ragnav outline REPO path/file.go`" + `
- who uses it: where_used, ` + "`ragnav nav where-used -s Type.Method --text`" + `
- exact text or regexp: nav_search, ` + "`ragnav nav search -q 'text' --text`" + `
` + end + "\n"

// codex is the server in TOML.
const codex = beginTOML + "\n[mcp_servers.ragnav]\ncommand = \"ragnav\"\nargs = [\"mcp\"]\n" + endTOML + "\n"

// A Change is what becomes of a file. After is "" for one that is removed.
type Change struct {
	Path          string // from the project's root
	Before, After string
}

// Used lists the clients with traces in a project.
func Used(project fs.FS) []Client {
	var used []Client
	for _, c := range Clients() {
		for _, trace := range c.Traces {
			if _, err := fs.Stat(project, trace); err == nil {
				used = append(used, c)
				break
			}
		}
	}
	return used
}

// Plan says how the files of a project change when ragnav is written into them,
// or removed. Files that are as they should be are left out.
func Plan(project fs.FS, clients []Client, remove bool) ([]Change, error) {
	var changes []Change
	edit := func(path string, f func(text string) (string, error)) error {
		before, err := fs.ReadFile(project, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		after, err := f(string(before))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if after != string(before) {
			changes = append(changes, Change{path, string(before), after})
		}
		return nil
	}
	for _, c := range clients {
		if err := edit(c.Path, func(text string) (string, error) { return c.edit(text, remove) }); err != nil {
			return nil, err
		}
	}
	for i, path := range notes {
		_, err := fs.Stat(project, path)
		if err != nil && (i > 0 || remove) {
			continue
		}
		if err := edit(path, func(text string) (string, error) { return marked(text, begin, end, Section, remove) }); err !=
			nil {
			return nil, err
		}
	}
	return changes, nil
}

// edit is a client's configuration with the server in it, or without.
func (c Client) edit(text string, remove bool) (string, error) {
	if c.key == "" {
		return marked(text, beginTOML, endTOML, codex, remove)
	}
	created := strings.TrimSpace(text) == ""
	if created {
		if remove {
			return text, nil
		}
		text = "{}"
	}
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return "", fmt.Errorf("it is not JSON: %w", err)
	}
	servers, server := "/"+c.key, "/"+c.key+"/ragnav"
	var ops []string
	if remove {
		if v.Find(server) == nil {
			return text, nil
		}
		ops = append(ops, fmt.Sprintf(`{"op": "remove", "path": %q}`, server))
	} else {
		if same(v.Find(server), c.entry) {
			return text, nil
		}
		if v.Find(servers) == nil {
			ops = append(ops, fmt.Sprintf(`{"op": "add", "path": %q, "value": {}}`, servers))
		}
		ops = append(ops, fmt.Sprintf("{\"op\": \"add\", \"path\": %q, \"value\": %s}", server, c.entry))
	}
	if err := v.Patch([]byte("[" + strings.Join(ops, ",") + "]")); err != nil {
		return "", err
	}
	if remove && len(membersOf(v, servers)) == 0 {
		if err := v.Patch(fmt.Appendf(nil, `[{"op": "remove", "path": %q}]`, servers)); err != nil {
			return "", err
		}
		if len(membersOf(v, "")) == 0 && !bytes.Contains(v.Pack(), []byte("/")) {
			return "", nil
		}
	}
	if created { // else the layout is somebody's
		v.Format()
	}
	return string(v.Pack()), nil
}

// same reports whether a value is that JSON.
func same(v *hujson.Value, entry string) bool {
	if v == nil {
		return false
	}
	c := v.Clone()
	c.Standardize()
	var a, b any
	if json.Unmarshal(c.Pack(), &a) != nil || json.Unmarshal([]byte(entry), &b) != nil {
		return false
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// membersOf are the members of the object at a path.
func membersOf(v hujson.Value, path string) []hujson.ObjectMember {
	at := v.Find(path)
	if at == nil {
		return nil
	}
	object, _ := at.Value.(*hujson.Object)
	if object == nil {
		return nil
	}
	return object.Members
}

// marked is a text with a block between two marks, or without it. A block that
// is there is replaced where it is.
func marked(text, begin, end, block string, remove bool) (string, error) {
	from := strings.Index(text, begin)
	if from < 0 {
		switch {
		case remove:
			return text, nil
		case text == "":
			return block, nil
		}
		return strings.TrimRight(text, "\n") + "\n\n" + block, nil
	}
	n := strings.Index(text[from:], end)
	if n < 0 {
		return "", fmt.Errorf("the line %q is missing behind %q; add it, or take out what ragnav wrote by hand", end, begin)
	}
	before, behind := text[:from], strings.TrimPrefix(text[from+n+len(end):], "\n")
	if remove {
		return strings.TrimRight(before, "\n") + newlineIf(strings.TrimSpace(before) != "") + behind, nil
	}
	return before + block + behind, nil
}

func newlineIf(wanted bool) string {
	if wanted {
		return "\n"
	}
	return ""
}
