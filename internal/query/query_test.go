package query_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/query"
)

type (
	and    = query.And
	or     = query.Or
	not    = query.Not
	word   = query.Word
	phrase = query.Phrase
	field  = query.Field
	regex  = query.Regexp
)

func TestParse(t *testing.T) {
	for text, want := range map[string]query.Query{
		"lang:go":               {Root: field{"lang", "go", 1}},
		"parse lang:go time":    {Root: and{word{"parse", 1}, field{"lang", "go", 7}, word{"time", 15}}, Words: "parse time"},
		`file:"a b/*.go"`:       {Root: field{"file", "a b/*.go", 1}},
		`"two words"`:           {Root: phrase{"two words", 1}, Words: "two words"},
		`"say \"hi\"" now`:      {Root: and{phrase{`say "hi"`, 1}, word{"now", 14}}, Words: `say "hi" now`},
		`/a\/b .*c/`:            {Root: regex{"a/b .*c", 1}},
		"x NOT lang:go not /a/": {Root: and{word{"x", 1}, not{field{"lang", "go", 7}}, not{regex{"a", 19}}}, Words: "x"},
		"-lang:go":              {Root: not{field{"lang", "go", 2}}},
		"-test parse":           {Root: and{not{word{"test", 2}}, word{"parse", 7}}, Words: "parse"},
		`parse -"to do"`:        {Root: and{word{"parse", 1}, not{phrase{"to do", 8}}}, Words: "parse"},
		"x -/a+/":               {Root: and{word{"x", 1}, not{regex{"a+", 4}}}, Words: "x"},
		"lang:go or lang:rust":  {Root: or{field{"lang", "go", 1}, field{"lang", "rust", 12}}},
		"a lang:go or b":        {Root: or{and{word{"a", 1}, field{"lang", "go", 3}}, word{"b", 14}}, Words: "a b"},
		"(lang:go OR lang:c) x": {
			Root: and{or{field{"lang", "go", 2}, field{"lang", "c", 13}}, word{"x", 21}}, Words: "x",
		},
		"-(tag:a or tag:b)": {Root: not{or{field{"tag", "a", 3}, field{"tag", "b", 12}}}},
		"--flag -x lang:c": {
			Root:  and{word{"--flag", 1}, word{"-x", 8}, field{"lang", "c", 11}},
			Words: "--flag -x",
		},
		"case:yes sym:Do":            {Root: field{"sym", "Do", 10}, Case: true, Words: "Do"},
		"case:no sym:Do":             {Root: field{"sym", "Do", 9}, Words: "Do"},
		"sym:New* x":                 {Root: and{field{"sym", "New*", 1}, word{"x", 10}}, Words: "x"},
		"é lang:go":                  {Root: and{word{"é", 1}, field{"lang", "go", 3}}, Words: "é"},
		"main() lang:go":             {Root: and{word{"main()", 1}, field{"lang", "go", 8}}, Words: "main()"},
		"((lang:go))":                {Root: field{"lang", "go", 3}},
		"sym:std::vector":            {Root: field{"sym", "std::vector", 1}, Words: "std::vector"},
		"--lang:go":                  {Root: nil, Words: "--lang:go"},
		"-lang:go -lang:c":           {Root: and{not{field{"lang", "go", 2}}, not{field{"lang", "c", 11}}}},
		"case:yes":                   {Case: true},
		"file:src/(group)/x.ts page": {Root: and{field{"file", "src/(group)/x.ts", 1}, word{"page", 23}}, Words: "page"},
	} {
		got, err := query.Parse(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Parse(%q): %v (-want +got):\n%s", text, err, diff)
		}
	}
}

// What people search for that only looks like the language is words, as it is.
func TestPlain(t *testing.T) {
	for _, text := range []string{
		"", " ", "parse an RFC 3339 timestamp", "std::vector", "foo:bar", "http://host/path?x=1", "file:///etc/hosts",
		"file::open", "lang::x",
		"kind: Deployment", "case default", "switch case:", "case:x.y", "case:-1", "could not open file:", `fmt.Println("hello")`, `{"key": "value"}`,
		`"%s: %v", err`, "a or b",
		"read (or write) files", "func (c *Client", "f(x))", ":-)", "/etc/passwd", "/api/rag/search", "and/or", "// comment",
		"/* c */", "rebase -i", "-Wall", "tar -x -f",
		"NullPointerException: cannot call \"size()\" of null\n\tat o.A.b(A.java:7)", "f(\n\t\"a b\" or (\n", " one\n",
		"a - b", "x -> y", "x-y", "-5", "--verbose", "Kind:Pod", "myrepo:x", "repo", "C:\\path", "#include <x>", "a.b.c -1",
	} {
		got, err := query.Parse(text)
		if diff := cmp.Diff(query.Plain(text), got); diff != "" || err != nil {
			t.Errorf("Parse(%q): %v (-want +got):\n%s", text, err, diff)
		}
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]query.Mistake{
		`lang:go "open`:         {9, "quote is not closed"},
		`file:"open`:            {6, "quote is not closed"},
		`file:"" x`:             {1, "no value"},
		"(lang:go":              {1, "not closed"},
		"x (lang:go or (y)":     {3, "not closed"},
		"lang:go )":             {9, "closes none"},
		"lang:go or":            {9, "behind"},
		"or lang:go":            {1, "before"},
		"lang:go or or x":       {9, "behind"},
		"() lang:go":            {2, "nothing in the parentheses"},
		"(lang:go or )":         {10, "behind"},
		"é /a(/":                {3, "not a regular expression"},
		"/(a{100}b{100}){6}/":   {1, "steps"},
		"lang:go -(":            {10, "not closed"},
		`lang:go -""`:           {9, "behind the dash"},
		`(lang:go -"" ) x`:      {10, "behind the dash"},
		`lang:go -"" or x`:      {9, "behind the dash"},
		"case:maybe":            {1, "yes or no"},
		"é case:default":        {3, "yes or no"},
		"x -case:Yes":           {4, "yes or no"},
		"lang:go file:":         {9, "no value"},
		"x (lang:go or kind: )": {15, "no value"},
		"-lang:go -tag:":        {11, "no value"},
		"(((x -ab":              {3, "not closed"},
	} {
		_, err := query.Parse(text)
		got, ok := errors.AsType[*query.Mistake](err)
		if !ok || fault.CodeOf(err) != fault.InvalidRequest || got.At != want.At ||
			!strings.Contains(got.Problem, want.Problem) {
			t.Errorf("Parse(%q) = %v, want character %d, %q", text, err, want.At, want.Problem)
		}
	}
}

