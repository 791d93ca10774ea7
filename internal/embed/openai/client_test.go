package openai_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/embed/openai"
	"github.com/ragnav/ragnav/internal/embed/openai/openaitest"
	"github.com/ragnav/ragnav/internal/fault"
)

const dims = 24

func client(s *openaitest.Server, change func(*openai.Options)) *openai.Client {
	o := openai.Options{URL: s.URL, Model: "some-model", Dims: dims, Concurrency: 2, Batch: 8, Timeout: 5 * time.Second}
	if change != nil {
		change(&o)
	}
	c := openai.New(o)
	c.HurryUp()
	return c
}

func inputs(n int) []embed.Input {
	in := make([]embed.Input, n)
	for i := range in {
		in[i] = embed.Input{
			Text: fmt.Sprintf("func f%d() { return word%d }", i, i), Name: fmt.Sprintf("f%d", i),
			File: "main",
		}
	}
	return in
}

// want is what the server makes of texts.
func want(t *testing.T, texts ...string) [][]float32 {
	t.Helper()
	v, err := embedtest.New(dims).Queries(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var near = cmpopts.EquateApprox(0, 1e-5)

func TestDocumentsAreInOrderAndOfLengthOne(t *testing.T) {
	for name, plain := range map[string]bool{"base64": false, "numbers": true} {
		t.Run(name, func(t *testing.T) {
			s := openaitest.New(t, dims)
			s.Fail(func(w http.ResponseWriter, r openaitest.Request) bool {
				if plain && r.EncodingFormat == "base64" {
					openaitest.Refuse(w, http.StatusBadRequest, "encoding_format base64 is not supported")
					return true
				}
				return false
			})
			in := append(inputs(20), embed.Input{}, embed.Input{Text: " \n"})
			got, err := client(s, nil).Documents(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 20 {
				text := fmt.Sprintf("main: f%d\nfunc f%d() { return word%d }", i, i, i)
				if diff := cmp.Diff(want(t, text)[0], got[i], near); diff != "" {
					t.Errorf("vector %d (-want +got):\n%s", i, diff)
				}
			}
			if got[20] != nil || got[21] != nil {
				t.Error("texts without a word have vectors")
			}
		})
	}
}

// Requests hold at most so many texts, and no more are under way than allowed.
func TestBatches(t *testing.T) {
	s := openaitest.New(t, dims)
	var now, most atomic.Int64
	gate := make(chan struct{})
	s.Fail(func(http.ResponseWriter, openaitest.Request) bool {
		most.Store(max(most.Load(), now.Add(1)))
		<-gate
		now.Add(-1)
		return false
	})
	c := client(s, func(o *openai.Options) { o.BatchTokens = 60 })
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, err := c.Documents(t.Context(), inputs(5)); err != nil {
				t.Error(err)
			}
		})
	}
	for len(s.Requests()) < 2 {
		time.Sleep(time.Millisecond)
	}
	close(gate)
	wg.Wait()
	for _, r := range s.Requests() {
		if n := len(r.Input); n > 8 || len(strings.Join(r.Input, ""))/3 > 60 && n > 1 {
			t.Errorf("%d texts of %d bytes in one request", n, len(strings.Join(r.Input, "")))
		}
	}
	if got := most.Load(); got > 2 {
		t.Errorf("%d requests at once, want at most 2", got)
	}
	if got := len(s.Requests()); got > 30 {
		t.Errorf("%d requests for 50 texts: callers don't share batches", got)
	}
}

func TestPrefixes(t *testing.T) {
	for name, tc := range map[string]struct {
		model                    string
		change                   func(*openai.Options)
		query, document, inputAs string
	}{
		"unknown": {model: "x", query: "q", document: "d"},
		"nomic":   {model: "nomic-embed-text:latest", query: "search_query: q", document: "search_document: d"},
		"e5":      {model: "intfloat/multilingual-e5-base", query: "query: q", document: "passage: d"},
		"bge": {
			model: "BAAI/bge-small-en-v1.5", query: "Represent this sentence for searching relevant passages: q",
			document: "d",
		},
		"bge-m3": {model: "bge-m3", query: "q", document: "d"},
		"qwen3": {
			model:    "Qwen/Qwen3-Embedding-0.6B",
			query:    "Instruct: Given a question about a code base, retrieve code and documentation that answer it\nQuery: q",
			document: "d",
		},
		"jina code": {
			model: "jina-code-embeddings-0.5b",
			query: "Find the most relevant code snippet given the following query:\nq", document: "Candidate code snippet:\nd",
		},
		"voyage": {model: "voyage-code-3", query: "q", document: "d", inputAs: "query document"},
		"OpenAI": {model: "text-embedding-3-small", query: "q", document: "d"},
		"overruled": {
			model: "nomic-embed-text", query: "ask: q", document: "d",
			change: func(o *openai.Options) { o.QueryPrefix, o.DocumentPrefix = new("ask: "), new("") },
		},
		"overruled by input_type": {
			model: "nomic-embed-text", query: "q", document: "d", inputAs: "query document",
			change: func(o *openai.Options) { o.InputType = new(true) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openaitest.New(t, dims)
			c := client(s, func(o *openai.Options) {
				o.Model = tc.model
				if tc.change != nil {
					tc.change(o)
				}
			})
			if _, err := c.Queries(t.Context(), []string{"q"}); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Documents(t.Context(), []embed.Input{{Text: "d"}}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tc.query, tc.document}, s.Texts()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			as := strings.TrimSpace(s.Requests()[0].InputType + " " + s.Requests()[1].InputType)
			if as != tc.inputAs || s.Requests()[0].Model != tc.model {
				t.Errorf("input_type %q, want %q; model %s", as, tc.inputAs, s.Requests()[0].Model)
			}
		})
	}
}

