//go:build cgo

package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
)

// Tests are found however they come to what changed.
func TestTestsToRun(t *testing.T) {
	var chain strings.Builder
	for i := range 15 {
		fmt.Fprintf(&chain, "func help%d() { help%d() }\n\n", i, i+1)
	}
	var many strings.Builder
	for i := range 210 {
		fmt.Fprintf(&many, "\ndef test_%d():\n    run()\n", i)
	}
	for _, test := range []struct{ what, files, want string }{
		{
			"through more helpers than hops are followed", `
-- go.mod --
module example.com/m
-- a.go --
package m

func F() int { return 1 }
-- a_test.go --
package m

import "testing"

func TestF(t *testing.T) { help0() }

` + chain.String() + `func help15() { F() }
`, "a_test.go TestF\ngo test ./ -run '^(TestF)$'",
		},
		{
			"through an interface of another module", `
-- go.mod --
module example.com/m
-- a.go --
package m

func (f file) Write(p []byte) (int, error) { return 1, nil }

type file struct{}
-- a_test.go --
package m

import (
	"io"
	"testing"
)

func TestWrite(t *testing.T) {
	var w io.Writer = file{}
	w.Write(nil)
}

func TestOther(t *testing.T) {}
`, "a_test.go TestWrite\ngo test ./ -run '^(TestWrite)$'",
		},
		{
			"by calls of a file, which is run as a whole", `
-- package.json --
{"name": "m"}
-- a.ts --
import { G } from "./b";

export function F() { return 1 + G() }
-- b.ts --
export function G() { return 1 }
-- helpers.test.ts --
import { F } from "./a";

export function twice() { return F() + F() }
-- a.test.ts --
import { twice } from "./helpers.test";

test("twice", () => { expect(twice()).toBe(2) });
-- b.test.ts --
import { G } from "./b";

test("G", () => { expect(G()).toBe(1) });
`, "a.test.ts \nnpm test -- a.test.ts",
		},
		{
			"not what only helps them", `
-- package.json --
{"name": "m", "scripts": {"test": "tsc && vitest --watch"}}
-- a.ts --
// It returns a number.

export function F() { return 1 }
-- test/server.ts --
import { F } from "../a";

export const server = F();
-- test/a.ts --
import { it } from "vitest";
import { F } from "../a";
import { server } from "./server";

it("serves", () => { server; });
it("runs", () => { F(); });
`, "test/a.ts \nnpx vitest run test/a.ts",
		},
		{
			"by what makes a value with a constructor", `
-- a.py --
class A:
    def __init__(self):
        return 1

class B(A):
    pass
-- test_a.py --
from a import A, B

def test_a():
    A()

def test_b():
    B()

def test_type(a: A):
    pass
`, "test_a.py test_a\ntest_a.py test_b\npython -m pytest test_a.py::test_a test_a.py::test_b",
		},
		{
			"by values of the type of a method that the language runs", `
-- a.py --
class A:
    def __len__(self):
        return 1

def make():
    return A()
-- test_a.py --
from a import make

def test_len():
    assert len(make()) == 1

def test_other():
    pass
`, "test_a.py test_len\npython -m pytest test_a.py::test_len",
		},
		{
			"through a trait of another crate, and by the attribute of a test", `
-- src/lib.rs --
impl std::fmt::Display for A {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", 1).ok(); return 1
    }
}
pub struct A;
-- tests/a.rs --
#[path = "../src/lib.rs"]
mod a;
use a::A;

fn help() -> String { A.to_string() }

#[cfg_attr(not(miri), test)]
#[ignore]
fn shows() { help(); }

#[tokio::test(flavor = "current_thread")]
async fn waits() { A.to_string(); }

#[test]
fn other() {}
`, "tests/a.rs waits\ntests/a.rs shows\ncargo test -- waits shows",
		},
		{
			"by a name of which it is not known what is meant", `
-- a.py --
class A:
    def frobnicate(self):
        return 1

class B:
    def frobnicate(self):
        pass
-- test_a.py --
def test_any(a):
    a.frobnicate()

def test_other(a):
    a.other()
`, "test_a.py test_any\npython -m pytest test_a.py::test_any",
		},
		{
			"named alike, where a name is only in a string", `
-- a.py --
class A:
    def _process_content_type(self):
        return 1

    def run(self, name):
        return getattr(self, "_process_" + name)()
-- test_a.py --
def test_valid_content_type(): run("a")

def test_content(): run("b")

def test_type(): run("c")

def test_length_of_content(): run("d")

def test_other_type(): run("e")

def test_five(): run("f")
`, "test_a.py test_valid_content_type\npython -m pytest test_a.py::test_valid_content_type",
		},
		{
			"by what is run before them", `
-- a.py --
class A:
    def __init__(self):
        return 1

def other():
    pass
-- test_a.py --
import pytest
from a import A, other

class Base:
    def setup_method(self):
        self.a = A()

    def test_base(self):
        self.a.run()

class TestSub(Base):
    def test_sub(self):
        self.a.run()

class TestOther:
    def setup_method(self):
        other()

    def test_other(self):
        pass
-- test_b.py --
import pytest
from a import A

@pytest.fixture(autouse=True)
def prepared():
    A()

def test_b():
    pass
`, `test_a.py Base.test_base
test_a.py TestSub.test_sub
test_b.py test_b
python -m pytest test_a.py::Base::test_base test_a.py::TestSub::test_sub test_b.py::test_b`,
		},
		{
			"by the main function of a package's tests", `
-- go.mod --
module example.com/m
-- a.go --
package m

func F() int { return 1 }
-- a_test.go --
package m

import "testing"

func TestMain(m *testing.M) { F(); m.Run() }
-- b_test.go --
package m

import "testing"

func TestB(t *testing.T) {}
`, "b_test.go TestB\ngo test ./ -run '^(TestB)$'",
		},
		{
			"that start the program of a crate", `
-- Cargo.toml --
[package]
name = "m"
-- src/main.rs --
mod lib;
fn main() { println!("{}", lib::one()); }
-- src/lib.rs --
// It returns a number.

pub fn one() -> i32 { return 1 }
-- tests/all.rs --
use std::process::Command;

fn run() -> String { Command::new("m").output(); String::new() }

#[test]
fn prints() { run(); }

#[test]
fn other() {}
`, "tests/all.rs prints\ncargo test -- prints",
		},
		{
			"that are named for what differs, of more users than are followed", `
-- parse.py --
# Parses.
def parse():
    return 1

def use():
    parse()
-- run.py --
from parse import use

def run():
    use()
-- test_parse.py --
from run import run

def test_parse():
    run()
-- test_many.py --
from run import run
` + many.String(), "test_parse.py test_parse\npython -m pytest test_parse.py::test_parse",
		},
	} {
		t.Run(test.what, func(t *testing.T) {
			svc := serviceOf(t, test.files[1:])
			file := changedIn(test.files)
			_, text, _ := strings.Cut(test.files, "-- "+file+" --\n")
			was := strings.Split(text, "\n")[2]
			r, err := svc.Impact(t.Context(), nav.ImpactRequest{
				RepoID: "o/a",
				Diff: fmt.Sprintf("--- a/%s\n+++ b/%[1]s\n@@ -3 +3 @@\n-%s\n+%s\n", file, was,
					strings.Replace(was, "return 1", "return 2", 1)),
			})
			if err != nil {
				t.Fatal(err)
			}
			r.Items = nil
			if diff := cmp.Diff(test.want, told(r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// changedIn is the first file of code of a repository: its third line is changed.
func changedIn(files string) string {
	for _, name := range []string{"a.go", "a.ts", "a.py", "src/lib.rs", "parse.py"} {
		if strings.Contains(files, "-- "+name+" --") {
			return name
		}
	}
	return ""
}

// What is outside of all symbols affects what imports the file; a name that comes from
// elsewhere affects what uses it.
func TestImpactTopLevel(t *testing.T) {
	const files = `-- app/setup.py --
from app.low import low
import os

register(low)

def use():
    return low()
-- app/low.py --
def low():
    # low
    return 1
-- app/high.py --
def low():
    return 2
-- app/main.py --
import app.setup

def main():
    pass
-- app/other.py --
# setup is not imported here
import os
-- test_main.py --
from app import setup

def test_main():
    pass
-- test_use.py --
from app.setup import use

def test_use():
    use()
-- src/lib.ts --
import { low } from "./low";

configure(low);
-- src/low.ts --
export function low() { return 1 }
-- src/index.ts --
import "./lib";
`
	for _, test := range []struct{ what, path, from, to, want string }{
		{
			"a call at the top", "app/setup.py", "register(low)", "register(low, 2)",
			`body  app/setup.py:4:  1 imports,  1 imports test,  1 imports test
test_main.py test_main
test_use.py test_use
python -m pytest test_main.py::test_main test_use.py::test_use`,
		},
		{
			"a name from elsewhere", "app/setup.py", "from app.low import low", "from app.high import low",
			`body  app/setup.py:1: use 1 reads
test_use.py test_use
python -m pytest test_use.py::test_use`,
		},
		{"one more import", "app/setup.py", "import os", "import sys", ""},
		{"a comment", "app/other.py", "# setup is", "# setup is not", ""},
		{"a comment in a function", "app/low.py", "    # low\n", "    # lower\n\n", ""},
		{"of a module of TypeScript", "src/lib.ts", "configure(low)", "configure(low, 1)", "body  src/lib.ts:3:  1 imports"},
	} {
		t.Run(test.what, func(t *testing.T) {
			svc := serviceOf(t, files)
			_, text, _ := strings.Cut(files, "-- "+test.path+" --\n")
			before, _, _ := strings.Cut(text, test.from)
			line := strings.Count(before, "\n") + 1
			was := strings.Split(text, "\n")[line-1]
			r, err := svc.Impact(t.Context(), nav.ImpactRequest{
				RepoID: "o/a",
				Diff: fmt.Sprintf("--- a/%s\n+++ b/%[1]s\n@@ -%d +%[2]d @@\n-%s\n+%s\n", test.path, line, was,
					strings.Replace(was, test.from, test.to, 1)),
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, told(r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What an edit of imports affects is followed in the files as they are: those that the edit
// cuts off from it are what breaks.
func TestImpactOfImportsIsOfThoseBefore(t *testing.T) {
	svc := serviceOf(t, `-- src/main/java/p/Use.java --
package p;
import q.Low;
public class Use {
    public Low use() { return new Low(); }
}
-- src/main/java/q/Low.java --
package q;
public class Low {
    public static int low() { return 1; }
}
-- src/main/java/r/Low.java --
package r;
public class Low {
    public static int low() { return 2; }
}
-- src/test/java/p/UseTest.java --
package p;
public class UseTest {
    @Test
    public void uses() { new Use().use(); }
}
`)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	r, err := svc.Impact(t.Context(), nav.ImpactRequest{
		RepoID: "o/a",
		Diff: `--- a/src/main/java/p/Use.java
+++ b/src/main/java/p/Use.java
@@ -1,2 +1,2 @@
-package p;
-import q.Low;
+package s;
+import r.Low;
`,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tests) != 1 || r.Tests[0].Symbol != "UseTest.uses" {
		t.Errorf("tests are %+v of %+v", r.Tests, r.Items)
	}
}
