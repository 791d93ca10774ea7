package main

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"strings"
	"unicode/utf8"
)

// defaultPager leaves what fits the terminal, and what was read, on it.
const defaultPager = "less -FRX"

// paged prints what f prints, through a pager where it is longer than the
// terminal: that of PAGER, none with NO_PAGER. Notes come where they belong.
func (s *session) paged(f func() error) error {
	pager := cmp.Or(s.getenv("PAGER"), defaultPager)
	screen := s.screen
	if !screen.terminal || screen.height == 0 || s.json || s.getenv("NO_PAGER") != "" || pager == "cat" {
		return f()
	}
	out, errs := screen.out, screen.err
	var text bytes.Buffer
	screen.out = &text
	if screen.progress {
		screen.err = &text
	}
	err := f()
	screen.out, screen.err = out, errs
	if err != nil || screen.rows(text.String()) < screen.height || !page(pager, text.Bytes()) {
		screen.printf("%s", text.String())
	}
	return err
}

// page shows a text in a pager, and reports whether there is one.
func page(pager string, text []byte) bool {
	words := strings.Fields(pager)
	cmd := exec.Command(words[0], words[1:]...) //nolint:gosec,noctx // the user names it, and ends it
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), os.Stdout, os.Stderr
	if cmd.Start() != nil {
		return false
	}
	_ = cmd.Wait() // a pager that is left early has shown what was wanted
	return true
}

// rows is how many rows of the terminal a text takes.
func (s *screen) rows(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n += 1 + max(0, utf8.RuneCountInString(strings.TrimRight(line, "\n"))-1)/max(1, s.width)
	}
	return n
}
