// Package agents writes ragnav into the configuration of agents, and takes it
// out again: the MCP server into a client's file, and a marked section into the
// notes that agents and their subagents read.
package agents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
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
- where is it, how does it work: search_code, ` + "`ragnav search -r . \"words\" --level symbol`" + `
- read one symbol: get_file, ` + "`ragnav file REPO path/file.go#Type.Method`" + `
- what is in a file: outline, ` + "`ragnav outline REPO path/file.go`" + `
- who uses it: where_used, ` + "`ragnav nav where-used -s Type.Method --text`" + `
- exact text or regexp: nav_search, ` + "`ragnav nav search -q 'text' --text`" + `
` + end + "\n"

// codex is the server in TOML.
const codex = beginTOML + "\n[mcp_servers.ragnav]\ncommand = \"ragnav\"\nargs = [\"mcp\"]\n" + endTOML + "\n"

// A Change is what becomes of a file.
type Change struct {
	Path    string // from the project's root
	After   string
	Removed bool // it was made for ragnav alone
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
		there := err == nil
		after, kept, err := blankKept(string(before), there, remove, f)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if after != string(before) {
			changes = append(changes, Change{path, after, !kept})
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

// blankKept is a text after an edit, and whether its file stays. A file that was there
// with nothing in it gets a blank line before what is written, by which it is known
// when that is removed.
func blankKept(text string, there, remove bool, edit func(string) (string, error)) (after string, kept bool,
	err error,
) {
	if there && !remove && strings.TrimSpace(text) == "" {
		after, err = edit("")
		return text + "\n" + after, true, err
	}
	after, err = edit(text)
	if !remove || strings.TrimSpace(after) != "" {
		return after, true, err
	}
	blank := text[:len(text)-len(strings.TrimLeft(text, " \t\r\n"))]
	if before, ok := strings.CutSuffix(blank, "\n"); ok {
		return before, true, err
	}
	return "", false, err
}

// edit is a client's configuration with the server in it, or without.
func (c Client) edit(text string, remove bool) (string, error) {
	switch {
	case c.key == "":
		return marked(text, beginTOML, endTOML, codex, remove)
	case remove:
		return c.without(text)
	}
	return c.with(text)
}

// with is a configuration with the server. Where its parent is not there either,
// the server has a space before it: so they are told apart when they are removed.
func (c Client) with(text string) (string, error) {
	created := strings.TrimSpace(text) == ""
	if created {
		text = "{}"
	}
	v, err := parsed(text)
	if err != nil {
		return "", err
	}
	if same(v.Find(c.server()), c.entry) {
		return text, nil
	}
	alone := v.Find(c.servers()) == nil
	if alone {
		if err := addMember(&v, "", c.key, "{}"); err != nil {
			return "", err
		}
	}
	if err := addMember(&v, c.servers(), "ragnav", c.entry); err != nil {
		return "", err
	}
	if alone {
		v.Find(c.server()).BeforeExtra = hujson.Extra(" ")
	}
	if created { // else the layout is somebody's
		v.Format()
	}
	return string(v.Pack()), nil
}

// addMember adds a member to the object at a path, with a comma behind it where the
// last one had that.
func addMember(v *hujson.Value, path, name, value string) error {
	if _, ok := v.Find(path).Value.(*hujson.Object); !ok {
		return fmt.Errorf("%s must be an object; mend it first", cmp.Or(strings.TrimPrefix(path, "/"), "what it has"))
	}
	before := membersOf(*v, path)
	comma := len(before) > 0 && before[len(before)-1].Value.AfterExtra != nil
	if err := v.Patch(fmt.Appendf(nil, `[{"op": "add", "path": %q, "value": %s}]`, path+"/"+name, value)); err != nil {
		return err
	}
	if comma {
		v.Find(path + "/" + name).AfterExtra = hujson.Extra{}
	}
	return nil
}

// without is a configuration without the server: what it was before, byte for
// byte, if it still is as the server was written into it. "" is no file.
func (c Client) without(text string) (string, error) {
	if strings.TrimSpace(text) == "" {
		return text, nil
	}
	v, err := parsed(text)
	if err != nil || v.Find(c.server()) == nil {
		return text, err
	}
	left := []string{"", cutMember(text, v, "", c.key), cutMember(text, v, c.servers(), "ragnav")}
	for _, path := range []string{c.server(), c.servers()} {
		if err := v.Patch(fmt.Appendf(nil, `[{"op": "remove", "path": %q}]`, path)); err != nil {
			return "", err
		}
		left = append(left, string(v.Pack()))
		if len(membersOf(v, c.servers())) > 0 {
			break
		}
	}
	less := left[len(left)-1] // as little as possible
	slices.Reverse(left[3:])
	for _, was := range left {
		if got, err := c.with(was); err == nil && got == text {
			return was, nil
		}
	}
	if len(membersOf(v, "")) == 0 && !strings.Contains(less, "/") {
		return "", nil
	}
	return less, nil
}

// cutMember is a text without a member of the object at a path, but with the comma
// before it in place of the one behind it, if there is one.
func cutMember(text string, v hujson.Value, path, name string) string {
	for _, m := range membersOf(v, path) {
		if key, ok := m.Name.Value.(hujson.Literal); ok && key.String() == name {
			return text[:m.Name.StartOffset-len(m.Name.BeforeExtra)] + strings.TrimPrefix(text[m.Value.EndOffset:], ",")
		}
	}
	return text
}

func (c Client) servers() string { return "/" + c.key }
func (c Client) server() string  { return "/" + c.key + "/ragnav" }

func parsed(text string) (hujson.Value, error) {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return v, fmt.Errorf("it is not JSON: %w", err)
	}
	return v, nil
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
		return text + "\n" + block, nil
	}
	n := strings.Index(text[from:], end)
	if n < 0 {
		return "", fmt.Errorf("the line %q is missing behind %q; add it, or take out what ragnav wrote by hand", end, begin)
	}
	before, behind := text[:from], strings.TrimPrefix(text[from+n+len(end):], "\n")
	if !remove {
		return before + block + behind, nil
	}
	before = strings.TrimSuffix(before, "\n") // that came with the block
	if behind != "" && before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return before + behind, nil
}
