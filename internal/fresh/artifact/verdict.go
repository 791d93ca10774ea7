package artifact

import (
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Verdict is how to answer when the files were compared too.
type Verdict struct {
	// Graph: unchanged files may be answered from the graph. Else the whole
	// answer is a live scan.
	Graph bool
	// Live are the files to parse now beside it: changed and added ones. Those
	// that were deleted are in the delta only: they vanish.
	Live      []string
	Freshness models.Freshness // of such an answer
	Source    models.Source
}

// Judge joins the route with what a check of the graph's own manifest found;
// delta is nil when there was none. By content the graph may be known to be true
// where the route alone can't tell: HEAD moved and every file is equal, the
// folder has no git. Where there is no HEAD, or no commit that the graph was built
// of, such an answer is UNKNOWN, as spec 002 has it. It is not trusted where its status is missing, damaged or not
// "fresh": then what wrote it did not come to its end.
func Judge(r Route, delta *fresh.Delta) Verdict {
	live := Verdict{Freshness: r.Freshness, Source: models.SourceFallback}
	switch {
	case r.Freshness != models.Fresh:
	case delta == nil:
		live.Freshness = models.Unknown
	case delta.TooMany:
		live.Freshness = models.Stale // the commit is the same, the files are not
	}
	built := r.Status != nil && r.Status.IndexState == models.StateFresh
	if !built || delta == nil || delta.TooMany {
		return live
	}
	v := Verdict{Graph: true, Freshness: models.Fresh, Source: models.SourceGraph}
	if r.Freshness == models.Unknown {
		v.Freshness = models.Unknown
	}
	v.Live = append(append(v.Live, delta.Changed...), delta.Added...)
	return v
}
