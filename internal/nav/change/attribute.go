package change

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Attributes tell which functions of files say by an attribute or annotation that they are
// tests, in languages where that makes one.
type Attributes struct {
	Read  func(file string) *string // the text of a file, nil where there is none
	Known Known                     // what was found before; nil: nothing
	tests map[string][]string
}

// Known tells which functions of files say that they are tests, and is told of more. Names are
// in order; nil are all.
type Known interface {
	Tests(file string) (names []string, known bool)
	Keep(file, text string, names []string)
}

// Test reports whether a function is a test, as far as attributes tell it: those of other
// languages are, and so are all of a file that can't be read.
func (a *Attributes) Test(file, qualified string) bool {
	form := forms[path.Ext(file)]
	if form == nil && path.Base(file) != "tests.py" {
		return true
	}
	tests, known := a.tests[file]
	if !known {
		if a.tests == nil {
			a.tests = map[string][]string{}
		}
		tests = a.find(file, form)
		a.tests[file] = tests
	}
	if tests == nil {
		return true
	}
	_, is := slices.BinarySearch(tests, qualified[strings.LastIndexByte(qualified, '.')+1:])
	return is
}

// find finds those of a file, which of Python has no form.
func (a *Attributes) find(file string, form *form) (tests []string) {
	if a.Known != nil {
		if tests, known := a.Known.Tests(file); known {
			return tests
		}
	}
	text := a.Read(file)
	switch {
	case text == nil:
		return nil
	case form != nil:
		tests = form.attributed(*text)
	case !asserts().MatchString(*text):
		tests = []string{}
	}
	if a.Known != nil {
		a.Known.Keep(file, *text, tests)
	}
	return tests
}

// asserts is what files called tests.py have that have tests, and none of what else is called
// a test, as a condition of a template.
var asserts = pattern.NewLazy(`\bassert|\bunittest\b|\bpytest\b|TestCase\b`)

// A form is how a language says that a function is a test.
type form struct {
	mark      string // an attribute begins with it
	attribute pattern.Lazy
	function  pattern.Lazy // a line that declares one, behind its attributes
	class     pattern.Lazy // a line that declares a class, whose attribute is none of the next function; may be nil
	whole     pattern.Lazy // the attribute of a class by which all of its functions are tests
	custom    string       // what a line has that declares a test without an attribute; may be ""
}

// forms are those of languages, by the ends of their files.
var forms = map[string]*form{
	".rs": {
		// #[test], #[tokio::test(…)], #[cfg_attr(not(miri), test)] and what crates call theirs.
		mark: "#[",
		attribute: pattern.NewLazy(
			`#\[(?:[\w:]*test\w*|bench|quickcheck|proptest)\b|#\[cfg_attr\(.*[ ,:]test(?:\(.*\))?\)\]`),
		function: pattern.NewLazy(`\bfn\s+(\w+)`),
	},
	".java": {
		// @Test, @ParameterizedTest, @TestFactory of JUnit and others, by any package; names are JUnit 3's.
		mark:      "@",
		attribute: jvmTest,
		function:  pattern.NewLazy(`^(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:[\w.<>\[\],?&]+\s+)+(\w+)\s*\(`),
		class:     jvmClass, whole: jvmWhole, custom: "void test",
	},
	".kt": {
		mark:      "@",
		attribute: jvmTest,
		function:  pattern.NewLazy("\\bfun\\s+(?:<[^>]*>\\s*)?(?:[\\w.]+\\.)?(\\w+|`[^`]+`)\\s*\\("),
		class:     jvmClass, whole: jvmWhole,
	},
}

var (
	jvmTest  = pattern.NewLazy(`@(?:[\w.]+\.)?(?:\w*Test|Test(?:Factory|Template)|Theory|Property|Example|Benchmark)\b`)
	jvmWhole = pattern.NewLazy(`@(?:[\w.]+\.)?Test\b`)
	jvmClass = pattern.NewLazy(`\b(?:class|interface|record)\s+\w`)
)

// attributed are the names of the functions of a text that are tests, in order, nil if all are.
func (f *form) attributed(text string) []string {
	tests, says, whole := []string{}, false, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "*") {
			continue
		}
		says = says || strings.Contains(line, f.mark) && f.attribute().MatchString(line)
		custom := f.custom != "" && strings.Contains(line, f.custom)
		if !says && !custom {
			continue
		}
		if f.class != nil {
			whole = says && (whole || f.whole().MatchString(line))
			if f.class().MatchString(line) {
				if whole {
					return nil
				}
				says = false
			}
		}
		if name := f.function().FindStringSubmatch(line); name != nil {
			if says || custom {
				tests = append(tests, strings.Clone(name[1])) // which is kept, and not the text
			}
			says, whole = false, false
		}
	}
	slices.Sort(tests)
	return slices.Clip(slices.Compact(tests))
}
