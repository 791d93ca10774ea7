package change

import (
	"path"
	"strings"
	"unicode"
)

// Subjects are what files are named for, and the folders that they are in.
type Subjects struct{ files, folders map[string]bool }

// SubjectsOf are those of some files.
func SubjectsOf(files []string) Subjects {
	s := Subjects{map[string]bool{}, map[string]bool{}}
	for _, file := range files {
		subject, folder := topic(file), plainName(path.Base(path.Dir(file)))
		if general[subject] {
			subject = folder
		}
		s.files[subject], s.folders[folder] = true, true
	}
	return s
}

// Of reports whether a file of tests is named for one of the files, or for the folder that
// this is in: parser_test.go, test_parser.py, tests/parser/lists.rs, ParserTest.java for
// parser.go, _parser.py, parser.rs, Parser.java.
func (s Subjects) Of(test string) bool {
	name := topic(test)
	if !general[name] && (s.files[name] || s.folders[name]) {
		return true
	}
	for dir := path.Dir(test); dir != "."; dir = path.Dir(dir) {
		if name := plainName(path.Base(dir)); !general[name] && s.files[name] {
			return true
		}
	}
	return false
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
