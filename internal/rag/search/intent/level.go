package intent

import (
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Level is the level that LevelAuto tries first for a query to a repository, of which
// the id or a filter is given.
func Level(text, repo string) models.Level { return Levels(text, repo)[0] }

// routes is the routing table of the specification: the first row that
// matches decides; everything else is a question about how something works.
var routes = []struct {
	pattern pattern.Lazy
	level   models.Level
}{
	{
		pattern.NewLazy(`(?i)^\W*((give|show)( me| us)? )?((an?|the|short|brief|quick|high[- ]level) )*overview\b`),
		models.LevelRepo,
	},
	{pattern.NewLazy(`(?i)^\W*(which|what|list|find|any|all)\b.*\b(repos?|repositor(y|ies)|projects)\b`), models.LevelRepo},
	{pattern.NewLazy(`(?i)\b(principles?|guidelines?|conventions?|rationale|philosophy|design ` +
		`(docs?|decisions?)|documentation|readme|tutorial|changelog|release notes|licen[sc]e|contributing|getting started|how (do ` +
		`(i|we|you)|to|can i) (install|configure|contribute|get started|(build|run|test|deploy|set up|use)( and ` +
		`(build|run|test|deploy))? (it|this|the (project|tests?|app|server))))\b`), models.LevelDoc},
	{
		pattern.NewLazy(`(?i)^\W*(what|which|list)\b( are| is|'s| in| the| all)*( [\w-]+)? ` +
			`(folders|directories|packages|modules)\b|` +
			`^\W*(which( [\w-]+)?|what('s| is| are) (in|inside|under) .*) (folder|directory|package|module)\b|` +
			`^\W*((where is|find) )?((the|an?) )?(folder|directory|package|module) (for|that|which|with|about)\b`),
		models.LevelModule,
	},
	{pattern.NewLazy(`(?i)\b(functions?|methods?|class(es)?|structs?|interfaces?|symbols?|types?|constants?|enums?|` +
		`decorators?|definition|defined|declared|implementation of)\b`), models.LevelSymbol},
}

// Levels lists the levels to try for a query, the likeliest first.
func Levels(text, repo string) []models.Level {
	level := models.LevelFile
	if _, ok := reportOf(text); ok || AboutEntry(text, repo) { // a report has words of all kinds somewhere
		level = models.LevelFile
	} else if AboutProject(text, repo) {
		level = models.LevelRepo
	} else if q := Of(text); q.onlyPlace() || q.onlyName() {
		level = models.LevelSymbol
	} else {
		for _, r := range routes {
			if r.pattern().MatchString(text) && (r.level != models.LevelRepo || ProjectName(repo) == "") {
				level = r.level
				break
			}
		}
	}
	levels := []models.Level{level}
	for _, l := range []models.Level{models.LevelFile, models.LevelSymbol, models.LevelDoc} {
		if l != level {
			levels = append(levels, l)
		}
	}
	return levels
}

// onlyName reports whether a text is a name and little else.
func (q Intent) onlyName() bool {
	return len(q.Identifiers) > 0 && q.Identifiers[0].Weight == 1 && len(q.Paths) == 0 &&
		(q.Lone || wordCount(q.Text) <= 2)
}
