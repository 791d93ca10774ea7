// Command graph compares where-used of the graph with what a type checker
// says, module by module.
//
//	go run ./bench/graph [-symbols 60] [-show 20] [-untyped] [-ragnav PROGRAM] DIR [PATTERN...]
//
// With -ragnav the program is asked, symbol by symbol, instead of the packages
// behind it.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

func main() {
	symbols := flag.Int("symbols", 60, "how many symbols to ask for; 0 is all")
	show := flag.Int("show", 10, "how many wrong or missing uses to list")
	untyped := flag.Bool("untyped", false, "act as if no type of a receiver were known, to measure the tiers D to F")
	ragnav := flag.String("ragnav", "", "ask this program for the uses")
	flag.Parse()
	if err := run(flag.Args(), *symbols, *show, *untyped, *ragnav); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, symbols, show int, untyped bool, ragnav string) error {
	dir, patterns, err := usage.Module(args)
	if err != nil {
		return err
	}
	o, err := read(dir, untyped)
	if err != nil {
		return err
	}
	g, err := check(dir, patterns)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d files, %.1f MB, %d references; extract %.2fs, resolve %.2fs; checked %d files, %d packages left "+
		"out for errors\n",
		dir, o.world.Len(), float64(o.bytes)/1e6, o.refs, o.extract.Seconds(), o.resolve.Seconds(), len(g.files), g.bad)
	picked, said := pick(g, symbols), o
	if ragnav != "" {
		if said, err = ask(context.Background(), ragnav, dir, picked); err != nil {
			return err
		}
	}
	compare(g, said, picked).print(show)
	compareImplements(g, o, show)
	return nil
}

// pick chooses symbols in an order that depends on their places only: half of
// them with names that are declared several times.
func pick(g *gold, n int) []decl {
	count := map[string]int{}
	used := map[place]int{}
	for _, d := range g.decls {
		count[d.name]++
	}
	for _, def := range g.uses {
		used[def]++
	}
	var single, several []decl
	for _, d := range g.decls {
		switch {
		case n > 0 && used[d.at] == 0:
		case count[d.name] > 1:
			several = append(several, d)
		default:
			single = append(single, d)
		}
	}
	if n == 0 {
		return slices.Concat(single, several)
	}
	several = first(several, n/2)
	return slices.Concat(several, first(single, n-len(several)))
}

// first takes n symbols, of each kind as many as there are.
func first(list []decl, n int) []decl {
	slices.SortFunc(list, func(a, b decl) int {
		one, other := a.at.String(), b.at.String()
		return cmp.Or(cmp.Compare(hash(one), hash(other)), cmp.Compare(one, other))
	})
	byKind := map[string][]decl{}
	for _, d := range list {
		byKind[d.kind] = append(byKind[d.kind], d)
	}
	kinds := []string{"func", "method", "interface method", "type", "field", "const", "var"}
	var out []decl
	for i := 0; len(out) < min(n, len(list)); i++ {
		for _, k := range kinds {
			if i < len(byKind[k]) && len(out) < n {
				out = append(out, byKind[k][i])
			}
		}
	}
	return out
}

func hash(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// A score counts uses.
type score struct{ right, wrong, missing int }

func (s score) precision() float64 { return ratio(s.right, s.right+s.wrong) }
func (s score) recall() float64    { return ratio(s.right, s.right+s.missing) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// comparison is the score of all symbols, and by what they differ.
type comparison struct {
	symbols map[place]*score
	decls   map[place]decl
	kinds   map[string]*score
	tiers   map[resolve.Tier]*score
	all     score
	errors  []string
}

func compare(g *gold, o *ours, picked []decl) *comparison {
	c := &comparison{
		symbols: map[place]*score{}, decls: map[place]decl{}, kinds: map[string]*score{},
		tiers: map[resolve.Tier]*score{},
	}
	for _, d := range picked {
		c.symbols[d.at], c.decls[d.at] = &score{}, d
	}
	for use, def := range g.uses {
		if c.symbols[def] == nil || !g.files[use.path] {
			continue
		}
		i := slices.IndexFunc(o.uses[use], func(t target) bool { return t.at == def })
		if i < 0 {
			c.count(def, 0, func(s *score) { s.missing++ })
			c.errors = append(c.errors,
				fmt.Sprintf("missing %s: %s of %s; ours %v outside %v", use, c.decls[def].name, def, o.uses[use], o.outside[use]))
			continue
		}
		c.count(def, o.uses[use][i].tier, func(s *score) { s.right++ })
	}
	for use, targets := range o.uses {
		if !g.files[use.path] {
			continue
		}
		for _, t := range targets {
			if c.symbols[t.at] == nil || g.uses[use] == t.at {
				continue
			}
			c.count(t.at, t.tier, func(s *score) { s.wrong++ })
			c.errors = append(c.errors,
				fmt.Sprintf("wrong %s: %s of %s by %c; is of %s", use, c.decls[t.at].name, t.at, t.tier, g.uses[use]))
		}
	}
	return c
}

func (c *comparison) count(def place, tier resolve.Tier, add func(*score)) {
	kind := c.decls[def].kind
	if c.kinds[kind] == nil {
		c.kinds[kind] = &score{}
	}
	if c.tiers[tier] == nil {
		c.tiers[tier] = &score{}
	}
	for _, s := range []*score{c.symbols[def], c.kinds[kind], c.tiers[tier], &c.all} {
		add(s)
	}
}

func (c *comparison) print(show int) {
	var p, r float64
	for _, s := range c.symbols {
		p += s.precision()
		r += s.recall()
	}
	n := float64(max(len(c.symbols), 1))
	fmt.Printf("%d symbols, %d uses\n", len(c.symbols), c.all.right+c.all.missing)
	fmt.Printf("%-18s precision %.4f recall %.4f\n", "micro", c.all.precision(), c.all.recall())
	fmt.Printf("%-18s precision %.4f recall %.4f\n", "macro", p/n, r/n)
	for _, k := range slices.Sorted(maps.Keys(c.kinds)) {
		s := c.kinds[k]
		fmt.Printf("  %-16s precision %.4f recall %.4f of %d\n", k, s.precision(), s.recall(), s.right+s.missing)
	}
	for _, t := range slices.Sorted(maps.Keys(c.tiers)) {
		if t != resolve.Unresolved {
			s := c.tiers[t]
			fmt.Printf("  tier %-11c precision %.4f, %d right, %d wrong\n", t, s.precision(), s.right, s.wrong)
		}
	}
	slices.Sort(c.errors)
	if len(c.errors) > show {
		slices.SortFunc(c.errors, func(a, b string) int { return cmp.Compare(hash(a), hash(b)) })
		c.errors = c.errors[:show]
	}
	for _, e := range c.errors {
		fmt.Println("  " + e)
	}
}
