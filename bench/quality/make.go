package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/bench/jsonlines"
)

// How many questions of a task are made of one repository.
const (
	perSentence = 30
	perExact    = 15
	perCase     = 6
	perPart     = 8
	perMisspelt = 8
)

// makeSet writes the trees below DIR/src, with their documentation taken out, and
// the questions into a file; of trees that keep their documentation only sentences
// are asked.
func makeSet(args []string) error {
	fs := flag.NewFlagSet("make", flag.ContinueOnError)
	out := fs.String("out", "", "folder to write to")
	fetched := fs.String("fetched", "", "folder with what fetch.sh made")
	asked := fs.String("ask", "", "folder that `bench/ask make` wrote; its questions and repositories are taken in")
	documented := fs.Bool("documented", false, "keep the documentation, of which sentences are asked")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *out == "" || *fetched == "" {
		return errors.New("want -out DIR -fetched DIR")
	}
	var all []question
	for _, src := range sources() {
		dir := filepath.Join(*fetched, src.name)
		if _, err := os.Lstat(dir); err != nil {
			fmt.Printf("%-24s is not there: left out\n", src.name)
			continue
		}
		qs, err := src.ask(dir, filepath.Join(*out, "src", src.name), *documented)
		if err != nil {
			return err
		}
		all = append(all, qs...)
	}
	if *asked != "" {
		qs, err := fromAsk(*asked, filepath.Join(*out, "src"))
		if err != nil {
			return err
		}
		all = append(all, qs...)
	}
	return jsonlines.Save(filepath.Join(*out, questionsFile), all)
}

// ask makes the questions about a tree, and the tree that they are asked of.
func (src source) ask(dir, target string, documented bool) ([]question, error) {
	if !documented {
		declared, err := strip(dir, target)
		return tell(src, append(sentences(declared), names(declared)...)), err
	}
	declared, err := declaredIn(dir)
	if err == nil {
		err = os.CopyFS(target, os.DirFS(dir))
	}
	return tell(src, sentences(declared)), err
}

// tell says of questions where they are from, and prints how many there are.
func tell(src source, qs []question) []question {
	counts := map[string]int{}
	for i := range qs {
		q := &qs[i]
		q.Repo, q.Half, q.Language = src.name, src.half, src.language
		q.ID = fmt.Sprintf("%s/%s/%d", src.name, q.Task, counts[q.Task])
		counts[q.Task]++
	}
	fmt.Printf("%-24s %v\n", src.name, counts)
	return qs
}

// declaredIn are the declarations of a tree.
func declaredIn(dir string) ([]declaration, error) { return strip(dir, "") }

// strip copies a tree without the comments about declarations, and gives these.
// Without a target nothing is written.
func strip(from, to string) ([]declaration, error) {
	var all []declaration
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil || strings.HasPrefix(rel, ".git") {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		declared, text := declarations(filepath.ToSlash(rel), string(data))
		if !besides.MatchString(filepath.ToSlash(rel)) {
			all = append(all, declared...)
		}
		if to == "" {
			return nil
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, []byte(text), 0o644)
	})
	return all, err
}

// sentences ask for a symbol by what its documentation says, once at level
// symbol and once for the file.
func sentences(declared []declaration) []question {
	times := map[string]int{}
	for _, d := range declared {
		times[d.doc]++
	}
	var unique []declaration
	for _, d := range declared {
		if d.doc != "" && times[d.doc] == 1 {
			unique = append(unique, d)
		}
	}
	var qs []question
	for _, d := range chosen(unique, perSentence, func(d declaration) string { return d.path + d.doc }) {
		qs = append(qs,
			question{Task: "sentence", Level: "symbol", Text: d.doc, Relevant: []judgment{{d.path, d.name, d.line, 3}}},
			question{Task: "sentence-file", Level: "file", Text: d.doc, Relevant: []judgment{{Path: d.path, Grade: 3}}})
	}
	return qs
}
