package patterns

import "github.com/ragnav/ragnav/internal/parse"

// CompileAll compiles every regular expression of the table, which panics when
// one is wrong, and returns the names of its languages.
func CompileAll() []string {
	var names []string
	for name, l := range languages() {
		names = append(names, name)
		for _, p := range l.patterns {
			p.re()
		}
		for _, re := range []parse.LazyHead{l.decorator, l.joins, l.closer, l.pkg} {
			if re != nil {
				re()
			}
		}
	}
	return names
}
