package index_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/parse"
)

// A wanted is an Outliner for Python that notes what it is asked for.
type wanted struct {
	mu    *sync.Mutex
	files map[string]parse.Want
}

func (wanted) Speaks(language string) bool { return language == "Python" }
func (wanted) Revision() int               { return 1 }

func (w wanted) Outline(_ context.Context, f parse.File, want parse.Want) (parse.Outline, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files[f.Path] = want
	return parse.Outline{}, nil
}

// TestFactsAreWanted shows when what files say about names is found while they are
// parsed: for a graph that comes next, of text that is parsed as it is.
func TestFactsAreWanted(t *testing.T) {
	for name, tt := range map[string]struct {
		req  index.StartRequest
		want map[string]parse.Want
	}{
		"no graph": {
			index.StartRequest{NoGraph: true}, map[string]parse.Want{"a.py": parse.WantSymbols, "b.py": parse.WantSymbols},
		},
		"a graph of the server": {
			index.StartRequest{}, map[string]parse.Want{"a.py": parse.WantFacts, "b.py": parse.WantSymbols},
		},
		"a graph of who asks": {
			index.StartRequest{NoGraph: true, GraphNext: true},
			map[string]parse.Want{"a.py": parse.WantFacts, "b.py": parse.WantSymbols},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, map[string]string{
				"a.py": "def a():\n    pass\n",
				"b.py": "aws_key = \"AKIA" + "ZQ3DRSTUVWXY2345\"\n", // masked
			})
			outliner := wanted{&sync.Mutex{}, map[string]parse.Want{}}
			b.open(index.Config{Outliner: outliner})
			tt.req.Targets, tt.req.RepoID = []string{b.root}, repoID
			resp, err := b.service.Start(t.Context(), tt.req)
			if err != nil {
				t.Fatal(err)
			}
			b.wait(resp.Items[0])
			if diff := cmp.Diff(tt.want, outliner.files); diff != "" {
				t.Errorf("asked for (-want +got):\n%s", diff)
			}
		})
	}
}
