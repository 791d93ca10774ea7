// Command tokens measures what an agent pays for an answer: the tokens that go
// by until the right lines were shown, through the MCP tools and through ripgrep
// and reading files, each by a fixed policy. README.md describes both.
//
//	go run ./bench/tokens -ragnav bin/ragnav -root NAME=FOLDER … [-v]
//
// run.sh does the whole run.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

//go:embed questions.json
var questionsFile []byte

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tokens:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("tokens", flag.ContinueOnError)
	program := fs.String("ragnav", "ragnav", "the program; its store has indexed the roots under their names")
	only := fs.String("only", "", "questions whose id starts so")
	truth := fs.Bool("truth", false, "print the right lines of each question, and ask nothing")
	verbose := fs.Bool("v", false, "print what each policy saw")
	roots := map[string]string{}
	fs.Func("root", "NAME=FOLDER of a repository", func(arg string) error {
		name, folder, ok := strings.Cut(arg, "=")
		if !ok {
			return errors.New("want NAME=FOLDER")
		}
		roots[name] = folder
		return nil
	})
	if err := fs.Parse(args); err != nil {
		return err
	}
	var questions []question
	if err := json.Unmarshal(questionsFile, &questions); err != nil {
		return err
	}
	corpora := map[string]*corpus{}
	var t table
	for _, q := range questions {
		if !strings.HasPrefix(q.ID, *only) {
			continue
		}
		if corpora[q.Repo] == nil {
			c, err := loadCorpus(roots[q.Repo], q.Language)
			if err != nil {
				return fmt.Errorf("-root %s: %w", q.Repo, err)
			}
			corpora[q.Repo] = c
		}
		c := corpora[q.Repo]
		want, err := c.truth(q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		if *truth {
			want.print(q, c)
			continue
		}
		row, asked := outcome{question: q}, task{c, q, want, *verbose}
		if row.tools, err = askTools(ctx, *program, asked); err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		if row.grep, err = askGrep(ctx, asked); err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		t = append(t, row)
	}
	if !*truth {
		t.print(os.Stdout)
	}
	return nil
}
