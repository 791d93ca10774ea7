package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A declared is the doc comment of a declaration, and where its lines are.
type declared struct {
	file, text string
	start, end int // lines of the comment, from 0, end exclusive
}

// How doc comments look: above a declaration, or, in Python, below it.
var (
	lineDoc  = regexp.MustCompile(`^\s*(?://[/!]?|#|\*)\s?(.*)$`)
	blockEnd = regexp.MustCompile(`^\s*\*/\s*$`)
	blockTop = regexp.MustCompile(`^\s*/\*\*?\s*$`)
	isDecl   = regexp.MustCompile(
		`^\s*(?:(?:pub(?:\([^)]*\))?|public|protected|static|final|async|export|default|abstract|unsafe|const)\s+)*(?:func|` +
			`fn|def|function|class|struct|trait|[\w<>\[\], *]+\s+\*?\w+)\s*[(\w]`)
	notDecl = regexp.MustCompile(`^\s*(?:(?:/[/*]|#|\*)|(?:return|throw|else|new|import|from|package|use|using|if|for|while|` +
		`switch|case|delete|await|yield|goto|assert|echo|in)\b)`)
	pyDef = regexp.MustCompile(`^\s*(?:async )?(?:def|class) \w+.*:\s*$`)
	tags  = regexp.MustCompile("\\{@\\w+ ([^}]*)\\}|</?\\w+>|`+|:\\w+:")
)

// fromDocs are first sentences of doc comments. The comments that were taken are
// removed from the tree, so that the question is not found by itself.
func fromDocs(dir, language string, n int) ([]question, error) {
	var all []declared
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		if err != nil || !d.Type().IsRegular() || !sourceExt[filepath.Ext(p)] || besides.MatchString(rel) {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		all = append(all, docsOf(rel, language, strings.Split(string(data), "\n"))...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var qs []question
	byText := map[string]declared{}
	for _, d := range all {
		if old, twice := byText[d.text]; twice {
			if old.file != d.file {
				qs = slices.DeleteFunc(qs, func(q question) bool { return q.Text == d.text })
			}
			continue
		}
		byText[d.text] = d
		qs = append(qs, question{Kind: "doc", Text: d.text, Files: []string{d.file}})
	}
	qs = first(shuffled(qs, "doc"), n)
	for _, q := range qs {
		if err := blank(dir, byText[q.Text]); err != nil {
			return nil, err
		}
	}
	return qs, nil
}

func docsOf(file, language string, lines []string) []declared {
	var out []declared
	for i, line := range lines {
		d := declared{file: file}
		var said []string
		if language == "Python" {
			said, d.start, d.end = docstring(lines, i)
		} else if isDecl.MatchString(line) && !notDecl.MatchString(line) {
			said, d.start, d.end = above(lines, i)
		}
		text := strings.Join(strings.Fields(tags.ReplaceAllString(strings.Join(said, " "), "$1")), " ")
		d.text = strings.TrimSuffix(strings.TrimSpace(sentence.FindString(text+" ")), ".")
		if n := len(strings.Fields(d.text)); n >= 7 && n <= 40 && !strings.Contains(d.text, "Copyright") {
			out = append(out, d)
		}
	}
	return out
}

// above is the comment that ends above line i, attributes between them left out.
func above(lines []string, i int) (said []string, start, end int) {
	end = i
	for end > 0 && (strings.HasPrefix(strings.TrimSpace(lines[end-1]), "#[") ||
		strings.HasPrefix(strings.TrimSpace(lines[end-1]), "@")) {
		end--
	}
	start = end
	for start > 0 {
		line := lines[start-1]
		m := lineDoc.FindStringSubmatch(line)
		switch {
		case blockEnd.MatchString(line):
		case blockTop.MatchString(line):
			return said, start - 1, end
		case m == nil:
			return said, start, end
		default:
			said = append([]string{m[1]}, said...)
		}
		start--
	}
	return said, start, end
}

// docstring is the string below line i, a definition.
func docstring(lines []string, i int) (said []string, start, end int) {
	if !pyDef.MatchString(lines[i]) || i+1 >= len(lines) {
		return nil, 0, 0
	}
	quote := `"""`
	text, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimSpace(lines[i+1]), "rRuU"), quote)
	if !ok {
		return nil, 0, 0
	}
	for j := i + 1; j < len(lines); j++ {
		if j > i+1 {
			text = strings.TrimSpace(lines[j])
		}
		body, _, closed := strings.Cut(text, quote)
		if said = append(said, body); closed {
			return said, i + 1, j + 1
		}
	}
	return nil, 0, 0
}

// blank takes the lines of a comment away; an empty string stays in Python,
// whose blocks need a statement.
func blank(dir string, d declared) error {
	name := filepath.Join(dir, d.file)
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := strings.Split(string(data), "\n")
	for i := d.start; i < d.end; i++ {
		indent := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " \t"))]
		if lines[i] = ""; i == d.start && strings.HasSuffix(d.file, ".py") {
			lines[i] = indent + `""" """`
		}
	}
	return os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o644)
}
