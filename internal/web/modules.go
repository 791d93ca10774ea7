package web

import (
	"cmp"
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/web/address"
	"github.com/ragnav/ragnav/internal/web/diagram"

	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	modulesDrawn = 24
	arrowsDrawn  = 60
)

// modules draws the folders of a map that use each other: who uses stands to the
// left of what it uses. Where folders use each other both ways, the arrow is
// that of most uses; one that others imply is left out.
func modules(m *models.RepoMap) *diagram.Picture {
	uses := flows(m)
	boxes, shown := map[string]*diagram.Box{}, []string{}
	for _, u := range uses {
		for _, folder := range []string{u.from, u.to} {
			if boxes[folder] == nil && len(shown) < modulesDrawn {
				shown = append(shown, folder)
				boxes[folder] = newModule(m, folder)
			}
		}
	}
	var links []diagram.Link
	below := map[string][]string{} // what a folder uses, without a circle
	for _, u := range uses {
		if from, to := boxes[u.from], boxes[u.to]; from != nil && to != nil && len(links) < arrowsDrawn &&
			!reaches(below, u.to, u.from) {
			below[u.from] = append(below[u.from], u.to)
			links = append(links, diagram.Link{From: from, To: to, Edge: plural(u.n, "use")})
		}
	}
	if len(links) == 0 {
		return nil
	}
	links = slices.DeleteFunc(links, func(l diagram.Link) bool { return implied(below, l.From.Key, l.To.Key) })
	p := diagram.Draw("Folders and what they use: who uses is to the left", layers(shown, boxes, below), links)
	return &p
}

// A flow is how often one folder uses another.
type flow struct {
	from, to string
	n        int
}

// flows are those of a map, the largest first.
func flows(m *models.RepoMap) []flow {
	var all []flow
	for _, f := range m.Folders {
		for _, u := range f.UsesOf {
			all = append(all, flow{f.Path, u.Path, u.Uses})
		}
	}
	slices.SortStableFunc(all, func(a, b flow) int { return b.n - a.n })
	return all
}

func newModule(m *models.RepoMap, folder string) *diagram.Box {
	b := &diagram.Box{
		Key: folder, ID: folder, Name: lastRunes(path.Base(folder), diagram.NameRunes),
		Place: lastRunes(folder, diagram.PlaceRunes),
		URL:   address.File(m.RepoID, folder+"/"),
	}
	if folder == "." {
		b.Name = lastRunes(path.Base(string(m.RepoID)), diagram.NameRunes)
		b.Place, b.URL = "the root folder", address.Repo(m.RepoID)
	}
	for _, f := range m.Folders {
		if f.Path == folder && f.Purpose != "" {
			b.ID += ": " + f.Purpose
		}
	}
	return b
}

// implied reports whether a folder also reaches what it uses through another.
func implied(below map[string][]string, from, to string) bool {
	return slices.ContainsFunc(below[from], func(u string) bool { return u != to && reaches(below, u, to) })
}

func reaches(below map[string][]string, from, to string) bool {
	seen := map[string]bool{}
	var walk func(string) bool
	walk = func(at string) bool {
		if at == to {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		return slices.ContainsFunc(below[at], walk)
	}
	return walk(from)
}

// layers puts each folder into the column left of all that it uses.
func layers(shown []string, boxes map[string]*diagram.Box, below map[string][]string) [][]*diagram.Box {
	depth := map[string]int{}
	var deep func(string) int
	deep = func(folder string) int {
		if d, ok := depth[folder]; ok {
			return d
		}
		d := 0
		for _, u := range below[folder] {
			d = max(d, deep(u)+1)
		}
		depth[folder] = d
		return d
	}
	most := 0
	for _, folder := range shown {
		most = max(most, deep(folder))
	}
	columns := make([][]*diagram.Box, most+1)
	slices.SortFunc(shown, cmp.Compare)
	for _, folder := range shown {
		if len(below[folder]) > 0 ||
			slices.ContainsFunc(shown, func(u string) bool { return slices.Contains(below[u], folder) }) {
			column := most - depth[folder]
			columns[column] = append(columns[column], boxes[folder])
		}
	}
	return columns
}
