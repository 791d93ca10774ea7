package main

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// lookups are what the trigram file is asked.
var lookups = []struct {
	name  string
	query match.Query
}{
	{"absent", match.Query{Pattern: "zqxjkvabsent", Case: match.Sensitive}},
	{"rare identifier", match.Query{Pattern: "semacquireMutexRW", Case: match.Sensitive}},
	{"rare identifier", match.Query{Pattern: "runtime_registerPoolCleanup", Case: match.Sensitive}},
	{"rare identifier, any case", match.Query{Pattern: "RUNTIME_REGISTERPOOLCLEANUP", Case: match.Insensitive}},
	{"in 300 files", match.Query{Pattern: "ErrUnexpectedEOF", Case: match.Sensitive}},
	{"expression", match.Query{Pattern: `func \(\w+ \*?\w+\) registerPool\w*\(`, Case: match.Sensitive, Regexp: true}},
	{"first 20 of common", match.Query{Pattern: "return err", Case: match.Sensitive, Limit: 20}},
}

// trigrams builds a trigram file of the tree and asks it.
func (b *bench) trigrams(ctx context.Context) error {
	paths, err := listing.TrackedNames(ctx, b.tree, listing.Limits{})
	if err != nil {
		return err
	}
	others, err := listing.OtherNames(ctx, b.tree, listing.Limits{})
	if err != nil {
		return err
	}
	paths = append(paths, others...)
	slices.Sort(paths)
	dir, err := os.MkdirTemp("", "scan")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "trigrams")
	read := int64(0)
	built := timed(func() { err = scan.Create(ctx, file, b.contents(ctx, paths, &read)) })
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("\nTrigrams of %d files, %d MB of text: built in %.1f s (%.1f s of CPU, %d MB from the system), %.1f MB, "+
		"%.1f%% of the text.\n\n", len(paths), read/1e6,
		built.wall.Seconds(), built.cpu.Seconds(), m.Sys>>20, float64(info.Size())/1e6,
		100*float64(info.Size())/float64(read))
	var tri *scan.Trigrams
	opened := timed(func() { tri, err = scan.Open(file) })
	if err != nil {
		return err
	}
	defer func() { _ = tri.Close() }()
	fmt.Printf("Opened in %.2f ms.\n\n| needle | candidates | with it | matching lines | look up | look up and read, "+
		"median · least · CPU | without trigrams |\n|---|---|---|---|---|---|---|\n", ms(opened.wall))
	for _, c := range lookups {
		if err := b.lookUp(ctx, tri, paths, c.name, c.query); err != nil {
			return err
		}
	}
	return nil
}

// contents reads the files as a build of the graph would.
func (b *bench) contents(ctx context.Context, paths []string, read *int64) iter.Seq2[scan.File, error] {
	return func(yield func(scan.File, error) bool) {
		reader, err := scan.OpenFolder(b.tree.Root()).Reader()
		if err != nil {
			yield(scan.File{}, err)
			return
		}
		defer func() { _ = reader.Close() }()
		for _, p := range paths {
			content, err := reader.Read(ctx, p, nil, listing.DefaultMaxFileSize)
			if err != nil {
				content = nil // binary or larger than what is indexed: nothing to be found
			}
			*read += int64(len(content))
			if !yield(scan.File{Path: p, Size: int64(len(content)), Content: content}, nil) {
				return
			}
		}
	}
}

func (b *bench) lookUp(ctx context.Context, tri *scan.Trigrams, all []string, name string, q match.Query) error {
	m, err := match.Compile(q)
	if err != nil {
		return err
	}
	options := scan.Options{Workers: b.workers, Snippets: true}
	folder := scan.OpenFolder(b.tree.Root())
	var candidates []string
	var r scan.Result
	var looked, both, without []time.Duration
	used := usage.All()
	for range 5 * b.rounds {
		start := time.Now()
		if candidates, _, err = tri.Candidates(m); err != nil {
			return err
		}
		looked = append(looked, time.Since(start))
		if r, err = scan.Search(ctx, folder, candidates, m, options); err != nil {
			return err
		}
		both = append(both, time.Since(start))
	}
	used = (usage.All() - used) / time.Duration(5*b.rounds)
	start := time.Now()
	full, err := scan.Search(ctx, folder, all, m, options)
	if err != nil {
		return err
	}
	without = append(without, time.Since(start))
	if len(full.Matches) != len(r.Matches) {
		return fmt.Errorf("%s: %d matches with trigrams, %d without", q.Pattern, len(r.Matches), len(full.Matches))
	}
	files := map[string]bool{}
	for _, match := range r.Matches {
		files[match.Path] = true
	}
	fmt.Printf("| %s: `%s` | %d | %d | %d | %.2f ms | %.2f · %.2f · %.2f ms | %.0f ms |\n", name,
		strings.ReplaceAll(q.Pattern, "|", `\|`), len(candidates), len(files), len(r.Matches), ms(median(looked)),
		ms(median(both)), ms(slices.Min(both)), ms(used), ms(median(without)))
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
