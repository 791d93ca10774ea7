package op_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var commands = op.Commands(func(name string) string {
	if name == "path_filter" || name == "private: true" {
		return "--" + strings.TrimSuffix(strings.ReplaceAll(name, "_", "-"), ": true")
	}
	return name
})

func TestSay(t *testing.T) {
	for name, c := range map[string]struct{ message, rest, mcp, command string }{
		"an operation": {
			"a.go is left out; `ragnav coverage` says why",
			"a.go is left out; `GET /api/index/coverage` says why",
			"a.go is left out; `ragnav coverage` in a shell says why",
			"a.go is left out; `ragnav coverage` says why",
		},
		"a tool": {
			"explore_structure lists what there is, `where_used` who calls it",
			"`POST /api/rag/structure` lists what there is, `POST /api/nav/where-used` who calls it",
			"explore_structure lists what there is, where_used who calls it",
			"`ragnav structure` lists what there is, `ragnav nav where-used` who calls it",
		},
		"a folder with a blank": {
			"run `ragnav index '/a b/c'`",
			"run `POST /api/index {\"targets\": [\"/a b/c\"]}`",
			"run `ragnav index '/a b/c'` in a shell",
			"run `ragnav index '/a b/c'`",
		},
		"a repository": {
			"forget it with `ragnav remove o/n`, or `ragnav nav build-graph -r o/n`",
			"forget it with `DELETE /api/rag/repos/o/n`, or `POST /api/nav/build-graph {\"repo_id\": \"o/n\"}`",
			"forget it with `ragnav remove o/n` in a shell, or `ragnav nav build-graph -r o/n` in a shell",
			"forget it with `ragnav remove o/n`, or `ragnav nav build-graph -r o/n`",
		},
		"a job": {
			"cancel it (`ragnav jobs cancel 12`), or see `ragnav jobs`",
			"cancel it (`DELETE /api/index/jobs/12`), or see `GET /api/index/jobs`",
			"cancel it (`ragnav jobs cancel 12` in a shell), or see list_repos",
			"cancel it (`ragnav jobs cancel 12`), or see `ragnav jobs`",
		},
		"a choice": {
			"`ragnav index --reembed` makes all, `ragnav nav build-graph --full`",
			"`POST /api/index {\"reembed\": true}` makes all, `POST /api/nav/build-graph {\"full\": true}`",
			"`ragnav index --reembed` in a shell makes all, `ragnav nav build-graph --full` in a shell",
			"`ragnav index --reembed` makes all, `ragnav nav build-graph --full`",
		},
		"only a command": {
			"run `ragnav doctor --repair`, see `ragnav doctor`",
			"run `ragnav doctor --repair`, see `GET /readyz`",
			"run `ragnav doctor --repair` in a shell, see `ragnav doctor` in a shell",
			"run `ragnav doctor --repair`, see `ragnav doctor`",
		},
		"fields": {
			"narrow with path_filter; private: true lists them",
			"narrow with path_filter; private: true lists them",
			"narrow with path_filter; private: true lists them",
			"narrow with --path-filter; --private lists them",
		},
		"nothing in quotes": {"`` is empty", "`` is empty", "`` is empty", "`` is empty"},
		"what somebody wrote": {
			`nothing has "where_used \" path_filter", nor ` + "`git status`",
			`nothing has "where_used \" path_filter", nor ` + "`git status`",
			`nothing has "where_used \" path_filter", nor ` + "`git status`",
			`nothing has "where_used \" path_filter", nor ` + "`git status`",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range []struct {
				way  op.Way
				want string
			}{{op.REST, c.rest}, {op.MCP, c.mcp}, {commands, c.command}} {
				if got := w.way.Say(c.message); got != w.want {
					t.Errorf("%s\nwant %s", got, w.want)
				}
			}
			if got := commands.Say(op.REST.Say(c.message)); got != c.command {
				t.Errorf("of a server: %s\nwant %s", got, c.command)
			}
			if got := op.MCP.Say(op.REST.Say(c.message)); got != c.mcp {
				t.Errorf("of a server, to agents: %s\nwant %s", got, c.mcp)
			}
		})
	}
}

