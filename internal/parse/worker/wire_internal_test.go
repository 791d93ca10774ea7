package worker

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
)

// fill sets all that is in a value to something that is not zero, lists to two
// of what they hold, n apart.
func fill(v reflect.Value, n *int) {
	*n++
	switch {
	case v.Type() == exprType:
		v.Set(reflect.ValueOf(facts.Name(fmt.Sprint("E", *n%7))))
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("text", *n%7))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.Kind() == reflect.Int:
		v.SetInt(int64(*n * *n * (1 - *n%2*2)))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case v.Type() == bytesType:
		v.SetBytes([]byte{0, 255})
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	default:
		for _, field := range v.Fields() {
			fill(field, n)
		}
	}
}

func TestMessages(t *testing.T) {
	full, asked := reply{}, request{}
	n := 0
	fill(reflect.ValueOf(&full).Elem(), &n)
	fill(reflect.ValueOf(&asked).Elem(), &n)
	replies := map[string]reply{
		"nothing": {}, "all of a reply": full, "an error": {Error: "its parser hangs"},
		"lists without elements": {Outline: &parse.Outline{Symbols: []parse.Symbol{}}, Locals: []facts.Local{}},
	}
	for name, want := range replies {
		t.Run(name, func(t *testing.T) {
			b := encode(&want)
			var got reply
			if err := decode(b, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(facts.Expr{})); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
			for n := range b {
				if err := decode(b[:n], &reply{}); err == nil {
					t.Errorf("%d of %d bytes are a reply", n, len(b))
				}
			}
			if err := decode(append(b, 0), &reply{}); err == nil {
				t.Error("a reply with a byte behind it is one")
			}
		})
	}
	t.Run("request", func(t *testing.T) {
		var got request
		if err := decode(encode(&asked), &got); err != nil || got != asked {
			t.Errorf("decoded %+v, %v, want %+v", got, err, asked)
		}
	})
	t.Run("not UTF-8", func(t *testing.T) {
		var got reply
		if err := decode(encode(&reply{Error: "a\xff\xfeb"}), &got); err != nil || got.Error != "a\ufffd\ufffdb" {
			t.Errorf("decoded %q, %v", got.Error, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	full := reply{}
	n := 0
	fill(reflect.ValueOf(&full).Elem(), &n)
	f.Add(encode(&full))
	f.Add([]byte("\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))
	f.Fuzz(func(_ *testing.T, b []byte) { _ = decode(b, &reply{}) }) // must not panic, nor take all memory
}
