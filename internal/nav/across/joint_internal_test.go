package across

import (
	"context"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// While a joint is being made, questions about other repositories go on; those who want the
// same one wait for it, and it is made once.
func TestSlowJoinHoldsUpNobodyElse(t *testing.T) {
	of, slow := New(gateway.Config{}), new(overlay.View)
	cache := of.kept
	began, goOn, joins := make(chan bool, 9), make(chan bool), 0
	cache.join = func(home *overlay.View, _ []*overlay.View, _ func(resolve.World) graph.Resolver) *joint.Joint {
		if home == slow {
			joins++
			began <- true
			<-goOn
		}
		return new(joint.Joint)
	}
	scope := func(v *overlay.View) *Scope {
		tree, err := disk.Open(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = tree.Close() })
		g := &gateway.Gateway{Tree: tree, Answer: &gateway.Symbols{View: v}}
		g.Verdict.Graph = true
		return &Scope{wire: &wire{}, of: &Member{Gateway: g}}
	}
	waits, other := scope(slow), scope(new(overlay.View))
	made := make(chan *joint.Joint, 2)
	for range cap(made) {
		go func() { made <- cache.joint(waits) }()
	}
	<-began
	answered := make(chan bool)
	go func() {
		cache.joint(other)
		_, _ = of.Kept.Stored(other.of.Tree) // none, which is forgotten
		_, _ = gateway.Sound(t.Context(), of, 0, func(context.Context, *Opener, int) (int, error) { return 0, nil })
		close(answered)
	}()
	select {
	case <-answered:
	case <-time.After(time.Minute):
		t.Error("a question about another repository waits for a join")
	}
	close(goOn)
	if a, b := <-made, <-made; a != b || joins != 1 {
		t.Errorf("two who ask for a joint get %p and %p, made by %d joins", a, b, joins)
	}
	if cache.joint(waits) == nil || joins != 1 {
		t.Errorf("a joint of views that are as they were was made again: %d joins", joins)
	}
}
