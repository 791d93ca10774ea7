package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// A corpus is the source files of one language in a repository, as lines.
type corpus struct {
	root  string
	lang  language
	files map[string][]string // by path relative to root
	texts map[place]bool      // lines within a text of several lines
	paths []string            // sorted
}

// A language says what its files are and how its declarations begin. Sources
// are formatted as usual, so that what is indented more is inside.
type language struct {
	ext     string
	declare *regexp.Regexp // the first group that is not empty is the name
	dull    *regexp.Regexp // lines that use nothing: comments, imports
	quote   string         // around texts of several lines, as doc comments
}

var languages = map[string]language{
	"Go": {
		".go", regexp.MustCompile(`^func (?:\([^)]*\) )?(\w+)|^type (\w+)`),
		regexp.MustCompile(`^\s*(//|import\b)`), "",
	},
	"Python": {
		".py", regexp.MustCompile(`^\s*(?:async )?(?:def|class) (\w+)`),
		regexp.MustCompile(`^\s*(#|import\b|from .* import\b|[A-Za-z_]+,$|["'][A-Za-z_]+["'],$)`), `"""`,
	},
	"TypeScript": {
		".ts", regexp.MustCompile(`^(?:export )?(?:default )?(?:abstract )?(?:function\*? |class |interface |const )(\w+)` +
			`|^(?: {2}|\t)(?:(?:public|private|protected|static|async|override|get|set) )*#?([a-zA-Z_]\w*)(?:<[^(]*>)?\(.*\{$`),
		regexp.MustCompile(`^\s*(//|\*|/\*|import\b|export \{|export \* from)`), "",
	},
	"Rust": {
		".rs", regexp.MustCompile(`^\s*(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*(?:fn|struct|enum|trait) (\w+)`),
		regexp.MustCompile(`^\s*(//|use\b|pub use\b|pub\(\w+\) use\b)`), "",
	},
	"Java": {
		".java", regexp.MustCompile(
			`^\s*(?:(?:public|private|protected|static|final|abstract|synchronized) )+(?:<[^(]*> )?(?:class |interface ` +
				`|[\w.<>\[\], ?]+ )?(\w+)(?:<.*>)?(?:\(| \{| extends| implements)`),
		regexp.MustCompile(`^\s*(//|\*|/\*|import\b)`), "",
	},
}

func loadCorpus(root, name string) (*corpus, error) {
	c := &corpus{root: root, lang: languages[name], files: map[string][]string{}, texts: map[place]bool{}}
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(p) != c.lang.ext {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		c.files[rel], c.paths = strings.Split(string(text), "\n"), append(c.paths, rel)
		return err
	})
	if c.lang.quote != "" {
		c.findTexts()
	}
	return c, err
}

// findTexts finds the lines within texts of several lines: examples in them use nothing.
func (c *corpus) findTexts() {
	for _, p := range c.paths {
		within := false
		for i, line := range c.files[p] {
			n := strings.Count(line, c.lang.quote)
			if c.texts[place{p, i + 1}] = within; n%2 == 1 {
				within = !within
			}
		}
	}
}

// uses reports whether a line can use anything: it is code, and no import.
func (c *corpus) uses(p place) bool { return !c.texts[p] && !c.lang.dull.MatchString(c.at(p)) }

// A place is a line of a file, from 1.
type place struct {
	path string
	line int
}

func (c *corpus) at(p place) string { return c.files[p.path][p.line-1] }

// matches are the lines that an expression matches.
func (c *corpus) matches(re *regexp.Regexp) (found []place) {
	for _, p := range c.paths {
		for i, line := range c.files[p] {
			if re.MatchString(line) {
				found = append(found, place{p, i + 1})
			}
		}
	}
	return found
}

// declared is the name of the declaration that begins at a line, or "".
func (c *corpus) declared(p place) string {
	m := c.lang.declare.FindStringSubmatch(c.at(p))
	for i := 1; i < len(m); i++ {
		if m[i] != "" && !keywords[m[i]] {
			return m[i]
		}
	}
	return ""
}

var keywords = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "catch": true, "return": true,
	"new": true, "else": true,
}

// around are the declarations that a line is in, innermost first: those above
// it that are indented less.
func (c *corpus) around(p place) (found []place) {
	depth := indent(c.at(p))
	for n := p.line - 1; n > 0 && depth > 0; n-- {
		line := c.files[p.path][n-1]
		if trimmed := strings.TrimSpace(line); trimmed == "" || indent(line) >= depth ||
			strings.ContainsAny(trimmed[:1], ")]}#/*") && c.declared(place{p.path, n}) == "" {
			continue
		}
		depth = indent(line)
		if at := (place{p.path, n}); c.declared(at) != "" {
			found = append(found, at)
		}
	}
	return found
}

// span is the lines of a declaration: to the line before the next one that is
// indented as much or less and closes nothing.
func (c *corpus) span(p place) []place {
	lines := c.files[p.path]
	depth, end := indent(c.at(p)), p.line
	for n := p.line + 1; n <= len(lines); n++ {
		trimmed := strings.TrimSpace(lines[n-1])
		if trimmed == "" {
			continue
		}
		if indent(lines[n-1]) <= depth {
			if !strings.ContainsAny(trimmed[:1], ")]}") {
				break
			}
			end = n
			if trimmed[0] == '}' {
				break
			}
			continue
		}
		end = n
	}
	var span []place
	for n := p.line; n <= end; n++ {
		if strings.TrimSpace(lines[n-1]) != "" {
			span = append(span, place{p.path, n})
		}
	}
	return span
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
