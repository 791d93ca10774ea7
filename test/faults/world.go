package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A world is a set of repositories with their index, its replies, and the data
// directory that the cases damage.
type world struct {
	programs programs
	dir      string
	ops      []operation
	noGraph  []string                 // flags that keep an index run from writing into the repositories
	hasDeep  bool                     // doctor can look at everything
	tables   map[state]table          // of undamaged indexes
	homes    map[string]string        // repository → folder
	lasted   map[string]time.Duration // command → what it took
	pid      int                      // of the running server
	version  int                      // of delta's tree, 1 or 2
	kills    bool                     // cases are kills, not faults
}

// A state is what an index may know: the second version of delta or the first,
// epsilon or not, gamma or not.
type state struct{ fresh, epsilon, noGamma bool }

// newWorld indexes the repositories, and learns what each state answers.
func newWorld(ctx context.Context, p programs, dir string) (*world, error) {
	w := &world{
		programs: p, dir: dir, ops: operations(), tables: map[state]table{}, homes: map[string]string{},
		lasted: map[string]time.Duration{},
	}
	if err := os.MkdirAll(w.at("home"), 0o755); err != nil {
		return nil, err
	}
	help, err := w.command("ragnav", "index", "--help").run(ctx)
	if err != nil {
		return nil, err
	}
	if strings.Contains(help.out, "--no-graph") {
		w.noGraph = []string{"--no-graph"}
	}
	help, err = w.command("ragnav", "doctor", "--help").run(ctx)
	if err != nil {
		return nil, err
	}
	w.hasDeep = strings.Contains(help.out, "--deep")
	for _, name := range append([]string{epsilon, "strange"}, indexed...) {
		w.homes[name] = w.at("repos", name)
		if err := writeTree(w.homes[name], languageOf(name), 12); err != nil {
			return nil, err
		}
	}
	w.version = 1
	err = errors.Join(writeTree(w.treeOf(2), delta, 12), edit(w.treeOf(2), 1), edit(w.treeOf(2), 2))
	if err != nil {
		return nil, err
	}
	return w, w.fill(ctx)
}

// languageOf is the name under which the fixture knows what to write.
func languageOf(name string) string {
	if name == "strange" {
		return alpha
	}
	return name
}

func (w *world) at(elements ...string) string {
	return filepath.Join(append([]string{w.dir}, elements...)...)
}

// data is the data directory that is damaged.
func (w *world) data() string { return w.at("data") }

