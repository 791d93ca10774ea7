// Command across compares the uses of symbols in other repositories with what
// checkers say that saw all of them together.
//
//	go run ./bench/graph/across -url http://127.0.0.1:8080 [-show 20] DIR=REPO_ID...
//	go run ./bench/graph/across -url http://127.0.0.1:8080 [-show 20] -truth FILE
//
// The server has the repositories. Folders are modules of Go used by one go.work
// in the current folder, and go/types says what is used. FILE is what typescript.js
// or python.py beside this says. A use is a repository, file, line and column.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// within is what the paths of files begin with whose uses count.
var within string

// A place is where a name is.
type place struct {
	Repo   string `json:"repo"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func (p place) String() string { return fmt.Sprintf("%s %s:%d:%d", p.Repo, p.File, p.Line, p.Column) }

// A symbol is a declaration with its uses in other repositories.
type symbol struct {
	place

	Name string  `json:"name"`
	Uses []place `json:"uses"`
	// members of a union that this is one of: not counted, found or not
	Maybe []place `json:"maybe"`
}

func main() {
	url := flag.String("url", "http://127.0.0.1:8080", "the server")
	show := flag.Int("show", 20, "how many wrong or missing uses to list")
	truth := flag.String("truth", "", "what a checker said")
	flag.StringVar(&within, "in", "", "count only uses in files whose paths begin so")
	flag.Parse()
	if err := run(context.Background(), *url, *truth, *show, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, truth string, show int, modules []string) error {
	all, err := checked(modules)
	if truth != "" {
		all, err = said(truth)
	}
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b symbol) int { return cmp.Compare(a.String(), b.String()) })
	t := tally{show: show}
	for _, s := range all {
		start := time.Now()
		got, err := ask(ctx, url, s.place)
		t.took = append(t.took, time.Since(start))
		if err != nil {
			t.failed++
			if t.failed <= show {
				fmt.Printf("%s %s: %v\n", s.place, s.Name, err)
			}
		}
		t.compare(s, got)
	}
	t.print(len(all))
	return nil
}

func said(name string) (all []symbol, err error) {
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	return all, err
}

// ask asks for the uses in other repositories of what stands at a place, page
// after page.
func ask(ctx context.Context, url string, p place) (map[place]bool, error) {
	got := map[place]bool{}
	for cursor := ""; ; {
		body, err := json.Marshal(map[string]any{
			"repo_id": "*", "file": p.Repo + ":" + p.File, "line": p.Line,
			"column": p.Column, "limit": 1000, "cursor": cursor,
		})
		if err != nil {
			return nil, err
		}
		if cursor, err = page(ctx, url, body, p.Repo, got); err != nil || cursor == "" {
			return got, err
		}
	}
}

// page adds the uses of one page, and says how to ask for the next one.
func page(ctx context.Context, url string, body []byte, own string, got map[place]bool) (next string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/nav/where-used", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var reply struct {
		Meta struct {
			Message *string
			Next    string `json:"next_cursor"`
		}
		Items []struct {
			RepoID   string `json:"repo_id"`
			FilePath string `json:"file_path"`
			Line     int    `json:"line"`
			Column   int    `json:"column"`
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", resp.Status, *reply.Meta.Message)
	}
	for _, item := range reply.Items {
		if item.RepoID != own && strings.HasPrefix(item.FilePath, within) &&
			(len(seen) == 0 || seen[item.RepoID+":"+item.FilePath]) {
			got[place{item.RepoID, item.FilePath, item.Line, item.Column}] = true
		}
	}
	return reply.Meta.Next, nil
}

// A tally counts uses.
type tally struct {
	show, shown         int
	right, wrong, lack  int
	failed, symbolsWith int
	maybe               int
	took                []time.Duration
}

func (t *tally) compare(s symbol, got map[place]bool) {
	want := map[place]bool{}
	for _, u := range s.Uses {
		want[u] = true
	}
	if len(want) > 0 {
		t.symbolsWith++
	}
	list := func(how string, u place) {
		if t.shown++; t.shown <= t.show {
			fmt.Printf("%s: %s of %s %s\n", how, u, s.place, s.Name)
		}
	}
	for _, u := range slices.SortedFunc(maps.Keys(got),
		func(a, b place) int { return cmp.Compare(a.String(), b.String()) }) {
		if want[u] {
			t.right++
			continue
		}
		if slices.Contains(s.Maybe, u) {
			t.maybe++
			continue
		}
		t.wrong++
		list("only the graph", u)
	}
	for u := range want {
		if !got[u] {
			t.lack++
			list("only the checker", u)
		}
	}
}

func (t *tally) print(symbols int) {
	slices.Sort(t.took)
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	fmt.Printf("%d of a union beside; ", t.maybe)
	fmt.Printf("%d symbols, %d used elsewhere, %d not answered; %d uses by the checker, %d by the graph; precision "+
		"%.4f, recall %.4f; p50 %v, p95 %v\n",
		symbols, t.symbolsWith, t.failed, t.right+t.lack, t.right+t.wrong, share(t.right, t.right+t.wrong),
		share(t.right, t.right+t.lack),
		t.took[len(t.took)/2].Round(time.Microsecond), t.took[len(t.took)*95/100].Round(time.Microsecond))
}
