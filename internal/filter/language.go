package filter

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/filekind/linguist"
)

// Languages are those that a file may be in to be selected, by go-enry's names;
// the one that was meant comes first. None selects all files.
type Languages []string

// ParseLanguage understands the name of a language in any case ("Python"), an
// alias ("py", "golang", "c++") and an extension of files (".py", "h"). Languages
// that go-enry groups under the one that is meant are selected too: TSX with
// TypeScript. An unknown one is a fault.InvalidRequest that names the nearest.
func ParseLanguage(name string) (Languages, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil, nil
	}
	for _, alias := range []string{name, strings.ReplaceAll(name, "-", " ")} {
		if lang, ok := linguist.ByAlias(alias); ok {
			return grouped([]string{lang}), nil
		}
	}
	if found := filekind.LanguagesOf("." + strings.ToLower(strings.TrimLeft(name, "*."))); len(found) > 0 {
		return grouped(found), nil
	}
	var names []string
	for _, alias := range Nearest(name, aliases()) {
		if lang := linguist.Aliases()[alias]; !slices.Contains(names, lang) {
			names = append(names, lang)
		}
	}
	if len(names) == 0 {
		return nil, fault.New(fault.InvalidRequest,
			"language %q is not known; give a name such as Python, an alias such as py or an extension such as .py", name)
	}
	return nil, fault.New(fault.InvalidRequest, "language %q is not known; %s %s", name,
		models.TheNearest(len(names)), strings.Join(names, ", "))
}

// aliases are the names of all languages, those of much used ones first.
func aliases() []string {
	all := linguist.Aliases()
	used := func(alias string) float64 { return linguist.Share(all[alias]) }
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(used(b), used(a)), cmp.Compare(a, b))
	})
}

// grouped adds the languages whose group one of them is.
func grouped(langs []string) Languages {
	all := slices.Clone(langs)
	for _, member := range slices.Sorted(maps.Keys(linguist.Groups())) {
		if slices.Contains(langs, linguist.Groups()[member]) && !slices.Contains(all, member) {
			all = append(all, member)
		}
	}
	return all
}

// Match reports whether a file in that language is selected.
func (l Languages) Match(language string) bool {
	return len(l) == 0 || slices.ContainsFunc(l, func(one string) bool { return strings.EqualFold(one, language) })
}
