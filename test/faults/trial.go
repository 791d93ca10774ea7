package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A trial is one case: an undamaged data directory, one damage or failing
// system call, programs that meet it, and the repair.
type trial struct {
	*world

	number   int
	random   *rand.Rand
	kind     string
	mode     string
	what     string // was done
	states   []state
	findings []finding
	worst    verdict
	log      string // of strace, which tells what failed
}

// modes are who meets the fault: commands that read, one that writes, a server
// that starts with it, one that is running when it comes.
var modes = []string{"read", "write", "serve", "live"}

// try runs the case with that number of a seed.
func try(ctx context.Context, w *world, seed uint64, number int) (*trial, error) {
	t := &trial{
		world: w, number: number, random: rand.New(rand.NewPCG(seed, uint64(number))), states: []state{{}},
		worst: same,
	}
	if err := errors.Join(replaceTree(w.at("pristine"), w.data()), w.place(1)); err != nil {
		return t, err
	}
	t.mode = modes[t.random.IntN(len(modes))]
	switch {
	case w.kills:
		return t, t.meetKill(ctx)
	case number%2 == 0:
		return t, t.meetDamage(ctx, damages[number/2%len(damages)])
	}
	return t, t.meetFailing(ctx, failings[number/2%len(failings)])
}

func (t *trial) meetDamage(ctx context.Context, kind damage) error {
	t.kind = kind.name
	do := func() (stop func() error, err error) {
		t.what, err = damageRandom(t.world, t.random, kind)
		return func() error { return nil }, err
	}
	if t.mode == "live" {
		return t.afterwards(ctx, t.live(ctx, do))
	}
	if _, err := do(); err != nil {
		return err
	}
	return t.afterwards(ctx, t.hit(ctx, nil))
}

func (t *trial) meetFailing(ctx context.Context, kind failing) error {
	t.kind = kind.name
	if t.mode == "live" && kind.live {
		do := func() (func() error, error) { return t.attach(ctx, kind) }
		err := t.live(ctx, do)
		t.count()
		return t.afterwards(ctx, err)
	}
	if t.mode == "live" {
		t.mode = "serve"
	}
	f, err := kind.apply(ctx, t.world, t.random)
	t.what, t.log = f.what, f.log
	if err == nil {
		err = t.hit(ctx, f.before)
	}
	if f.withdraw != nil {
		if err2 := f.withdraw(); err == nil {
			err = err2
		}
	}
	if t.count(); kind.answers && t.mode == "read" && t.worst == said {
		t.note(finding{verdict: refused, what: "reading needs no more than this"})
	}
	return t.afterwards(ctx, err)
}

// count makes a case idle in which no call failed.
func (t *trial) count() {
	if t.log == "" {
		return
	}
	text, err := os.ReadFile(t.log)
	if n := bytes.Count(text, []byte("(INJECTED)")); err == nil && n == 0 && t.worst == same {
		t.worst = idle
	} else {
		t.what += fmt.Sprintf(" (%d failed)", n)
	}
}

// note keeps what a judge found.
func (t *trial) note(f finding) {
	t.worst = max(t.worst, f.verdict)
	if f.verdict > same {
		t.findings = append(t.findings, f)
	}
}

// truth are the tables of the states that the index may be in.
func (t *trial) truth() []table {
	var tables []table
	for _, s := range t.states {
		tables = append(tables, t.tables[s])
	}
	return tables
}

// hit lets programs meet the fault.
func (t *trial) hit(ctx context.Context, before []string) error {
	switch t.mode {
	case "read":
		was, err := sizes(t.data())
		if err != nil {
			return err
		}
		defer func() { t.noteCut(was) }()
		for _, i := range t.random.Perm(len(t.ops))[:3] {
			if err := t.read(ctx, before, i); err != nil {
				return err
			}
		}
		return nil
	case "write":
		return t.write(ctx, before)
	}
	c := t.serving(t.data())
	c.before = before
	_, err := t.check(ctx, c)
	return err
}

