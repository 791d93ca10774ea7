package worker_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/worker"
)

// The test binary is its own worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "parse-worker" {
		if len(os.Args) > 2 { // slow to start
			for start := time.Now(); time.Since(start) < 3*deadline; {
			}
		}
		if err := worker.Serve(os.Stdin, os.Stdout, obedient{}); err != nil {
			os.Exit(1) //nolint:forbidigo // this is a program, too
		}
		return
	}
	os.Exit(m.Run()) //nolint:forbidigo // this is a program, too
}

// deadline is the processor time that a worker has for a file in tests: a
// thousand times what it needs, and short, since what hangs without the
// processor is waited for twenty times as long.
const deadline = 300 * time.Millisecond

// obedient is a parser that does what the text says.
type obedient struct{}

func (obedient) Outline(f parse.File, _ parse.Want) (parse.Outline, error) {
	switch {
	case strings.HasPrefix(f.Text, "hang"):
		select {}
	case strings.HasPrefix(f.Text, "spin"):
		for i := 0; ; i++ {
			if i < 0 {
				break
			}
		}
	case strings.HasPrefix(f.Text, "crash"):
		syscall.Exit(3)
	case strings.HasPrefix(f.Text, "killed"): // as by a system without memory
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	case strings.HasPrefix(f.Text, "heals "): // crashes until the file is there
		if _, err := os.Stat(strings.TrimPrefix(f.Text, "heals ")); err != nil {
			syscall.Exit(3)
		}
	case strings.HasPrefix(f.Text, "once "): // crashes where the file is not yet
		if err := os.Mkdir(strings.TrimPrefix(f.Text, "once "), 0o700); err == nil {
			syscall.Exit(3)
		}
	case strings.HasPrefix(f.Text, "eat"):
		var all [][]byte
		for {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			all = append(all, b)
			if len(all) > 4000 {
				return parse.Outline{}, errors.New("nobody stopped me")
			}
		}
	case strings.HasPrefix(f.Text, "nap"):
		time.Sleep(2 * deadline) // without the processor
	case strings.HasPrefix(f.Text, "refuse"):
		return parse.Outline{}, errors.New("no thanks")
	}
	return parse.Outline{
		Method: "obedient", Lines: os.Getpid(),
		Symbols: []parse.Symbol{{Name: f.Text, Kind: "func", StartLine: 1, EndLine: 1}},
	}, nil
}

func (o obedient) Locals(f parse.File) ([]facts.Local, error) {
	return []facts.Local{{Name: f.Text, Line: 1, Column: 1}}, nil
}

func (o obedient) Both(f parse.File) (parse.Outline, *facts.File, error) {
	if strings.HasPrefix(f.Text, "both ") {
		syscall.Exit(3)
	}
	out, err := o.Outline(f, parse.WantSymbols)
	if err != nil || strings.HasPrefix(f.Text, "apart ") {
		return out, nil, err
	}
	return out, &facts.File{Path: f.Path, Language: f.Language, Package: "kept"}, nil
}

func (o obedient) Facts(f parse.File) (facts.File, error) {
	if _, err := o.Outline(f, parse.WantSymbols); err != nil {
		return facts.File{}, err
	}
	return facts.File{Path: f.Path, Language: f.Language, Symbols: []facts.Symbol{{Name: f.Text, Parent: -1}}}, nil
}

func open(t *testing.T, c worker.Config) *worker.Pool {
	t.Helper()
	c.Command = []string{os.Args[0], "parse-worker"}
	c.Speaks = func(string) bool { return true }
	c.Guard = func(text string) string {
		if strings.HasPrefix(text, "guarded") {
			return "not for you"
		}
		return ""
	}
	p := worker.New(c)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func ask(t *testing.T, p *worker.Pool, text string) (parse.Outline, error) {
	t.Helper()
	return p.Outline(t.Context(), parse.File{Path: "a.py", Language: "Python", Text: text}, parse.WantSymbols)
}

// TestOutline shows what happens to one file, and that the next one is parsed
// whatever happened before.
func TestOutline(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       string // in the error
	}{
		{"answered", "fine", ""},
		{"nothing in it", "", ""},
		{"guarded", "guarded text", "not for you"},
		{"refused", "refuse", "no thanks"},
		{"hangs", "hang", "too long"},
		{"is busy for ever", "spin", "too long"},
		{"gets no processor for twice the deadline", "nap", map[bool]string{false: "too long"}[runtime.GOOS == "linux"]},
		{"crashes", "crash", "crashed"},
		{"crashes once, from outside", "once " + filepath.Join(t.TempDir(), "x"), ""},
		{"large", strings.Repeat("x", 1<<20), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, worker.Config{Size: 1, Deadline: deadline})
			for range 2 { // the second time from the poison list, if it is poison
				out, err := ask(t, p, tt.text)
				switch {
				case tt.want == "" && (err != nil || out.Symbols[0].Name != tt.text):
					t.Errorf("%.80v, %v", out, err)
				case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
					t.Errorf("error %v, want one with %q", err, tt.want)
				}
			}
			if out, err := ask(t, p, "next"); err != nil || out.Symbols[0].Name != "next" {
				t.Errorf("the next file: %v, %v", out, err)
			}
		})
	}
}

