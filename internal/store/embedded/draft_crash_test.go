package embedded_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/embedded"
)

var draftDir = flag.String("draft-dir", "", "publish drafts in the store there until killed")

// A process that is killed at any moment while it appends, seals or publishes
// drafts leaves the generation before or the one after.
func TestKillDraft(t *testing.T) {
	if *draftDir != "" {
		publishForever(t)
		return
	}
	dir := t.TempDir()
	s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
	must(t, err)
	first(t, s)
	must(t, s.Close())
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	done, resumed := 1, 0
	for range 10 {
		acknowledged, begun := killedPublisher(t, dir, done, rng)
		s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
		must(t, err)
		n, err := seen(t.Context(), s)
		if err != nil || n < acknowledged || n > begun {
			t.Fatalf("generation %d is there, %d to %d should be: %v", n, acknowledged, begun, err)
		}
		if n > acknowledged {
			resumed++
		}
		must(t, s.DropDraft(t.Context(), drafted))
		must(t, s.Close())
		done = n
	}
	t.Logf("%d generations; %d that were not acknowledged were there", done, resumed)
}

// killedPublisher runs a process that publishes generations and kills it some
// time after it appended the first. It returns the last that was published and the last that
// was begun.
func killedPublisher(t *testing.T, dir string, done int, rng *rand.Rand) (acknowledged, begun int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKillDraft$", "-draft-dir="+dir,
		"-child-from="+strconv.Itoa(done+1))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	acknowledged, begun = done, done
	for lines.Scan() {
		var what string
		var n int
		if _, err := fmt.Sscan(lines.Text(), &what, &n); err != nil {
			t.Fatalf("the child says %q", lines.Text())
		}
		if what == "begin" {
			begun = n
		} else {
			acknowledged = n
		}
		if begun == done+1 && acknowledged == done {
			time.AfterFunc(time.Duration(rng.IntN(120_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed
	return acknowledged, begun
}

func publishForever(t *testing.T) {
	s, err := embedded.Open(t.Context(), *draftDir, embedded.Options{Dims: dims})
	must(t, err)
	for n := *childFrom; ; n++ {
		appendAll(t, s, generation(n))
		fmt.Println("begin", n)
		must(t, s.PublishDraft(t.Context(), drafted, nil))
		fmt.Println("end", n)
	}
}
