package depend

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Fits tells how well a version is what a manifest asks for: 2 if it is that
// version, 1 if it is in the range, else 0. What is not understood is 0.
func Fits(e Ecosystem, asked, version string) int {
	asked, version = strings.TrimSpace(asked), strings.TrimPrefix(version, "v")
	if asked == "" || version == "" {
		return 0
	}
	if strings.TrimLeft(asked, "v= ") == version {
		return 2
	}
	if e == Maven || e == NuGet && strings.ContainsAny(asked[:1], "[(") {
		return yes(inInterval(asked, version))
	}
	for option := range strings.SplitSeq(asked, "||") {
		all := true
		for _, one := range strings.FieldsFunc(joined.Replace(option), func(r rune) bool { return r == ',' || r == ' ' }) {
			all = all && satisfies(e, one, version)
		}
		if all {
			return 1
		}
	}
	return 0
}

// joined takes the spaces behind operators out.
var joined = strings.NewReplacer("> ", ">", "< ", "<", "= ", "=", "^ ", "^", "~ ", "~")

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// satisfies reports whether a version is in the range of one operator.
func satisfies(e Ecosystem, asked, version string) bool {
	bare := strings.TrimLeft(asked, "^~>=<!v")
	switch op, order := asked[:len(asked)-len(bare)], Compare(version, bare); strings.TrimSuffix(op, "v") {
	case ">=":
		return order >= 0
	case ">":
		return order > 0
	case "<=":
		return order <= 0
	case "<":
		return order < 0
	case "!=":
		return order != 0
	case "=", "==", "===":
		return under(strings.TrimSuffix(bare, ".*"), version)
	case "~", "~=", "~>":
		parts := strings.Split(bare, ".")
		return order >= 0 && under(strings.Join(parts[:max(min(len(parts)-1, 2), 1)], "."), version)
	case "^":
		return order >= 0 && under(compatible(bare), version)
	}
	bare = strings.TrimRight(bare, ".xX*")
	if e == Cargo && !strings.Contains(asked, "*") { // as with a caret
		return Compare(version, bare) >= 0 && under(compatible(bare), version)
	}
	return under(bare, version)
}

// compatible are the parts of a version up to the first that is not zero.
func compatible(version string) string {
	parts := strings.Split(version, ".")
	for i, p := range parts {
		if p != "0" {
			return strings.Join(parts[:i+1], ".")
		}
	}
	return version
}

// under reports whether a version begins with the parts of another one.
func under(prefix, version string) bool {
	return prefix == "" || version == prefix || strings.HasPrefix(version, prefix+".")
}

// inInterval reports whether a version is in a range of Maven: [1.0,2.0).
func inInterval(asked, version string) bool {
	low, high, ok := strings.Cut(strings.Trim(asked, "[]() "), ",")
	if !ok || !strings.ContainsAny(asked[:1], "[(") {
		return false
	}
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	from, to := Compare(version, low), Compare(version, high)
	return (low == "" || from > 0 || from == 0 && asked[0] == '[') &&
		(high == "" || to < 0 || to == 0 && strings.HasSuffix(asked, "]"))
}

var numbers = pattern.NewLazy(`\d[^\s,|\])]*`)

// Base is the first version that is written in what is asked for; "" without any.
func Base(asked string) string { return numbers().FindString(asked) }

// Nearer tells which of two versions is nearer to a third one: a if it is more than
// 0, b if less. It is the one that has more of the first parts of it; of two, one that
// is not older.
func Nearer(wanted, a, b string) int {
	if wanted == "" {
		return 0
	}
	common := func(v string) (n int) {
		for n < 3 && part(parts(wanted), n) == part(parts(v), n) {
			n++
		}
		return n
	}
	older := func(v string) bool { return Compare(v, wanted) < 0 }
	switch oldA, oldB := older(a), older(b); {
	case common(a) != common(b):
		return common(a) - common(b)
	case oldA != oldB:
		return yes(oldB) - yes(oldA)
	case oldA:
		return Compare(a, b)
	}
	return Compare(b, a)
}

var pseudo = pattern.NewLazy(`\d{14}-([0-9a-f]{12})(?:\+incompatible)?$`)

// Commit is the beginning of the name of the commit that a version of Go was made of;
// "" if it is not one of those.
func Commit(version string) string {
	if m := pseudo().FindStringSubmatch(version); m != nil {
		return m[1]
	}
	return ""
}

// Compare orders versions, older ones first, part by part: numbers by their
// values, others by their text and before numbers.
func Compare(a, b string) int {
	x, y := parts(a), parts(b)
	for i := range max(len(x), len(y)) {
		if order := compareParts(part(x, i), part(y, i)); order != 0 {
			return order
		}
	}
	return 0
}

// parts are what is between the dots of a version.
func parts(version string) []string {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "+")
	return strings.FieldsFunc(version, func(r rune) bool { return r == '.' || r == '-' })
}

func part(parts []string, i int) string {
	if i < len(parts) {
		return parts[i]
	}
	return "0"
}

func compareParts(a, b string) int {
	m, errA := strconv.Atoi(a)
	n, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil:
		return cmp.Compare(m, n)
	case errA != nil && errB != nil:
		return strings.Compare(a, b)
	}
	return yes(errA == nil) - yes(errB == nil)
}
