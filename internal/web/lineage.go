package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	lineageDepth = 2
	lineageShown = 24 // symbols on each side
)

// The sizes of the picture, in its units.
const (
	boxWidth, boxHeight   = 190.0, 40.0
	columnStep, rowStep   = 250.0, 52.0
	nameRunes, placeRunes = 20, 26
)

// Lineage is the page of what reaches a symbol and what it reaches.
type Lineage struct {
	RepoID        models.RepoID
	Symbol        string
	Definitions   []models.Definition
	Sides         []Side
	Boxes         []Box
	Arrows        []Arrow
	Width, Height float64
	Crumbs        []Link
}

// A Side is one direction, as a list.
type Side struct {
	Label string
	Items []Use
	Meta  models.Meta
}

// A Box is a symbol in the picture.
type Box struct {
	ID, Name, Place, URL string
	X, Y                 float64
	Start, Test          bool
}

// An Arrow is a use, from a box to another.
type Arrow struct {
	X1, Y1, X2, Y2, Bend float64
	Edge                 string
}

func (s *Site) lineage(r *http.Request) (view, error) {
	v := r.URL.Query()
	req := nav.LineageRequest{
		RepoID: models.RepoID(v.Get("repo")), Symbol: v.Get("symbol"), File: v.Get("file"), Depth: new(lineageDepth), MaxResults: new(lineageShown),
	}
	if line := positive(r, "at"); line > 0 {
		req.Line = &line
	}
	up, down := req, req
	up.Direction, down.Direction = "upstream", "downstream"
	var above, below nav.LineageResponse
	group, ctx := parallel.NewGroup(r.Context())
	group.Go(func() (err error) { above, err = do(ctx, s, op.Lineage, up); return err })
	group.Go(func() (err error) { below, err = do(ctx, s, op.Lineage, down); return err })
	if err := group.Wait(); err != nil {
		return view{}, err
	}
	l := Lineage{RepoID: req.RepoID, Symbol: req.Symbol, Definitions: above.Definitions, Crumbs: []Link{{string(req.RepoID), repoURL(req.RepoID)}, {Label: req.Symbol}}}
	for _, side := range []struct {
		label string
		resp  nav.LineageResponse
	}{{"What reaches it", above}, {"What it reaches", below}} {
		shown := Side{Label: side.label, Meta: side.resp.Meta}
		for _, item := range side.resp.Items {
			shown.Items = append(shown.Items, newUse(req.RepoID, item))
		}
		l.Sides = append(l.Sides, shown)
	}
	l.draw(above, below)
	return view{Template: "lineage", Title: req.Symbol, Query: Query{Repo: string(req.RepoID)}, Data: l}, nil
}

// draw lays the symbols out in columns by how far they are: what reaches the
// symbol to its left, what it reaches to its right.
func (l *Lineage) draw(above, below nav.LineageResponse) {
	columns := map[int][]*Box{}
	boxes := map[string]*Box{} // by side and id
	for _, d := range l.Definitions {
		l.add(columns, boxes, 0, d.ID).Start = true
	}
	arrows := map[[2]*Box]string{}
	side := func(items []models.NavItem, sign int) {
		for _, item := range items {
			for hop := 1; hop < len(item.Path); hop++ {
				from, to := l.add(columns, boxes, sign*(hop-1), item.Path[hop-1]), l.add(columns, boxes, sign*hop, item.Path[hop])
				if sign < 0 {
					from, to = to, from
				}
				if arrows[[2]*Box{from, to}] = item.Edge; hop == len(item.Path)-1 {
					l.add(columns, boxes, sign*hop, item.Path[hop]).Test = item.Test
				}
			}
		}
	}
	side(above.Items, -1)
	side(below.Items, 1)
	l.place(columns)
	for pair, edge := range arrows {
		from, to := pair[0], pair[1]
		x1, x2 := from.X+boxWidth, to.X
		l.Arrows = append(l.Arrows, Arrow{x1, from.Y + boxHeight/2, x2, to.Y + boxHeight/2, (x1 + x2) / 2, edge})
	}
	slices.SortFunc(l.Arrows, func(a, b Arrow) int {
		return cmp.Or(cmp.Compare(a.X1, b.X1), cmp.Compare(a.Y1, b.Y1), cmp.Compare(a.X2, b.X2), cmp.Compare(a.Y2, b.Y2))
	})
}

// add is the box of a symbol in a column. On one side it has one box, where it
// is nearest.
func (l *Lineage) add(columns map[int][]*Box, boxes map[string]*Box, column int, id string) *Box {
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
	b := &Box{ID: id, Name: firstRunes(name, nameRunes), Place: lastRunes(file, placeRunes), URL: "/lineage?" + v.Encode()}
	boxes[side+id] = b
	columns[column] = append(columns[column], b)
	return b
}

// place gives boxes their places: columns from the left, each in the middle of
// the picture's height.
func (l *Lineage) place(columns map[int][]*Box) {
	least, most, rows := 0, 0, 1
	for n, column := range columns {
		least, most, rows = min(least, n), max(most, n), max(rows, len(column))
	}
	l.Width, l.Height = float64(most-least)*columnStep+boxWidth+2, float64(rows)*rowStep
	for n := least; n <= most; n++ {
		top := (l.Height - float64(len(columns[n]))*rowStep) / 2
		for row, b := range columns[n] {
			b.X, b.Y = float64(n-least)*columnStep+1, top+float64(row)*rowStep+(rowStep-boxHeight)/2
			l.Boxes = append(l.Boxes, *b)
		}
	}
}

func lastRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return "…" + string(r[len(r)-n:])
	}
	return s
}
