package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// What an agent does at most with ripgrep and reading.
const (
	wholeFile  = 400 // lines; a file up to that is read whole
	window     = 200 // lines read of a longer one
	above      = 60  // lines read above a use, to see what it is in
	below      = 10
	mostFiles  = 10
	mostOutput = 30_000 // bytes of a command's output that a client shows
)

// A searcher has ripgrep and can read files.
type searcher struct {
	*seen
	task
}

func askGrep(ctx context.Context, t task) (worth, error) {
	s, q := &searcher{newSeen(), t}, t.q
	var err error
	switch {
	case q.Kind == whoUses:
		_, err = s.uses(ctx, q.Name)
	case q.Kind == breaks:
		err = s.breaks(ctx)
	case q.Name != "" && q.Kind == whereIs:
		_, err = s.rg(ctx, "-n", "-w", q.Name)
	default:
		err = s.topic(ctx)
	}
	return s.worth(s.seen), err
}

func (s *searcher) done() bool { return s.worth(s.seen).right }

// rg runs ripgrep over the repository and takes in what a client shows of it.
func (s *searcher) rg(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "rg",
		append([]string{"--no-config", "--no-heading", "--sort", "path"}, append(args, ".")...)...)
	cmd.Dir = s.c.root
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil // no match
	}
	text := strings.ReplaceAll("\n"+string(out), "\n./", "\n")[1:]
	text = text[:min(len(text), mostOutput)]
	s.show("rg "+strings.Join(args, " "), text)
	return text, err
}

// show takes in a call and what it prints.
func (s *searcher) show(call, text string) {
	s.take(s.c, call, text)
	if s.verbose {
		fmt.Printf("--- %s (%d tokens so far)\n%s", call, s.tokens, text)
	}
}

// readLines reads lines of a file, numbered.
func (s *searcher) readLines(path string, from, to int) {
	var b strings.Builder
	b.WriteString(path + "\n")
	from, to = max(from, 1), min(to, len(s.c.files[path]))
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, "%d\t%s\n", n, s.c.files[path][n-1])
	}
	s.show(fmt.Sprintf("read %s %d-%d", path, from, to), b.String())
}

var match = regexp.MustCompile(`(?m)^([^:\n]+):(\d+):`)

// uses greps for a name, and reads above each match until it is clear what it
// is in. The result is what the matches are in, by name.
func (s *searcher) uses(ctx context.Context, name string) ([]string, error) {
	text, err := s.rg(ctx, "-n", "-w", name)
	if err != nil {
		return nil, err
	}
	var around []string
	read := map[string]int{} // the last line that was read
	for _, m := range match.FindAllStringSubmatch(text, -1) {
		at := place{m[1], number(m[2])}
		if s.c.files[at.path] == nil || !s.c.uses(at) || s.c.declared(at) == name {
			continue
		}
		in := s.c.around(at)
		if len(in) == 0 {
			continue
		}
		if caller := s.c.declared(in[0]); !slices.Contains(around, caller) {
			around = append(around, caller)
		}
		if s.lines[in[0]] || s.done() {
			continue
		}
		if all := len(s.c.files[at.path]); all <= wholeFile {
			s.readLines(at.path, 1, all)
		} else {
			from := max(at.line-above, read[at.path]+1)
			s.readLines(at.path, from, at.line+below)
			if read[at.path] = at.line + below; !s.lines[in[0]] { // it begins further above
				s.readLines(at.path, in[0].line, from-1)
			}
		}
	}
	return around, nil
}

// breaks greps for the name, then for all that it is used in.
func (s *searcher) breaks(ctx context.Context) error {
	around, err := s.uses(ctx, s.q.Name)
	for _, name := range around {
		if err != nil || s.done() {
			return err
		}
		_, err = s.uses(ctx, name)
	}
	return err
}

// fillers are words of a question that nobody would grep for.
const fillers = " a all an and another are as at be before by do does done for from given how i if in into is it its " +
	"not of off on one only or out so than that the their them this to until up what when where which while who with " +
	"without "

// topic greps for the words of a question, and reads the files with most
// matches: whole, or where most of the matches are.
func (s *searcher) topic(ctx context.Context) error {
	args := []string{"-i", "-F"}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s.q.Text),
		func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' && (r < '0' || r > '9') }) {
		if !strings.Contains(fillers, " "+w+" ") {
			args = append(args, "-e", w)
		}
	}
	files, err := s.most(ctx, args)
	if err != nil {
		return err
	}
	for _, path := range files {
		if s.done() {
			return nil
		}
		if all := len(s.c.files[path]); all <= wholeFile {
			s.readLines(path, 1, all)
			continue
		}
		found, err := s.rg(ctx, append([]string{"-n", "-g", path}, args...)...)
		if err != nil {
			return err
		}
		from := densest(found)
		s.readLines(path, from, from+window-1)
	}
	return nil
}

// most are the files with most matching lines, as `rg -c … | sort | head` tells.
func (s *searcher) most(ctx context.Context, args []string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "rg",
		slices.Concat([]string{"--no-config", "-c", "-g", "*" + s.c.lang.ext}, args, []string{"."})...)
	cmd.Dir = s.c.root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("rg: %w", err)
	}
	type file struct {
		path  string
		count int
	}
	var files []file
	for line := range strings.Lines(string(out)) {
		path, count, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "./")), ":")
		files = append(files, file{path, number(count)})
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.path, b.path))
	})
	var paths []string
	var text strings.Builder
	for _, f := range files[:min(mostFiles, len(files))] {
		paths = append(paths, f.path)
		fmt.Fprintf(&text, "%d %s\n", f.count, f.path)
	}
	s.show("rg -c "+strings.Join(args, " ")+" | sort -nr | head", text.String())
	return paths, nil
}

// densest is where the window begins that has most of the matches.
func densest(found string) int {
	var at []int
	for _, m := range match.FindAllStringSubmatch(found, -1) {
		at = append(at, number(m[2]))
	}
	best, most := 1, 0
	for i, from := range at {
		n := 0
		for n < len(at)-i && at[i+n] < from+window {
			n++
		}
		if n > most {
			best, most = from, n
		}
	}
	return best
}