// noteCut notes files that are shorter than they were, or gone: nobody but
// readers was there. Segments may have been merged.
func (t *trial) noteCut(was map[string]int64) {
	now, err := sizes(t.data())
	if err != nil {
		return // a folder in the way, perhaps: what is lost will be missed
	}
	for file, size := range was {
		if base := filepath.Base(file); now[file] < size && filepath.Ext(base) != ".zap" &&
			!strings.HasPrefix(base, "owner.json") {
			t.note(finding{
				verdict: loss,
				what:    fmt.Sprintf("a reading command left %d of %d bytes of %s", now[file], size, base),
			})
		}
	}
}

// read asks one question on the command line.
func (t *trial) read(ctx context.Context, before []string, i int) error {
	c := t.command("ragnav", append([]string{"--json"}, t.ops[i].args...)...)
	c.before = before
	r, err := c.run(ctx)
	if err != nil {
		return err
	}
	if v := t.ended(t.ops[i].name, r); v.bad() {
		return nil
	}
	got, err := parseReply([]byte(r.out))
	if err != nil {
		t.note(finding{verdict: mute, what: fmt.Sprintf("%s: exit %d, %v", t.ops[i].name, r.exit, err), message: r.err})
		return nil
	}
	f := judge(t.ops[i], i, got, t.truth())
	if (got.Status == "ERROR") != (r.exit != 0) {
		f.verdict, f.what = lie, fmt.Sprintf("%s: exit %d with %s", f.what, r.exit, got.Status)
	}
	t.note(f)
	return nil
}

// ended notes that a program hung or crashed.
func (t *trial) ended(what string, r result) verdict {
	f := finding{verdict: same, what: fmt.Sprintf("%s: exit %d", what, r.exit), message: r.said()}
	switch {
	case r.panicked():
		f.verdict = panicked
	case r.hung:
		f.verdict = hang
	case r.exit < 0:
		f.verdict = died
	}
	t.note(f)
	return f.verdict
}

// A writing is a command that writes, and the state it should lead to.
type writing struct {
	args  []string
	reach state
	lasts time.Duration
}

func (t *trial) writings() []writing {
	index := append([]string{"index"}, t.noGraph...)
	return []writing{
		{append(slices.Clip(index), t.homes[delta]), state{fresh: true}, 0},
		{append(slices.Clip(index), t.homes[epsilon]), state{epsilon: true}, 0},
		{append(slices.Clip(index), "--full", t.homes[alpha]), state{}, 0},
		{[]string{"remove", gamma}, state{noGamma: true}, 0},
		{[]string{"watch", delta}, state{fresh: true}, 3 * time.Second},
	}
}

// write runs one writing command. Done is done; else the index is as it was, or done.
func (t *trial) write(ctx context.Context, before []string) error {
	choice := t.writings()
	w := choice[t.random.IntN(len(choice))]
	t.mode += " " + w.args[0]
	if err := t.place(versionOf(w.reach)); err != nil {
		return err
	}
	c := t.command("ragnav", w.args...)
	c.before, c.lasts = before, w.lasts
	r, err := c.run(ctx)
	if err != nil {
		return err
	}
	if t.states = append(t.states, w.reach); r.exit == 0 && w.lasts == 0 {
		t.states = t.states[1:]
	}
	if v := t.ended(strings.Join(w.args, " "), r); v.bad() || r.exit == 0 || r.exit == exitInterrupted {
		return nil
	}
	t.note(finding{verdict: judgeText(r.err), what: fmt.Sprintf("%s: exit %d", w.args[0], r.exit), message: r.err})
	return nil
}

const exitInterrupted = 130

// judgeText judges what a command says that has no envelope.
func judgeText(message string) verdict {
	switch {
	case strings.TrimSpace(message) == "", strings.Contains(message, "internal error"):
		return mute
	case strings.Contains(message, "nothing is indexed"), strings.Contains(message, "no repository"):
		return loss
	}
	return said
}

