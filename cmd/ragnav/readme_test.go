package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var (
	shellWord = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
	comment   = regexp.MustCompile(`\s{2,}# .*`)
	scores    = regexp.MustCompile(`\d+\.\d{3}\b`)
)

// Each command in README works, in its order, and replies what is shown there.
func TestReadme(t *testing.T) {
	home := readmeHome(t)
	t.Setenv("HOME", home) // where git finds what stands for the network
	t.Chdir(filepath.Join(home, "src/project"))
	sh := newShell(t)
	sh.env["HOME"] = home
	readme, err := os.ReadFile(readmeFile)
	if err != nil {
		t.Fatal(err)
	}
	commands, shown := 0, readmeReplies(string(readme))
	for line := range strings.Lines(string(readme)) {
		command, ok := strings.CutPrefix(strings.TrimSpace(comment.ReplaceAllString(line, "")), "ragnav ")
		if !ok || !strings.HasPrefix(line, "    ") {
			continue
		}
		commands++
		sh.readmeCommand(home, command)
	}
	if commands < 20 || len(shown) < 2 {
		t.Errorf("%d commands and %d replies found, want those of README", commands, len(shown))
	}
	for command, want := range shown {
		got := strings.TrimRight(sh.readmeCommand(home, command), "\n")
		if diff := cmp.Diff(scores.ReplaceAllString(want, "N"), scores.ReplaceAllString(got, "N")); diff != "" {
			t.Errorf("ragnav %s: README shows another reply (-README +now):\n%s", command, diff)
		}
	}
}

var readmeFile, _ = filepath.Abs("../../README.md")

// readmeHome is a home directory with the repositories of README's commands.
func readmeHome(t *testing.T) string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/readme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	home := writeRepo(t, "home", files)
	instead := fmt.Sprintf("[url %q]\n\tinsteadOf = https://github.com/go-chi/chi\n", filepath.Join(home, "chi"))
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(instead), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, repo := range []string{"chi", "src/project"} {
		for _, args := range [][]string{
			{"init", "-q"},
			{"add", "-A"},
			{"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"},
		} {
			cmd := exec.CommandContext(t.Context(), "git", args...)
			cmd.Dir = filepath.Join(home, repo)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	return home
}

// readmeReplies are the commands behind "$ ragnav" with the lines that follow.
func readmeReplies(readme string) map[string]string {
	_, block, _ := strings.Cut(readme, "```\n$ ragnav ")
	block, _, _ = strings.Cut(block, "```")
	replies := map[string]string{}
	for part := range strings.SplitSeq(block, "$ ragnav ") {
		command, reply, _ := strings.Cut(part, "\n")
		replies[command] = strings.TrimRight(reply, "\n")
	}
	return replies
}

// readmeCommand runs a line as a shell would. What runs until it is stopped, is
// stopped when it has said something.
func (sh shell) readmeCommand(home, line string) string {
	sh.t.Helper()
	var args []string
	for _, word := range shellWord.FindAllString(line, -1) {
		word = strings.Trim(word, `'"`)
		if rest, ok := strings.CutPrefix(word, "~/"); ok {
			word = filepath.Join(home, rest)
		}
		args = append(args, word)
	}
	ctx, cancel := context.WithCancel(sh.t.Context())
	defer cancel()
	var out, errs bytes.Buffer
	said := writerFunc(func(p []byte) (int, error) {
		if args[0] == "watch" {
			cancel()
		}
		return out.Write(p)
	})
	if exit := run(ctx, args, sh.getenv, said, &errs); exit != 0 && args[0] != "watch" {
		sh.t.Errorf("ragnav %s: exit %d\n%s%s", line, exit, &out, &errs)
	}
	return out.String()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
