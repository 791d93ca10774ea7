package facts

import (
	"path"
	"strings"
)

// LikelyGoNames are the names that a package may have by its import path, most
// likely first: "gopkg.in/yaml.v3" is yaml, "github.com/x/go-y/v2" is y or go-y.
func LikelyGoNames(p string) []string {
	base := path.Base(p)
	if isMajor(base) && strings.Contains(p, "/") {
		base = path.Base(path.Dir(p))
	}
	names := []string{base}
	if i := strings.Index(base, ".v"); i > 0 {
		base = base[:i]
		names = append(names, base)
	}
	short := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go"), ".go")
	if short != base {
		names = append(names, short)
	}
	if i := strings.LastIndexByte(base, '-'); i >= 0 {
		names = append(names, base[i+1:], strings.ReplaceAll(base, "-", ""), strings.ReplaceAll(base, "-", "_"))
	}
	return names
}

func isMajor(s string) bool {
	if len(s) < 2 || s[0] != 'v' {
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}
