package valid

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
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
	s := &strict{dec: json.NewDecoder(bytes.NewReader(text)), text: text}
	s.dec.UseNumber()
	if err := s.value("", reflect.TypeOf(req).Elem()); err != nil {
		return nil, err
	}
	if s.copied == 0 {
		return text, nil
	}
	return append(s.plain, text[s.copied:]...), nil
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

type strict struct {
	dec    *json.Decoder
	text   []byte
	plain  []byte // text[:copied] with plain whole numbers
	copied int64
}

func (s *strict) value(path string, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(unmarshaler) { // which checks itself
		return s.dec.Decode(new(json.RawMessage))
	}
	token, err := s.dec.Token()
	if err != nil {
		return err
	}
	got, ok := "", false
	switch v := token.(type) {
	case json.Delim:
		return s.composite(path, t, v)
	case string:
		got, ok = "a string", t.Kind() == reflect.String
	case bool:
		got, ok = "true or false", t.Kind() == reflect.Bool
	case json.Number:
		got, ok = fmt.Sprintf("%.40s", v), s.number(t, v)
	case nil:
		got = "null"
	}
	if !ok {
		return WrongType(path, t, got)
	}
	return nil
}

func (s *strict) composite(path string, t reflect.Type, open json.Delim) error {
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
		for i := 0; s.dec.More(); i++ {
			if err := s.value(fmt.Sprintf("%s[%d]", path, i), t.Elem()); err != nil {
				return err
			}
		}
	}
	_, err := s.dec.Token()
	return err
}

func (s *strict) fields(path string, t reflect.Type) error {
	types, names := FieldTypes(t)
	seen := map[string]bool{}
	for s.dec.More() {
		token, err := s.dec.Token()
		if err != nil {
			return err
		}
		name := fmt.Sprint(token)
		full := strings.TrimPrefix(path+"."+name, ".")
		switch {
		case types[name] == nil:
			return fault.New(fault.InvalidRequest, "unknown field %.60q; the fields are %s", full, strings.Join(names, ", "))
		case seen[name]:
			return fault.New(fault.InvalidRequest, "field %q is given twice", full)
		}
		seen[name] = true
		if err := s.value(full, types[name]); err != nil {
			return err
		}
	}
	return nil
}

// FieldTypes gives the JSON fields of a struct type, and their names in order.
func FieldTypes(t reflect.Type) (types map[string]reflect.Type, names []string) {
	types = map[string]reflect.Type{}
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			types[name] = f.Type
			names = append(names, name)
		}
	}
	return types, names
}

// number reports whether a number, which was just read, is one of that type.
func (s *strict) number(t reflect.Type, n json.Number) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		whole, ok := Whole(n.String())
		if ok {
			end := s.dec.InputOffset()
			s.plain = append(s.plain, s.text[s.copied:end-int64(len(n))]...)
			s.plain = strconv.AppendInt(s.plain, whole, 10)
			s.copied = end
		}
		return ok
	case reflect.Float64:
		_, err := n.Float64()
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
