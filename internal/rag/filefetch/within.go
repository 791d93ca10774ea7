package filefetch

import (
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// headRoom is what the head of a reply takes, in bytes.
const headRoom = 600

// within gathers as many spans as max_tokens have room for. The first one is cut
// when it has to be; others are left whole for the next call.
func (g gathering) within(req Request, spans []Span) (Response, error) {
	g.room = max(*req.MaxTokens*models.BytesPerToken-headRoom, 1)
	for i, want := range spans {
		before := g
		g.left = g.room - models.Size(g.items)
		if i == 0 {
			g.left = max(g.left, leastCode) // or the next call would be this one again
		}
		err := g.take(want)
		for most := g.room; err == nil && i == 0 && g.over(req, spans[1:]) && most > leastCode; {
			most = most * 3 / 4 // code is longer as JSON
			g = before
			g.left = most
			err = g.take(want)
		}
		if err != nil {
			return Response{}, err
		}
		if i > 0 && (len(g.behind) > 0 || g.over(req, spans[i+1:])) {
			return before.goingOn(req, spans[i:]), nil
		}
		if len(g.behind) > 0 && (!g.alone || len(g.behind) > 1 || len(g.items) > 1) {
			return g.goingOn(req, spans[i+1:]), nil
		}
	}
	if g.failed == len(spans) {
		return Response{}, g.first
	}
	return g.response(), nil
}

// leastCode is how few bytes of code a reply is cut to at most.
const leastCode = 64

// over reports whether the items, and the call for the rest, are too long. Half
// of the room is for items, however long that call is.
func (g gathering) over(req Request, behind []Span) bool {
	room := g.room
	if len(behind)+len(g.behind) > 0 {
		room = max(room-models.Size(g.rest(req, behind)), room/2)
	}
	return models.Size(g.items) > room
}

// rest asks for what there was no room for, then for the spans behind it.
func (g gathering) rest(req Request, behind []Span) Request {
	return Request{
		RepoID: req.RepoID, Context: req.Context, MaxTokens: req.MaxTokens, Commit: req.Commit,
		Spans: slices.Concat(g.behind, behind),
	}
}

// goingOn is the reply, with the call for the rest.
func (g gathering) goingOn(req Request, behind []Span) Response {
	rest := g.rest(req, behind)
	res := g.response()
	res.Meta.Truncated, res.Meta.NextCursor = true, ""
	res.Meta.Message = new(fmt.Sprintf("cut to %d tokens: next asks for the rest, %s", *req.MaxTokens,
		models.Counted(len(rest.Spans), "place")))
	res.Meta.Next = &models.Call{Operation: "file", Request: rest}
	return res
}