// Long texts are cut at the ends of lines, nothing of them is lost, and their
// vector is the mean of those of the pieces.
func TestLongTexts(t *testing.T) {
	s := openaitest.New(t, dims)
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "line number %d of a long text\n", i)
	}
	in := embed.Input{Text: text.String(), Name: "long", File: "main"}
	got, err := client(s, func(o *openai.Options) {
		o.MaxTokens, o.DocumentPrefix = 200,
			new("doc: ")
	}).Documents(t.Context(), []embed.Input{in})
	if err != nil {
		t.Fatal(err)
	}
	texts := s.Texts()
	slices.Sort(texts)
	lines, sum := 0, make([]float32, dims)
	for _, piece := range texts {
		rest, ok := strings.CutPrefix(piece, "doc: main: long\n")
		if !ok || len(piece) > 600 {
			t.Errorf("a piece of %d bytes: %q", len(piece), piece)
		}
		lines += strings.Count(strings.TrimSpace(rest), "\n") + 1
		for i, x := range want(t, piece)[0] {
			sum[i] += x * float32(len(piece))
		}
	}
	if len(texts) < 3 || lines != 60 {
		t.Errorf("%d pieces of %d lines, want all 60 in more than 2", len(texts), lines)
	}
	if diff := cmp.Diff(embed.Unit(sum), got[0], near); diff != "" {
		t.Errorf("the mean of the pieces (-want +got):\n%s", diff)
	}
}

func TestRepliesThatAreNone(t *testing.T) {
	nan := "[" + strings.Repeat("0.1,", dims-1) + "NaN]"
	vector := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("0.5,", n), ",") + "]" }
	for name, tc := range map[string]struct{ reply, want string }{
		"other dims": {
			`{"data":[{"index":0,"embedding":` + vector(7) + `}]}`,
			"makes a vector of 7 components in place of 24; use the model that the index was made with, or set " +
				"RAGNAV_EMBED_DIMS=7",
		},
		"NaN": {`{"data":[{"index":0,"embedding":` + nan + `}]}`, "components that are no numbers"},
		"null for NaN, as llama.cpp has it": {
			`{"data":[{"index":0,"embedding":` + strings.Replace(nan, "NaN", "null", 1) + `}]}`,
			"components that are no numbers",
		},
		"empty":     {`{"data":[{"index":0,"embedding":[]}]}`, "a vector that is empty"},
		"no vector": {`{"data":[{"index":0,"embedding":null}]}`, "a vector that is empty"},
		"NaN as base64": {
			`{"data":[{"index":0,"embedding":"` + strings.Repeat("AADAfwAAwH8AAMB/", 8) + `"}]}`,
			"components that are no numbers",
		},
		"zero": {
			`{"data":[{"index":0,"embedding":[` + strings.Repeat("0,", dims-1) + `0]}]}`,
			"a vector that is empty or zero",
		},
		"an error all the same": {`{"error":{"message":"model not loaded"}}`, "fails: model not loaded"},
		"too long all the same": {`{"error":"input is too long"}`, "fails: input is too long"},
		"too few":               {`{"data":[]}`, "answers with 0 vectors of 1 texts"},
		"too many": {`{"data":[{"index":0,"embedding":` + vector(dims) + `},{"index":1,"embedding":` + vector(dims) +
			`}]}`, "2 vectors of 1 texts"},
		"strange index": {
			`{"data":[{"index":4,"embedding":` + vector(dims) + `}]}`,
			"a vector with the index 4, of 1 texts",
		},
		"a web page": {
			`<html><body>hello</body></html>`,
			"no list of vectors; see that RAGNAV_EMBED_URL is the address of its API, with /v1",
		},
		"broken base64":  {`{"data":[{"index":0,"embedding":"***"}]}`, "no list of vectors"},
		"nothing at all": {``, "no list of vectors"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openaitest.New(t, dims)
			s.Fail(func(w http.ResponseWriter, _ openaitest.Request) bool { _, _ = w.Write([]byte(tc.reply)); return true })
			_, err := client(s, func(o *openai.Options) {
				o.Model, o.Dims = "all-minilm", 0
			}).WithDims(dims).Documents(t.Context(), inputs(1))
			if fault.CodeOf(err) != fault.EmbedderUnavailable || !strings.Contains(fault.MessageOf(err), tc.want) {
				t.Errorf("error %v, want EMBEDDER_UNAVAILABLE with %q", err, tc.want)
			}
		})
	}
}

