package graph

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// fill sets every field to something that is not zero, those that are added to
// the vocabulary later too.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("s%d", r.IntN(1000)))
	case reflect.Int:
		v.SetInt(1 + r.Int64N(500))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Struct:
		if e, ok := reflect.TypeAssert[*facts.Expr](v.Addr()); ok {
			*e = facts.Name(fmt.Sprintf("e%d", r.IntN(1000)))
			return
		}
		for _, field := range v.Fields() {
			fill(r, field)
		}
	default:
		panic("the vocabulary has a new kind of field: " + v.Kind().String())
	}
}

func filled(seed uint64) *facts.File {
	f := &facts.File{}
	fill(rand.New(rand.NewPCG(seed, 0)), reflect.ValueOf(f).Elem())
	for i := range f.Symbols {
		f.Symbols[i].Parent = i - 1
	}
	for i := range f.Refs {
		f.Refs[i].In, f.Refs[i].Is = i-1, i+1
		f.Imports[i].In = i - 1
	}
	return f
}

func TestFactsAreKept(t *testing.T) {
	var files []*facts.File
	for i := range 5 {
		f := filled(uint64(i))
		f.Path = fmt.Sprintf("dir/%d.x", i)
		files = append(files, f)
	}
	g := assembled(t, files)
	for i := range files {
		got, ok := g.Facts.Decode(resolve.FileID(i))
		if !ok {
			t.Fatal("damaged")
		}
		if diff := cmp.Diff(files[i], got); diff != "" {
			t.Errorf("facts (-want +got):\n%s", diff)
		}
	}
}

// assembled is a graph of facts without edges.
func assembled(t testing.TB, files []*facts.File) *Graph {
	t.Helper()
	var p Pool
	var entries []Entry
	for _, f := range files {
		e := Entry{Path: f.Path, Language: f.Language, Flags: FlagFacts}
		e.Put(&p, f)
		entries = append(entries, e)
	}
	g, err := Assemble(entries, &p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A shape changes with everything that others see, and with nothing else.
func TestShape(t *testing.T) {
	hidden := map[string]bool{"Line": true, "Column": true, "StartLine": true, "EndLine": true, "Path": true, "Refs": true}
	f := filled(1)
	before := ShapeOf(f)
	var walk func(path string, v reflect.Value)
	check := func(path string, v reflect.Value, hides bool) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		switch v.Kind() {
		case reflect.Struct:
			v.Set(reflect.ValueOf(facts.Name("other")))
		case reflect.String:
			v.SetString("other")
		case reflect.Int:
			v.SetInt(v.Int() + 1)
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Slice:
			v.Set(v.Slice(0, v.Len()-1))
		}
		if same := ShapeOf(f) == before; same != hides {
			t.Errorf("a change of %s: same shape is %t, want %t", path, same, hides)
		}
		v.Set(old)
	}
	walk = func(path string, v reflect.Value) {
		for i := range v.NumField() {
			name, field := v.Type().Field(i).Name, v.Field(i)
			check(path+name, field, hidden[name] && path+name != "Imports.Path")
			if field.Kind() == reflect.Slice && !hidden[name] {
				for j := range field.Len() {
					if isExpr := field.Index(j).Type() == reflect.TypeFor[facts.Expr](); field.Index(j).Kind() == reflect.Struct &&
						!isExpr {
						walk(path+name+".", field.Index(j))
					} else {
						check(path+name+"[]", field.Index(j), false)
					}
				}
			}
		}
	}
	walk("", reflect.ValueOf(f).Elem())
}
