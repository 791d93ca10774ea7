package outline

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxSignature bounds a signature in characters: it is one line of many.
const maxSignature = 160

// nest lists symbols, or sections, so that what is in another comes behind it:
// by their qualified names, as a method may stand far from its type.
func nest(out parse.Outline) []models.OutlineItem {
	if len(out.Sections) > 0 {
		return sections(out.Sections)
	}
	var symbols []parse.Symbol
	for _, s := range out.Symbols {
		if s.Kind != models.KindChunk {
			symbols = append(symbols, s)
		}
	}
	in := map[int][]int{} // by index of the holder; -1 for the file
	for i := range symbols {
		h := holder(symbols, i)
		in[h] = append(in[h], i)
	}
	var items []models.OutlineItem
	var walk func(holder, depth int)
	walk = func(holder, depth int) {
		for _, i := range in[holder] {
			items = append(items, item(symbols[i], depth))
			walk(i, depth+1)
		}
	}
	walk(-1, 0)
	return items
}

// holder is the index of the symbol that another one is a member of, or -1.
// Of several of that name it is the one with its lines, else the first.
func holder(symbols []parse.Symbol, i int) int {
	s, best := symbols[i], -1
	if s.Parent == "" {
		return -1
	}
	container := strings.TrimRight(strings.TrimSuffix(s.Qualified, s.Name), ".:#/\\")
	for j, other := range symbols {
		if j == i || other.Qualified != container && other.Qualified != s.Parent && other.Name != s.Parent ||
			strings.HasPrefix(other.Qualified, s.Qualified+".") {
			continue
		}
		inside := other.StartLine <= s.StartLine && s.EndLine <= other.EndLine
		if inside && (other.StartLine < s.StartLine || other.EndLine > s.EndLine || j < i) {
			return j
		}
		if best < 0 && other.Qualified == container {
			best = j
		}
	}
	return best
}

func item(s parse.Symbol, depth int) models.OutlineItem {
	signature := s.Signature
	if runes := []rune(signature); len(runes) > maxSignature {
		signature = string(runes[:maxSignature]) + "…"
	}
	return models.OutlineItem{
		Symbol: s.Name, Qualified: s.Qualified, Kind: s.Kind, Signature: signature,
		Line: s.StartLine, EndLine: s.EndLine, Depth: depth, Exported: s.Exported,
	}
}

func sections(list []parse.Section) []models.OutlineItem {
	items := make([]models.OutlineItem, len(list))
	for i, s := range list {
		depth := 0
		for p := s.Parent; p >= 0; p = list[p].Parent {
			depth++
		}
		items[i] = models.OutlineItem{
			Symbol: s.Heading, Qualified: s.Slug, Kind: "section", Line: s.StartLine, EndLine: s.EndLine, Depth: depth,
			Exported: true,
		}
	}
	return items
}
