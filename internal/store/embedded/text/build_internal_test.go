package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	scorch "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// What a builder makes of documents reads as what zapx makes of them, by itself
// and merged with another segment.
func TestBuildAsZapx(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	docs := someDocuments(1200) // more than a chunk
	shuffled := slices.Clone(docs)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(docs), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	reference := &zap.ZapPlugin{}
	ours := must(t)(segmentPlugin{reference}.New(shuffled))
	theirs := must(t)(reference.New(docs))
	want := contents(t, theirs)
	if got := contents(t, ours); !cmp.Equal(want, got) {
		t.Fatal(cmp.Diff(want, got))
	}
	more := must(t)(segmentPlugin{reference}.New(someRecords(3)))
	for _, both := range [][]scorch.Segment{{ours, more}, {more, ours}} {
		path := t.TempDir() + "/merged.zap"
		if _, _, err := reference.Merge(both, []*roaring.Bitmap{nil, nil}, path, nil, nil); err != nil {
			t.Fatal(err)
		}
		merged, err := reference.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got := contents(t, merged)
		for key := range contents(t, more) {
			if _, ok := got[key]; !ok && !strings.HasPrefix(key, "term ") {
				t.Errorf("merged: no %q", key)
			}
		}
		for key, value := range want {
			if key != "documents" && !cmp.Equal(value, got[key]) {
				t.Fatalf("merged: %s: %s", key, cmp.Diff(value, got[key]))
			}
		}
		if err := merged.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A document of another kind goes to zapx.
func TestBuildOthers(t *testing.T) {
	type another struct{ *Document }
	docs := someDocuments(3)
	docs[1] = another{docs[1].(*Document)}
	seg := must(t)(segmentPlugin{&zap.ZapPlugin{}}.New(docs))
	if seg.Count() != uint64(len(docs)) {
		t.Errorf("%d documents", seg.Count())
	}
}

func must(t *testing.T) func(scorch.Segment, uint64, error) scorch.Segment {
	return func(seg scorch.Segment, _ uint64, err error) scorch.Segment {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return seg
	}
}

// someDocuments are symbols of files with names and words by chance, a few
// records, and a document with two tokens of the same text.
func someDocuments(n int) []index.Document {
	rng := rand.New(rand.NewPCG(3, 4))
	analyser, memo := fts.NewAnalyser(), NewBatchMemo()
	docs := someRecords(7)
	for i := range n {
		file := fmt.Sprintf("pkg%d/file%d.go", i/400, i/20)
		d := models.Document{Header: models.Header{
			ID: models.DocumentID(fmt.Sprintf("symbol:a/b:%s:f%d", file, i)), Type: models.TypeSymbol, RepoID: "a/b",
			FilePath: file, SymbolName: fmt.Sprintf("f%d", i), Kind: "func", Language: "Go",
		}}
		for range rng.IntN(40) {
			d.Text += fmt.Sprintf("common word%d Camel%dCase ", rng.IntN(900), rng.IntN(30))
		}
		d.Content = strings.Repeat("x", rng.IntN(50))
		if i%100 == 0 {
			d.Type, d.Tags = models.TypeDocument, []string{"b", "a", "b"}
		}
		docs = append(docs, NewDocument(&d, uint32(i), analyser, memo)) //nolint:gosec // small
	}
	for _, d := range docs[7:] {
		d.AddIDField()
		d.VisitFields(func(f index.Field) { f.Analyze() })
	}
	last := docs[len(docs)-1].(*Document)
	last.Fields[0].(*textField).terms = []counted{
		{&fts.Token{Text: "twice", Number: 1 << 20}, 2},
		{&fts.Token{Text: "twice", Number: 1<<20 + 1}, 3},
	}
	return docs
}

func someRecords(n int) (docs []index.Document) {
	for i := range n {
		docs = append(docs, NewRecord(RecordKey("files", fmt.Sprintf("r%d-%d", n, i)), fmt.Appendf(nil, `{"n":%d}`, i)))
	}
	for _, d := range docs {
		d.AddIDField()
	}
	return docs
}

// contents is all that can be read of a segment, without the numbers of its
// documents: for each term, and each document, a line of text.
func contents(t *testing.T, seg scorch.Segment) map[string][]string {
	t.Helper()
	all := map[string][]string{"documents": {fmt.Sprint(seg.Count())}}
	ids := make([]string, seg.Count())
	for n := range ids {
		var stored []string
		if err := seg.VisitStoredFields(uint64(n), func(field string, typ byte, value []byte,
			_ []uint64,
		) bool { //nolint:gosec // small
			if field == FieldID {
				ids[n] = string(value)
			} else {
				stored = append(stored, fmt.Sprintf("%s %c %q", field, typ, value))
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		all["stored "+ids[n]] = stored
	}
	for _, field := range segmentFields {
		dict, err := seg.Dictionary(field)
		if err != nil {
			t.Fatal(err)
		}
		terms := dict.AutomatonIterator(nil, nil, nil)
		for {
			term, err := terms.Next()
			if err != nil {
				t.Fatal(err)
			}
			if term == nil {
				break
			}
			all["term "+field+" "+term.Term] = postingsOf(t, dict, term.Term, ids)
		}
	}
	return all
}

func postingsOf(t *testing.T, dict scorch.TermDictionary, term string, ids []string) (lines []string) {
	t.Helper()
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for postings := list.Iterator(true, true, true, nil); ; {
		p, err := postings.Next()
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			slices.Sort(lines)
			return append(lines, fmt.Sprint("count ", list.Count()))
		}
		norm := p.Norm()
		if p.Frequency() == 0 { // that of ours, see Frequency
			norm = 1
		}
		lines = append(lines, fmt.Sprintf("%q %d %g %d", ids[p.Number()], Frequency(p), norm, len(p.Locations())))
	}
}

// Package roaring reads the sets that are written here.
func TestSetsOfRoaring(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 100, 4095, 4096, 4097, 5000, 65_536, 70_000, 150_000} {
		for _, gap := range []int{1, 2, 40} {
			var list []posting
			set := roaring.New()
			doc := uint32(rng.IntN(3)) //nolint:gosec // small
			for range n {
				list = append(list, posting{doc: doc})
				set.Add(doc)
				doc += 1 + uint32(rng.IntN(gap)) //nolint:gosec // small
			}
			got := roaring.New()
			if _, err := got.FromBuffer(appendSet([]byte("x"), list)[1:]); err != nil {
				t.Errorf("%d documents, gaps of at most %d: %v", n, gap, err)
			}
			if !got.Equals(set) {
				t.Errorf("%d documents, gaps of at most %d: %d are read", n, gap, got.GetCardinality())
			}
		}
	}
}
