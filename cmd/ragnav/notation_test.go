//go:build cgo

package main

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/tools/txtar"
)

const notations = `
-- ruby/b.rb --
module A
  class B
    def c; end
    def self.d; end
  end
end
class Other
  def c; end
end
-- php/src/User.php --
<?php
namespace Acme\Models;
class User {
    public $age = 1;
    public static function find($id) { return 1; }
}
-- php/src/Other.php --
<?php
namespace Acme\Other;
class User {
    public static function find($id) { return 2; }
}
-- rust/src/a/b.rs --
pub struct Thing<T> { x: T }
impl<T> Thing<T> { pub fn go(&self) {} }
pub fn run() {}
-- cpp/a.cpp --
namespace ns { namespace in {
template<class T> class Box { public:
  void put(int x) { }
};
}}
-- java/com/x/Car.java --
package com.x;
public class Car {
  public int go(int x, String s) { return 1; }
  static class Door { void open() {} }
}
`

// A symbol is found by what its language calls it, by operations over the index and over the graph.
func TestNotation(t *testing.T) {
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(notations)).Files {
		files[f.Name] = string(f.Data)
	}
	sh := newShell(t)
	root := writeRepo(t, "all", files)
	sh.run("index", root, "--quiet")
	agent := sh.agent(root)
	for name, want := range map[string]string{
		"A::B#c":                     "ruby/b.rb:3",
		"::A::B.d":                   "ruby/b.rb:4",
		"B::d":                       "ruby/b.rb:4",
		`Acme\Models\User::find`:     "php/src/User.php:5",
		`\Acme\Other\User::find()`:   "php/src/Other.php:4",
		`Acme\Models\User->age`:      "php/src/User.php:4",
		`Acme\Models\User::$age`:     "php/src/User.php:4",
		"a::b::run":                  "rust/src/a/b.rs:3",
		"crate::a::b::Thing::go":     "rust/src/a/b.rs:2",
		"Thing::<T>::go":             "rust/src/a/b.rs:2",
		"ns::in::Box::put":           "cpp/a.cpp:3",
		"::ns::in::Box<T>::put(int)": "cpp/a.cpp:3",
		"Car#go":                     "java/com/x/Car.java:3",
		"com.x.Car#go(int, String)":  "java/com/x/Car.java:3",
		"com.x.Car.Door#open":        "java/com/x/Car.java:4",
	} {
		path, line, _ := strings.Cut(want, ":")
		read := agent.ask("get_file", map[string]any{"symbol": name})
		used := agent.ask("where_used", map[string]any{"symbol": name})
		wantAll(t, read, path, "\n"+line)
		wantAll(t, used, want)
		wantAll(t, agent.ask("get_file", map[string]any{"file_path": path + "#" + name}), path, "\n"+line)
	}
	for _, name := range []string{`Acme\Nothing\User::find`, "c::b::run", "com.y.Car#go", "B#e"} {
		for _, tool := range []string{"get_file", "where_used"} {
			res, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"symbol": name}})
			if err != nil || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "SYMBOL_NOT_FOUND") {
				t.Errorf("%s %s: %v, %+v", tool, name, err, res)
			}
		}
	}
}
