package search_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// overlap is a reranker by the number of letters x in a text: files of a higher
// number have more, those of two repositories equally many.
type overlap struct {
	fail   error
	wait   time.Duration
	calls  int
	query  string
	texts  []string
	factor float64
}

func (o *overlap) Scores(ctx context.Context, query string, texts []string) ([]float64, error) {
	o.calls++
	o.query, o.texts = query, texts
	if o.wait > 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(o.wait):
		}
	}
	scores := make([]float64, len(texts))
	for i, text := range texts {
		scores[i] = o.factor * float64(strings.Count(text, "x"))
	}
	return scores, o.fail
}

func reranked(t *testing.T, o *overlap, first, characters int) *search.Service {
	t.Helper()
	svc, _ := newService(t)
	svc.Rerank(o, first, characters)
	return svc
}

var question = search.Request{Query: "which functions decode frames", Level: "symbol", Limit: new(100), Explain: true}

// The first hits are in the order of the reranker, equal ones as they were; those
// behind are where they were, and scores fall.
func TestRerank(t *testing.T) {
	plain, _ := newService(t)
	before := ask(t, plain, question)
	o := &overlap{factor: 1}
	after := ask(t, reranked(t, o, 20, 150), question)
	if o.calls != 1 || o.query != question.Query || len(o.texts) != 20 {
		t.Fatalf("asked %d times for %d texts of %q, want once for 20", o.calls, len(o.texts), o.query)
	}
	for i, text := range o.texts {
		if !strings.HasPrefix(text, *before.Items[i].FilePath+"\nFrame") || len([]rune(text)) > 150 {
			t.Errorf("text %d is %q", i, text)
		}
	}
	want := slices.Clone(before.Items[:20])
	place := map[models.DocumentID]int{}
	for i, item := range want {
		place[item.DocumentID] = i + 1
	}
	letters := func(r models.SearchResult) int {
		return strings.Count(o.texts[place[r.DocumentID]-1], "x")
	}
	slices.SortStableFunc(want, func(a, b models.SearchResult) int { return letters(b) - letters(a) })
	if diff := cmp.Diff(ids(search.Response{Result: models.OKResult(want)}), ids(after)[:20]); diff != "" {
		t.Errorf("the first hits (-want +got):\n%s", diff)
	}
	if slices.Equal(ids(before)[:20], ids(after)[:20]) {
		t.Error("nothing changed its place")
	}
	if diff := cmp.Diff(ids(before)[20:], ids(after)[20:]); diff != "" {
		t.Errorf("those behind (-want +got):\n%s", diff)
	}
	for i, item := range after.Items {
		if item.Score != before.Items[i].Score {
			t.Errorf("score %d is %g, want %g", i, item.Score, before.Items[i].Score)
		}
		was := place[item.DocumentID]
		if got := int(item.Explain["ranked"]); got != was {
			t.Errorf("%d. was at %d by explain, want %d", i+1, got, was)
		}
		if was > 0 && int(item.Explain["reranker"]) != letters(item) {
			t.Errorf("%d. has %g of the reranker, want %d", i+1, item.Explain["reranker"], letters(item))
		}
	}
}

// A file is shown with the symbol that speaks best for it.
func TestRerankFiles(t *testing.T) {
	o := &overlap{factor: 1}
	req := question
	req.Level = "file"
	ask(t, reranked(t, o, 30, 1000), req)
	for _, text := range o.texts {
		if !strings.Contains(text, "decodes frames of requests number x") || !strings.Contains(text, "file src/") {
			t.Errorf("a file is shown as %q", text)
		}
	}
	if len(o.texts) != 20 {
		t.Errorf("%d files, want 20", len(o.texts))
	}
}

