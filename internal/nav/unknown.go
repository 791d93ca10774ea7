package nav

import (
	"fmt"

	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// noUse says that no use was found. That there is none is said only when it is
// known of every place that has the name: a place that may be a use is told.
func (u *uses) noUse(otherwise string) string {
	known := languages.All()
	takes := func(path string) bool {
		l, speaks := known[factLanguage(path)]
		return speaks && l == known[factLanguage(u.defs[0].File)] && u.filter.takes(path)
	}
	unknown, all := u.symbols.view.Unknown(u.defs[0].Name, takes)
	switch {
	case len(unknown) == 0 && all && !u.partial:
		return otherwise
	case len(unknown) == 0:
		return "it is defined, and no use of it was found"
	}
	counted := places(len(unknown))
	if !all {
		counted = "at least " + counted
	}
	return fmt.Sprintf("it is defined, and no use of it was found; of %s with its name it is not known what is meant "+
		"there, the first one %s:%d",
		counted, unknown[0].File, unknown[0].Line)
}
