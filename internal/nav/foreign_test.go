//go:build cgo

package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
)

// TestForeign: a method of a class that implements a type of a library may be called through it.
func TestForeign(t *testing.T) {
	const (
		through = "1 place calls what it implements of another module, which may run it, the first one "
		unknown = "of 1 place with its name it is not known what is meant there, the first one "
	)
	for name, c := range map[string]struct{ files, symbol, says, lineage string }{
		"PHP": {`
-- src/Uri.php --
<?php
namespace App;
use Psr\Http\Message\UriInterface;
class Uri implements UriInterface {
    public function getHost(): string { return ''; }
}
-- src/Show.php --
<?php
namespace App;
use Psr\Http\Message\UriInterface;
class Show {
    public function show(UriInterface $uri): string { return $uri->getHost(); }
}
`, "Uri.getHost", through + "src/Show.php:5", "Show.show D"},
		"Java": {`
-- a/Uri.java --
package a;
import org.psr.UriInterface;
public class Uri implements UriInterface {
    public String getHost() { return ""; }
}
-- a/Show.java --
package a;
import org.psr.UriInterface;
class Show {
    String show(UriInterface uri) { return uri.getHost(); }
}
`, "Uri.getHost", through + "a/Show.java:4", "Show.show D"},
		"Kotlin": {`
-- a/Uri.kt --
package a
import org.psr.UriInterface
class Uri : UriInterface {
    override fun getHost(): String = ""
}
-- a/Show.kt --
package a
import org.psr.UriInterface
class Show {
    fun show(uri: UriInterface): String = uri.getHost()
}
`, "Uri.getHost", through + "a/Show.kt:4", "Show.show D"},
		"C#": {`
-- a/Uri.cs --
using Psr;
namespace A;
public class Uri : IUri {
    public string GetHost() { return ""; }
}
-- a/Show.cs --
using Psr;
namespace A;
class Show {
    string Showing(IUri uri) { return uri.GetHost(); }
}
`, "Uri.GetHost", through + "a/Show.cs:4", "Show.Showing D"},
		"Scala": {`
-- a/Uri.scala --
package a
import org.psr.UriInterface
class Uri extends UriInterface {
  def getHost(): String = ""
}
-- a/Show.scala --
package a
import org.psr.UriInterface
class Show {
  def show(uri: UriInterface): String = uri.getHost()
}
`, "Uri.getHost", through + "a/Show.scala:4", "Show.show D"},
		"Python": {`
-- uri.py --
from psr import UriInterface
class Uri(UriInterface):
    def get_host(self): return ""
-- show.py --
from psr import UriInterface
def show(uri: UriInterface):
    return uri.get_host()
`, "Uri.get_host", unknown + "show.py:3", ""},
		"Ruby": {`
-- uri.rb --
class Uri < Psr::Base
  def get_host; ""; end
end
-- show.rb --
class Show
  def show
    uri = Psr::Base.new
    uri.get_host
  end
end
`, "Uri.get_host", unknown + "show.rb:4", ""},
		"Rust": {`
-- Cargo.toml --
[package]
name = "a"
-- src/lib.rs --
mod show;
use psr::UriInterface;
pub struct Uri;
impl UriInterface for Uri {
    fn get_host(&self) -> String { String::new() }
}
-- src/show.rs --
use psr::UriInterface;
pub fn show(uri: &dyn UriInterface) -> String { uri.get_host() }
`, "Uri.get_host", unknown + "src/show.rs:2", ""},
		"TypeScript": {`
-- uri.ts --
import { UriInterface } from "psr";
export class Uri implements UriInterface {
  getHost(): string { return ""; }
}
-- show.ts --
import { UriInterface } from "psr";
export function show(uri: UriInterface): string { return uri.getHost(); }
`, "Uri.getHost", unknown + "show.ts:2", ""},
		"Swift": {`
-- Uri.swift --
import Psr
class Uri: UriInterface {
    func getHost() -> String { return "" }
}
-- Show.swift --
import Psr
func show(uri: UriInterface) -> String { return uri.getHost() }
`, "Uri.getHost", through + "Show.swift:2", "show D"},
	} {
		svc := serviceOf(t, c.files)
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: c.symbol})
		if err != nil {
			t.Error(name, err)
			continue
		}
		l, err := svc.Lineage(t.Context(), nav.LineageRequest{
			RepoID: "o/a", Symbol: c.symbol, Direction: "upstream", Edges: []string{"calls"},
		})
		if err != nil {
			t.Error(name, err)
			continue
		}
		var reached []string
		for _, i := range l.Items {
			reached = append(reached, fmt.Sprint(i.Symbol, " ", i.Tier))
		}
		says := message(r)
		if got := strings.Join(reached, ", "); !strings.Contains(says, c.says) || got != c.lineage {
			t.Errorf("%s: %q, reached by %q; want %q, %q", name, says, got, c.says, c.lineage)
		}
		if c.says == "" && len(r.Items) != 1 {
			t.Errorf("%s: %d uses, want 1", name, len(r.Items))
		}
	}
}
