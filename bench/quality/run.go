package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/openai"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rerank"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// A searcher ranks answers to a question, best first.
type searcher interface {
	search(ctx context.Context, q question) ([]answer, error)
}

// product is what is measured: the search service over an index.
type product struct {
	*search.Service

	mode     string
	across   string
	asRanked bool
}

// by is the product in a mode.
func (p product) by(mode string) product {
	p.mode = mode
	return p
}

// beside is the product in each of its modes, and what it is compared with, by name.
func (p product) beside(loaded *corpora) map[string]searcher {
	return map[string]searcher{
		"hybrid": p.by(search.ModeHybrid), "lexical": p.by(search.ModeLexical), "semantic": p.by(search.ModeSemantic),
		"bm25":  &bm25{loaded, false, map[[2]string]*wordIndex{}},
		"bm25f": &bm25{loaded, true, map[[2]string]*wordIndex{}}, "ripgrep": ripgrep{loaded},
	}
}

func (p product) search(ctx context.Context, q question) ([]answer, error) {
	req := search.Request{
		Query: q.Text, Level: models.Level(q.Level), RepoFilter: q.Repo, Mode: p.mode, Limit: new(depth),
		AsRanked: p.asRanked,
	}
	if p.across != "" {
		req.RepoFilter = ""
	}
	if p.across == named {
		req.Query = naming(q)
	}
	resp, err := p.Search(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.ID, err)
	}
	for _, w := range resp.Meta.Warnings {
		if w.Code == "RERANKER_UNAVAILABLE" {
			return nil, fmt.Errorf("%s: %s", q.ID, w.Message)
		}
	}
	var list []answer
	for _, item := range resp.Items {
		list = append(list, answered(q, item))
	}
	return list, nil
}

// answered is what a hit answers. That of a repository as a whole has no path, which no
// judgment has.
func answered(q question, item models.SearchResult) (a answer) {
	if item.FilePath != nil {
		a.path = *item.FilePath
	}
	if of := string(item.RepoID); of != q.Repo { // no answer, whatever its path
		a.path = of + ":" + a.path
	}
	if item.StartLine != nil {
		a.start, a.end = *item.StartLine, *item.EndLine
	}
	if item.SymbolName != nil {
		a.symbol = *item.SymbolName
	}
	return a
}

// How questions are asked of all repositories at once.
const (
	anywhere = "any"   // as they are
	named    = "named" // with the name of the repository, in one of a few forms
)

// naming is the text of a question that says which repository it is about.
func naming(q question) string {
	text, name := strings.TrimRight(q.Text, "?. \n"), q.Repo
	forms := []string{text + " in " + name, name + " " + text, "in " + name + ", " + text, name + ": " + text}
	h := fnv.New32a()
	_, _ = h.Write([]byte(q.ID))
	return forms[h.Sum32()%uint32(len(forms))]
}

// indexed resolves the name of a repository to itself, and "" to all of them.
type indexed []string

// Match implements search.Repositories.
func (all indexed) Match(_ context.Context, name string) ([]models.Repository, error) {
	if name != "" {
		all = indexed{name}
	}
	var repos []models.Repository
	for _, n := range all {
		repos = append(repos, models.Repository{RepoID: models.RepoID(n), State: models.StateFresh})
	}
	return repos, nil
}

// onDisk is the folder of all repositories, by name.
type onDisk string

// Lines implements search.LineReader.
func (dir onDisk) Lines(_ context.Context, repo models.RepoID, path string, start, end int) (string, []models.Warning,
	error,
) {
	data, err := os.ReadFile(filepath.Join(string(dir), string(repo), filepath.FromSlash(path)))
	lines := slices.Collect(strings.Lines(string(data)))
	end = min(end, len(lines))
	return strings.Join(lines[min(start-1, end):end], ""), nil, err
}

// corpora are loaded when they are first asked for.
type corpora struct {
	dir    string
	byName map[string]*corpus
}

