package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Types of TypeScript may be longer than an expression. Then their type
// arguments are left out: the members are found without them.

// oneOrBoth is a union or an intersection of two types.
func oneOrBoth(a, b string) string {
	u := unionOfTypes(a, b)
	if u != unknown || a == unknown || b == unknown {
		return u
	}
	return unionOfTypes(withoutArguments(a), withoutArguments(b))
}

// withTypes is a type with arguments.
func withTypes(base string, args []string) string {
	if e := base + "<" + strings.Join(args, ";") + ">"; len(e) <= facts.MaxExpr {
		return bounded(e)
	}
	return bounded(base)
}

// withoutArguments takes the type arguments of names out of an expression, and
// leaves those of what the grammar of expressions has itself.
func withoutArguments(e string) string {
	var out strings.Builder
	for i := 0; i < len(e); {
		if e[i] != '<' || strings.HasPrefix(lastToken(e[:i]), "~") {
			out.WriteByte(e[i])
			i++
			continue
		}
		depth := 0
		for ; i < len(e); i++ {
			if e[i] == '<' {
				depth++
			} else if e[i] == '>' {
				if depth--; depth == 0 {
					i++
					break
				}
			}
		}
	}
	return out.String()
}

// lastToken is the name that an expression ends with.
func lastToken(e string) string {
	return e[strings.LastIndexAny(e, ".(){}[]!<>;=:")+1:]
}
