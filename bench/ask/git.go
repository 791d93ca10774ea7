package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// A commit is what its author said of a change, and the files of it.
type commit struct {
	subject, body string
	pull          string // number of the pull request, if the subject says so
	files         []string
}

func git(ctx context.Context, src source, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--git-dir=" + src.git}, args...)...)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, problem.Bytes())
	}
	return out, nil
}

// export writes the tree of the revision to dir, anew.
func export(ctx context.Context, src source, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	archive := filepath.Join(dir, ".tree.tar")
	if _, err := git(ctx, src, "archive", "--format=tar", "-o", archive, src.revision); err != nil {
		return err
	}
	if err := exec.CommandContext(ctx, "tar", "-xf", archive, "-C", dir).Run(); err != nil {
		return err
	}
	return os.Remove(archive)
}

// depth is how many commits are looked at.
const depth = 3000

var pullNumber = regexp.MustCompile(`\(#(\d+)\)\s*$|^Merge pull request #(\d+)`)

// history lists the last commits, newest first.
func history(ctx context.Context, src source) ([]commit, error) {
	out, err := git(ctx, src, "log", "--first-parent", "-m", "--name-only", "-M", fmt.Sprintf("-%d", depth),
		"--format=%x1e%s%x1f%b%x1f", src.revision)
	if err != nil {
		return nil, err
	}
	var all []commit
	for record := range strings.SplitSeq(string(out), "\x1e") {
		f := strings.Split(record, "\x1f")
		if len(f) != 3 {
			continue
		}
		c := commit{subject: f[0], body: f[1], files: strings.Fields(f[2])}
		if m := pullNumber.FindStringSubmatch(c.subject); m != nil {
			c.pull = m[1] + m[2]
		}
		all = append(all, c)
	}
	return all, nil
}

var (
	sourceExt = map[string]bool{
		".go": true, ".py": true, ".rs": true, ".js": true, ".ts": true, ".tsx": true, ".mjs": true, ".java": true,
		".rb": true, ".php": true, ".c": true, ".h": true,
	}
	besides = regexp.MustCompile(
		`(?i)(^|/)(tests?|testing|specs?|__tests__|fixtures?|examples?|docs?|benchmarks?|vendor|dist|node_modules)(/|$)|` +
			`_test\.|test_|\.(test|spec)\.|Tests?\.(java|php)$|\.d\.ts$|\.min\.`)
)

// answers are the source files of a change that are still there; false when it
// touched too many to be about something.
func (c commit) answers(dir string) ([]string, bool) {
	var code []string
	for _, f := range c.files {
		if !sourceExt[path.Ext(f)] || besides.MatchString(f) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, f)); err != nil {
			return nil, false
		}
		code = append(code, f)
	}
	return code, len(code) > 0 && len(code) <= 3 && len(c.files) <= 10
}
