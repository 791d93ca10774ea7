package filekind

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/repo/filekind/linguist"
)

// usual is the language that an extension nearly always means, where go-enry
// knows several; XML is told apart by its first bytes.
var usual = map[string]string{
	".cs": "C#", ".cl": "OpenCL", ".ex": "Elixir", ".gd": "GDScript", ".html": "HTML", ".json": "JSON",
	".lisp": "Common Lisp", ".md": "Markdown", ".ml": "OCaml", ".php": "PHP", ".properties": "Java Properties",
	".rs": "Rust", ".s": "Assembly", ".sc": "Scala", ".sql": "SQL", ".ts": "TypeScript", ".tsx": "TSX", ".txt": "Text",
	".yaml": "YAML", ".yml": "YAML",
}

// bare is what an extension means when its content says nothing, or there is none.
var bare = map[string]string{
	".d": "D", ".f": "Fortran", ".fs": "F#", ".h": "C", ".hh": "C++", ".inc": "PHP", ".m": "Objective-C",
	".mm": "Objective-C++", ".pl": "Perl", ".r": "R", ".re": "Reason", ".s": "Assembly", ".scm": "Scheme",
	".sol": "Solidity", ".spec": "RPM Spec", ".t": "Perl", ".v": "Verilog",
}

// Language is that of a file by its path alone: what Of says without content, for a
// fraction of the time.
func Language(p string) string { return language(p, nil) }

func language(p string, content []byte) string {
	base := path.Base(p)
	if named := linguist.ByFilename(base); len(named) == 1 {
		return named[0]
	}
	ext := strings.ToLower(path.Ext(base))
	if lang := usual[ext]; lang != "" && !isXML(content) {
		return lang
	}
	found := byExtension(base)
	switch {
	case len(found) == 1:
		return found[0]
	case len(content) == 0 && bare[ext] != "":
		return bare[ext]
	case len(found) == 0 && isDockerfile(base):
		return "Dockerfile"
	case len(found) == 0:
		found = byShebang(content)
		if len(found) == 0 {
			return ""
		}
		return found[0]
	}
	return byContent(ext, content, found)
}

// isDockerfile reports whether a file is one of several Dockerfiles, which are told apart by
// what is behind the name: Dockerfile.dev, Dockerfile-windows.
func isDockerfile(base string) bool {
	rest, ok := strings.CutPrefix(base, "Dockerfile")
	return ok && len(rest) > 1 && strings.IndexByte(".-_", rest[0]) >= 0
}

// byExtension takes the longest extension that is known: ".blade.php" before ".php".
func byExtension(base string) []string {
	base = strings.ToLower(base)
	for i := strings.IndexByte(base, '.'); i >= 0; {
		if found := linguist.ByExtension(base[i:]); len(found) > 0 {
			return found
		}
		next := strings.IndexByte(base[i+1:], '.')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return nil
}

// byContent decides between the languages of an extension: an editor's mode
// line, the interpreter, the patterns of the extension, and then what is common.
func byContent(ext string, content []byte, found []string) string {
	if bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 {
		return ""
	}
	if lang := byModeLine(content); lang != "" {
		return lang
	}
	if run := byShebang(content); len(run) == 1 {
		return run[0]
	} else if len(run) > 1 {
		found = run
	}
	if matched := linguist.ByContent(ext, content); len(matched) == 1 {
		return matched[0]
	} else if len(matched) > 1 {
		found = matched
	}
	if lang := bare[ext]; slices.Contains(found, lang) {
		return lang
	}
	return likeliest(found)
}

// likeliest is the language of which there is the most; the first of equals.
func likeliest(found []string) string {
	return slices.MaxFunc(found, func(a, b string) int { return cmp.Compare(linguist.Share(a), linguist.Share(b)) })
}

// modeLines are how Emacs and Vim are told a file's language.
var modeLines = sync.OnceValue(func() [3]*regexp.Regexp {
	return [3]*regexp.Regexp{
		regexp.MustCompile(`-\*-\s*(.+?)\s*-\*-`),
		regexp.MustCompile(`.*(?i:mode)\s*:\s*([^\s;]+)`),
		regexp.MustCompile(`(?m)(?:^|\s)(?:vim?|ex)(?:[<=>]?\d+)?:.*?(?:filetype|ft|syntax)\s*=(\w+)`),
	}
})

func byModeLine(content []byte) string {
	const lines = 5
	ends := content
	if all := bytes.SplitAfter(content, []byte("\n")); len(all) > 2*lines {
		ends = slices.Concat(bytes.Join(all[:lines], nil), bytes.Join(all[len(all)-lines:], nil))
	}
	re := modeLines()
	var name []byte
	if emacs := re[0].FindSubmatch(ends); emacs != nil {
		name = emacs[1]
		if mode := re[1].FindSubmatch(name); mode != nil {
			name = mode[1]
		}
	} else if vim := re[2].FindSubmatch(ends); vim != nil {
		name = vim[1]
	}
	if len(name) == 0 {
		return ""
	}
	lang, _ := linguist.ByAlias(string(name))
	return lang
}

// byShebang are the languages of the interpreter in the first line.
func byShebang(content []byte) []string {
	line, _, _ := bytes.Cut(content, []byte("\n"))
	if !bytes.HasPrefix(line, []byte("#!")) {
		return nil
	}
	words := strings.Fields(string(line[2:]))
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = slices.DeleteFunc(words[1:], func(w string) bool { return w[0] == '-' || strings.Contains(w, "=") })
	}
	if len(words) == 0 {
		return nil
	}
	run := path.Base(words[0])
	if run == "osascript" && slices.Contains(words, "-l") {
		return nil
	}
	if run == "sh" {
		run = execed(content)
	}
	if strings.HasPrefix(run, "python") {
		run, _, _ = strings.Cut(run, ".")
	}
	return linguist.ByInterpreter(run)
}

var execs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`exec (\w+).+\$0.+\$@`) })

// execed is what a shell's script starts itself again with.
func execed(content []byte) string {
	head := content
	for i, line := 0, 0; i < len(content) && line < 5; line++ {
		end := bytes.IndexByte(content[i:], '\n')
		if end < 0 {
			i = len(content)
		} else {
			i += end + 1
		}
		head = content[:i]
	}
	if found := execs().FindSubmatch(head); found != nil {
		return string(found[1])
	}
	return "sh"
}

// LanguagesOf are the languages that files with an extension (".go") may be in.
func LanguagesOf(ext string) []string {
	if lang := usual[ext]; lang != "" {
		return []string{lang}
	}
	return byExtension("x" + ext)
}

func isXML(content []byte) bool { return bytes.HasPrefix(content, []byte("<?xml")) }

// IsCode reports whether a language is one of programs or markup, neither data
// nor prose.
func IsCode(language string) bool {
	kind := linguist.TypeOf(language)
	return kind == linguist.Programming || kind == linguist.Markup
}