// A head says all of its messages so, and what it was made from stays.
func TestSayHead(t *testing.T) {
	status := &models.IndexStatus{LastError: new("`ragnav index`")}
	warnings := []models.Warning{{Code: "X", Message: "`ragnav coverage`"}}
	head := models.Meta{Message: new("`ragnav repos`"), IndexStatus: status, Warnings: warnings}
	op.REST.SayHead(&head)
	got := []string{
		*head.Message, head.Warnings[0].Message, *head.IndexStatus.LastError, warnings[0].Message, *status.LastError,
	}
	want := "`GET /api/rag/repos` `GET /api/index/coverage` `POST /api/index` `ragnav coverage` `ragnav index`"
	if strings.Join(got, " ") != want {
		t.Errorf("%q\nwant %s", got, want)
	}
}

// Every hint in the code is told by each way in in its own words: no tool and no route
// in a shell, no command where there is a route, and no other one's name of a field.
func TestEveryHint(t *testing.T) {
	var (
		tools   = regexp.MustCompile(`\b(?:` + strings.Join(toolNames(), "|") + `)\b`)
		routes  = regexp.MustCompile(`\b(?:GET|POST|DELETE) /`)
		command = regexp.MustCompile("`ragnav ([a-z-]+)[^`]*`( in a shell)?")
		flags   = regexp.MustCompile(`\B--[a-z]`)
		// what only an operator can do at the server
		shell = map[string]bool{
			"setup": true, "backup": true, "restore": true, "watch": true, "doctor": true, "init": true, "mcp": true,
			"index": true, // with flags that are no fields
		}
	)
	hints := 0
	for at, text := range messages(t) {
		if !tools.MatchString(text) && !routes.MatchString(text) && !command.MatchString(text) {
			continue
		}
		hints++
		unquoted := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(text, "")
		rest := op.REST.Say(text)
		for _, m := range command.FindAllStringSubmatch(rest, -1) {
			if !shell[m[1]] || m[1] == "index" && !flags.MatchString(m[0]) {
				t.Errorf("%s: REST says %s", at, rest)
			}
		}
		if tools.MatchString(unquoted) && tools.MatchString(rest) {
			t.Errorf("%s: REST says %s", at, rest)
		}
		if said := commands.Say(text); tools.MatchString(unquoted) && tools.MatchString(said) || routes.MatchString(said) {
			t.Errorf("%s: the command line says %s", at, said)
		}
		said := op.MCP.Say(text)
		for _, m := range command.FindAllStringSubmatch(said, -1) {
			if m[2] == "" {
				t.Errorf("%s: agents are told %s", at, said)
			}
		}
		if routes.MatchString(said) {
			t.Errorf("%s: agents are told %s", at, said)
		}
	}
	if hints < 60 {
		t.Errorf("%d hints were found in the code, want more", hints)
	}
}

// toolNames are those that are no words.
func toolNames() (all []string) {
	for _, row := range op.All() {
		if name := row.About().Tool; strings.Contains(name, "_") {
			all = append(all, name)
		}
	}
	return all
}

// messages are the texts of the code that may be said, by where they are. Those of the
// ways in themselves are in their own words.
func messages(t *testing.T) map[string]string {
	all := map[string]string{}
	own := regexp.MustCompile(`^\.\./(?:op|tool|agents|mcpapi|httpapi|config|web|archtest|rag/agent)/`)
	fset := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
			own.MatchString(filepath.ToSlash(path)) {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr, *ast.BasicLit:
				if text := joined(n); text != "" {
					all[fset.Position(n.Pos()).String()] = text
					return false
				}
			case *ast.ImportSpec, *ast.Field:
				return false
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// joined are the strings of a sum, with VALUE in the place of what is none.
func joined(n ast.Node) string {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			text, _ := strconv.Unquote(n.Value) // the parser took it
			return text
		}
	case *ast.BinaryExpr:
		left, right := joined(n.X), joined(n.Y)
		if n.Op == token.ADD && left+right != "" {
			return left + right
		}
	}
	return ""
}

// Whatever a message is, it can be said; where nothing is named, it stays.
func FuzzSay(f *testing.F) {
	f.Add("run `ragnav index '/a b'`, or `ragnav remove o/n`; where_used \"x_y\" private: true")
	f.Add("`POST /api/index {\"targets\": [\"a b\"]}` `GET /api/rag/repos`")
	f.Fuzz(func(t *testing.T, message string) {
		said := []string{commands.Say(message), op.MCP.Say(op.REST.Say(message))}
		for _, said := range said {
			if said != message && !strings.ContainsAny(message, "`_:") {
				t.Fatalf("%q became %q", message, said)
			}
		}
	})
}
