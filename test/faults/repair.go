package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// quoted are commands of ours in a message.
var quoted = regexp.MustCompile("`((?:ragnav|api-server) [^`]+)`")

// named are the commands that a message tells to run, without those that have
// nothing to do with a damage and those that need more words.
func named(message string) [][]string {
	var commands [][]string
	for _, m := range quoted.FindAllStringSubmatch(message, -1) {
		words := split(m[1])
		if !strings.HasPrefix(m[1], "ragnav nav ") && m[1] != "ragnav index" && m[1] != "ragnav watch" &&
			!strings.Contains(m[1], "FOLDER") && !strings.Contains(m[1], "PATH") {
			commands = append(commands, words)
		}
	}
	return commands
}

// afterwards looks what the fault left when it is over, has the named commands
// repair it, and compares the end with a clean index.
func (t *trial) afterwards(ctx context.Context, err error) error {
	if err != nil || t.worst.bad() {
		return err
	}
	if ok, err := t.untouched(); t.worst != ranked && ok || err != nil {
		return err
	}
	before := t.worst
	begin := len(t.findings)
	right, err := t.check(ctx, t.serving(t.data()))
	if err != nil || t.worst.bad() {
		return err
	}
	if t.worst == ranked {
		t.note(finding{verdict: lie, what: "other scores, and nothing was said"})
		return nil
	}
	if right && before == said {
		t.worst = passed
	}
	if right && t.log == "" {
		right, err = t.deep(ctx)
	}
	if err != nil || t.worst.bad() {
		return err
	}
	if right {
		return t.finish(ctx)
	}
	if err := t.repair(ctx, begin); err != nil || t.worst.bad() {
		return err
	}
	return t.finish(ctx)
}

// untouched reports whether every byte of the data directory is as it was,
// after which nothing more can come of the case.
func (t *trial) untouched() (bool, error) {
	all, err := files(t.data())
	if err != nil {
		return false, err
	}
	was, err := files(t.at("pristine"))
	if err != nil || len(all) != len(was) {
		return false, err
	}
	for i := range all {
		now, err := os.ReadFile(all[i])
		if err != nil {
			return false, err
		}
		then, err := os.ReadFile(was[i])
		if err != nil || !bytes.Equal(now, then) || filepath.Base(all[i]) != filepath.Base(was[i]) {
			return false, err
		}
	}
	if t.worst == said {
		t.worst = passed
	}
	return true, nil
}

// deep has doctor look at everything that is kept, after a damage of which no reply told.
func (t *trial) deep(ctx context.Context) (right bool, err error) {
	if !t.hasDeep || t.worst != same {
		return true, nil
	}
	r, err := t.command("ragnav", "doctor", "--deep").run(ctx)
	if err != nil || t.ended("doctor --deep", r).bad() {
		return false, err
	}
	if r.exit == 0 {
		t.worst = unseen
		return true, nil
	}
	t.note(finding{
		verdict: judgeText(r.err + r.out), what: fmt.Sprintf("doctor --deep: exit %d", r.exit),
		message: r.err + r.out,
	})
	return false, nil
}

const repairs = 8 // commands until a case counts as not repaired

// repair runs the commands that the messages since a finding name, until all is right.
func (t *trial) repair(ctx context.Context, since int) error {
	var tried []string
	for range repairs {
		next := t.next(since, tried)
		if next == nil {
			break
		}
		tried = append(tried, strings.Join(next, " "))
		since = len(t.findings)
		if err := t.obey(ctx, next); err != nil || t.worst.bad() {
			return err
		}
		right, err := t.check(ctx, t.serving(t.data()))
		if err != nil || t.worst.bad() {
			return err
		}
		if right {
			t.worst = repaired
			t.what += "; repaired by " + strings.Join(tried, ", ")
			return nil
		}
	}
	t.note(finding{
		verdict: map[bool]verdict{false: unrepaired, true: mute}[len(tried) == 0],
		what:    fmt.Sprintf("after %q", tried),
	})
	return nil
}

// next is the first command that is named since a finding; one may be run twice.
func (t *trial) next(since int, tried []string) []string {
	for _, f := range t.findings[since:] {
		for _, words := range named(f.message) {
			times := 0
			for _, old := range tried {
				if old == strings.Join(words, " ") {
					times++
				}
			}
			if times < 2 {
				return words
			}
		}
	}
	return nil
}

// obey runs a command of a message.
func (t *trial) obey(ctx context.Context, words []string) error {
	c := t.command(words[0], words[1:]...)
	if len(words) > 1 && words[1] == "index" {
		c.args = append(c.args, t.noGraph...)
	}
	r, err := c.run(ctx)
	if err != nil {
		return err
	}
	if v := t.ended(strings.Join(words, " "), r); !v.bad() && r.exit != 0 {
		t.note(finding{
			verdict: judgeText(r.err + r.out), what: fmt.Sprintf("%s: exit %d", strings.Join(words, " "), r.exit),
			message: r.err + r.out,
		})
	}
	allow(t, words)
	return nil
}

// allow adds the states that a repairing command may lead to.
func allow(t *trial, words []string) {
	for _, s := range t.states {
		if words[1] == "index" || words[1] == "doctor" {
			t.states = append(t.states, state{fresh: true, epsilon: s.epsilon, noGamma: s.noGamma})
		}
	}
}

// finish brings everything up to date, which must end as a clean index. What
// was damaged without a sign until now is met here at the latest.
func (t *trial) finish(ctx context.Context) error {
	if t.worst.bad() {
		return nil
	}
	if err := t.place(2); err != nil {
		return err
	}
	roots := []string{t.homes[alpha], t.homes[beta], t.homes[gamma], t.homes[delta], t.homes[epsilon]}
	for round := range 2 {
		c := t.command("ragnav", append(append([]string{"index"}, t.noGraph...), roots...)...)
		r, err := c.run(ctx)
		if err != nil {
			return err
		}
		if t.ended("index of all", r).bad() {
			return nil
		}
		if r.exit == 0 {
			break
		}
		before := t.worst
		t.note(finding{verdict: judgeText(r.err), what: fmt.Sprintf("index of all: exit %d", r.exit), message: r.err})
		if round == 1 {
			t.note(finding{verdict: unrepaired, what: "index of all"})
		}
		if t.worst.bad() {
			return nil
		}
		t.states = allStates()
		if err := t.repair(ctx, len(t.findings)-1); err != nil || t.worst.bad() {
			return err
		}
		t.worst = max(before, t.worst)
	}
	return t.compareClean(ctx)
}

func allStates() []state {
	var all []state
	for i := range 8 {
		all = append(all, state{fresh: i&1 != 0, epsilon: i&2 != 0, noGamma: i&4 != 0})
	}
	return all
}

func (t *trial) compareClean(ctx context.Context) error {
	t.states = []state{{fresh: true, epsilon: true}}
	before, begin := t.worst, len(t.findings)
	right, err := t.check(ctx, t.serving(t.data()))
	if err == nil && !right && !t.worst.bad() {
		t.note(finding{verdict: unrepaired, what: "not equal to a clean index", message: t.findings[begin].message})
	}
	if right {
		t.worst = before
	}
	return err
}
