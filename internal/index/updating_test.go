package index_test

import (
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// On a shared store the repository's record says, from before the first document
// changes to the end of a run that ends well, that readers see old and new files.
func TestUpdatingOnASharedStore(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := setUpServer(t, small, server)
		b.run()
		if b.record().Updating {
			t.Error("after a first run")
		}
		b.write("main.go", "package main\n\nfunc other() {}\n")
		release := b.hold()
		j := b.start(false)
		advance(time.Second)
		if r := b.record(); !r.Updating || r.State != models.StateFresh {
			t.Errorf("while documents change: %+v", r)
		}
		release()
		if j = b.wait(j); j.State != jobs.Done || b.record().Updating {
			t.Errorf("after the run: %+v, %+v", j, b.record())
		}
		b.run()
		if b.record().Updating {
			t.Error("after a run that changed nothing")
		}
	})
}
