package web

import (
	"net/http"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Status is the page of the server itself.
type Status struct {
	Checks  []models.Check
	Version models.Version
	Load    *Load // nil where it is not counted
}

// Load is the requests of the last hour.
type Load struct {
	Requests, Errors int
	Mean, Slowest    string
	Counts, Times    []Bar
}

// A Bar is a minute in a chart of 60 by 20 units.
type Bar struct {
	X, Y, Height float64
	Bad          float64 // part of Height
	Label        string
}

func (s *Site) status(r *http.Request) (view, error) {
	page := Status{Checks: s.Ready(r.Context()), Version: s.Version}
	if s.Traffic != nil {
		page.Load = newLoad(s.Traffic(time.Now()))
	}
	return view{Template: "status", Title: "Status", Data: page}, nil
}

func newLoad(hour []models.Minute) *Load {
	var l Load
	var took, slowest time.Duration
	most := 1
	for _, m := range hour {
		l.Requests, l.Errors, took = l.Requests+m.Requests, l.Errors+m.Errors, took+m.Took
		slowest, most = max(slowest, m.Slowest), max(most, m.Requests)
	}
	l.Mean, l.Slowest = milliseconds(took/time.Duration(max(l.Requests, 1))), milliseconds(slowest)
	for i, m := range hour {
		at := m.Begin.UTC().Format("15:04")
		l.Counts = append(l.Counts,
			newBar(i, float64(m.Requests)/float64(most), float64(m.Errors)/float64(most), at+": "+plural(m.Requests, "request")))
		l.Times = append(l.Times, newBar(i, float64(m.Slowest)/float64(max(slowest, 1)), 0, at+": "+milliseconds(m.Slowest)))
	}
	return &l
}

func newBar(i int, share, bad float64, label string) Bar {
	const height = 20
	return Bar{float64(i), height * (1 - share), height * share, height * bad, label}
}

func milliseconds(d time.Duration) string { return number(int(d.Milliseconds())) + " ms" }
