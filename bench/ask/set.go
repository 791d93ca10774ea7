package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/bench/jsonlines"
)

// A question has the files that answer it, or none when it is foreign to the
// repository that it is asked of.
type question struct {
	ID       string   `json:"id"`
	Repo     string   `json:"repo"`
	From     string   `json:"from"` // the repository that it is about
	Split    string   `json:"split"`
	Language string   `json:"language"`
	Subject  string   `json:"subject"` // of the repository
	Kind     string   `json:"kind"`    // commit, changelog, doc; foreign, everyday
	Text     string   `json:"text"`
	Files    []string `json:"files,omitempty"`
}

// pinned says the half, language and subject of each repository, and its revision.
//
//go:embed repositories.txt
var pinned string

// everyday are questions about no code at all.
//
//go:embed everyday.txt
var everyday string

type source struct{ split, language, subject, name, revision, git string }

func sources() map[string]source {
	all := map[string]source{}
	for line := range strings.Lines(pinned) {
		if f := strings.Fields(line); len(f) == 5 {
			all[f[3]] = source{split: f[0], language: f[1], subject: f[2], name: f[3], revision: f[4]}
		}
	}
	return all
}

const questionsFile = "questions.jsonl"

// makeSet writes the trees below DIR/src and the questions into a file.
func makeSet(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("make", flag.ContinueOnError)
	out := fs.String("out", "", "folder to write to")
	each := fs.Int("each", 16, "questions of a kind and repository")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *out == "" || fs.NArg() == 0 {
		return errors.New("want -out DIR OWNER/NAME=GITDIR …")
	}
	var own []question
	for _, arg := range fs.Args() {
		name, git, _ := strings.Cut(arg, "=")
		src, ok := sources()[name]
		if !ok {
			return fmt.Errorf("%s is not in repositories.txt", name)
		}
		src.git = git
		qs, err := ofRepository(ctx, src, filepath.Join(*out, "src", name), *each)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("%-24s %s\n", name, byKind(qs))
		own = append(own, qs...)
	}
	return jsonlines.Save(filepath.Join(*out, questionsFile), append(own, foreign(own)...))
}

func ofRepository(ctx context.Context, src source, dir string, each int) ([]question, error) {
	if err := export(ctx, src, dir); err != nil {
		return nil, err
	}
	commits, err := history(ctx, src)
	if err != nil {
		return nil, err
	}
	docs, err := fromDocs(dir, src.language, each)
	if err != nil {
		return nil, err
	}
	changes, err := fromChangelog(dir, commits, each/2)
	if err != nil {
		return nil, err
	}
	qs := slices.Concat(fromCommits(dir, commits, each), changes, docs)
	for i := range qs {
		q := &qs[i]
		q.ID = fmt.Sprintf("%s#%d", src.name, i)
		q.Repo, q.From, q.Split, q.Language, q.Subject = src.name, src.name, src.split, src.language, src.subject
	}
	return qs, nil
}

func byKind(qs []question) string {
	n := map[string]int{}
	for _, q := range qs {
		n[q.Kind]++
	}
	return fmt.Sprintf("%d from commits, %d from changelogs, %d from doc comments", n["commit"], n["changelog"], n["doc"])
}

// foreign asks of each repository questions of 8 words or more about others in the
// same half, of another language and another subject, and everyday questions.
func foreign(own []question) []question {
	var out []question
	asked := map[string]int{}
	var repos []question // one of each
	for _, q := range own {
		if !slices.ContainsFunc(repos, func(r question) bool { return r.Repo == q.Repo }) {
			repos = append(repos, q)
		}
	}
	lines := strings.Split(strings.TrimSpace(everyday), "\n")
	for i, r := range repos {
		for _, q := range shuffled(own, r.Repo) {
			if q.Split == r.Split && q.Language != r.Language && q.Subject != r.Subject && asked[r.Repo] < 15 &&
				len(strings.Fields(q.Text)) >= 8 {
				asked[r.Repo]++
				out = append(out, question{
					ID: q.ID + "@" + r.Repo, Repo: r.Repo, From: q.From, Split: r.Split,
					Language: r.Language, Kind: "foreign", Text: q.Text,
				})
			}
		}
		for n := range 5 {
			text := lines[(i*5+n)%len(lines)]
			out = append(out, question{
				ID: fmt.Sprintf("everyday%d@%s", n, r.Repo), Repo: r.Repo, Split: r.Split,
				Language: r.Language, Kind: "everyday", Text: text,
			})
		}
	}
	return out
}

// shuffled is the list in an order that looks random and is always the same.
func shuffled(list []question, salt string) []question {
	key := func(q question) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(salt + "\x00" + q.ID + "\x00" + q.Text))
		return h.Sum64()
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b question) int {
		if key(a) < key(b) {
			return -1
		}
		return 1
	})
	return list
}

func first(list []question, n int) []question { return list[:min(n, len(list))] }

func load(path, split string) ([]question, error) {
	return jsonlines.Load(path, func(q question) bool { return split == "" || q.Split == split })
}
