package embed

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/vector/codes"
)

// tolerance of the model's own test vectors.
const tolerance = 1e-4

var near = cmpopts.EquateApprox(0, tolerance)

type side struct {
	First8 []float32 `json:"first8"`
	Norm   float64   `json:"norm_before_normalisation"`
}

type vectors struct {
	Texts []struct {
		Text     string   `json:"text"`
		Tokens   []string `json:"tokens"`
		Rows     [][2]any `json:"rows_and_tf_weights"`
		Query    side     `json:"query"`
		Document side     `json:"document"`
	} `json:"texts"`
	Pairs []struct {
		Query          string   `json:"query"`
		Document       string   `json:"document"`
		QueryTokens    []string `json:"query_tokens"`
		DocumentTokens []string `json:"document_tokens"`
		Cosine         float64  `json:"cosine"`
	} `json:"pairs"`
}

func readVectors(t testing.TB) vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/testvectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func builtin(t testing.TB) *Static {
	t.Helper()
	s, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func modelOf(t testing.TB, s *Static) *model {
	t.Helper()
	m, err := s.model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *model) tokens(text string) []string {
	tokens := []string{}
	parts := splitter{text: text}
	for part := parts.next(); part != nil; part = parts.next() {
		if tok := m.parts.token(part); tok.text != "" {
			tokens = append(tokens, tok.text)
		}
	}
	return tokens
}

func TestVectorsOfTheModel(t *testing.T) {
	s := modelOf(t, builtin(t))
	names := make([]string, len(s.table.query))
	for row := range names {
		names[row] = s.table.vocab.token(row)
	}
	for _, tc := range readVectors(t).Texts {
		t.Run(tc.Text, func(t *testing.T) {
			if diff := cmp.Diff(tc.Tokens, s.tokens(tc.Text)); diff != "" {
				t.Errorf("tokens (-want +got):\n%s", diff)
			}
			sum := s.sums.take()
			s.count(sum, tc.Text, 1)
			slices.Sort(sum.rows)
			rows := [][2]any{}
			for _, r := range sum.rows {
				rows = append(rows, [2]any{names[r], float64(damp(sum.tf[r]))})
			}
			if diff := cmp.Diff(tc.Rows, rows, near, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			for name, weights := range map[string][]float32{"query": s.table.query, "document": s.table.document} {
				v := sum.pool(s.table, weights)
				want := tc.Query
				if name == "document" {
					want = tc.Document
				}
				if norm := length(v); math.Abs(norm-want.Norm) > tolerance*max(1, want.Norm) {
					t.Errorf("%s norm = %v, want %v", name, norm, want.Norm)
				}
				got := Unit(v)
				if want.Norm == 0 {
					if got != nil {
						t.Errorf("%s vector = %v, want nil", name, got[:8])
					}
					continue
				}
				if diff := cmp.Diff(want.First8, got[:8], near); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
			s.sums.give(sum)
		})
	}
}

func TestPairsOfTheModel(t *testing.T) {
	s := builtin(t)
	m := modelOf(t, s)
	for _, tc := range readVectors(t).Pairs {
		q, err := s.Queries(t.Context(), []string{tc.Query})
		if err != nil {
			t.Fatal(err)
		}
		d := m.vector(m.table.document, Input{Text: tc.Document})
		if got := dot(q[0], d); math.Abs(got-tc.Cosine) > tolerance {
			t.Errorf("cosine(%q, %q) = %v, want %v", tc.Query, tc.Document, got, tc.Cosine)
		}
	}
}

// In 16 levels, documents are where they were.
func TestDocumentsAreCoarse(t *testing.T) {
	s := builtin(t)
	m := modelOf(t, s)
	for _, tc := range readVectors(t).Pairs {
		got, err := s.Documents(t.Context(), []Input{{Text: tc.Document}})
		if err != nil {
			t.Fatal(err)
		}
		if !codes.Encode(got[0]).Packs() {
			t.Errorf("%q does not take 4 bits a component: %v", tc.Document, got[0])
		}
		if like := dot(m.vector(m.table.document, Input{Text: tc.Document}), got[0]); like < 0.99 {
			t.Errorf("%q is like what it was by %v, want .99", tc.Document, like)
		}
	}
}

func TestManifestOfTheModel(t *testing.T) {
	want := Manifest{Provider: "builtin", Model: "static-code-v2", Revision: "c21173f8", Dims: 256}
	if diff := cmp.Diff(want, builtin(t).Manifest()); diff != "" {
		t.Error(diff)
	}
}

func TestDocumentFieldsCount(t *testing.T) {
	s := builtin(t)
	flat := "open file file reader reader reader reader disk disk"
	got, err := s.Documents(t.Context(), []Input{
		{Text: "open file", Name: "reader", Parent: "disk", File: "file"},
		{Text: flat},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got[1], got[0], cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("a name counts 4 times, a parent twice, a file once (-repeated +fields):\n%s", diff)
	}
}

func TestOnlyTheFirst5000BytesCount(t *testing.T) {
	s := builtin(t)
	head := strings.Repeat("é", 2500)
	for name, tc := range map[string]struct {
		text string
		same bool
	}{
		"inside":          {"parse error " + strings.Repeat(" ", 4980) + "socket", false},
		"beyond":          {"parse error " + strings.Repeat(" ", 4988) + "socket", true},
		"rune at the cut": {"parse error " + head, true},
	} {
		t.Run(name, func(t *testing.T) {
			ref := "parse error "
			if strings.HasSuffix(tc.text, "é") {
				ref = cut(tc.text, maxTextBytes)
				if !utf8.ValidString(ref) || len(ref) < maxTextBytes-1 {
					t.Fatalf("cut to %d bytes, valid %v", len(ref), utf8.ValidString(ref))
				}
			}
			got, err := s.Documents(t.Context(), []Input{{Text: tc.text}, {Text: ref}})
			if err != nil {
				t.Fatal(err)
			}
			if same := slices.Equal(got[0], got[1]); same != tc.same {
				t.Errorf("same vector as the head alone: %v, want %v", same, tc.same)
			}
		})
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := builtin(t)
	if _, err := e.Documents(ctx, []Input{{Text: "x"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Documents = %v, want context.Canceled", err)
	}
	if _, err := e.Queries(ctx, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Queries = %v, want context.Canceled", err)
	}
}

func TestConcurrentCallsAgree(t *testing.T) {
	s := builtin(t)
	var inputs []Input
	for _, tc := range readVectors(t).Texts {
		inputs = append(inputs, Input{Text: tc.Text, Name: "openFile"})
	}
	want, err := s.Documents(t.Context(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	fresh := builtin(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				got, err := fresh.Documents(t.Context(), inputs)
				if err != nil || !cmp.Equal(want, got) {
					t.Errorf("vectors differ between goroutines (err %v)", err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
