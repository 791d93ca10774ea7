//go:build cgo

package treesitter_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// mostTime is far more than what is linear takes, and far less than what is not.
const mostTime = 20 * time.Second

// TestFactsTakeLinearTime is of files that nobody writes, but that programs may, or somebody who
// wants to keep a server busy.
func TestFactsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	for name, c := range map[string]struct{ language, text string }{
		"lists in lists": {"Swift", "let x = " + strings.Repeat("[", 60) + ".a" + strings.Repeat("]", 60) + "\n"},
		"initializers in initializers": {
			"Swift", "let x: A = " + strings.Repeat(".init(x:\n", 40) + ".a" + strings.Repeat(")", 40) + "\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if why := treesitter.Guard(c.text); why != "" {
				t.Fatal(why)
			}
			done := make(chan error, 1)
			go func() {
				_, err := treesitter.New().Facts(parse.File{Path: "a.x", Language: c.language, Text: c.text})
				done <- err
			}()
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(mostTime):
				t.Errorf("more than %v", mostTime)
			}
		})
	}
}
