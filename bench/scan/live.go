package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// cases are needles of source code: none of these words is rare by chance.
var cases = []struct {
	name  string
	query match.Query
}{
	{"absent", match.Query{Pattern: "zqxjkvabsent", Case: match.Sensitive}},
	{"rare", match.Query{Pattern: "ErrUnexpectedEOF", Case: match.Sensitive}},
	{"common", match.Query{Pattern: "return err", Case: match.Sensitive}},
	{"very common", match.Query{Pattern: "the", Case: match.Sensitive}},
	{"rare, any case", match.Query{Pattern: "errunexpectedeof", Case: match.Insensitive}},
	{"common, any case", match.Query{Pattern: "context", Case: match.Insensitive}},
	{"common word", match.Query{Pattern: "err", Case: match.Sensitive, Word: true}},
	{"expression", match.Query{Pattern: `func \(\w+ \*?\w+\) Close\(`, Case: match.Sensitive, Regexp: true}},
	{"alternatives", match.Query{Pattern: `(TODO|FIXME|XXX)\(\w+\)`, Case: match.Sensitive, Regexp: true}},
	{"without literal", match.Query{Pattern: `\b[A-Z][a-z]+[0-9]{4}\b`, Case: match.Sensitive, Regexp: true}},
}

// A cost is what one run took.
type cost struct{ wall, cpu time.Duration }

// live prints the table of the live scan.
func (b *bench) live(ctx context.Context) error {
	fmt.Println("| needle | matching lines | ragnav, list and scan | `rg -n --column` | `rg -c` | wall / `rg -n` | wall " +
		"/ `rg -c` | CPU / `rg -n` | CPU / `rg -c` |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, c := range cases {
		if b.only != "" && b.only != c.name {
			continue
		}
		if err := b.measure(ctx, c.name, c.query); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) measure(ctx context.Context, name string, q match.Query) error {
	m, err := match.Compile(q)
	if err != nil {
		return err
	}
	limits := listing.Limits{MaxFileSize: maxFileSize}
	options := scan.Options{Workers: b.workers, MaxFileSize: maxFileSize}
	var found scan.Result
	var lines int
	var live, rg, count []cost
	for range b.rounds {
		live = append(live, timed(func() { found, err = scan.Live(ctx, b.tree, limits, m, options) }))
		if err != nil {
			return err
		}
		var out []byte
		rg = append(rg, timed(func() { out = b.ripgrep(ctx, q, "-n", "--column") }))
		lines = bytes.Count(out, []byte("\n"))
		count = append(count, timed(func() { b.ripgrep(ctx, q, "-c") }))
	}
	matching := strconv.Itoa(len(found.Matches))
	if b.rg != "" && lines != len(found.Matches) {
		matching += fmt.Sprintf(" (rg: %d)", lines)
	}
	fmt.Printf("| %s: `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, strings.ReplaceAll(q.Pattern, "|", `\|`),
		matching, show(live), show(rg), show(count),
		ratio(live, rg, wall), ratio(live, count, wall), ratio(live, rg, cpu), ratio(live, count, cpu))
	if name == "absent" {
		fmt.Printf("<!-- %d files of text, %d MB; skipped: %+v -->\n", found.Files, found.Bytes/1e6, found.Skipped)
	}
	return nil
}

// ripgrep runs it on the same files, hidden ones too, as far as its flags can say that.
func (b *bench) ripgrep(ctx context.Context, q match.Query, how ...string) []byte {
	if b.rg == "" {
		return nil
	}
	args := slices.Concat(how, []string{"--no-config", "--hidden", "--no-heading", "-j", strconv.Itoa(b.workers)})
	if q.Case == match.Insensitive {
		args = append(args, "-i")
	}
	if !q.Regexp {
		args = append(args, "-F")
	}
	if q.Word {
		args = append(args, "-w")
	}
	cmd := exec.CommandContext(ctx, b.rg, append(args, "-e", q.Pattern, ".")...) //nolint:gosec // the program that the caller named
	cmd.Dir = b.tree.Root()
	out, _ := cmd.Output() // fails when nothing matches
	return out
}

func timed(f func()) cost {
	start, used := time.Now(), usage.All()
	f()
	return cost{wall: time.Since(start), cpu: usage.All() - used}
}

func wall(c cost) time.Duration { return c.wall }
func cpu(c cost) time.Duration  { return c.cpu }

func median[T int | float64 | time.Duration](all []T) T {
	slices.Sort(all)
	return all[len(all)/2]
}

func show(costs []cost) string {
	var walls, cpus []time.Duration
	for _, c := range costs {
		walls, cpus = append(walls, c.wall), append(cpus, c.cpu)
	}
	return fmt.Sprintf("%d ms (%.2f s)", median(walls).Milliseconds(), median(cpus).Seconds())
}

// ratio is the median of the rounds' ratios.
func ratio(a, b []cost, of func(cost) time.Duration) string {
	var all []float64
	for i := range a {
		if of(b[i]) > 0 {
			all = append(all, float64(of(a[i]))/float64(of(b[i])))
		}
	}
	if len(all) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", median(all))
}
