package retrieve

import (
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/plan"
)

// A kept hit is the best of its file, with the lines of those beside it.
type kept struct {
	hit

	start, end int
}

// maxGap is how many lines may be between spans that are merged: a blank one.
const maxGap = 1

// dedupe keeps the first hit of each file, in order, as far as the limit goes. Of
// the others of a file those that are beside it, or each other, are merged into it
// where texts are wanted.
func (r *retrieval) dedupe() {
	type file struct {
		repo models.RepoID
		path string
	}
	byFile := map[file]*kept{}
	others := map[*kept][]hit{}
	precise := r.plan.ResponseFormat == plan.SelectiveContext &&
		slices.ContainsFunc(r.hits, func(h hit) bool { return !h.weak })
	for _, h := range r.hits {
		at := file{h.RepoID, h.FilePath}
		k := byFile[at]
		switch {
		case h.weak && precise && k == nil:
			r.drop(h, "weak: less like the query than what was measured to answer one")
		case k != nil:
			others[k] = append(others[k], h)
		case len(r.kept) == r.limit:
			r.drop(h, fmt.Sprintf("over the limit of %d", r.limit))
		default:
			k = &kept{h, h.StartLine, h.EndLine}
			byFile[at] = k
			r.kept = append(r.kept, k)
		}
	}
	for _, k := range r.kept {
		r.merge(k, others[k])
	}
}

// merge takes the lines of other hits of the file that are beside those of k, and
// drops the hits.
func (r *retrieval) merge(k *kept, others []hit) {
	for merged := r.plan.ResponseFormat == plan.SelectiveContext; merged; {
		merged = false
		for i, h := range others {
			if h.StartLine > 0 && h.StartLine <= k.end+1+maxGap && h.EndLine >= k.start-1-maxGap {
				k.start, k.end = min(k.start, h.StartLine), max(k.end, h.EndLine)
				k.Tags, k.Wikilinks = union(k.Tags, h.Tags), union(k.Wikilinks, h.Wikilinks)
				r.drop(h, "merged into "+string(k.ID))
				others = append(others[:i:i], others[i+1:]...)
				merged = true
				break
			}
		}
	}
	for _, h := range others {
		why := "the file is there by "
		if h.ParentID == k.ID {
			why = "child of "
		}
		r.drop(h, why+string(k.ID))
	}
}

// union is a list with what another has and it has not.
func union(list, other []string) []string {
	list = slices.Clip(list)
	for _, s := range other {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func (r *retrieval) drop(h hit, why string) {
	r.dropped = append(r.dropped, Dropped{h.ID, why})
}
