package index_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Files grow, shrink, are replaced, deleted and turned into folders and links
// while runs read them. Each run ends well, and the first one after that makes
// what a clean build makes.
func TestFilesMoveWhileTheyAreRead(t *testing.T) {
	b := setUp(t, small)
	b.clock = time.Now
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for seed := range uint64(2) {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(seed, 5))
			for {
				select {
				case <-stop:
					return
				default:
					stir(b.root, r)
				}
			}
		})
	}
	for range 10 {
		b.run()
	}
	close(stop)
	writers.Wait()
	b.run()
	sameAsClean(t, b)
	sameRecords(t, b)
}

// stir does something to a file. What fails, because the other writer was
// faster, is of no interest.
func stir(root string, r *rand.Rand) {
	name := filepath.Join(root, "moving", fmt.Sprintf("f%d.go", r.IntN(8)))
	text := "package moving\n" + strings.Repeat(fmt.Sprintf("\n// F%d moves.\nfunc F() {}\n", r.IntN(100)), r.IntN(2000))
	_ = os.MkdirAll(filepath.Dir(name), 0o750)
	switch r.IntN(8) {
	case 0:
		_ = os.RemoveAll(name)
	case 1:
		_ = os.Truncate(name, int64(r.IntN(1000)))
	case 2:
		if f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0); err == nil {
			_, _ = f.WriteString(text)
			_ = f.Close()
		}
	case 3:
		if os.WriteFile(name+".new", []byte(text), 0o600) == nil {
			_ = os.Rename(name+".new", name)
		}
	case 4:
		_ = os.Remove(name)
		_ = os.Symlink([]string{"../main.go", "/etc/passwd", "."}[r.IntN(3)], name)
	case 5:
		_ = os.Remove(name)
		_ = os.Mkdir(name, 0o750)
	case 6:
		_ = os.RemoveAll(filepath.Dir(name))
	default:
		_ = os.WriteFile(name, []byte(text), 0o600)
	}
}