// fill makes the data directories: of another set of repositories, an old one,
// the one that cases begin with.
func (w *world) fill(ctx context.Context) error {
	steps := []func() error{
		func() error { return w.must(ctx, "other", "strange") },
		func() error { return w.must(ctx, "pristine", alpha) },
		func() error { return w.must(ctx, "pristine", delta) },
		func() error { return w.must(ctx, "pristine", beta) },
		func() error { return edit(w.homes[delta], 1) },
		func() error { return w.must(ctx, "pristine", delta) },
		func() error { return replaceTree(w.at("pristine"), w.at("stale")) },
		func() error { return w.must(ctx, "pristine", gamma) },
		func() error { return w.place(2) },
		func() error { return w.must(ctx, "clean", alpha, beta, gamma, delta) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return w.learn(ctx)
}

// learn records the replies of every state, and makes sure that the index that
// was updated answers as the one that was made at once.
func (w *world) learn(ctx context.Context) error {
	clean, err := w.recordOf(ctx, "clean")
	if err != nil {
		return err
	}
	for i := range 8 {
		s := state{fresh: i&1 != 0, epsilon: i&2 != 0, noGamma: i&4 != 0}
		if w.tables[s], err = w.derive(ctx, s); err != nil {
			return fmt.Errorf("state %+v: %w", s, err)
		}
	}
	for i, r := range w.tables[state{fresh: true}].replies {
		if r.text != clean.replies[i].text {
			return fmt.Errorf("without any fault, an updated index answers %s unlike a new one: %s", w.ops[i].name,
				difference(r.text, clean.replies[i].text))
		}
	}
	return nil
}

func (w *world) derive(ctx context.Context, s state) (table, error) {
	if err := errors.Join(replaceTree(w.at("pristine"), w.at("derived")), w.place(versionOf(s))); err != nil {
		return table{}, err
	}
	if s.fresh {
		if err := w.must(ctx, "derived", delta); err != nil {
			return table{}, err
		}
	}
	if s.epsilon {
		if err := w.must(ctx, "derived", epsilon); err != nil {
			return table{}, err
		}
	}
	if s.noGamma {
		c := w.command("ragnav", "remove", gamma)
		c.env = withStore(w.at("derived"), w.at("home"))
		if r, err := c.run(ctx); err != nil || r.exit != 0 {
			return table{}, fmt.Errorf("remove: exit %d, %s, %w", r.exit, r.err, err)
		}
	}
	return w.recordOf(ctx, "derived")
}

// treeOf is where a version of delta's tree is kept while another one is in its place.
func (w *world) treeOf(version int) string { return w.at("repos", fmt.Sprint(".", delta, version)) }

// place puts a version of delta's tree in its place. No file of it changes.
func (w *world) place(version int) error {
	if w.version == version {
		return nil
	}
	err := errors.Join(os.Rename(w.homes[delta], w.treeOf(w.version)), os.Rename(w.treeOf(version), w.homes[delta]))
	w.version = version
	return err
}

// versionOf is the version of delta's tree that a state was made of.
func versionOf(s state) int {
	if s.fresh {
		return 2
	}
	return 1
}

// match puts the version of delta's tree in place that the index is of, if it
// can be known: so that no reply is of both.
func (w *world) match(ctx context.Context, s *server) error {
	r, err := s.ask(ctx, coverage(delta))
	if err != nil {
		return nil //nolint:nilerr // the server ends, which is judged elsewhere
	}
	i := slices.IndexFunc(w.ops, func(op operation) bool { return op.name == coverage(delta).name })
	for _, fresh := range []bool{false, true} {
		if sameItems(r, w.tables[state{fresh: fresh}].replies[i]) {
			return w.place(versionOf(state{fresh: fresh}))
		}
	}
	return nil
}

// must indexes repositories into a data directory.
func (w *world) must(ctx context.Context, data string, repos ...string) error {
	c := w.command("ragnav", append([]string{"index", "--quiet"}, w.noGraph...)...)
	for _, name := range repos {
		c.args = append(c.args, w.homes[name])
	}
	c.env = withStore(w.at(data), w.at("home"))
	r, err := c.run(ctx)
	if err == nil && r.exit != 0 {
		err = fmt.Errorf("ragnav index %v: exit %d\n%s%s", repos, r.exit, r.out, r.err)
	}
	return err
}

func (w *world) recordOf(ctx context.Context, data string) (table, error) {
	s, ended, err := startServer(ctx, w.serving(w.at(data)))
	if err != nil || ended != nil {
		return table{}, fmt.Errorf("api-server: %+v, %w", ended, err)
	}
	defer s.stop()
	return record(ctx, s, w.ops)
}

// command is a program with the case's data directory.
func (w *world) command(name string, args ...string) command {
	return command{path: w.programs.path(name), args: args, env: withStore(w.data(), w.at("home"))}
}

func (w *world) serving(data string) command {
	c := w.command("api-server", "--addr", "127.0.0.1:0", "--request-timeout", "30s")
	c.env = withStore(data, w.at("home"))
	return c
}

// replaceTree makes to a copy of from.
func replaceTree(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		return copyFile(file, filepath.Join(to, rel))
	})
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// sizes are the sizes of the regular files of a folder.
func sizes(dir string) (map[string]int64, error) {
	all, err := files(dir)
	if err != nil {
		return nil, err
	}
	of := map[string]int64{}
	for _, file := range all {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		of[file] = info.Size()
	}
	return of, nil
}

// files are the paths of the regular files of a folder, in order.
func files(dir string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			found = append(found, file)
		}
		return err
	})
	slices.Sort(found)
	return found, err
}
