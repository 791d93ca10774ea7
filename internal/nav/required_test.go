//go:build cgo

package nav_test

import (
	"fmt"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
)

// The name that a module is given by require stands for what the module says that it is, and
// for its file where that has no name.
func TestDefinitionOfRequired(t *testing.T) {
	root := t.TempDir()
	main := "const a = require('./pick')\nconst all = require('./all')\nimport * as space from './space'\na(all, space)\n"
	put(t, root, "main.ts", main)
	put(t, root, "pick.ts", "// picks\nconst pick = (x) => x\nmodule.exports = pick\n")
	put(t, root, "all.ts", "module.exports = { size: 1 }\n")
	put(t, root, "space.ts", "export const size = 1\n")
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: grammars{}})
	for _, tc := range []struct{ name, word, want string }{
		{"what it is", "a = ", "pick.ts:2:7"},
		{"an object without a name", "all =", "all.ts:1:1"},
		{"a namespace", "space from", "space.ts:1:1"},
		{"behind the name", "require", ""},
		{"a use", "a(all", "pick.ts:2:7"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			line, column := spotOf(t, main, tc.word, 1)
			resp, err := svc.Definition(t.Context(),
				nav.DefinitionRequest{RepoID: "o/a", FilePath: "main.ts", Line: line, Column: column})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(resp.Items) > 0 {
				got = fmt.Sprintf("%s:%d:%d", resp.Items[0].FilePath, resp.Items[0].Line, resp.Items[0].Column)
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