// check asks a new server everything, and returns whether all replies were right.
func (t *trial) check(ctx context.Context, c command) (right bool, err error) {
	s, ended, err := startServer(ctx, c)
	if err != nil {
		return false, err
	}
	if ended != nil {
		t.refused(*ended)
		return false, nil
	}
	if err := t.match(ctx, s); err != nil {
		return false, err
	}
	right = t.askAll(ctx, s)
	r := s.stop()
	return !t.ended("api-server", r).bad() && right, nil
}

// refused notes a server that ended instead of serving.
func (t *trial) refused(r result) {
	if t.ended("api-server", r).bad() {
		return
	}
	f := finding{verdict: said, what: fmt.Sprintf("api-server: exit %d", r.exit), message: r.err, failed: true}
	if r.exit == 0 || !strings.Contains(r.err, "api-server: ") {
		f.verdict = died
	} else if judgeText(r.err) != said {
		f.verdict = judgeText(r.err)
	}
	t.note(f)
}

func (t *trial) askAll(ctx context.Context, s *server) bool {
	right := true
	for i, op := range t.ops {
		got, err := s.ask(ctx, op)
		f := finding{verdict: died, what: fmt.Sprintf("%s: no reply: %v", op.name, err)}
		if err == nil {
			f = judge(op, i, got, t.truth())
		} else if s.alive() {
			time.Sleep(100 * time.Millisecond) // it may be about to end
		}
		t.note(f)
		right = right && f.verdict == same
		if !s.alive() {
			return false
		}
	}
	return right
}

// live has a server run, the fault come over it, and an index run meet it too.
func (t *trial) live(ctx context.Context, do func() (func() error, error)) error {
	s, ended, err := startServer(ctx, t.serving(t.data()))
	if err != nil || ended != nil {
		return fmt.Errorf("without a fault, api-server: %+v, %w", ended, err)
	}
	before := t.random.IntN(3) > 0
	if before {
		t.askAll(ctx, s)
	}
	t.pid = s.cmd.Process.Pid
	withdraw, err := do()
	if err != nil {
		s.stop()
		return err
	}
	if t.askAll(ctx, s); s.alive() && t.random.IntN(2) == 0 {
		t.mode += " index"
		err = t.indexed(ctx, s)
	}
	if s.alive() {
		t.askAll(ctx, s)
	}
	err = errors.Join(err, withdraw())
	t.ended("api-server", s.stop())
	return err
}

func (t *trial) indexed(ctx context.Context, s *server) error {
	t.states = []state{{}, {fresh: true}}
	if err := t.place(2); err != nil {
		return err
	}
	st, message, err := s.index(ctx, fields{"targets": []string{t.homes[delta]}})
	switch {
	case err != nil && s.alive():
		t.note(finding{verdict: hang, what: "index job: " + err.Error()})
	case st == "done":
		t.states = t.states[1:]
	case err == nil:
		t.note(finding{verdict: judgeText(message), what: "index job " + st, message: message})
	}
	return t.match(ctx, s)
}

// attach lets system calls of the running server fail until it is withdrawn.
func (t *trial) attach(ctx context.Context, kind failing) (func() error, error) {
	f, err := kind.apply(ctx, t.world, t.random)
	if err != nil {
		return nil, err
	}
	t.what, t.log = f.what, f.log
	words := append(slices.Clone(f.before[2:]), "-p", fmt.Sprint(t.pid))
	cmd := exec.CommandContext(ctx, "strace", words...)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	time.Sleep(50 * time.Millisecond) // until it is attached; a moment later is a case too
	return func() error {
		_ = cmd.Process.Signal(os.Interrupt) // has ended with the server, perhaps
		_ = cmd.Wait()
		return nil
	}, nil
}