func (c *corpora) of(ctx context.Context, repo string) (*corpus, error) {
	if c.byName[repo] == nil {
		loaded, err := loadCorpus(ctx, filepath.Join(c.dir, "src", repo))
		if err != nil {
			return nil, err
		}
		c.byName[repo] = loaded
	}
	return c.byName[repo], nil
}

// ours is the system that the others are compared with.
const ours = "hybrid"

type options struct {
	set, data, half, only, systems, replay, out, across string
	verbose                                             bool
}

func runSet(ctx context.Context, args []string, out io.Writer) error {
	var o options
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.StringVar(&o.set, "set", "", "folder that make wrote")
	fs.StringVar(&o.data, "data", "", "data directory in which DIR/src/NAME is indexed as NAME")
	fs.StringVar(&o.half, "half", "", "dev, test or empty for both")
	fs.StringVar(&o.only, "only", "", "comma-separated tasks or repositories; empty for all")
	fs.StringVar(&o.systems, "systems", "hybrid,lexical,semantic,bm25f,bm25,ripgrep",
		"what is measured; also reranked, where RAGNAV_RERANK_URL is set")
	fs.StringVar(&o.replay, "replay", "", "file that remembers what the store brings; made where it is not there")
	fs.StringVar(&o.out, "out", "", "file for the figures of each question, for `compare`")
	fs.StringVar(&o.across, "across", "",
		"any: ask all repositories at once; named: and say in the question which one is meant")
	fs.BoolVar(&o.verbose, "v", false, "print each question whose first answer is not right, and the first answers")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if o.set == "" || o.data == "" {
		return errors.New("want -set DIR -data DIR")
	}
	if !slices.Contains([]string{"", anywhere, named}, o.across) {
		return fmt.Errorf("want -across %s or %s", anywhere, named)
	}
	qs, err := load(filepath.Join(o.set, questionsFile), o.half, o.only)
	if err != nil {
		return err
	}
	results, err := o.measure(ctx, qs, out)
	if err != nil {
		return err
	}
	report(out, qs, results)
	if o.out == "" {
		return nil
	}
	return write(o.out, qs, results)
}

// measure asks the questions of each system.
func (o options) measure(ctx context.Context, qs []question, out io.Writer) (results, error) {
	embedder, err := configured(ctx)
	if err != nil {
		return results{}, err
	}
	st, err := embedded.Open(ctx, o.data, embedded.Options{Dims: embedder.Manifest().Dims, ReadOnly: true})
	if err != nil {
		return results{}, err
	}
	defer st.Close() //nolint:contextcheck // it takes none
	index := search.Index(st)
	if o.replay != "" {
		r, err := newReplay(st, o.replay)
		if err != nil {
			return results{}, err
		}
		defer func() { err = errors.Join(err, r.save(o.replay)) }()
		index = r
	}
	svc, err := o.product(index, embedder)
	if err != nil {
		return results{}, err
	}
	known := svc.beside(&corpora{o.set, map[string]*corpus{}})
	systems := strings.Split(o.systems, ",")
	if slices.Contains(systems, "reranked") {
		if o.replay != "" {
			return results{}, errors.New("a replay has no texts to order by: leave out -replay or the system `reranked`")
		}
		if err := rerankBy(svc.Service); err != nil {
			return results{}, err
		}
		svc.asRanked = false
		known["reranked"] = svc
	}
	res := results{figures: map[string][]figures{}}
	for _, name := range systems {
		s := known[name]
		if s == nil {
			return res, fmt.Errorf("no system is named %q", name)
		}
		if _, err := exec.LookPath("rg"); name == "ripgrep" && err != nil {
			fmt.Fprintln(os.Stderr, "quality: without ripgrep: rg is not installed")
			continue
		}
		res.names = append(res.names, name)
		for _, q := range qs {
			list, err := s.search(ctx, q)
			if err != nil {
				return res, err
			}
			f := measure(q, list)
			res.figures[name] = append(res.figures[name], f)
			if o.verbose && name == ours && f.MRR < 1 {
				explain(out, q, f, list)
			}
		}
	}
	return res, err
}

