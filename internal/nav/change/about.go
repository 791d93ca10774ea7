package change

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// About reports whether a file of tests is named for another file, or for the folder that
// this is in: parser_test.go, test_parser.py, tests/parser/lists.rs, ParserTest.java for
// parser.go, _parser.py, parser.rs, Parser.java.
func About(test, file string) bool {
	subject, folder := topic(file), plainName(path.Base(path.Dir(file)))
	if general[subject] {
		subject = folder
	}
	names := []string{topic(test)}
	for dir := path.Dir(test); dir != "."; dir = path.Dir(dir) {
		names = append(names, plainName(path.Base(dir)))
	}
	is := func(name string) func(string) bool {
		return func(other string) bool { return name != "" && !general[name] && name == other }
	}
	return slices.ContainsFunc(names, is(subject)) || is(folder)(names[0])
}

// topic is what a file is about, by its name.
func topic(file string) string {
	name, _, _ := strings.Cut(path.Base(file), ".")
	for _, mark := range [...]string{"Tests", "Test", "Spec", "IT", "_test", "_tests", "_spec", "-test", "-spec"} {
		if rest, ok := strings.CutSuffix(name, mark); ok && rest != "" {
			name = rest
			break
		}
	}
	for _, mark := range [...]string{"test_", "tests_", "test-", "Test"} {
		if rest, ok := strings.CutPrefix(name, mark); ok && rest != "" {
			name = rest
			break
		}
	}
	return plainName(name)
}

// plainName is a name in lower case, without what joins words, in the singular.
func plainName(name string) string {
	keep := func(r rune) rune {
		if strings.ContainsRune("_-. ", r) {
			return -1
		}
		return r
	}
	name = strings.ToLower(strings.Map(keep, name))
	if len(name) > 3 {
		name = strings.TrimSuffix(name, "s")
	}
	return name
}

// general are names that many files or folders have, whatever they are about.
var general = map[string]bool{
	"": true, "test": true, "spec": true, "src": true, "lib": true, "mod": true, "main": true, "index": true, "init": true,
	"pkg": true, "internal": true, "util": true, "common": true, "helper": true, "java": true, "unit": true,
	"integration": true, "app": true, "core": true,
}

// ModuleName is the word by which imports name a file, "" where they need not.
func ModuleName(file string) string {
	name, _, _ := strings.Cut(path.Base(file), ".")
	if name == "index" || name == "__init__" || name == "mod" {
		name = path.Base(path.Dir(file))
	}
	if name == "." {
		return ""
	}
	return name
}

// MayName reports whether a line that has the last part of a path may mean the path, by what is
// before that in the line: another folder, or another word, may not be there.
func MayName(before, file string) bool {
	if before == "" {
		return true
	}
	dir, below := strings.CutSuffix(before, "/")
	if !below {
		last := before[len(before)-1]
		return last != '-' && last != '.'
	}
	ends := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
	}
	dir = dir[strings.LastIndexFunc(dir, ends)+1:]
	return strings.Trim(dir, ".") == "" || dir == path.Base(path.Dir(file))
}