// What ends workers from outside says nothing about the file: the caller is
// told, and the file is no poison.
func TestKilledFromOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: there are no signals")
	}
	p := open(t, worker.Config{Size: 1})
	for range 2 {
		if _, err := ask(t, p, "killed"); !errors.Is(err, parse.ErrAway) || !strings.Contains(err.Error(), "killed") {
			t.Errorf("error %v, want that the parser was killed", err)
		}
	}
	if _, err := ask(t, p, "crash"); err == nil || errors.Is(err, parse.ErrAway) {
		t.Errorf("error %v, want one of the file", err)
	}
	none := worker.New(worker.Config{
		Command: []string{filepath.Join(t.TempDir(), "none")},
		Speaks:  func(string) bool { return true }, Guard: func(string) string { return "" },
	})
	t.Cleanup(func() { _ = none.Close() })
	if _, err := ask(t, none, "fine"); !errors.Is(err, parse.ErrAway) {
		t.Errorf("error %v, want that there is no parser", err)
	}
}

// A Pool that has given up tries again later: what ended its workers may have
// passed.
func TestTriesAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	file := filepath.Join(t.TempDir(), "there")
	p := open(t, worker.Config{Size: 1, Rest: time.Millisecond})
	for i := range 30 {
		if _, err := ask(t, p, "crash"+strings.Repeat("x", i)); err == nil {
			t.Fatal("no error")
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	limit := time.Now().Add(time.Minute)
	for {
		out, err := ask(t, p, "heals "+file)
		if err == nil && len(out.Symbols) == 1 {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("it never tried again: %v", err)
		}
	}
}

func TestPoisonCostsNoTime(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it waits for long")
	}
	t.Parallel()
	p := open(t, worker.Config{Size: 1, Deadline: deadline})
	ask := func() time.Duration {
		start := time.Now()
		if _, err := ask(t, p, "hang"); err == nil {
			t.Error("no error")
		}
		return time.Since(start)
	}
	if first, second := ask(), ask(); second > first/2 {
		t.Errorf("it took %v, and %v when it was known", first, second)
	}
}

func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: memory is watched on Linux")
	}
	p := open(t, worker.Config{Size: 1, Deadline: 20 * time.Second, Memory: 200 << 20})
	if _, err := ask(t, p, "eat"); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("error %v, want one about memory", err)
	}
}

