// Command impact replays commits of a repository: are the tests that a commit
// touched among those that `ragnav nav impact` names for the rest of the commit?
//
//	go run ./bench/graph/impact -ragnav PROGRAM [-commits 200] [-show 0] DIR
//
// DIR is a clone that nobody else uses: the parents of the commits are checked out
// in it, newest first, and the graph is brought up to each. A commit counts when it
// changes symbols and, beside them, tests that were there before: functions, or files
// where these are what is run. Of these it is told how many are named (recall), and
// which share of all tests is named; beside that, the same of plain names: tests whose
// text has the name of a changed symbol.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

func main() {
	program := flag.String("ragnav", "ragnav", "the program")
	commits := flag.Int("commits", 200, "how many commits")
	show := flag.Int("show", 0, "how many tests to list that are missing")
	depth := flag.Int("depth", 0, "hops, 0 is what the program does")
	keep := flag.String("keep", "", "a file for a line of JSON about each commit")
	flag.Parse()
	r := replay{program: *program, dir: flag.Arg(0), show: *show, depth: *depth, keep: *keep}
	if err := r.run(context.Background(), *commits); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A replay counts over commits.
type replay struct {
	program, dir, keep string
	show, depth        int
	store              string

	commits, whole             int // whole: all tests of the commit are named
	tests, named, byName       int
	shareNamed, shareByName    float64
	files, filesNamed, skipped int
	first                      [len(firsts)]float64 // see early
}

// firsts are of how many tests that are named first it is told what share of those that
// a commit touched, or of as many as that, is among them.
var firsts = [...]int{5, 10, 20, 50}

func (r *replay) run(ctx context.Context, most int) error {
	store, err := os.MkdirTemp("", "impact")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(store) }()
	r.store = store
	log, err := r.git(ctx, "log", "--no-merges", "--format=%H", "-n", "5000")
	if err != nil {
		return err
	}
	for commit := range strings.FieldsSeq(log) {
		if r.commits == most {
			break
		}
		code, tests := r.changed(ctx, commit)
		if len(code) == 0 || len(tests) == 0 {
			continue
		}
		if err := r.replay(ctx, commit, code, tests); err != nil {
			r.skipped++
			fmt.Fprintf(os.Stderr, "%.10s: %v\n", commit, err)
		}
	}
	n, t := float64(max(r.commits, 1)), float64(max(r.tests, 1))
	fmt.Printf("%d commits, %d tests touched (%d files); %d commits could not be replayed\n", r.commits, r.tests, r.files,
		r.skipped)
	fmt.Printf("impact: recall %.3f of tests, %.3f of files, all of them in %d commits; names %.3f of all tests\n",
		float64(r.named)/t, float64(r.filesNamed)/float64(max(r.files, 1)), r.whole, r.shareNamed/n)
	fmt.Printf("among the first")
	for i, k := range firsts {
		fmt.Printf(" %d: %.3f", k, r.first[i]/n)
	}
	fmt.Println()
	fmt.Printf("plain names: recall %.3f of tests; %.3f of all tests\n", float64(r.byName)/t, r.shareByName/n)
	return nil
}

func (r *replay) git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", r.dir}, args...)...).Output() //nolint:gosec // ours
	return string(out), err
}

var languages = map[string]bool{
	".go": true, ".py": true, ".java": true, ".rs": true, ".ts": true, ".js": true, ".c": true,
	".cc": true, ".cpp": true,
}

// changed are the files of code and of tests that a commit changes.
func (r *replay) changed(ctx context.Context, commit string) (code, tests []string) {
	list, err := r.git(ctx, "diff", "--name-status", "--no-renames", commit+"^", commit)
	if err != nil {
		return nil, nil // the first one
	}
	for line := range strings.Lines(list) {
		status, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch {
		case !languages[filepath.Ext(file)]:
		case !filekind.Of(file, nil).Test:
			code = append(code, file)
		case status == "M":
			tests = append(tests, file)
		}
	}
	return code, tests
}

// A place is a test.
type place struct{ file, name string }

func (r *replay) replay(ctx context.Context, commit string, code, tests []string) error {
	if _, err := r.git(ctx, "checkout", "-q", "-f", commit+"^"); err != nil {
		return err
	}
	if err := r.ragnav(ctx, "", nil, "nav", "build-graph", "-r", r.dir); err != nil {
		return err
	}
	touched, err := r.impact(ctx, commit, tests)
	if err != nil {
		return err
	}
	truth := map[place]bool{}
	for _, t := range touched.Tests {
		if t.Symbol == "" && slices.Contains(tests, t.FilePath) {
			truth[place{t.FilePath, ""}] = true
		}
	}
	for _, item := range touched.Items {
		for _, t := range touched.Tests {
			if t.FilePath == item.FilePath && t.Symbol == item.Symbol && (item.Change == "body" || item.Change == "signature") {
				truth[place{t.FilePath, t.Symbol}] = true
			}
		}
	}
	if len(truth) == 0 {
		return nil
	}
	affected, err := r.impact(ctx, commit, code)
	if err != nil || !slices.ContainsFunc(affected.Items, existed) { // comments, or all of it is new
		return err
	}
	return r.count(ctx, commit, truth, affected)
}

// existed reports whether what changed was there before.
func existed(item models.ImpactItem) bool { return item.Change != "added" }

