package search

import (
	"cmp"
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// addEvidence lets symbols speak for the file, folder or repository that holds
// them: a file ranks by its best symbol, a folder or repository by the mean of
// its best few. A holder that no leg of its own brought becomes a hit too.
func addEvidence(level models.Level, q goal, symbols pool, hits []*hit) []*hit {
	maxima := maximaOf(q, symbols.all)
	groups := map[models.DocumentID][]*candidate{}
	for _, c := range symbols.all {
		id := holder(level, c.Header)
		groups[id] = append(groups[id], c)
	}
	byID := make(map[models.DocumentID]*hit, len(hits))
	for _, h := range hits {
		byID[h.ID] = h
	}
	n := evidenceSymbols
	if level == models.LevelFile {
		n = 1
	}
	for id, group := range groups {
		h := byID[id]
		if h == nil {
			h = &hit{Header: holderHeader(level, id, group[0].Header)}
			hits = append(hits, h)
		}
		if level != models.LevelFile {
			h.parts[partSymbolLexical] = weightSymbolLexical * meanOfBest(group, n, maxima.lexical)
		}
		h.parts[partSymbolSemantic] = maxima.weight * meanOfBest(group, n, maxima.semantic)
		best := 0.0
		for _, c := range group {
			best = max(best, identifierMatch(q, c.Header))
			h.parts[partQuoted] = max(h.parts[partQuoted], weightQuoted*c.quoted)
			h.measured(c)
		}
		h.parts[partIdentifier] = weightIdentifier * best
		h.speakers = speakers(q, group, maxima)
		h.parts[partSpeaker] = weightSpeaker * h.speakers[0].Score
	}
	return hits
}

// maxSpeakers is how many symbols are told to speak for what holds them.
const maxSpeakers = 5

// speakers are the best symbols of a group, ranked as at level symbol.
func speakers(q goal, group []*candidate, m maxima) []Speaker {
	all := make([]Speaker, len(group))
	for i, c := range group {
		h := c.judged(q, m)
		h.parts[partIdentifier] = weightIdentifier * identifierMatch(q, c.Header)
		h.finish(q)
		all[i] = Speaker{Header: *c.Header, Score: h.score}
	}
	slices.SortFunc(all, func(a, b Speaker) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(maxSpeakers, len(all))]
}

// meanOfBest weighs each score by its symbol's worth. It is the sum of the n best scores divided by n, so that a group
// of fewer members gets no advantage.
func meanOfBest(group []*candidate, n int, score func(*candidate) float64) float64 {
	scores := make([]float64, len(group))
	for i, c := range group {
		scores[i] = score(c) * worth(c.Header, c.declares)
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := 0.0
	for _, s := range scores[:min(n, len(scores))] {
		sum += s
	}
	return sum / float64(n)
}

func holder(level models.Level, h *models.Header) models.DocumentID {
	switch level {
	case models.LevelModule:
		return models.ModuleID(h.RepoID, path.Dir(h.FilePath))
	case models.LevelRepo:
		return models.RepoDocID(h.RepoID)
	default:
		return models.FileID(h.RepoID, h.FilePath)
	}
}

// holderHeader is the header of a holder as far as one of its symbols tells it.
func holderHeader(level models.Level, id models.DocumentID, sym *models.Header) *models.Header {
	h := &models.Header{ID: id, Type: level.DocType(), RepoID: sym.RepoID}
	switch level {
	case models.LevelModule:
		h.FilePath = path.Dir(sym.FilePath)
	case models.LevelFile:
		h.FilePath, h.Language = sym.FilePath, sym.Language
		h.Test, h.Generated, h.Vendored = sym.Test, sym.Generated, sym.Vendored
	}
	return h
}

// A standing is what a file is like by its words and by the best of its symbols, as
// at level file.
type standing struct {
	place
	words, meaning, best, factor, score float64
	rank                                float64 // from 1
}

// halfStanding is the rank of a file whose symbols gain half of what they can.
const halfStanding = 10

// support lets files speak for the symbols in them: by their words, and by their rank
// among files.
func (f likeFiles) support(q goal, hits []*hit) {
	if f == nil {
		return
	}
	by, made := make(map[place]*standing, len(hits)), make([]standing, 0, len(hits))
	of, all := make([]*standing, len(hits)), make([]*standing, 0, len(hits))
	for i, h := range hits {
		at := place{h.RepoID, h.FilePath}
		s := by[at]
		if s == nil {
			made = append(made, standing{place: at, words: weightFile * f[at]})
			s = &made[len(made)-1]
			by[at], all = s, append(all, s)
		}
		h.finish(q)
		s.meaning, s.best = max(s.meaning, h.parts[partSemantic]), max(s.best, h.score)
		s.factor, of[i] = max(s.factor, h.factor), s
	}
	for _, s := range all {
		s.score = (s.words + s.meaning + weightSpeaker*s.best + weightLocation*q.cover.location(s.path, q.Framed)) * s.factor
	}
	slices.SortFunc(all, func(a, b *standing) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.repo, b.repo), cmp.Compare(a.path, b.path))
	})
	for i, s := range all {
		s.rank = float64(i + 1)
	}
	for i, h := range hits {
		h.parts[partFile] = of[i].words + q.pick(weightStanding, 0)*halfStanding/(halfStanding+of[i].rank)
	}
}