func TestCancel(t *testing.T) {
	p := open(t, worker.Config{Size: 1, Deadline: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := p.Outline(ctx, parse.File{Text: "hang"}, parse.WantSymbols)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 30*time.Second {
		t.Errorf("error %v after %v, want that of the context", err, time.Since(start))
	}
	if _, err := ask(t, p, "fine"); err != nil {
		t.Error(err)
	}
}

// TestIdle shows that a worker ends when there is nothing to do.
func TestIdle(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: whether a process is there is asked by a signal")
	}
	for name, test := range map[string]struct {
		idle time.Duration
		end  func(p *worker.Pool)
	}{
		"after a while":     {50 * time.Millisecond, func(*worker.Pool) {}},
		"when it is let go": {time.Hour, (*worker.Pool).Release},
	} {
		t.Run(name, func(t *testing.T) { ends(t, test.idle, test.end) })
	}
}

func ends(t *testing.T, idle time.Duration, end func(p *worker.Pool)) {
	t.Helper()
	p := open(t, worker.Config{Size: 1, Idle: idle})
	out, err := ask(t, p, "fine")
	if err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(out.Lines)
	if err != nil {
		t.Fatal(err)
	}
	end(p)
	limit := time.After(time.Minute)
	for process.Signal(syscall.Signal(0)) == nil {
		select {
		case <-limit:
			t.Fatal("it is still there")
		case <-time.After(10 * time.Millisecond):
		}
	}
	if _, err := ask(t, p, "fine"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestReplaced shows that a worker ends after its number of files.
func TestReplaced(t *testing.T) {
	p := open(t, worker.Config{Size: 1, Files: 2, Idle: time.Minute})
	var pids []int
	for range 4 {
		out, err := ask(t, p, "fine")
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, out.Lines)
	}
	if pids[0] != pids[1] || pids[1] == pids[2] || pids[2] != pids[3] {
		t.Errorf("processes %v, want a new one every two files", pids)
	}
}

// TestGivesUp shows that a command that is no worker doesn't cost two
// processes a file for ever.
func TestGivesUp(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	p := worker.New(worker.Config{
		Command: []string{os.Args[0], "-test.run=^$"}, Speaks: func(string) bool { return true },
		Guard: func(string) string { return "" }, Size: 1,
	})
	t.Cleanup(func() { _ = p.Close() })
	var err error
	for i := range 20 {
		if _, err = ask(t, p, strings.Repeat("x", i+1)); !errors.Is(err, parse.ErrAway) {
			t.Errorf("error %v, want one that says nothing about the file", err)
		}
	}
	if err == nil || !strings.Contains(err.Error(), "end at once") {
		t.Errorf("error %v, want that it was given up", err)
	}
}

// What a process needs to start is not the file's: on a busy machine it may be
// more than a file may take.
func TestSlowToStart(t *testing.T) {
	p := worker.New(worker.Config{
		Command: []string{os.Args[0], "parse-worker", "slow"}, Speaks: func(string) bool { return true },
		Guard: func(string) string { return "" }, Size: 1, Deadline: deadline,
	})
	t.Cleanup(func() { _ = p.Close() })
	if _, err := ask(t, p, "fine"); err != nil {
		t.Error(err)
	}
}

func TestConcurrent(t *testing.T) {
	p := open(t, worker.Config{Size: 2})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				text := strings.Repeat("x", i*20+j)
				if out, err := ask(t, p, text); err != nil || out.Symbols[0].Name != text {
					t.Errorf("%v, %v", out, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestFacts(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{Deadline: deadline, Memory: 256 << 20})
	tests := []struct{ text, wantErr string }{
		{"hello", ""},
		{"refuse", "no thanks"},
		{"guarded", "not for you"},
		{"hang", "it takes too long to parse"},
		{"crash", "its parser crashed"},
		{"hello again", ""},
	}
	for _, tt := range tests {
		f, err := p.Facts(t.Context(), parse.File{Path: "a.py", Language: "Python", Text: tt.text})
		if tt.wantErr != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
				t.Errorf("%s: err = %v, want %s", tt.text, err, tt.wantErr)
			}
			continue
		}
		want := facts.File{Path: "a.py", Language: "Python", Symbols: []facts.Symbol{{Name: tt.text, Parent: -1}}}
		if diff := cmp.Diff(want, f); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", tt.text, err, diff)
		}
	}
}

// TestWantFacts: the facts of a file that was asked for with them are there once,
// without a worker; where both can't be had at once the outline is as without.
func TestWantFacts(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		kept       bool
	}{
		{"kept", "fine", true},
		{"facts are another parse", "apart file", false},
		{"both crash", "both crash", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, worker.Config{Size: 1, Deadline: deadline})
			f := parse.File{Path: "a.py", Language: "Python", Text: tt.text}
			out, err := p.Outline(t.Context(), f, parse.WantFacts)
			if err != nil || out.Symbols[0].Name != tt.text {
				t.Fatalf("outline %v, %v", out, err)
			}
			other := f
			other.Path = "b.py"
			for i, want := range []struct {
				file parse.File
				kept bool
			}{{other, false}, {f, tt.kept}, {f, false}} {
				found, err := p.Facts(t.Context(), want.file)
				if err != nil || found.Path != want.file.Path || (found.Package == "kept") != want.kept {
					t.Errorf("facts %d: %+v, %v, want kept ones: %t", i, found, err, want.kept)
				}
			}
		})
	}
}