// What was taken as words and may have been meant to select is told.
func TestDoubts(t *testing.T) {
	for text, want := range map[string]string{
		"path:a.go alpha":   "path:a.go was taken as words; to select write file:a.go",
		"(language:go) x":   "language:go was taken as words; to select write lang:go",
		"lang:go -lnag:c x": "lnag:c was taken as words; to select write lang:c",
		"Repo:x y":          "Repo:x was taken as words; to select write repo:x",
		"files:x symbol:y": "files:x was taken as words; to select write file:x|" +
			"symbol:y was taken as words; to select write sym:y",
		"lang: go":             "lang: was taken as a word; to select write lang:VALUE without a space",
		"tags:a tags:a":        "tags:a was taken as words; to select write tag:a",
		"parse lang:go":        "",
		"could not open file:": "",
		"kind: Deployment":     "",
		`lang:go "path:x"`:     "",
		"std::vector foo:bar path::join path://x type:int": "",
	} {
		q, err := query.Parse(text)
		if got := strings.Join(q.Doubts(), "|"); got != want || err != nil {
			t.Errorf("Doubts of %q are %q, %v; want %q", text, got, err, want)
		}
	}
}

// Words that are globs of paths select as file: does: from the root, then in any folder.
func TestGlobs(t *testing.T) {
	for text, want := range map[string][]string{
		"*.proto":                {"file:*.proto"},
		"src/**/*_test.go":       {"file:src/**/*_test.go", "file:**/src/**/*_test.go"},
		"./src/*.go":             {"file:./src/*.go", "file:**/src/*.go"},
		"**/grpc/*Server.java":   {"file:**/grpc/*Server.java"},
		"retry backoff src/*.rs": {"retry backoff file:src/*.rs", "retry backoff file:**/src/*.rs"},
		"mux *.ts *.tsx":         {"mux (file:*.ts or file:*.tsx)"},
		"mux -*.md":              {"mux -file:*.md"},
		"mux -docs/*":            {"mux -file:docs/*", "mux -file:**/docs/*"},
		"src/{client,server}.ts": {"file:src/{client,server}.ts", "file:**/src/{client,server}.ts"},
		"webpack.config.*":       {"file:webpack.config.*"},
		"docker-compose*.yml":    {"file:docker-compose*.yml"},
		"lang:go *_windows.go":   {"lang:go file:*_windows.go"},
		"parse":                  nil,
		"int *p":                 nil,
		"*testing.T":             nil,
		"def f(*args, **kwargs)": nil,
		"accept image/* and */*": nil,
		"*/5 * * * *":            nil,
		"/api/users/*":           nil,
		"/* a comment */":        nil,
		"exec.*Msg":              nil,
		"get(Foo|Bar).*js":       nil,
		"handle*":                nil,
		"${HOME}/bin {a, b}":     nil,
		`"src/*.go"`:             nil,
		"file:src/*.go lang:go":  nil,
		"select * from a.b":      nil,
		"one two three four five six seven eight nine ten eleven twelve *.go": nil,
	} {
		q, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range q.Globs() {
			got = append(got, query.Spell(g.Root))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Globs of %q (-want +got):\n%s", text, diff)
		}
	}
}

// A parser that is given anything answers with a tree whose leaves are in the
// text where they say, or with a mistake whose place is in the text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`a "b c" /d/ -lang:go (x or -y) case:yes`, `file:"a b`, "((((", "))", "or or", "-", "--", "-(", "\"", "/", "//",
		"repo:", "é\xff lang:go \u2003x", "lang:)", `"\`, `/\`, "(-ab or sym:a(b))", `x -""`, "case:x lang: (x tag: ) -kind:", `x --"" -"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		characters := utf8.RuneCountInString(text)
		q, err := query.Parse(text)
		if err != nil {
			m, ok := errors.AsType[*query.Mistake](err)
			if !ok || m.At < 1 || m.At > max(characters, 1) || m.Problem == "" {
				t.Fatalf("Parse(%q) = %v, want a mistake within %d characters", text, err, characters)
			}
			return
		}
		at := func(place int, prefix string) {
			rest := []rune(text)
			if place < 1 || place > len(rest) || !strings.HasPrefix(string(rest[place-1:]), prefix) {
				t.Fatalf("Parse(%q) has a leaf %q at %d", text, prefix, place)
			}
		}
		q.Doubts()
		q.Globs()
		query.Has(q.Root, func(n query.Node) bool {
			switch n := n.(type) {
			case query.Word:
				at(n.At, strings.ToValidUTF8(n.Text, "\ufffd")[:0])
			case query.Phrase:
				at(n.At, `"`)
			case query.Regexp:
				at(n.At, "/")
			case query.Field:
				at(n.At, n.Name+":")
			case nil:
				t.Fatalf("Parse(%q) has a part that is missing", text)
			}
			return false
		})
	})
}
