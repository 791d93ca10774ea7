package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/view"
)

// Of an answer the first citations count, of a file search the first hits.
const counted = 10

type runner struct {
	*client.Client

	verbose bool
}

// runSet asks the questions of a server that has indexed the trees of the set.
func runSet(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	set := fs.String("set", "", "folder that make wrote")
	server := fs.String("server", "", "URL of an api-server that has indexed DIR/src/OWNER/NAME as OWNER/NAME")
	split := fs.String("split", "", "dev, test or empty for both")
	repo := fs.String("repo", "", "only questions of this repository")
	reference := fs.Bool("search", false, "measure file search too")
	var r runner
	fs.BoolVar(&r.verbose, "v", false, "print a line for each question")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *set == "" || *server == "" {
		return errors.New("want -set DIR -server URL")
	}
	qs, err := load(filepath.Join(*set, questionsFile), *split)
	if err != nil {
		return err
	}
	if *repo != "" {
		qs = slices.DeleteFunc(qs, func(q question) bool { return q.Repo != *repo })
	}
	if r.Client, err = client.New(*server, client.Options{}); err != nil {
		return err
	}
	var t table
	for _, q := range qs {
		o, err := r.ask(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		if *reference && len(q.Files) > 0 {
			if o.search, err = r.search(ctx, q); err != nil {
				return fmt.Errorf("%s: %w", q.ID, err)
			}
		}
		t = append(t, o)
	}
	t.print(os.Stdout)
	return nil
}

// An outcome is what one answer was worth.
type outcome struct {
	question

	recall     float64 // share of the true files within the first citations
	five       float64 // within the first five
	search     float64 // of file search, within the first ten
	empty      bool    // no citation
	cited      int     // citations
	outOfScope bool
	tokens     int
	took       time.Duration
	gaps       int
}

func (r runner) ask(ctx context.Context, q question) (outcome, error) {
	req := ask.Request{Query: q.Text, RepoFilter: q.Repo}
	start := time.Now()
	resp, err := op.Ask.By(ctx, r.Client, req)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{question: q, took: time.Since(start), tokens: view.Tokens(view.Text(op.Ask, &req, &resp))}
	a := resp.Items[0]
	var cited []string
	for _, c := range a.Citations {
		cited = append(cited, c.FilePath)
	}
	o.recall, o.five = share(q.Files, cited, counted), share(q.Files, cited, counted/2)
	o.cited = len(cited)
	o.empty, o.outOfScope, o.gaps = len(cited) == 0, a.OutOfScope, len(a.Gaps)
	if r.verbose {
		fmt.Printf("%-40s %-9s %.2f oos=%-5v %d tokens, %d cited  %s\n", q.ID, q.Kind, o.recall, o.outOfScope, o.tokens,
			len(cited), oneLine(q.Text))
	}
	return o, nil
}

func oneLine(s string) string { return cut(strings.Join(strings.Fields(s), " "), 90) }

// words are a text without the operators of the query language.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"/()-", r) }), " ")
}

func (r runner) search(ctx context.Context, q question) (float64, error) {
	resp, err := op.Search.By(ctx, r.Client,
		search.Request{Query: words(q.Text), RepoFilter: q.Repo, Level: models.LevelFile, Limit: new(counted)})
	var found []string
	for _, hit := range resp.Items {
		found = append(found, *hit.FilePath)
	}
	return share(q.Files, found, counted), err
}

// share is the part of want among the first n of got.
func share(want, got []string, n int) float64 {
	got = got[:min(n, len(got))]
	found := 0
	for _, f := range want {
		if slices.Contains(got, f) {
			found++
		}
	}
	return float64(found) / float64(max(len(want), 1))
}
