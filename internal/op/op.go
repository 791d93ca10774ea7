// Package op is the list of operations: what a user can ask for, by one row
// each. HTTP routes, the client, the command line, the MCP tools and the test
// of the API document are made from it.
//
// A row has types and names, no behaviour: who does an operation is a [Caller],
// the program itself ([Table]) or a client of a server.
package op

import (
	"context"
	"encoding/json"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Class is the kind of work that an operation is; a server admits only so
// much of each at a time.
type Class int

// The classes, cheapest first.
const (
	ClassCheap  Class = iota // a few milliseconds: lines of one file, lists that are kept
	ClassParse               // parses a few files as they are: some tenths of a second of a processor each
	ClassSearch              // asks the store
	ClassLive                // reads many files, or asks git
	ClassIndex               // starts a run, or writes
	ClassAsk                 // waits for a language model, mostly
)

// A Spec is what a row says without types.
type Spec struct {
	Name   string // as in "where-used"
	Method string // of HTTP
	// Path is a route. "{field}" in it is the field of the request with that
	// JSON name; "{repo_id}" may have slashes.
	Path string
	// Kept says that clients may keep the reply and ask whether it still holds: the
	// route answers GET too, with the request as query parameters but for its
	// lists, and with an ETag.
	Kept  bool
	Class Class // but see Row.Work
	// Unlimited operations take as long as they take; others have the time
	// limit of requests.
	Unlimited bool
	// Variant names the operation that has the same route, and hands over to
	// this one for some of its requests.
	Variant string
	// Tool is the name of the MCP tool; operations without one are none.
	Tool string
}

// Called is how texts name the operation: as its tool, if it is one.
func (s Spec) Called() string {
	if s.Tool != "" {
		return s.Tool
	}
	return s.Name
}

// A Row is an Op of any types.
type Row interface {
	About() Spec
	// Work is the class of work that a request is: Class, unless it asks for more.
	Work(req any) Class
	// NewRequest returns a pointer to an empty request.
	NewRequest() any
	// Do does the operation for the request that req points to.
	Do(ctx context.Context, c Caller, req any) (models.Envelope, error)
	// Decode reads a reply, a Resp.
	Decode(reply []byte) (any, error)
}

// A Caller does operations. req is the Req of the row, the reply its Resp.
// Errors are *fault.Error or those of the context.
type Caller interface {
	Call(ctx context.Context, row Row, req any) (resp any, err error)
}

// An Op is one operation, with a request and a reply of these types.
type Op[Req, Resp any] struct {
	Spec

	envelope func(*Resp) models.Envelope
	work     func(Req) Class // nil where all requests are of Class
}

// reply is a pointer to a response, which has an envelope's head.
type reply[Resp any] interface {
	*Resp
	models.Envelope
}

func define[Req, Resp any, P reply[Resp]](s Spec) Op[Req, Resp] {
	return Op[Req, Resp]{Spec: s, envelope: func(resp *Resp) models.Envelope { return P(resp) }}
}

// working is the operation, some of whose requests are of another class.
func (o Op[Req, Resp]) working(work func(Req) Class) Op[Req, Resp] {
	o.work = work
	return o
}

// By has c do the operation.
func (o Op[Req, Resp]) By(ctx context.Context, c Caller, req Req) (Resp, error) {
	resp, err := c.Call(ctx, o, req)
	typed, _ := resp.(Resp)
	return typed, err
}

// Envelope gives access to the head of a reply.
func (o Op[Req, Resp]) Envelope(resp *Resp) models.Envelope { return o.envelope(resp) }

// About implements Row.
func (o Op[Req, Resp]) About() Spec { return o.Spec }

// Work implements Row.
func (o Op[Req, Resp]) Work(req any) Class {
	typed, ok := req.(Req)
	if o.work == nil || !ok {
		return o.Class
	}
	return o.work(typed)
}

// NewRequest implements Row.
func (o Op[Req, Resp]) NewRequest() any { return new(Req) }

// Do implements Row.
func (o Op[Req, Resp]) Do(ctx context.Context, c Caller, req any) (models.Envelope, error) {
	resp, err := o.By(ctx, c, *req.(*Req))
	return o.envelope(&resp), err
}

// Decode implements Row.
func (o Op[Req, Resp]) Decode(reply []byte) (any, error) {
	var resp Resp
	err := json.Unmarshal(reply, &resp)
	return resp, err
}