// Pages neither repeat nor drop, whatever becomes of the reranker behind the first
// one, which alone asks it.
func TestRerankPages(t *testing.T) {
	for name, then := range map[string]func(svc *search.Service, o *overlap){
		"as it was":      func(*search.Service, *overlap) {},
		"it fails":       func(_ *search.Service, o *overlap) { o.fail = errors.New("gone") },
		"another order":  func(_ *search.Service, o *overlap) { o.factor = -1 },
		"fewer of them":  func(svc *search.Service, o *overlap) { svc.Rerank(o, 5, 1000) },
		"there is none":  func(svc *search.Service, _ *overlap) { svc.Rerank(nil, 0, 0) },
		"it was not yet": nil,
	} {
		t.Run(name, func(t *testing.T) {
			o := &overlap{factor: 1}
			svc := reranked(t, o, 20, 1000)
			if then == nil {
				svc.Rerank(nil, 0, 0)
			}
			want := ids(ask(t, svc, question))
			o.calls = 0
			req := question
			req.Limit = new(7)
			var got []models.DocumentID
			for {
				resp := ask(t, svc, req)
				got = append(got, ids(resp)...)
				if req.Cursor == "" && then != nil {
					then(svc, o)
				} else if req.Cursor == "" {
					svc.Rerank(o, 20, 1000)
					o.calls++
				}
				if req.Cursor = resp.Meta.NextCursor; req.Cursor == "" {
					break
				}
				if len(req.Cursor) > 200 {
					t.Errorf("a cursor of %d characters", len(req.Cursor))
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("pages of 7 against one page (-want +got):\n%s", diff)
			}
			if o.calls != 1 {
				t.Errorf("asked %d times, want once", o.calls)
			}
		})
	}
}

// When the reranker fails the order is that of the index, and a warning says why.
func TestRerankFails(t *testing.T) {
	plain, _ := newService(t)
	want := ids(ask(t, plain, question))
	for name, tc := range map[string]struct {
		o    overlap
		says string
	}{
		"with words": {
			overlap{factor: 1, fail: fault.New(fault.LLMUnavailable, "the reranker is on fire")},
			"in the order of the index: the reranker is on fire",
		},
		"slow": {overlap{factor: 1, wait: time.Hour}, "there was no time to wait for the reranker"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where time goes on when the reranker alone is waited for
				svc := reranked(t, &tc.o, 20, 1000)
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				resp, err := svc.Search(ctx, question)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, ids(resp)); diff != "" {
					t.Errorf("order (-want +got):\n%s", diff)
				}
				w := resp.Meta.Warnings
				if len(w) != 1 || w[0].Code != "RERANKER_UNAVAILABLE" || !strings.Contains(w[0].Message, tc.says) {
					t.Errorf("warnings %+v, want one with %q", w, tc.says)
				}
			})
		})
	}
	t.Run("the client leaves", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		_, err := reranked(t, &overlap{wait: time.Hour}, 20, 1000).Search(ctx, question)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
	})
}

// Only what asks by meaning is reranked.
func TestRerankOnlyMeaning(t *testing.T) {
	for _, tc := range []struct {
		req   search.Request
		query string // in the language of queries
		want  bool
	}{
		{query: "which functions decode frames", want: true},
		{query: "decode frames", want: true},
		{query: "how is Frame1Of3 called", want: true},
		{query: "file:src frames of requests", want: true},
		{query: "Frame1Of3"},
		{query: "frames"},
		{query: "http.Client Do"},
		{query: "src/p0/file0.go"},
		{query: "src/p0/file0.go file1.go"},
		{query: "file:src lang:go"},
		{query: `"frames of requests"`},
		{query: "decode /frames? of/"},
		{query: "decode frames", req: search.Request{Mode: search.ModeLexical}},
		{query: "decode frames", req: search.Request{Mode: search.ModeSemantic}, want: true},
		{query: "decode frames", req: search.Request{AsRanked: true}},
	} {
		o := &overlap{factor: 1}
		tc.req.Query, tc.req.Level = tc.query, "symbol"
		if _, err := reranked(t, o, 20, 1000).Query(t.Context(), tc.req); err != nil {
			t.Errorf("%s: %v", tc.query, err)
		}
		if got := o.calls > 0; got != tc.want {
			t.Errorf("%+v was reranked: %v, want %v", tc.req, got, tc.want)
		}
	}
}
