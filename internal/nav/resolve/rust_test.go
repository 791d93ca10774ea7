//go:build cgo

package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// Modules that all take everything from each other are each looked at once: what one
// of them declares is found from all.
func TestGlobsInCircles(t *testing.T) {
	const modules = 30
	var lib strings.Builder
	files := []txtar.File{{Name: "Cargo.toml", Data: []byte("[package]\nname = \"mesh\"\n")}}
	for i := range modules {
		fmt.Fprintf(&lib, "pub mod m%d;\n", i)
		var text strings.Builder
		for j := range modules {
			if i != j {
				fmt.Fprintf(&text, "pub use super::m%d::*;\n", j)
			}
		}
		text.WriteString("use prelude::*;\n")
		fmt.Fprintf(&text, "pub fn own%d() { far(); nowhere(); }\n", i)
		if i == modules-1 {
			text.WriteString("mod inner { pub fn far() {} }\npub use self::inner::*;\n")
		}
		files = append(files, txtar.File{Name: fmt.Sprintf("src/m%d.rs", i), Data: []byte(text.String())})
	}
	files = append(files, txtar.File{Name: "src/lib.rs", Data: []byte(lib.String())})
	w := extracted(t, files)
	r := resolve.New(w, languages.All())
	calls := 0
	for f := range w.Len() {
		for i, ref := range w.File(resolve.FileID(f)).Refs {
			got := r.Ref(resolve.FileID(f), i)
			switch ref.Name {
			case "far":
				calls++
				if len(got.Targets) != 1 || w.File(got.Targets[0].File).Path != fmt.Sprintf("src/m%d.rs", modules-1) {
					t.Errorf("%s: far is %+v", w.File(resolve.FileID(f)).Path, got)
				}
			case "nowhere":
				if len(got.Targets) > 0 {
					t.Errorf("%s: nowhere is %+v", w.File(resolve.FileID(f)).Path, got)
				}
			}
		}
	}
	if calls != modules {
		t.Errorf("%d calls, want %d", calls, modules)
	}
}
