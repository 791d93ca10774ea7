package disk

import (
	"os"
	"path/filepath"
	"time"
)

// A Held folder stays open between questions about it, until it is closed.
type Held struct {
	*Folder

	opened time.Time
	git    string
}

// reopen is after how long a folder is to be opened again: whether git ignores all of
// it is only seen then.
const reopen = time.Minute

// Hold holds a folder that was opened just now.
func Hold(t *Folder) *Held { return &Held{t, time.Now(), Above{}.repositories(t.root)} }

// Current reports whether opening the folder again would open the same one.
func (h *Held) Current(above Above) bool {
	return time.Since(h.opened) < reopen && h.git == above.repositories(h.root)
}

// Above tells of folders whether they have a ".git", as one question finds them.
type Above map[string]bool

// repositories tells at which of the folders from root up there is a ".git".
func (a Above) repositories(root string) string {
	var at []byte
	for {
		has, looked := a[root]
		if !looked {
			_, err := os.Lstat(filepath.Join(root, ".git"))
			has = err == nil
			a[root] = has
		}
		at = append(at, '0')
		if has {
			at[len(at)-1] = '1'
		}
		above := filepath.Dir(root)
		if above == root {
			return string(at)
		}
		root = above
	}
}
