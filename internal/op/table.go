package op

import (
	"context"

	"github.com/ragnav/ragnav/internal/fault"
)

// A Table does operations by functions of this process. The zero value does none.
type Table struct {
	do map[string]func(context.Context, any) (any, error)
}

// Bind makes f the function that does o in t. It is not for concurrent use.
func Bind[Req, Resp any](t *Table, o Op[Req, Resp], f func(context.Context, Req) (Resp, error)) {
	if t.do == nil {
		t.do = map[string]func(context.Context, any) (any, error){}
	}
	t.do[o.Name] = func(ctx context.Context, req any) (any, error) { return within(ctx, o, req.(Req), f) }
}

// Call implements Caller.
func (t *Table) Call(ctx context.Context, row Row, req any) (any, error) {
	f := t.do[row.About().Name]
	if f == nil {
		return nil, fault.New(fault.Internal, "nothing does %s here", row.About().Name)
	}
	return f(ctx, req)
}

// Has reports whether t does an operation.
func (t *Table) Has(row Row) bool { return t.do[row.About().Name] != nil }
