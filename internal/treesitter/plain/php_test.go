package plain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainPHP(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"nothing to do": {"class A { const B = 1; public $c = []; }", "class A { const B = 1; public $c = []; }"},
		"enum":          {"enum A { const B = self::C; }", "enum A { case  B =1       ; }"},
		"typed":         {"enum A {\n final const int B = 2; }", "enum A {\n case            B =1 ; }"},
		"after enum":    {"enum A { case B; }\nclass C { const D = 1; }", "enum A { case B; }\nclass C { const D = 1; }"},
		"brace quoted":  {"enum A { /* } */ const B = '}'; # }\n}", "enum A { /* } */ case  B =1   ; # }\n}"},
		"not closed":    {"enum A { const B = 1;", "enum A { const B = 1;"},
		"open comment":  {"enum A { const B = 1; /*", "enum A { const B = 1; /*"},
		"setter":        {"public private(set) int $a;", "public              int $a;"},
		"hooks":         {"class A { public int $b { get => 1; } }", "class A { public int $b =[]         ; }"},
		"with default":  {"public ?int $b = 3 {\n get { return \"}\"; }\n}", "public ?int $b     =[]                   \n;"},
		"brace default": {`class A { protected $b = 'c {--d : e}'; }`, `class A { protected $b = 'c {--d : e}'; }`},
		"quoted brace":  {`public string $b = '{' { get => 1; }`, `public string $b       =[]         ;`},
		"short hooks":   {"public int $b {}", "public int $b {}"},
		"brace in text": {`abstract public function a(string $b = "\u{feff}"): x;`, `abstract public function a(string $b = "\u{feff}"): x;`},
	} {
		t.Run(name, func(t *testing.T) {
			got := PHP(tc.text)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(got) != len(tc.text) {
				t.Errorf("%d bytes, not %d", len(got), len(tc.text))
			}
		})
	}
}