// configured is the embedder that the environment names: that of the index.
func configured(ctx context.Context) (embed.Embedder, error) {
	c, err := config.Resolve(nil, os.Getenv)
	if err != nil {
		return nil, err
	}
	table, err := embed.Builtin()
	if err != nil || c.Embedder != config.EmbedderOpenAI {
		return table, err
	}
	e := c.Embedding
	server := openai.New(openai.Options{
		URL: e.URL, Model: e.Model, APIKey: string(e.APIKey), Dims: e.Dims,
		QueryPrefix: e.QueryPrefix, InputType: e.InputType, Timeout: e.Timeout, Beside: table,
	})
	return server, server.Learn(ctx)
}

// product searches an index, and reads the lines of its repositories.
func (o options) product(index search.Index, e search.Embedder) (product, error) {
	dir := filepath.Join(o.set, "src")
	folders, err := os.ReadDir(dir)
	if err != nil {
		return product{}, err
	}
	var all indexed
	for _, f := range folders {
		all = append(all, f.Name())
	}
	svc := search.New(index, all, e)
	svc.Read(onDisk(dir))
	return product{svc, search.ModeHybrid, o.across, true}, nil
}

// rerankBy has results ordered by the server that the environment names.
func rerankBy(svc *search.Service) error {
	c, err := config.Resolve(nil, os.Getenv)
	if err != nil {
		return err
	}
	r := c.Rerank
	if r.URL == "" {
		return errors.New("the system `reranked` wants RAGNAV_RERANK_URL")
	}
	client := rerank.New(rerank.Options{URL: r.URL, Model: r.Model, APIKey: string(r.APIKey), Timeout: r.Timeout})
	svc.Rerank(client, r.Top, r.Characters)
	return nil
}

func explain(out io.Writer, q question, f figures, list []answer) {
	text, _, _ := strings.Cut(q.Text, "\n")
	fmt.Fprintf(out, "%.2f %-28s %s\n", f.MRR, q.ID, text)
	for _, j := range q.Relevant[:min(3, len(q.Relevant))] {
		fmt.Fprintf(out, "     want %s %s:%d\n", j.Symbol, j.Path, j.Line)
	}
	for i, a := range list[:min(5, len(list))] {
		j, _ := q.judged(a)
		fmt.Fprintf(out, "     %d. [%d] %s %s:%d-%d\n", i+1, j.Grade, a.symbol, a.path, a.start, a.end)
	}
}

// outcome is a line of the file of `compare`.
type outcome struct {
	ID, Half, Task, Language string
	Figures                  figures
}

func write(file string, qs []question, r results) error {
	list := make([]outcome, len(qs))
	for i, q := range qs {
		list[i] = outcome{q.ID, q.Half, q.Task, q.Language, r.figures[r.names[0]][i]}
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// compare prints what another run gains over an earlier one, paired by question.
func compare(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("want two files that `run -out` wrote")
	}
	var runs [2][]outcome
	for i, file := range args {
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &runs[i])
		}
		if err != nil {
			return err
		}
	}
	before := map[string]figures{}
	for _, o := range runs[0] {
		before[o.ID] = o.Figures
	}
	both := slices.DeleteFunc(runs[1], func(o outcome) bool { _, ok := before[o.ID]; return !ok })
	for _, by := range []func(outcome) string{
		func(o outcome) string { return o.Half },
		func(o outcome) string { return o.Half + " " + o.Task },
		func(o outcome) string { return o.Half + " " + o.Language },
	} {
		for _, group := range groups(both, by) {
			var differences []float64
			sum := 0.0
			for _, o := range group.of {
				differences = append(differences, o.Figures.NDCG-before[o.ID].NDCG)
				sum += o.Figures.NDCG
			}
			middle, low, high := bootstrap(differences)
			fmt.Fprintf(out, "%-26s %5d  %.3f  %+.4f  [%+.4f, %+.4f]\n", group.name, len(group.of), sum/float64(len(group.of)),
				middle, low, high)
		}
	}
	return nil
}
