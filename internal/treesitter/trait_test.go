//go:build cgo

package treesitter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// TestTraitsAreOfTypes: that a type implements a trait is said by the type, if
// it is one of the same module, not by the file.
func TestTraitsAreOfTypes(t *testing.T) {
	f, err := treesitter.New().Facts(parse.File{Path: "a.rs", Language: "Rust", Text: `
trait Area { fn area(&self) -> f64; }
struct Circle<T> { r: T }
impl<T> Area for Circle<T> { fn area(&self) -> f64 { 1.0 } }
impl Area for Vec<u8> { fn area(&self) -> f64 { 2.0 } }
mod inner {
    pub struct Square;
    impl crate::Area for Square { fn area(&self) -> f64 { 3.0 } }
    pub struct Outer;
}
use inner::Outer;
impl Area for Outer { fn area(&self) -> f64 { 4.0 } }
`})
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for _, ref := range f.Refs {
		if ref.Kind != facts.Implements {
			continue
		}
		got[ref.Line] = "the file"
		if ref.In >= 0 {
			got[ref.Line] = f.Symbols[ref.In].Qualified
		}
	}
	if diff := cmp.Diff(map[int]string{4: "Circle", 5: "the file", 8: "inner.Square", 12: "the file"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestVariablesHideNoModules: a path begins with a module, also where a variable
// has its name.
func TestVariablesHideNoModules(t *testing.T) {
	f, err := treesitter.New().Facts(parse.File{Path: "a.rs", Language: "Rust", Text: `
use crate::headers;
fn f(headers: &Map) { headers::parse(headers); headers.parse(); }
`})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ref := range f.Refs {
		if ref.Name == "parse" {
			got = append(got, ref.Of.String())
		}
	}
	if diff := cmp.Diff([]string{"headers", "Map{}"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestWhoDeclaresAttributes: what an attribute is made of is used by the
// function that makes it; in a class, outside of functions, by the attribute.
func TestWhoDeclaresAttributes(t *testing.T) {
	f, err := treesitter.New().Facts(parse.File{Path: "a.py", Language: "Python", Text: `
class A:
    first: int = make()
    def __init__(self):
        self.second: int = make()
`})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ref := range f.Refs {
		if ref.Name == "make" {
			got = append(got, f.Symbols[ref.In].Qualified)
		}
	}
	if diff := cmp.Diff([]string{"A.first", "A.__init__"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
