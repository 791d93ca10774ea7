// Command asked measures where-used over HTTP on a large repository: the same
// question with nothing changed, and the first question after an edit, whose
// answer must have the new use. It starts an api-server of its own.
//
//	go run ./bench/fresh/asked -server bin/api-server -files 50000
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "asked:", err)
		os.Exit(1)
	}
}

// A bench is one run.
type bench struct {
	files, folders, asks int
	pause                time.Duration
	dir                  string
	server               *server
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	b := bench{folders: 1000}
	fs := flag.NewFlagSet("asked", flag.ContinueOnError)
	fs.SetOutput(out)
	program := fs.String("server", "bin/api-server", "program to start")
	work := fs.String("work", "",
		"folder for the repository and its index, used again by the next run (default: a temporary one)")
	fs.IntVar(&b.files, "files", 50_000, "files of the repository")
	fs.IntVar(&b.asks, "asks", 100, "questions to time, of each kind")
	fs.DurationVar(&b.pause, "pause", 0, "between questions")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *work == "" {
		if *work, err = os.MkdirTemp("", "ragnav-asked"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(*work)) }()
	}
	b.dir = filepath.Join(*work, "synthetic")
	if _, err := os.Stat(b.dir); err != nil {
		if err := b.plant(ctx); err != nil {
			return err
		}
	}
	if b.server, err = start(ctx, *program, filepath.Join(*work, "data"), b.dir); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.server.stop()) }()
	return b.measure(ctx, out)
}

// plant makes the repository: 50 files a folder, of which the first has a function
// that each of the others calls.
func (b *bench) plant(ctx context.Context) error {
	for i := range b.files {
		p := b.path(i)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(p, b.text(i), 0o600); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(b.dir, "go.mod"), []byte("module example.com/synthetic\n"), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-q", "-m", "all"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...) //nolint:gosec // fixed commands
		cmd.Dir = b.dir
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("git %s: %w", args[0], err)
		}
	}
	return nil
}

func (b *bench) path(i int) string {
	d := i % b.folders
	return filepath.Join(b.dir, "top"+strconv.Itoa(d%7), "mid"+strconv.Itoa(d%61), "dir"+strconv.Itoa(d),
		"file"+strconv.Itoa(i)+".go")
}

func (b *bench) text(i int) []byte {
	return fmt.Appendf(nil, "package p\n\n// Do%d calls the first of its package.\nfunc Do%d() int { return Do%d() }\n", i,
		i, i%b.folders)
}

// measure asks, and asks after edits, in turns so that both share the noise.
func (b *bench) measure(ctx context.Context, out io.Writer) error {
	var reference, unchanged, edited times
	for range 3 { // the graph is loaded, what is known of git is learnt
		if _, err := b.ask(ctx, 0, nil); err != nil {
			return err
		}
	}
	time.Sleep(5 * time.Second)
	for i := range b.asks {
		file := i*37%(b.files-b.folders) + b.folders
		began := time.Now()
		if err := b.server.get(ctx, "/readyz", nil); err != nil {
			return err
		}
		reference.wall, reference.cpu = append(reference.wall, time.Since(began)), append(reference.cpu, 0)
		if _, err := b.ask(ctx, file%b.folders, &unchanged); err != nil {
			return err
		}
		time.Sleep(b.pause)
		was := b.text(file)
		for n, text := range [][]byte{fmt.Appendf(was, "\nfunc More%d() { Do%d() }\n", i, file%b.folders), was} {
			if err := os.WriteFile(b.path(file), text, 0o600); err != nil { //nolint:gosec // of the synthetic repository
				return err
			}
			uses, err := b.ask(ctx, file%b.folders, &edited)
			if err != nil {
				return err
			}
			if want := b.files/b.folders + 1 - n; uses != want {
				return fmt.Errorf("edit %d: %d uses of Do%d, want %d", i, uses, file%b.folders, want)
			}
		}
		time.Sleep(b.pause)
	}
	_, err := fmt.Fprintf(out,
		"%d files | wall min · p50 · p95 · max | CPU of the server p50\nreference: is the server there? | %s\n"+
			"where-used, nothing changed | %s\nwhere-used after an edit | %s\n",
		b.files, &reference, &unchanged, &edited)
	return err
}

// ask is the number of uses of a function.
func (b *bench) ask(ctx context.Context, fn int, t *times) (int, error) {
	var got struct {
		Items []struct{} `json:"items"`
		Meta  struct {
			Source string `json:"source"`
		} `json:"meta"`
	}
	cpu, began := b.server.cpu(), time.Now()
	err := b.server.post(ctx, "/api/nav/where-used",
		map[string]any{"repo_id": b.server.repo, "symbol": fmt.Sprint("Do", fn), "limit": 1000}, &got)
	if t != nil {
		t.wall, t.cpu = append(t.wall, time.Since(began)), append(t.cpu, b.server.cpu()-cpu)
	}
	return len(got.Items), err
}

// times of one kind of question.
type times struct{ wall, cpu []time.Duration }

func (t *times) String() string {
	wall := quantiles(t.wall, 0, .5, .95, 1)
	return fmt.Sprintf("%s · %s · %s · %s | %s", wall[0], wall[1], wall[2], wall[3], quantiles(t.cpu, .5)[0])
}

func quantiles(all []time.Duration, at ...float64) (found []string) {
	all = slices.Sorted(slices.Values(all))
	for _, q := range at {
		found = append(found, fmt.Sprintf("%.1f ms", all[int(q*float64(len(all)-1))].Seconds()*1000))
	}
	return found
}

// post sends a request and decodes the reply.
func (s *server) post(ctx context.Context, path string, body, reply any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return s.send(ctx, http.MethodPost, path, bytes.NewReader(data), reply)
}

// get asks and decodes the reply, unless that is nil.
func (s *server) get(ctx context.Context, path string, reply any) error {
	return s.send(ctx, http.MethodGet, path, http.NoBody, reply)
}

func (s *server) send(ctx context.Context, method, path string, body io.Reader, reply any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %.300s", path, res.Status, data)
	}
	if reply == nil {
		return nil
	}
	return json.Unmarshal(data, reply)
}
