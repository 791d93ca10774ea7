package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A timed resolver calls over when it is asked for the reference with that number.
type timed struct {
	graph.Resolver

	asked, at int
	over      func()
}

func (r *timed) Ref(f resolve.FileID, i int) resolve.Resolution {
	if r.asked++; r.asked == r.at {
		r.over()
	}
	return r.Resolver.Ref(f, i)
}

// A question whose context ends is given up within a few steps, and what it found by
// then is no answer to the next one.
func TestQuestionsEndWithTheirContext(t *testing.T) {
	const files, calls = 20, 50
	texts := map[string]string{"go.mod": "module example.com/m\n", "lib/lib.go": "package lib\n\nfunc F() {}\n"}
	for i := range files {
		name := fmt.Sprintf("use%02d", i)
		texts[name+".go"] = "package m\n\nimport \"example.com/m/lib\"\n\nfunc " + name + "() {\n" +
			strings.Repeat("\tlib.F()\n", calls) + "}\n"
	}
	whole := graphOf(t, goExtractor{}, texts, nil)
	edited, err := goExtractor{}.Facts(t.Context(), "lib/lib.go", "Go", "package lib\n\nfunc F() int { return 1 }\n")
	if err != nil {
		t.Fatal(err)
	}
	lib := graphOf(t, goExtractor{}, map[string]string{
		"go.mod": "module example.com/m/lib\n", "lib.go": "package lib\n\nfunc F() {}\n",
	}, nil)
	delete(texts, "lib/lib.go")
	home := graphOf(t, goExtractor{}, texts, nil)

	for name, ask := range map[string]func(*timed) func(context.Context) int{
		"uses of what an edit changed": func(r *timed) func(context.Context) int {
			v := overlay.Lay(whole, overlay.Changes{Changed: []*facts.File{edited}}, r.of)
			return func(ctx context.Context) int {
				return len(usesOf(ctx, v, lookup.Find(ctx, v, "F", lookup.Pick{})[0], usage.Options{}).Uses)
			}
		},
		"lineage from it": func(r *timed) func(context.Context) int {
			v := overlay.Lay(whole, overlay.Changes{Changed: []*facts.File{edited}}, r.of)
			return func(ctx context.Context) int {
				l, err := lineage.Follow(ctx, v, lookup.Find(ctx, v, "F", lookup.Pick{})[0], lineage.Upstream, lineage.Options{})
				if err == nil && ctx.Err() != nil {
					t.Error("a lineage does not say that it was ended")
				}
				return l.Total * calls
			}
		},
		"uses in another repository": func(r *timed) func(context.Context) int {
			of := overlay.Lay(lib, overlay.Changes{}, goResolver)
			j := joint.Join(overlay.Lay(home, overlay.Changes{}, goResolver), []*overlay.View{of}, r.of)
			d := lookup.Find(t.Context(), of, "F", lookup.Pick{})[0]
			return func(ctx context.Context) int { return len(j.Uses(ctx, 0, d)) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			r := &timed{at: 10, over: cancel}
			question := ask(r)
			if n := question(ctx); n >= files*calls {
				t.Errorf("all %d uses were found", n)
			}
			if r.asked > r.at {
				t.Errorf("%d references were resolved, of which the context ended with the %dth", r.asked, r.at)
			}
			if n := question(t.Context()); n != files*calls {
				t.Errorf("then %d uses, want %d", n, files*calls)
			}
		})
	}
}

// of is a resolver of a world that is timed.
func (r *timed) of(w resolve.World) graph.Resolver {
	r.Resolver = goResolver(w)
	return r
}
