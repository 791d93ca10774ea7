package nav

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// noUse says that no use was found. That there is none is said only when it is
// known of every place that has the name: a place that may be a use is told, and
// so is a line of which nothing was read, and a macro that may make the name.
func (u *uses) noUse(ctx context.Context, otherwise string) (string, error) {
	own := gateway.FactLanguage(u.Defs[0].File)
	takes := u.speaking(own)
	const none = "it is defined, and no use of it was found"
	unknown, all := usage.Unknown(ctx, u.Symbols.View, usage.Sought{
		Name: u.Defs[0].Name, Methods: u.Defs, Outside: isC(own), Takes: takes,
	})
	if len(unknown) > 0 {
		return none + "; " + notKnown(unknown, all, ""), nil
	}
	if isC(own) {
		if macro, err := u.pasted(ctx, takes); macro != "" || err != nil {
			return none + "; " + macro, err
		}
	}
	lines, whole, err := u.otherLines(ctx, func(path string) bool {
		return u.filter.Match(path) && (takes(path) || !gateway.IsProse(path))
	})
	switch {
	case err != nil:
		return "", err
	case len(lines) > 0:
		return fmt.Sprintf("%s; its name is on %s, in comments, strings or what nothing was read from, the first one "+
			"%s:%d (include_text lists them)", none, moreLines(len(lines)), lines[0].Path, lines[0].Line), nil
	case !all || !whole || u.Partial:
		return none, nil
	}
	return otherwise, nil
}

// speaking takes the files that are wanted of a language.
func (u *uses) speaking(language string) (takes func(path string) bool) {
	known := languages.All()
	return func(path string) bool {
		l, speaks := known[gateway.FactLanguage(path)]
		return speaks && l == known[language] && u.filter.Match(path)
	}
}

// sayUnknown tells of the places that have the name of what was found used, and
// may use it too. In Go and C there are none that are worth a look at each.
func (u *uses) sayUnknown(ctx context.Context, meta *models.Meta) {
	own := gateway.FactLanguage(u.Defs[0].File)
	if own == "Go" || isC(own) || len(u.edges) > 0 {
		return
	}
	unknown, all := usage.Unknown(ctx, u.Symbols.View, usage.Sought{
		Name: u.Defs[0].Name, Methods: u.Defs, Takes: u.speaking(own),
	})
	if len(unknown) > 0 {
		gateway.AddMessage(meta, notKnown(unknown, all, " more"))
	}
}

func notKnown(unknown []usage.UnknownPlace, all bool, more string) string {
	counted := strings.Replace(places(len(unknown)), " ", more+" ", 1)
	if !all {
		counted = "at least " + counted
	}
	return fmt.Sprintf("of %s with its name it is not known what is meant there, the first one %s:%d", counted,
		unknown[0].File, unknown[0].Line)
}

func isC(language string) bool { return language == "C" || language == "C++" }

func moreLines(n int) string {
	if n == 1 {
		return "1 more line"
	}
	return fmt.Sprintf("%d more lines", n)
}

// otherLines are the lines with the name that are neither a declaration nor a
// reference, also in files that nothing is read from (templates, settings).
// whole is false if there was no time for all files.
func (u *uses) otherLines(ctx context.Context, takes func(string) bool) (lines []scan.Match, whole bool, err error) {
	name := u.Defs[0].Name
	m, err := match.Compile(match.Query{Pattern: name, Case: match.Sensitive, Word: true})
	if err != nil {
		return nil, false, err
	}
	found, err := gateway.SearchText(ctx, u.Gateway, m, scan.Options{Keep: takes})
	if err != nil {
		return nil, false, err
	}
	type line struct {
		file string
		line int
	}
	known := map[line]bool{}
	for _, p := range usage.Places(u.Symbols.View, name) {
		known[line{p.File, p.Line}] = true
	}
	for _, match := range found.Matches {
		if !known[line{match.Path, match.Line}] {
			lines = append(lines, match)
		}
	}
	return lines, found.Left == 0, nil
}

// paste matches what a macro pastes together: "service_##func##_init".
var paste = regexp.MustCompile(`\w+(?:[ \t]*##[ \t]*\w+)+`)

// pasted says which macro may make the name of the definitions by pasting.
func (u *uses) pasted(ctx context.Context, takes func(string) bool) (string, error) {
	m, err := match.Compile(match.Query{Pattern: "##"})
	if err != nil {
		return "", err
	}
	name := u.Defs[0].Name
	makes := func(line string) string {
		for _, text := range paste.FindAllString(line, -1) {
			if pastes(text, name) {
				return text
			}
		}
		return ""
	}
	found, err := gateway.SearchText(ctx, u.Gateway, m, scan.Options{
		Keep: takes, Snippets: true,
		Accept: func(_ context.Context, _ string, line []byte) bool { return makes(string(line)) != "" },
	})
	if err != nil || len(found.Matches) == 0 {
		return "", err
	}
	first := found.Matches[0]
	lines := strings.Split(first.Snippet.Text, "\n")
	return fmt.Sprintf("a macro pastes names together, and may use it so: %s (%s:%d)",
		makes(lines[first.Line-first.Snippet.Location.StartLine]), first.Path, first.Line), nil
}

// pastes reports whether a name may be what is pasted together, of which any but
// one part may be a parameter: that one is how the name begins or ends.
func pastes(text, name string) bool {
	parts := strings.Split(text, "##")
	first, last := strings.TrimSpace(parts[0]), strings.TrimSpace(parts[len(parts)-1])
	const least = 3 // shorter ones are those of nearly everything
	return len(first) >= least && len(first) < len(name) && strings.HasPrefix(name, first) ||
		len(last) >= least && len(last) < len(name) && strings.HasSuffix(name, last)
}

// maxAlike is of how many names it is looked for tests that may mean them.
const maxAlike = 50

// alike are those in files of tests that use something by the name of what changed of
// which it is not known what it is. Go and C are known well enough.
func alike(
	ctx context.Context, v *overlay.View, changes []changed, isTest func(path string) bool,
) (all []lineage.Start, err error) {
	type sought struct {
		usage.Sought
		found []usage.UnknownPlace
	}
	var names []*sought
	var mu sync.Mutex
	speaks, seen := languages.All(), map[string]bool{}
	for _, c := range changes {
		name, language := c.def.Name, gateway.FactLanguage(c.path)
		own := speaks[language]
		if c.Kind == change.Added || seen[name] || len(seen) >= maxAlike || own == nil || own.Common(name) ||
			language == "Go" || isC(language) {
			continue
		}
		seen[name] = true
		names = append(names, &sought{Sought: usage.Sought{Name: name, Few: true, Takes: func(path string) bool {
			mu.Lock()
			defer mu.Unlock()
			return isTest(path) && speaks[gateway.FactLanguage(path)] == own
		}}})
	}
	err = parallel.Each(ctx, parallel.Processors(), names, func(ctx context.Context, s *sought) error {
		s.found, _ = usage.Unknown(ctx, v, s.Sought)
		return nil
	})
	for _, s := range names {
		for _, p := range s.found {
			d := overlay.Def{File: p.File, Symbol: p.In}
			if p.In.Index >= 0 {
				d = v.World().Def(p.In)
			}
			all = append(all, lineage.Start{Def: d, Tier: byName})
		}
	}
	return all, err
}
