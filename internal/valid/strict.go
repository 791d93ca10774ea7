package valid

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
)

// Decode decodes one JSON object and refuses what encoding/json lets pass:
// names in another case, names given twice, invalid UTF-8, null. A whole number
// may be written as 4.0 or 4e1, as JSON Schema has it.
func Decode(text []byte, req any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return fault.New(fault.InvalidRequest, "the body is empty; send a JSON object")
	}
	if !utf8.Valid(text) {
		return fault.New(fault.InvalidRequest, "the body is not valid UTF-8")
	}
	if !json.Valid(text) {
		return malformed(text, json.Unmarshal(text, new(any)))
	}
	text, err := checkObject(text, req)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, req); err != nil {
		if f, ok := errors.AsType[*fault.Error](err); ok { // of a type that checks itself
			return f
		}
		return fault.Wrap(fault.InvalidRequest, err, "the body does not have the form of the request; see /openapi.yaml")
	}
	return nil
}

// malformed says where a syntax error is and what is wrong there.
func malformed(text []byte, err error) error {
	where := ""
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		before := string(text[:min(max(syntax.Offset-1, 0), int64(len(text)))])
		line := strings.Count(before, "\n")
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
		where = fmt.Sprintf(" at line %d, column %d", line+1, column+1)
	}
	return fault.New(fault.InvalidRequest, "malformed JSON%s: %v", where, err)
}

// checkObject compares JSON text, which is well-formed, with the type of req, a
// pointer to a struct: every name is a field's, in its case and once, and every
// value has the field's type. The error names the field by its JSON path. It
// returns the text with whole numbers as encoding/json wants them.
func checkObject(text []byte, req any) ([]byte, error) {
	s := &strict{text: text}
	if err := s.value("", reflect.TypeOf(req).Elem()); err != nil {
		return nil, err
	}
	if s.copied == 0 {
		return text, nil
	}
	return append(s.plain, text[s.copied:]...), nil
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// A strict walks through well-formed JSON.
type strict struct {
	text   []byte
	at     int    // in text
	plain  []byte // text[:copied] with plain whole numbers
	copied int
}

// next is the byte that the next value, name or bracket begins with.
func (s *strict) next() byte {
	for {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			s.at++
		default:
			return c
		}
	}
}

// scalar is the next value, which is no list and no object.
func (s *strict) scalar() []byte {
	from := s.at
	if s.text[from] == '"' {
		for s.at++; s.text[s.at] != '"'; s.at++ {
			if s.text[s.at] == '\\' {
				s.at++
			}
		}
		s.at++
		return s.text[from:s.at]
	}
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n,]}", s.text[s.at]) < 0 {
		s.at++
	}
	return s.text[from:s.at]
}

// skip passes over the next value.
func (s *strict) skip() {
	for depth := 0; ; {
		switch s.next() {
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		default:
			s.scalar()
		}
		if depth == 0 {
			return
		}
	}
}

func (s *strict) value(path string, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	open := s.next()
	if reflect.PointerTo(t).Implements(unmarshaler) { // which checks itself
		s.skip()
		return nil
	}
	got, ok := "", false
	switch open {
	case '{', '[':
		s.at++
		return s.composite(path, t, open)
	case '"':
		got, ok = "a string", t.Kind() == reflect.String
		s.scalar()
	case 't', 'f':
		got, ok = "true or false", t.Kind() == reflect.Bool
		s.scalar()
	case 'n':
		got = "null"
	default:
		n := string(s.scalar())
		got, ok = fmt.Sprintf("%.40s", n), s.number(t, n)
	}
	if !ok {
		return WrongType(path, t, got)
	}
	return nil
}

// composite compares a list or an object, behind its first bracket.
func (s *strict) composite(path string, t reflect.Type, open byte) error {
	switch {
	case open == '{' && t.Kind() != reflect.Struct:
		return WrongType(path, t, "an object")
	case open == '[' && t.Kind() != reflect.Slice:
		return WrongType(path, t, "a list")
	case open == '{':
		if err := s.fields(path, t); err != nil {
			return err
		}
	default:
		for i := 0; s.next() != ']'; i++ {
			if err := s.value(fmt.Sprintf("%s[%d]", path, i), t.Elem()); err != nil {
				return err
			}
		}
	}
	s.at++
	return nil
}

func (s *strict) fields(path string, t reflect.Type) error {
	types, names := FieldTypes(t)
	var seen []string
	for s.next() != '}' {
		name, err := text(s.scalar())
		if err != nil {
			return err
		}
		full := strings.TrimPrefix(path+"."+name, ".")
		switch {
		case types[name] == nil:
			return fault.New(fault.InvalidRequest, "unknown field %.60q; the fields are %s", full, strings.Join(names, ", "))
		case slices.Contains(seen, name):
			return fault.New(fault.InvalidRequest, "field %q is given twice", full)
		}
		seen = append(seen, name)
		if err := s.value(full, types[name]); err != nil {
			return err
		}
	}
	return nil
}

// text is what a quoted string says.
func text(quoted []byte) (s string, err error) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1]), nil
	}
	err = json.Unmarshal(quoted, &s)
	return s, err
}

// fieldsOf are those of struct types that were asked for, by reflect.Type.
var fieldsOf sync.Map

type fields struct {
	types map[string]reflect.Type
	names []string
}

// FieldTypes gives the JSON fields of a struct type, and their names in order, which
// nobody may change.
func FieldTypes(t reflect.Type) (types map[string]reflect.Type, names []string) {
	if known, ok := fieldsOf.Load(t); ok {
		of := known.(fields)
		return of.types, of.names
	}
	types = map[string]reflect.Type{}
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			types[name] = f.Type
			names = append(names, name)
		}
	}
	fieldsOf.Store(t, fields{types, names})
	return types, names
}

// number reports whether a number, which was just read, is one of that type.
func (s *strict) number(t reflect.Type, n string) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		whole, ok := Whole(n)
		if ok && strings.ContainsAny(n, ".eE") {
			s.plain = append(s.plain, s.text[s.copied:s.at-len(n)]...)
			s.plain = strconv.AppendInt(s.plain, whole, 10)
			s.copied = s.at
		}
		return ok
	case reflect.Float64:
		_, err := strconv.ParseFloat(n, 64)
		return err == nil
	}
	return false
}

// Whole is the whole number that a text stands for, which may be written as 4.0 or 4e1.
func Whole(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= maxExact
}

// maxExact is up to where a float64 has every whole number.
const maxExact = 1 << 53

// WrongType is the error for a field of the wrong type: it names a field, the type that it has, and what came.
func WrongType(path string, t reflect.Type, got string) error {
	if path == "" {
		path = "the body"
	}
	want := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Bool: "true or false", reflect.Slice: "a list", reflect.Struct: "an object",
		reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Float64: "a number",
	}[t.Kind()]
	return fault.New(fault.InvalidRequest, "%s must be %s, not %s", path, want, got)
}
