// Command many measures what questions about many repositories at once take, over HTTP.
//
//	go run ./bench/graph/many -url http://127.0.0.1:8080 [-other URL] [-asked 400] [-rounds 1] [-clients 1]
//	    [-kinds KIND,...] [-seed 1] [-pids PID[,PID]] [-show 5] [-slow 0] ID=FOLDER...
//
// The server has the repositories, of these ids, in these folders. Asked are
// definitions at random names in random files, uses in all repositories of what stands
// there and of the words there, their lineages, what made-up diffs of ten files of a
// repository do in it and in all of them, and what the last commits do. The same seed
// asks the same. With -other each question goes to another server as well, in turns, and
// replies that differ are shown. Percentiles are of the questions that were answered: a
// word that nothing declares is refused at once.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
)

func main() {
	var b bench
	url := flag.String("url", "http://127.0.0.1:8080", "the server")
	other := flag.String("other", "", "another server, which is asked the same")
	pids := flag.String("pids", "", "the process of the server, and of the other one, to tell their CPU time")
	kinds := flag.String("kinds", "", "what to ask, separated by commas, \"\" is all of it")
	flag.IntVar(&b.asked, "asked", 400, "questions of each kind; of the impact of diffs and commits a sixth of that")
	flag.IntVar(&b.rounds, "rounds", 1, "how often all are asked")
	flag.IntVar(&b.clients, "clients", 1, "how many ask at once")
	flag.IntVar(&b.show, "show", 5, "how many replies that differ to show")
	flag.IntVar(&b.slow, "slow", 0, "how many of the slowest questions to show")
	seed := flag.Uint64("seed", 1, "the same one asks the same")
	flag.Parse()
	for i, u := range []string{*url, *other} {
		if u == "" {
			continue
		}
		s := &server{url: strings.TrimSuffix(u, "/")}
		if all := strings.Split(*pids, ","); i < len(all) {
			s.pid, _ = strconv.Atoi(all[i])
		}
		b.servers = append(b.servers, s)
	}
	if err := b.run(context.Background(), flag.Args(), *seed, *kinds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A bench asks servers the same questions.
type bench struct {
	servers                            []*server
	asked, rounds, clients, show, slow int
}

func (b *bench) run(ctx context.Context, args []string, seed uint64, kinds string) error {
	repositories, err := repositories(args)
	if err != nil {
		return err
	}
	a, err := newAsker(ctx, repositories, seed)
	if err != nil {
		return err
	}
	fmt.Printf("%d repositories, %d files of code\n", len(repositories), a.count)
	for _, kind := range a.kinds(b.asked) {
		if kinds != "" && !slices.Contains(strings.Split(kinds, ","), kind.name) {
			continue
		}
		questions, err := kind.questions(ctx)
		if err != nil {
			return err
		}
		for round := range b.rounds {
			name := kind.name
			if round > 0 {
				name += " again"
			}
			if err := b.measure(ctx, name, kind.path, questions); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure asks questions of one kind and tells how long that took.
func (b *bench) measure(ctx context.Context, name, path string, questions []any) error {
	took, used := make([][]time.Duration, len(b.servers)), make([][]time.Duration, len(b.servers))
	cpu := make([]time.Duration, len(b.servers))
	for n, s := range b.servers {
		took[n], used[n] = make([]time.Duration, len(questions)), make([]time.Duration, len(questions))
		cpu[n] = usage.CPUOf(s.pid)
	}
	var next, refused, differ atomic.Int64
	var group sync.WaitGroup
	var once sync.Once
	var wrong error
	for range b.clients {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(questions); i = int(next.Add(1)) - 1 {
				replies := make([]reply, len(b.servers))
				for n := range b.servers {
					n = (n + i) % len(b.servers) // each is the first one as often
					start, before := time.Now(), usage.CPUOf(b.servers[n].pid)
					var err error
					if replies[n], err = b.servers[n].ask(ctx, path, questions[i]); err != nil {
						once.Do(func() { wrong = err })
						return
					}
					took[n][i], used[n][i] = time.Since(start), usage.CPUOf(b.servers[n].pid)-before
				}
				if !replies[0].ok {
					refused.Add(1)
					for n := range took {
						took[n][i], used[n][i] = -1, -1
					}
				}
				if last := replies[len(replies)-1]; !replies[0].same(last) {
					if int(differ.Add(1)) <= b.show {
						fmt.Printf("differ: %s %s\n%s\n%s\n", path, shown(questions[i]), replies[0].body, last.body)
					}
				}
			}
		})
	}
	if group.Wait(); wrong != nil {
		return wrong
	}
	for _, i := range slowest(took[0], b.slow) {
		fmt.Printf("%8.1f ms, CPU %.0f ms %s\n", milliseconds(took[0][i]), milliseconds(used[0][i]), shown(questions[i]))
	}
	for n, s := range b.servers {
		all := answered(took[n])
		fmt.Printf("%-24s %d answered, %d refused, p50 %6.1f, p95 %6.1f, max %6.1f ms", name, len(all), refused.Load(),
			percentile(all, 50), percentile(all, 95), percentile(all, 100))
		if s.pid > 0 {
			sum := usage.CPUOf(s.pid) - cpu[n]
			fmt.Printf(", CPU %.1f ms each%s", milliseconds(sum)/float64(max(len(questions), 1)), b.shares(used[n]))
		}
		if len(b.servers) > 1 {
			fmt.Printf(", %d differ", differ.Load())
		}
		fmt.Println()
	}
	return nil
}

// shares are percentiles of the CPU time of single questions, unless they have that of
// others in them.
func (b *bench) shares(used []time.Duration) string {
	if b.clients > 1 {
		return ""
	}
	all := answered(used)
	return fmt.Sprintf(" (p50 %.0f, p95 %.0f, max %.0f)", percentile(all, 50), percentile(all, 95), percentile(all, 100))
}

// answered are the times of questions that were answered, in order.
func answered(all []time.Duration) []time.Duration {
	all = slices.DeleteFunc(all, func(d time.Duration) bool { return d < 0 })
	slices.Sort(all)
	return all
}

// slowest are the numbers of those that took longest.
func slowest(took []time.Duration, n int) []int {
	by := make([]int, len(took))
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(a, b int) int { return cmp.Compare(took[b], took[a]) })
	return by[:min(n, len(by))]
}

// percentile is one of times in order, in milliseconds.
func percentile(all []time.Duration, p int) float64 {
	if len(all) == 0 {
		return 0
	}
	return milliseconds(all[min(len(all)*p/100, len(all)-1)])
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
