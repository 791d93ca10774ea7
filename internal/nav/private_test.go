//go:build cgo

package nav_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
)

// A private member is found by the name that replies give it, and without its mark.
func TestPrivateMembers(t *testing.T) {
	svc := serviceOf(t, `
-- src/timer.ts --
export class Timer {
  #delay() { return 1; }
  #left() { return 2; }
  left() { return this.#left() + this.#delay(); }
}
`)
	check := func(t *testing.T) {
		for ask, want := range map[string]string{
			"#delay": "Timer.#delay", "delay": "Timer.#delay", "Timer.#delay": "Timer.#delay", "Timer.delay": "Timer.#delay",
			"Timer#delay": "Timer.#delay", "src/timer.ts:Timer.#delay": "Timer.#delay", "DELAY": "Timer.#delay",
			"timer.ts#Timer.#delay": "Timer.#delay", "src/timer.ts#delay": "Timer.#delay",
			"left": "Timer.left", "Timer.left": "Timer.left", "Timer.#left": "Timer.#left", "#left": "Timer.#left",
		} {
			res, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: ask})
			if err != nil || len(res.Definitions) != 1 || res.Definitions[0].ID != "src/timer.ts:"+want {
				t.Errorf("%s: %+v, %v, want %s", ask, res.Definitions, err, want)
			}
		}
	}
	t.Run("live", check)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	t.Run("graph", check)
}
