package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/web/address"
	"github.com/ragnav/ragnav/internal/web/diagram"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	lineageDepth   = 2
	lineageDeepest = 4
	lineageShown   = 24 // symbols on each side
)

// Lineage is the page of what reaches a symbol and what it reaches.
type Lineage struct {
	RepoID      models.RepoID
	Symbol      string
	Definitions []models.Definition
	Sides       []Side
	Picture     diagram.Picture
	Depths      []Choice // how far it looks; the one without an address is this page's
	Crumbs      []Link
}

// A Side is one direction, as a list, tests apart.
type Side struct {
	Label        string
	Items, Tests []Use
	Meta         models.Meta
}

// Shown is how many there are in both lists.
func (s Side) Shown() int { return len(s.Items) + len(s.Tests) }

// graphPages are those of what reaches what.
type graphPages struct{ ops op.Backend }

func (s graphPages) lineage(r *http.Request) (view, error) {
	v := r.URL.Query()
	req := nav.LineageRequest{
		RepoID: models.RepoID(v.Get("repo")), Symbol: v.Get("symbol"), File: v.Get("file"), Depth: new(depthOf(r)),
		MaxResults: new(lineageShown),
	}
	if line := positive(r, "at"); line > 0 {
		req.Line = &line
	}
	up, down := req, req
	up.Direction, down.Direction = "upstream", "downstream"
	var above, below nav.LineageResponse
	group, ctx := parallel.NewGroup(r.Context())
	group.Go(func() (err error) { above, err = do(ctx, s.ops, op.Lineage, up); return err })
	group.Go(func() (err error) { below, err = do(ctx, s.ops, op.Lineage, down); return err })
	if err := group.Wait(); err != nil {
		return view{}, err
	}
	l := Lineage{
		RepoID: req.RepoID, Symbol: req.Symbol, Definitions: above.Definitions,
		Crumbs: []Link{{string(req.RepoID), address.Repo(req.RepoID)}, {Label: req.Symbol}},
	}
	for _, side := range []struct {
		label string
		resp  nav.LineageResponse
	}{{"What reaches it", above}, {"What it reaches", below}} {
		shown := Side{Label: side.label, Meta: side.resp.Meta}
		for _, item := range side.resp.Items {
			if item.Test {
				shown.Tests = append(shown.Tests, newUse(req.RepoID, item))
			} else {
				shown.Items = append(shown.Items, newUse(req.RepoID, item))
			}
		}
		l.Sides = append(l.Sides, shown)
	}
	l.draw(above, below)
	for depth := 1; depth <= lineageDeepest; depth++ {
		at := maps.Clone(v)
		at.Set("depth", strconv.Itoa(depth))
		c := Choice{Label: strconv.Itoa(depth), URL: "/lineage?" + at.Encode()}
		if depth == *req.Depth {
			c.URL = ""
		}
		l.Depths = append(l.Depths, c)
	}
	return view{Template: "lineage", Title: req.Symbol, Query: Query{Repo: string(req.RepoID)}, Data: l}, nil
}

func depthOf(r *http.Request) int {
	if depth := positive(r, "depth"); depth > 0 {
		return min(depth, lineageDeepest)
	}
	return lineageDepth
}

// draw lays the symbols out in columns by how far they are: what reaches the
// symbol to its left, what it reaches to its right.
func (l *Lineage) draw(above, below nav.LineageResponse) {
	columns := map[int][]*diagram.Box{}
	boxes := map[string]*diagram.Box{} // by side and id
	for _, d := range l.Definitions {
		l.add(columns, boxes, 0, d.ID).Start = true
	}
	edges := map[[2]*diagram.Box]string{}
	var links []diagram.Link
	side := func(items []models.NavItem, sign int) {
		for _, item := range items {
			for hop := 1; hop < len(item.Path); hop++ {
				from, to := l.add(columns, boxes, sign*(hop-1), item.Path[hop-1]), l.add(columns, boxes, sign*hop, item.Path[hop])
				if hop == len(item.Path)-1 {
					to.Test = item.Test
				}
				if sign < 0 {
					from, to = to, from
				}
				if _, ok := edges[[2]*diagram.Box{from, to}]; !ok {
					links = append(links, diagram.Link{From: from, To: to, Edge: item.Edge})
				}
				edges[[2]*diagram.Box{from, to}] = item.Edge
			}
		}
	}
	side(above.Items, -1)
	side(below.Items, 1)
	for i, k := range links {
		links[i].Edge = edges[[2]*diagram.Box{k.From, k.To}]
	}
	var inOrder [][]*diagram.Box
	for _, n := range slices.Sorted(maps.Keys(columns)) {
		inOrder = append(inOrder, columns[n])
	}
	l.Picture = diagram.Draw("What reaches "+l.Symbol+" on the left, what it reaches on the right", inOrder, links)
}

// add is the box of a symbol in a column. On one side it has one box, where it
// is nearest.
func (l *Lineage) add(columns map[int][]*diagram.Box, boxes map[string]*diagram.Box, column int,
	id string,
) *diagram.Box {
	side := "0"
	switch {
	case column < 0:
		side = "-"
	case column > 0:
		side = "+"
	}
	if b := boxes[side+id]; b != nil {
		return b
	}
	file, name, _ := strings.Cut(id, ":")
	v := url.Values{"repo": {string(l.RepoID)}, "symbol": {id}}
	b := &diagram.Box{
		ID: id, Name: firstRunes(name, diagram.NameRunes), Place: lastRunes(file, diagram.PlaceRunes),
		URL: "/lineage?" + v.Encode(),
	}
	boxes[side+id] = b
	columns[column] = append(columns[column], b)
	return b
}

func lastRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return "…" + string(r[len(r)-n:])
	}
	return s
}