// One vector that is none is asked for apart, so that no other text loses its own.
func TestOneVectorThatIsNone(t *testing.T) {
	s := openaitest.New(t, dims)
	s.Fail(func(w http.ResponseWriter, r openaitest.Request) bool {
		bad := slices.IndexFunc(r.Input, func(text string) bool { return strings.Contains(text, "word3") })
		if bad < 0 {
			return false
		}
		var data []string
		for i := range r.Input {
			component := "0.5"
			if i == bad {
				component = "NaN"
			}
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%s%s]}`, i, strings.Repeat("0.1,", dims-1), component))
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
		return true
	})
	c := client(s, nil)
	if _, err := c.Documents(t.Context(), inputs(6)); !errors.Is(err, embed.ErrRefused) {
		t.Errorf("%v, want ErrRefused", err)
	}
	if !slices.ContainsFunc(s.Requests(), func(r openaitest.Request) bool {
		return len(r.Input) == 1 && strings.Contains(r.Input[0], "word3")
	}) {
		t.Error("the batch was not halved until the text stood alone")
	}
}

// A vector of fewer components than the model makes is asked for, once the server
// has made a longer one.
func TestFewerDims(t *testing.T) {
	s := openaitest.New(t, 64)
	c := client(s, nil)
	for range 2 {
		got, err := c.Documents(t.Context(), inputs(1))
		if err != nil || len(got[0]) != dims {
			t.Fatalf("%v, %v", got, err)
		}
	}
	var asked []int
	for _, r := range s.Requests() {
		asked = append(asked, r.Dimensions)
	}
	if diff := cmp.Diff([]int{0, dims, dims}, asked); diff != "" {
		t.Errorf("dimensions (-want +got):\n%s", diff)
	}
}

func TestLearnsDims(t *testing.T) {
	s := openaitest.New(t, 48)
	c := openai.New(openai.Options{URL: s.URL, Model: "m"})
	if err := c.Learn(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantManifest := embed.Manifest{Provider: "openai", Model: "m", Revision: "1", Dims: 48}
	if diff := cmp.Diff(wantManifest, c.Manifest()); diff != "" {
		t.Error(diff)
	}
}

// What may succeed later is tried again, what can't is not.
func TestRetries(t *testing.T) {
	for name, tc := range map[string]struct {
		status       int
		times        int // that it fails
		wantRequests int
		wantErr      string
	}{
		"busy":         {http.StatusTooManyRequests, 3, 4, ""},
		"broken":       {http.StatusInternalServerError, 2, 3, ""},
		"gateway":      {http.StatusBadGateway, 1, 2, ""},
		"stays broken": {http.StatusServiceUnavailable, 99, 5, "fails (HTTP 503): because"},
		"no key":       {http.StatusUnauthorized, 99, 1, "refuses the key; check RAGNAV_EMBED_API_KEY"},
		"no such model": {
			http.StatusNotFound, 99, 1,
			"does not know the model or the address; check RAGNAV_EMBED_MODEL and RAGNAV_EMBED_URL: because",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openaitest.New(t, dims)
			var n atomic.Int64
			s.Fail(func(w http.ResponseWriter, _ openaitest.Request) bool {
				if n.Add(1) > int64(tc.times) {
					return false
				}
				openaitest.Refuse(w, tc.status, "because")
				return true
			})
			_, err := client(s, nil).Documents(t.Context(), inputs(3))
			switch {
			case tc.wantErr == "" && err != nil:
				t.Error(err)
			case tc.wantErr != "" && !strings.Contains(fault.MessageOf(err), tc.wantErr):
				t.Errorf("error %v, want %q", err, tc.wantErr)
			}
			if got := len(s.Requests()); got != tc.wantRequests {
				t.Errorf("%d requests, want %d", got, tc.wantRequests)
			}
		})
	}
}

func TestRetryAfterIsKept(t *testing.T) {
	s := openaitest.New(t, dims)
	var n atomic.Int64
	s.Fail(func(w http.ResponseWriter, _ openaitest.Request) bool {
		if n.Add(1) > 1 {
			return false
		}
		w.Header().Set("Retry-After", "0.2")
		openaitest.Refuse(w, http.StatusTooManyRequests, "slow down")
		return true
	})
	began := time.Now()
	if _, err := client(s, nil).Documents(t.Context(), inputs(1)); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < 200*time.Millisecond {
		t.Errorf("asked again after %s, the server said 200ms", took)
	}
}

// A batch that is too long for the server is sent in parts, and a text that it
// won't take at all does not keep others from their vectors.
func TestBatchesThatAreRefused(t *testing.T) {
	s := openaitest.New(t, dims)
	s.Fail(func(w http.ResponseWriter, r openaitest.Request) bool {
		switch all := strings.Join(r.Input, " "); {
		case strings.Contains(all, "poison"):
			openaitest.Refuse(w, http.StatusBadRequest, "can't be tokenised")
		case len(all) > 400:
			openaitest.Refuse(w, http.StatusInternalServerError, "the input is too large to process")
		default:
			return false
		}
		return true
	})
	c := client(s, nil)
	long := embed.Input{Text: strings.Repeat("a long text of words ", 60)}
	got, err := c.Documents(t.Context(), append(inputs(12), long))
	if err != nil || slices.ContainsFunc(got, func(v []float32) bool { return v == nil }) {
		t.Errorf("%v, %v", got, err)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			_, err := c.Documents(t.Context(), []embed.Input{{Text: []string{"poison", "one", "two", "three"}[i]}})
			if (i == 0) != errors.Is(err, embed.ErrRefused) || i > 0 && err != nil {
				t.Errorf("text %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

func TestNobodyThere(t *testing.T) {
	c := openai.New(openai.Options{URL: "http://127.0.0.1:1/v1", Model: "m", Dims: dims})
	c.HurryUp()
	for name, do := range map[string]func(context.Context) error{
		"documents": func(ctx context.Context) error { _, err := c.Documents(ctx, inputs(1)); return err },
		"queries":   func(ctx context.Context) error { _, err := c.Queries(ctx, []string{"q"}); return err },
		"ping":      func(ctx context.Context) error { c.Ping(ctx); return c.Away() },
	} {
		err := do(t.Context())
		if fault.CodeOf(err) != fault.EmbedderUnavailable ||
			fault.MessageOf(err) != "no embedder answers at http://127.0.0.1:1/v1; start it, or check RAGNAV_EMBED_URL" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Who leaves ends the request when nobody else waits for it.
func TestCancelReachesTheServer(t *testing.T) {
	s := openaitest.New(t, dims)
	begun, left := make(chan struct{}, 9), make(chan struct{}, 9)
	s.Fail(func(_ http.ResponseWriter, r openaitest.Request) bool {
		begun <- struct{}{}
		<-r.Done
		left <- struct{}{}
		return true
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	c := client(s, nil)
	go func() { _, err := c.Documents(ctx, inputs(1)); ended <- err }()
	<-begun
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Documents = %v", err)
	}
	select {
	case <-left:
	case <-time.After(time.Minute):
		t.Error("the server still works for nobody")
	}
}

func TestSilenceEndsWithTheTimeout(t *testing.T) {
	s := openaitest.New(t, dims)
	s.Fail(func(_ http.ResponseWriter, r openaitest.Request) bool { <-r.Done; return true })
	_, err := client(s, func(o *openai.Options) { o.Timeout = 20 * time.Millisecond }).Documents(t.Context(), inputs(1))
	if !strings.Contains(fault.MessageOf(err), "does not answer in time") {
		t.Errorf("error %v", err)
	}
}

// A server that is too slow for a large request gets smaller ones, and all of it
// done.
func TestSlowServer(t *testing.T) {
	s := openaitest.New(t, dims)
	s.Fail(func(_ http.ResponseWriter, r openaitest.Request) bool {
		if len(r.Input) > 1 {
			<-r.Done
			return true
		}
		return false
	})
	got, err := client(s, func(o *openai.Options) { o.Timeout = 300 * time.Millisecond }).Documents(t.Context(), inputs(6))
	if err != nil || len(got) != 6 || slices.ContainsFunc(got, func(v []float32) bool { return v == nil }) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestKeyIsSentAndNotTold(t *testing.T) {
	s := openaitest.New(t, dims)
	s.Fail(func(w http.ResponseWriter, _ openaitest.Request) bool {
		openaitest.Refuse(w, http.StatusUnauthorized, "bad key sk-secret")
		return true
	})
	_, err := client(s, func(o *openai.Options) { o.APIKey = "sk-secret" }).Documents(t.Context(), inputs(1))
	if got := s.Requests()[0].Authorization; got != "Bearer sk-secret" {
		t.Errorf("Authorization %q", got)
	}
	if err == nil || strings.Contains(fault.MessageOf(err), "secret") {
		t.Errorf("error %v", err)
	}
}
