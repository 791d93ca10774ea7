//go:build cgo

package resolve_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// The confidence of a candidate is that of being this one: over references with
// several candidates, by language and tier, the stated one is the measured one.
func TestConfidenceOfCandidates(t *testing.T) {
	const tolerance = 0.1
	ar, err := txtar.ParseFile("testdata/calibration.txtar")
	if err != nil {
		t.Fatal(err)
	}
	last := len(ar.Files) - 1
	gold := map[string]string{}
	for line := range strings.Lines(string(ar.Files[last].Data)) {
		use, right, _ := strings.Cut(strings.TrimSpace(line), " ")
		gold[use] = right + " "
	}
	type sum struct{ n, stated, right float64 }
	groups := map[string]sum{}
	w := extracted(t, ar.Files[:last])
	r := resolve.New(w, languages.All())
	for f := range w.Len() {
		file := w.File(resolve.FileID(f))
		for i, res := range r.Refs(resolve.FileID(f)) {
			right, ok := gold[fmt.Sprintf("%s:%d", file.Path, file.Refs[i].Line)]
			if !ok || len(res.Targets) < 2 || file.Refs[i].Kind != facts.Call {
				continue
			}
			group := fmt.Sprintf("%s, tier %c", file.Language, res.Tier)
			for _, target := range res.Targets {
				s := groups[group]
				s.n, s.stated = s.n+1, s.stated+float64(res.Confidence)
				to := w.File(target.File)
				if strings.Contains(right, fmt.Sprintf("%s:%d ", to.Path, to.Symbols[target.Index].Line)) {
					s.right++
				}
				groups[group] = s
			}
		}
	}
	if len(groups) < 2 {
		t.Errorf("only %v were measured", groups)
	}
	for group, s := range groups {
		if stated, right := s.stated/s.n, s.right/s.n; math.Abs(stated-right) > tolerance {
			t.Errorf("%s: confidence %.2f is stated, %.2f of %.0f candidates are right", group, stated, right, s.n)
		}
	}
}
