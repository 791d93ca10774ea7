package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// A query is one judged question. Answers are judged 3 (what was asked for),
// 2 (also right) or 1 (related); whatever is not listed is judged 0.
type query struct {
	Query    string     `json:"query"`
	Repo     string     `json:"repo"`
	Level    string     `json:"level"` // file or symbol
	Split    string     `json:"split"` // dev: may be tuned on; test: held out
	Kind     string     `json:"kind"`  // question, identifier or behaviour
	Relevant []judgment `json:"relevant"`
}

// A judgment grades one file, or one symbol of it.
type judgment struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"` // "Client.do"; no pointer stars, no parentheses
	Grade  int    `json:"grade"`
}

// An answer is one result of a system, comparable with a judgment.
type answer struct{ path, symbol string }

func loadQueries(path, split string) ([]query, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all, chosen []query
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, q := range all {
		if split == "" || q.Split == split {
			chosen = append(chosen, q)
		}
	}
	return chosen, nil
}

// checkJudgements refuses a judgment of something that is not there, which
// would count against every system.
func checkJudgements(queries []query, corpora map[string]*corpus) error {
	var errs []error
	for _, q := range queries {
		c := corpora[q.Repo]
		for _, j := range q.Relevant {
			switch {
			case c.files[j.Path] == nil:
				errs = append(errs, fmt.Errorf("%q: no file %s in %s", q.Query, j.Path, q.Repo))
			case q.Level == "symbol" && !c.files[j.Path].has(j.Symbol):
				errs = append(errs, fmt.Errorf("%q: no symbol %s in %s", q.Query, j.Symbol, j.Path))
			}
		}
	}
	return errors.Join(errs...)
}
