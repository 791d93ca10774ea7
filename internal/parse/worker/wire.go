package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/wire"
)

// A value is its fields one after the other, as both ends are the same program:
// numbers are variable-length, of lists the length comes first, plus one, and a
// string is the number of an earlier one of the message, or 0 and the string. It
// is text: what is not UTF-8 in it is replaced, byte for byte.

// errMessage is a message that is not what was written.
var errMessage = errors.New("a message is damaged")

var (
	exprType  = reflect.TypeFor[facts.Expr]()
	bytesType = reflect.TypeFor[[]byte]()
)

// encode is a pointer's value as bytes.
func encode(pointer any) []byte {
	e := encoder{b: make([]byte, 0, 4096), seen: map[string]uint64{}}
	e.value(reflect.ValueOf(pointer).Elem())
	return e.b
}

type encoder struct {
	b    []byte
	seen map[string]uint64 // 1 + the number of a string
}

func (e *encoder) value(v reflect.Value) {
	if v.Type() == exprType {
		e.text(v.Addr().Interface().(*facts.Expr).String()) //nolint:forcetypeassert // its type was looked at
		return
	}
	switch v.Kind() {
	case reflect.String:
		e.text(v.String())
	case reflect.Bool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		e.number(n)
	case reflect.Int:
		e.b = binary.AppendVarint(e.b, v.Int())
	case reflect.Pointer:
		if v.IsNil() {
			e.number(0)
			return
		}
		e.number(1)
		e.value(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			e.number(0)
			return
		}
		e.number(uint64(v.Len()) + 1) //nolint:gosec // a length
		if v.Type() == bytesType {
			e.b = append(e.b, v.Bytes()...)
			return
		}
		for i := range v.Len() {
			e.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() { //nolint:modernize // Fields describes each, which takes longer than the rest
			e.value(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("a message has no %s", v.Type()))
	}
}

func (e *encoder) number(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *encoder) text(s string) {
	if n, ok := e.seen[s]; ok {
		e.number(n)
		return
	}
	e.seen[s] = uint64(len(e.seen)) + 1
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	e.number(0)
	e.b = wire.AppendText(e.b, s)
}

// decode reads into a pointer's value, which is zero, what encode wrote.
func decode(b []byte, pointer any) error {
	d := decoder{Reader: wire.Reader[[]byte]{Rest: b}}
	d.value(reflect.ValueOf(pointer).Elem())
	if d.Bad || len(d.Rest) > 0 {
		return errMessage
	}
	return nil
}

type decoder struct {
	wire.Reader[[]byte]

	all []string
}

func (d *decoder) value(v reflect.Value) {
	if v.Type() == exprType {
		*v.Addr().Interface().(*facts.Expr) = facts.Parse(d.text()) //nolint:forcetypeassert // its type was looked at
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(d.text())
	case reflect.Bool:
		v.SetBool(d.Uvarint() != 0)
	case reflect.Int:
		v.SetInt(d.Varint())
	case reflect.Pointer:
		if d.Uvarint() != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
	case reflect.Slice:
		if n := d.Uvarint(); n > uint64(len(d.Rest))+1 {
			d.Check(false)
		} else if n > 0 && v.Type() == bytesType {
			v.SetBytes(bytes.Clone(d.Take(n - 1)))
		} else if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), int(n-1), int(n-1))) //nolint:gosec // as many as there are bytes
			for i := range v.Len() {
				d.value(v.Index(i))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() { //nolint:modernize // Fields describes each, which takes longer than the rest
			d.value(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("a message has no %s", v.Type()))
	}
}

func (d *decoder) text() string {
	if n := d.Uvarint(); n > uint64(len(d.all)) {
		d.Check(false)
		return ""
	} else if n > 0 {
		return d.all[n-1]
	}
	s := string(d.Text())
	if !d.Bad {
		d.all = append(d.all, s)
	}
	return s
}
