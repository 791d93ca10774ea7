package main

import (
	_ "embed"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/bench/jsonlines"
)

// A question has its answers in one repository. Answers are judged 3 (what was
// asked for), 2 (also right) or 1 (related); whatever is not listed is judged 0.
type question struct {
	ID       string     `json:"id"`
	Repo     string     `json:"repo"`
	Half     string     `json:"half"` // dev: may be tuned on; test: locked
	Language string     `json:"language"`
	Task     string     `json:"task"`
	Level    string     `json:"level"` // file, symbol or auto
	Text     string     `json:"text"`
	Relevant []judgment `json:"relevant"`
}

// A judgment grades one file, or one symbol of it: that of the name whose lines
// have the line in them.
type judgment struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"`
	Line   int    `json:"line,omitempty"`
	Grade  int    `json:"grade"`
}

// An answer is one result of a system, comparable with a judgment.
type answer struct {
	path, symbol string
	start, end   int
}

// A source is a row of repositories.txt.
type source struct{ half, language, client, name string }

//go:embed repositories.txt
var pinned string

func sources() []source {
	var all []source
	for line := range strings.Lines(pinned) {
		if f := strings.Fields(line); len(f) >= 4 && f[0] != "#" {
			name := f[3][:max(0, strings.LastIndexByte(f[3], '@'))]
			if strings.HasPrefix(name, "github.com") && strings.HasPrefix(name[strings.LastIndexByte(name, '/'):], "/v") {
				name = name[:strings.LastIndexByte(name, '/')]
			}
			all = append(all, source{f[0], f[1], f[2], name[strings.LastIndexAny(name, "/:")+1:]})
		}
	}
	return all
}

const questionsFile = "questions.jsonl"

// chosen are n of a list, in an order that looks random and is always the same.
func chosen[T any](list []T, n int, key func(T) string) []T {
	hash := func(v T) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(key(v)))
		return h.Sum64()
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b T) int {
		switch x, y := hash(a), hash(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return list[:min(n, len(list))]
}

// load reads the questions of a half, or of both, whose task or repository is one of only.
func load(path, half, only string) ([]question, error) {
	wanted := strings.Split(only, ",")
	return jsonlines.Load(path, func(q question) bool {
		listed := only == "" || slices.Contains(wanted, q.Task) || slices.Contains(wanted, q.Repo)
		return listed && (half == "" || q.Half == half)
	})
}