// impact asks about the part of a commit that is in some files.
func (r *replay) impact(ctx context.Context, commit string, files []string) (res nav.ImpactResponse, err error) {
	diff, err := r.git(ctx, append([]string{"diff", "--no-renames", commit + "^", commit, "--"}, files...)...)
	if err != nil {
		return res, err
	}
	args := []string{"nav", "impact", "-r", r.dir, "--diff", "-", "--limit", "1000"}
	if r.depth > 0 {
		args = append(args, "--depth", fmt.Sprint(r.depth))
	}
	return res, r.ragnav(ctx, diff, &res, args...)
}

// ragnav runs the program and reads its reply.
func (r *replay) ragnav(ctx context.Context, stdin string, into any, args ...string) error {
	cmd := exec.CommandContext(ctx, r.program, args...) //nolint:gosec // that is what it is for
	cmd.Env = append(os.Environ(), "RAGNAV_STORE=embedded:"+r.store)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%s: %w: %s%s", args[1], err, failed.Stderr, out)
	}
	if err != nil || into == nil {
		return err
	}
	return json.NewDecoder(bytes.NewReader(out)).Decode(into)
}

// count adds a commit.
func (r *replay) count(ctx context.Context, commit string, truth map[place]bool, affected nav.ImpactResponse) error {
	named, files := map[place]bool{}, map[string]bool{}
	for _, t := range affected.Tests {
		named[place{t.FilePath, t.Symbol}], files[t.FilePath] = true, true
	}
	var names []string
	for _, item := range affected.Items {
		if existed(item) && item.Symbol != "" {
			names = append(names, regexp.QuoteMeta(item.Symbol[strings.LastIndexAny(item.Symbol, ".:")+1:]))
		}
	}
	matches := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	all, err := r.allTests(ctx)
	if err != nil {
		return err
	}
	if err := r.early(commit, truth, affected); err != nil {
		return err
	}
	r.commits++
	whole, byName, touched := true, 0, map[string]bool{}
	for t := range truth {
		r.tests++
		touched[t.file] = true
		switch {
		case named[t]:
			r.named++
		default:
			whole = false
			if r.show > 0 {
				r.show--
				fmt.Printf("missing %.10s %s %s; changed: %s\n", commit, t.file, t.name, strings.Join(names, " "))
			}
		}
		if matches.MatchString(all[place{t.file, t.name[strings.LastIndexByte(t.name, '.')+1:]}]) {
			r.byName++
		}
	}
	for file := range touched {
		r.files++
		if files[file] {
			r.filesNamed++
		}
	}
	for _, text := range all {
		if matches.MatchString(text) {
			byName++
		}
	}
	if whole {
		r.whole++
	}
	r.shareNamed += min(float64(len(named))/float64(max(len(all), 1)), 1)
	r.shareByName += float64(byName) / float64(max(len(all), 1))
	return nil
}

// early adds how many of the tests that a commit touched are named first.
func (r *replay) early(commit string, truth map[place]bool, affected nav.ImpactResponse) error {
	for i, k := range firsts {
		found := 0
		for _, t := range affected.Tests[:min(k, len(affected.Tests))] {
			if truth[place{t.FilePath, t.Symbol}] {
				found++
			}
		}
		r.first[i] += float64(found) / float64(min(k, len(truth)))
	}
	if r.keep == "" {
		return nil
	}
	line := struct {
		Commit  string
		Changed []models.ImpactItem
		Tests   []models.TestToRun
		Touched []models.TestToRun
	}{Commit: commit, Changed: slices.Clone(affected.Items), Tests: affected.Tests}
	for i := range line.Changed {
		line.Changed[i].Affected = nil
	}
	for t := range truth {
		line.Touched = append(line.Touched, models.TestToRun{FilePath: t.file, Symbol: t.name})
	}
	out, err := os.OpenFile(r.keep, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(out).Encode(line), out.Close())
}

// declared are the forms in which tests begin: what is before the next one is a
// test's text.
var declared = map[string]*regexp.Regexp{
	".go":   regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`),
	".py":   regexp.MustCompile(`(?m)^[ \t]*(?:async )?def (test\w*)\(`),
	".java": regexp.MustCompile(`(?m)^\s+(?:public |private |static )*void (\w+)\(`),
	".rs":   regexp.MustCompile(`(?m)^\s*(?:async )?fn (\w+)\(`),
	".ts":   wholeFile, ".tsx": wholeFile, ".js": wholeFile,
}

// wholeFile is of languages in which a file is run as one.
var wholeFile = regexp.MustCompile(`\A()`)

// allTests are the texts of all tests that are checked out.
func (r *replay) allTests(ctx context.Context) (map[place]string, error) {
	list, err := r.git(ctx, "ls-files")
	if err != nil {
		return nil, err
	}
	all := map[place]string{}
	for file := range strings.SplitSeq(strings.TrimSpace(list), "\n") {
		form := declared[filepath.Ext(file)]
		if form == nil || !filekind.Of(file, nil).Test {
			continue
		}
		content, err := os.ReadFile(filepath.Join(r.dir, file)) //nolint:gosec // of the clone
		if err != nil {
			continue
		}
		at := form.FindAllSubmatchIndex(content, -1)
		for i, m := range at {
			end := len(content)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			all[place{file, string(content[m[2]:m[3]])}] = string(content[m[1]:end])
		}
	}
	return all, nil
}
