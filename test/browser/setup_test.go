//go:build browser

package browser

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// site is the address of the server, program its file, sources the folder of what
// it indexed, browser the context of Chromium.
var (
	site    string
	program string
	sources string
	browser context.Context
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	path := chromium()
	if path == "" {
		fmt.Println("SKIPPED: there is no Chromium; install it (apt-get install chromium)")
		return 0
	}
	dir, err := os.MkdirTemp("", "ragnav-browser")
	if err != nil {
		return fail(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	stop, err := serve(dir)
	if err != nil {
		return fail(err)
	}
	defer stop()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.WindowSize(1280, 900))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	browser, cancel = chromedp.NewContext(alloc)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		return fail(err)
	}
	return m.Run()
}

func fail(err error) int {
	fmt.Println(err)
	return 1
}

func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// serve starts the real program over the corpus, and waits until it is indexed.
func serve(dir string) (stop func(), err error) {
	program = filepath.Join(dir, "api-server")
	build := exec.Command("go", "build", "-o", program, "./cmd/api-server")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	sources = filepath.Join(dir, "src")
	targets, err := corpus(sources)
	if err != nil {
		return nil, err
	}
	site, stop, err = begin(filepath.Join(dir, "data"), nil, targets...)
	return stop, err
}

// begin starts the program, and waits until it has indexed some folders.
func begin(data string, env []string, targets ...string) (address string, stop func(), err error) {
	server := exec.Command(program, append([]string{
		"--addr", "127.0.0.1:0", "--store", "embedded:" + data, "--max-file-size", "8MiB",
	}, targets...)...)
	server.Stderr = os.Stderr
	server.Env = append(append(os.Environ(), "RAGNAV_LOG_LEVEL=error"), env...)
	out, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { _ = server.Process.Signal(os.Interrupt); _ = server.Wait() }
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		address = strings.Fields(line)[3] // "ragnav is at ADDRESS …"
		err = indexed(address, len(targets))
	}
	if err != nil {
		stop()
	}
	return address, stop, err
}

// indexed waits until all jobs of a server have ended.
func indexed(site string, targets int) error {
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		reply, err := http.Get(site + "/api/index/jobs?limit=1000")
		if err != nil {
			return err
		}
		var text strings.Builder
		_, err = bufio.NewReader(reply.Body).WriteTo(&text)
		_ = reply.Body.Close()
		if err != nil {
			return err
		}
		if strings.Count(text.String(), `"state":"done"`) == targets {
			return nil
		}
	}
	return fmt.Errorf("the corpus is not indexed after 3 minutes")
}

// A tab is a page of the browser, and what went wrong in it.
type tab struct {
	context.Context

	t        *testing.T
	site     string
	mu       sync.Mutex
	problems []string
	expected int // status of pages that are not found
	bytes    float64
}

// open opens a tab. At the end of the test nothing may have gone wrong in it:
// no error or exception, nothing that the policy refused, no request to
// elsewhere.
func open(t *testing.T) *tab { t.Helper(); return openAt(t, site) }

// openAt is open for another server.
func openAt(t *testing.T, site string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	tb := &tab{Context: ctx, t: t, site: site}
	tb.do()
	ctx, stop := context.WithTimeout(ctx, 90*time.Second)
	tb.Context = ctx
	if err := chromedp.Listen(ctx, tb.listen); err != nil {
		t.Fatal(err)
	}
	tell(tb, network.Enable, network.EnableParams{})
	tell(tb, log.Enable, cdp.Empty{})
	t.Cleanup(func() {
		stop()
		cancel()
		tb.mu.Lock()
		defer tb.mu.Unlock()
		for _, p := range tb.problems {
			t.Error(p)
		}
	})
	return tb
}

func (tb *tab) listen(event any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		tb.problems = append(tb.problems, "exception: "+e.ExceptionDetails.Text+" "+description(e.ExceptionDetails))
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError &&
			!(tb.expected != 0 && strings.Contains(e.Entry.Text, fmt.Sprint(tb.expected))) {
			tb.problems = append(tb.problems, fmt.Sprintf("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, tb.site+"/") {
			tb.problems = append(tb.problems, "a request to "+url)
		}
	case *network.EventLoadingFinished:
		tb.bytes += e.EncodedDataLength
	}
}

func description(d *runtime.ExceptionDetails) string {
	if d.Exception == nil {
		return ""
	}
	return d.Exception.Description
}

func (tb *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	if err := chromedp.Do(tb, steps...); err != nil {
		tb.t.Fatalf("%v, on %s", err, tb.where())
	}
}

// tell sends a command of the browser's protocol.
func tell[P, R any](tb *tab, command cdp.Command[P, R], params P) {
	tb.t.Helper()
	if _, err := chromedp.Call(tb, command, params); err != nil {
		tb.t.Fatal(err)
	}
}

// press presses keys as a person does: what the page prevents is not typed.
func (tb *tab) press(keys ...string) {
	tb.t.Helper()
	for _, key := range keys {
		tell(tb, input.DispatchKeyEvent,
			input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key})
		tell(tb, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key})
	}
}

func (tb *tab) visit(path string) {
	tb.t.Helper()
	tb.do(chromedp.Navigate(tb.site + path))
}

// until waits until an expression is true, also across pages.
func (tb *tab) until(expression, what string) {
	tb.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if ok, err := chromedp.Run(tb, chromedp.Evaluate[bool]("Boolean("+expression+")")); err == nil && ok {
			return
		}
	}
	text, _ := chromedp.Run(tb, chromedp.Evaluate[string](`document.querySelector('main')?.innerText ?? ''`))
	tb.t.Fatalf("%s is not there after 20 s, on %s:\n%.600s", what, tb.where(), text)
}

func (tb *tab) where() string {
	url, _ := chromedp.Run(tb, chromedp.Location())
	return url
}

// eval is the value of an expression.
func eval[T any](tb *tab, expression string) T {
	tb.t.Helper()
	v, err := chromedp.Run(tb, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		tb.t.Fatalf("%v, on %s", err, tb.where())
	}
	return v
}
