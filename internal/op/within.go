package op

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// reserve is what a transport adds to the head of a reply, in bytes.
const reserve = 100

// within has f do an operation whose request may bound the reply by max_tokens.
// Of a list fewer items are asked for until they fit, so that its cursor goes on
// behind them; one item there is in any case. What was cut names the next call.
func within[Req, Resp any](ctx context.Context, o Op[Req, Resp], req Req,
	f func(context.Context, Req) (Resp, error),
) (Resp, error) {
	resp, err := f(ctx, req)
	tokens := most(&req)
	if err != nil || tokens == 0 {
		return resp, err
	}
	fewer := req
	for limit := Field(&fewer, "limit", "max_results"); limit.IsValid(); {
		reply := o.envelope(&resp)
		goOn(o.Name, reply.Head(), &req)
		shown := fitting(reply, tokens*models.BytesPerToken-reserve)
		if shown >= reply.Shown() {
			break
		}
		limit.Set(reflect.ValueOf(&shown))
		if resp, err = f(ctx, fewer); err != nil {
			return resp, err
		}
	}
	reply := o.envelope(&resp)
	goOn(o.Name, reply.Head(), &req)
	if size := models.Size(reply) + reserve; size > tokens*models.BytesPerToken {
		head := reply.Head()
		head.Warnings = append(head.Warnings, models.Warning{
			Code:    "PARTIAL_RESULTS",
			Message: fmt.Sprintf("the least reply has %d tokens, more than max_tokens", models.Tokens(size)),
		})
	}
	return resp, nil
}

// most is max_tokens of a request, 0 for none.
func most(req any) int {
	f := Field(req, "max_tokens")
	if f.Kind() != reflect.Pointer || f.IsNil() {
		return 0
	}
	return int(f.Elem().Int())
}

// goOn names the call that goes on behind a reply that was cut.
func goOn[Req any](name string, head *models.Meta, req *Req) {
	if head.NextCursor == "" {
		return
	}
	next := *req
	Field(&next, "cursor").SetString(head.NextCursor)
	head.Next = &models.Call{Operation: name, Request: next}
}

// fitting is how many of the items shown a reply of so many bytes has room for,
// at least one.
func fitting(reply models.Envelope, room int) int {
	shown, size := reply.Shown(), models.Size(reply)
	if size <= room || shown <= 1 {
		return shown
	}
	items := reflect.Indirect(reflect.ValueOf(reply)).FieldByName("Items")
	if items.Len() != shown { // an item is a list in itself
		return max(1, min(shown-1, shown*room/size))
	}
	for shown > 1 && size > room {
		shown--
		size -= models.Size(items.Index(shown).Interface())
	}
	return shown
}

// Field is the first field of the struct that v points to with one of these
// JSON names, or the zero Value.
func Field(v any, names ...string) reflect.Value {
	s := reflect.ValueOf(v).Elem()
	for _, name := range names {
		for i := range s.NumField() {
			if tag, _, _ := strings.Cut(s.Type().Field(i).Tag.Get("json"), ","); tag == name {
				return s.Field(i)
			}
		}
	}
	return reflect.Value{}
}
