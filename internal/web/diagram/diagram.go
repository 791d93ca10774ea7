// Package diagram gives boxes with arrows between them their places in a picture.
package diagram

import (
	"cmp"
	"slices"
)

// What fits into a box.
const (
	NameRunes  = 20
	PlaceRunes = 26
)

// The sizes of a picture, in its units.
const (
	boxWidth, boxHeight = 190.0, 40.0
	columnStep, rowStep = 250.0, 52.0
	testGap             = 20.0 // above the boxes of tests
)

// A Picture is boxes in columns, and arrows between them.
type Picture struct {
	Label         string // for who can't see it
	Boxes         []Box
	Arrows        []Arrow
	Width, Height float64
}

// A Box is a thing in a picture.
type Box struct {
	ID, Name, Place, URL string
	X, Y                 float64
	Start, Test          bool

	Key string // of who draws
}

// An Arrow is a use, from a box to another.
type Arrow struct {
	X1, Y1, X2, Y2, Bend float64
	Edge                 string
}

// A Link is an arrow before its ends have places.
type Link struct {
	From, To *Box
	Edge     string
}

// Draw gives boxes their places: columns from the left, each in the middle of
// the picture's height with tests below the others, and few arrows that cross.
func Draw(label string, columns [][]*Box, links []Link) Picture {
	untangle(columns, links)
	p := Picture{Label: label, Width: float64(max(len(columns)-1, 0))*columnStep + boxWidth + 2}
	for _, column := range columns {
		p.Height = max(p.Height, height(column))
	}
	for i, column := range columns {
		y := (p.Height-height(column))/2 + (rowStep-boxHeight)/2
		for row, b := range column {
			if row > 0 && b.Test && !column[row-1].Test {
				y += testGap
			}
			b.X, b.Y = float64(i)*columnStep+1, y
			y += rowStep
			p.Boxes = append(p.Boxes, *b)
		}
	}
	for _, l := range links {
		p.Arrows = append(p.Arrows, newArrow(l))
	}
	slices.SortFunc(p.Arrows, func(a, b Arrow) int {
		return cmp.Or(cmp.Compare(a.X1, b.X1), cmp.Compare(a.Y1, b.Y1), cmp.Compare(a.X2, b.X2), cmp.Compare(a.Y2, b.Y2))
	})
	return p
}

func newArrow(l Link) Arrow {
	x1, x2 := l.From.X+boxWidth, l.To.X
	a := Arrow{X1: x1, Y1: l.From.Y + boxHeight/2, X2: x2 - 4, Y2: l.To.Y + boxHeight/2, Bend: (x1 + x2) / 2, Edge: l.Edge}
	if l.To.X > l.From.X+columnStep { // past the boxes between
		a.Bend = x1 + (columnStep-boxWidth)/2
	}
	return a
}

func height(column []*Box) float64 {
	h := float64(len(column)) * rowStep
	if n := len(column); n > 0 && column[n-1].Test && !column[0].Test {
		h += testGap
	}
	return h
}

// untangle sorts columns by where the neighbours of their boxes are, to and fro,
// tests last.
func untangle(columns [][]*Box, links []Link) {
	const sweeps = 4
	at := map[*Box]float64{}
	number := func(column []*Box) {
		for i, b := range column {
			at[b] = float64(i) - float64(len(column)-1)/2
		}
	}
	for _, column := range columns {
		number(column)
	}
	for sweep := range sweeps {
		for i := range columns {
			if sweep%2 == 1 {
				i = len(columns) - 1 - i
			}
			wish := wishes(columns[i], links, at)
			slices.SortStableFunc(columns[i],
				func(a, b *Box) int { return cmp.Or(last(a)-last(b), cmp.Compare(wish[a], wish[b])) })
			number(columns[i])
		}
	}
}

// wishes are the middles of the neighbours of boxes; who has none stays.
func wishes(column []*Box, links []Link, at map[*Box]float64) map[*Box]float64 {
	sum, n := map[*Box]float64{}, map[*Box]float64{}
	for _, l := range links {
		sum[l.From], n[l.From] = sum[l.From]+at[l.To], n[l.From]+1
		sum[l.To], n[l.To] = sum[l.To]+at[l.From], n[l.To]+1
	}
	wish := map[*Box]float64{}
	for _, b := range column {
		if wish[b] = at[b]; n[b] > 0 {
			wish[b] = sum[b] / n[b]
		}
	}
	return wish
}

// last is 1 of a test.
func last(b *Box) int {
	if b.Test {
		return 1
	}
	return 0
}
