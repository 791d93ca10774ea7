package depend

import (
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// What gem specifications and Gemfiles usually look like: they are programs, which are not run.
var (
	gemName    = pattern.NewLazy(`(?m)^\s*\w+\.name\s*=\s*["']([\w.-]+)["']`)
	gemVersion = pattern.NewLazy(`(?m)^\s*\w+\.version\s*=\s*["']([\w.-]+)["']`)
	gemNeed    = pattern.NewLazy(`(?m)^\s*\w+\.add_(?:runtime_|development_)?dependency[ (]+["']([\w.-]+)["']([^\n]*)`)
	gemLine    = pattern.NewLazy(`(?m)^\s*gem[ (]+["']([\w.-]+)["']([^\n]*)`)
	gemRange   = pattern.NewLazy(`^\s*,\s*\[?\s*((?:["'][~<>=!\d. \w]+["']\s*,?\s*)+)`)
	gemPath    = pattern.NewLazy(`\bpath(?::|["']?\s*=>)\s*["']([^"']+)["']`)
	gemRef     = pattern.NewLazy(`\b(?:ref|tag)(?::|["']?\s*=>)\s*["']([^"']+)["']`)
)

func gemspec(m *Manifest, text string) {
	m.provide(Gems, firstOf(gemName, text), firstOf(gemVersion, text))
	gems(m, gemNeed, text)
}

func gemfile(m *Manifest, text string) { gems(m, gemLine, text) }

// gems reads the lines of a form that name a gem, and what is behind the name.
func gems(m *Manifest, form pattern.Lazy, text string) {
	for _, d := range form().FindAllStringSubmatch(text, -1) {
		asked := strings.NewReplacer(`"`, "", "'", "").Replace(strings.TrimRight(firstOf(gemRange, d[2]), ", "))
		m.need(Gems, d[1], asked, firstOf(gemPath, d[2]))
		m.at(firstOf(gemRef, d[2]))
	}
}

// lockedGem reads Gemfile.lock, which has each gem with its version.
func lockedGem(text, name string) Chosen {
	found := matches(text, `(?m)^    `+regexp.QuoteMeta(name)+` \((\d[\w.]*)[^)]*\)`)
	if len(found) == 0 {
		return Chosen{}
	}
	return found[0]
}
