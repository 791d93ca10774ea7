package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fromAsk takes over what bench/ask made of the history of repositories: what
// commits and changelogs say of a change, and the files that it changed. The trees
// are copied as they are; their names are asked for too.
func fromAsk(dir, to string) ([]question, error) {
	data, err := os.ReadFile(filepath.Join(dir, questionsFile))
	if err != nil {
		return nil, err
	}
	byRepo := map[source][]question{}
	var order []source
	for line := range strings.Lines(string(data)) {
		var q struct {
			Repo, Split, Language, Kind, Text string
			Files                             []string
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			return nil, err
		}
		if q.Kind != "commit" && q.Kind != "changelog" {
			continue
		}
		src := source{half: q.Split, language: q.Language, name: path.Base(q.Repo), client: q.Repo}
		asked := question{Task: q.Kind, Level: "file", Text: q.Text}
		for _, f := range q.Files {
			asked.Relevant = append(asked.Relevant, judgment{Path: f, Grade: 3})
		}
		if byRepo[src] == nil {
			order = append(order, src)
		}
		byRepo[src] = append(byRepo[src], asked)
		asked.Task, asked.Level = q.Kind+"-symbol", "symbol"
		byRepo[src] = append(byRepo[src], asked)
	}
	var all []question
	for _, src := range order {
		from, target := filepath.Join(dir, "src", src.client), filepath.Join(to, src.name)
		if err := os.CopyFS(target, os.DirFS(from)); err != nil {
			return nil, fmt.Errorf("copy %s: %w", src.name, err)
		}
		declared, err := declaredIn(from)
		if err != nil {
			return nil, err
		}
		all = append(all, tell(src, slices.Concat(byRepo[src], names(declared)))...)
	}
	return all, nil
}
