package ask

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// leaders is how many of the first symbols may lead an answer.
const leaders = 5

// led has the answer to a question begin with what a search for symbols ranks first,
// unless the file of one behind it is further ahead: ranks count by their reciprocals.
// What is like the question by little only does not lead.
func (f finder) led(ctx context.Context, files []place) ([]place, error) {
	if !asksSomething().MatchString(f.asked.question()) || !f.notes.step(1, "level symbol was searched") {
		return files, nil
	}
	resp, err := f.searched(ctx, models.LevelSymbol)
	if err != nil {
		return nil, err
	}
	var first place
	most, at := 0.0, -1
	for i, item := range resp.Items[:min(leaders, len(resp.Items))] {
		if item.Weak || item.FilePath == nil {
			continue
		}
		p := place{
			repo: item.RepoID, path: *item.FilePath, share: 1, cosine: resp.Likeness[item.DocumentID].Cosine,
			leader: item.DocumentID,
		}
		n := slices.IndexFunc(files, func(other place) bool { return other.file() == p.file() })
		score := 1 / float64(1+i)
		if n >= 0 {
			score += 1 / float64(1+n)
		}
		if score > most {
			most, first, at = score, p, n
		}
	}
	if most == 0 {
		return files, nil
	}
	if at >= 0 {
		first.parts, first.close = files[at].parts, files[at].close
		files = slices.Delete(slices.Clone(files), at, at+1)
	}
	if len(first.parts) > 0 && first.parts[0] != first.leader {
		first.close = append([]models.DocumentID{first.parts[0]}, first.close...)
	}
	first.parts = append([]models.DocumentID{first.leader}, slices.DeleteFunc(slices.Clone(first.parts),
		func(id models.DocumentID) bool { return id == first.leader })...)
	return append([]place{first}, files...), nil
}
