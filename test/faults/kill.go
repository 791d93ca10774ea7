package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// meetKill kills writing commands, or a server with an index job, at random
// moments. What they leave answers as before or as after them, without any
// repair, and the next run comes to its end.
func (t *trial) meetKill(ctx context.Context) error {
	t.kind, t.mode, t.worst = "kill -9", "write", idle
	for again := true; again; again = t.worst < same || t.random.IntN(4) == 0 {
		if err := t.kill(ctx); err != nil {
			return err
		}
	}
	right, err := t.check(ctx, t.serving(t.data()))
	if err != nil {
		return err
	}
	for _, f := range t.findings {
		if f.failed && !right {
			t.note(finding{verdict: refused, what: f.what + " after a kill", message: f.message})
		}
	}
	return t.finish(ctx)
}

// kill runs one command and kills it, perhaps too late.
func (t *trial) kill(ctx context.Context) error {
	choice := t.writings()
	i := t.random.IntN(len(choice) + 1)
	if i == len(choice) {
		return t.killServer(ctx)
	}
	w := choice[i]
	name := strings.Join(w.args, " ")
	if err := t.place(versionOf(w.reach)); err != nil {
		return err
	}
	after := time.Duration(t.random.Int64N(int64(lasts(t.lasted, name)) * 11 / 10))
	c := t.command("ragnav", w.args...)
	c.lasts, c.end = max(after, time.Millisecond), os.Kill
	begun := time.Now()
	r, err := c.run(ctx)
	if err != nil {
		return err
	}
	for _, s := range t.states { // it may have done it
		t.states = append(t.states, s.with(w.reach))
	}
	if r.exit >= 0 {
		t.lasted[name] = time.Since(begun)
		return nil
	}
	t.killedAfter(w.args[0], after)
	return nil
}

func (t *trial) killedAfter(name string, after time.Duration) {
	t.worst = max(t.worst, same)
	t.mode = "kill " + name
	t.what += fmt.Sprintf("%s killed after %v; ", name, after.Round(time.Millisecond))
}

// lasts is what a command takes, as far as it is known.
func lasts(lasted map[string]time.Duration, name string) time.Duration {
	if d := lasted[name]; d > 0 {
		return d
	}
	return time.Second
}

// killServer kills a server a moment after an index job was started.
func (t *trial) killServer(ctx context.Context) error {
	s, ended, err := startServer(ctx, t.serving(t.data()))
	if err != nil || ended != nil {
		return fmt.Errorf("api-server: %+v, %w", ended, err)
	}
	if err := t.place(2); err != nil {
		return err
	}
	_, err = s.ask(ctx, post("index", "/api/index", fields{"targets": []string{t.homes[delta]}}))
	after := time.Duration(t.random.Int64N(int64(500 * time.Millisecond)))
	time.Sleep(after)
	_ = s.cmd.Process.Kill() // it runs: nobody else stops it
	<-s.ended
	for _, was := range t.states {
		t.states = append(t.states, was.with(state{fresh: true}))
	}
	t.killedAfter("server", after)
	return err
}

// with is a state after a command that leads to another one from the first.
func (s state) with(other state) state {
	return state{fresh: s.fresh || other.fresh, epsilon: s.epsilon || other.epsilon, noGamma: s.noGamma || other.noGamma}
}
