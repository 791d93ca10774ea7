package vector

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/vector/codes"
)

func open(t *testing.T, dir string, dims int, at Mark) *Log {
	t.Helper()
	l, err := Open(dir, dims, at, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// must is for calls that are expected to work.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func write(t *testing.T, l *Log, rows ...Row) Mark {
	t.Helper()
	mark, err := l.Append(rows)
	if err == nil {
		err = l.Publish(mark)
	}
	if err != nil {
		t.Fatal(err)
	}
	return mark
}

// shown remembers the values of all tests.
var shown ValueMemory

// contents is the live rows of a snapshot by id, copied.
func contents(s *Snapshot) map[string]Row {
	out := map[string]Row{}
	values := ValueReader{Memory: &shown}
	for row := range s.Len() {
		if s.LiveRows().Has(row) {
			r := Row{ID: s.ID(row), Meta: slices.Clone(s.Meta(row)), Vector: s.Vector(row)}
			if value := must(s.Value(&values, row)); len(value) > 0 {
				r.Value = slices.Clone(value)
			}
			out[r.ID] = r
		}
	}
	return out
}

func logContents(l *Log) map[string]Row {
	s := l.Snapshot()
	defer s.Release()
	return contents(s)
}

func TestLogShowsTheLastOfEachID(t *testing.T) {
	v, w := []float32{2, -2}, []float32{0, 4} // as their codes say
	tests := []struct {
		name   string
		writes [][]Row
		want   map[string]Row
	}{
		{"nothing", nil, map[string]Row{}},
		{"no rows", [][]Row{{}}, map[string]Row{}},
		{
			"with and without vector and meta",
			[][]Row{{{ID: "a"}, {ID: "b", Vector: v}, {ID: "c", Meta: []byte("m"), Vector: w}}},
			map[string]Row{
				"a": {ID: "a", Meta: []byte{}}, "b": {ID: "b", Meta: []byte{}, Vector: v},
				"c": {ID: "c", Meta: []byte("m"), Vector: w},
			},
		},
		{
			"values, and ids that share a part",
			[][]Row{{
				{ID: "folder/file:a", Value: []byte("one"), Vector: v},
				{ID: "folder/file:b"},
				{ID: "folder/file", Value: []byte("two")},
				{ID: "folder/other:a", Vector: v, Value: []byte("three")},
				{ID: "folder/other:ab", Vector: w},
			}, {{ID: "folder/file", Value: []byte("four")}, {ID: "folder/file:b", Deleted: true}}},
			map[string]Row{
				"folder/file:a":   {ID: "folder/file:a", Meta: []byte{}, Value: []byte("one"), Vector: v},
				"folder/file":     {ID: "folder/file", Meta: []byte{}, Value: []byte("four")},
				"folder/other:a":  {ID: "folder/other:a", Meta: []byte{}, Value: []byte("three"), Vector: v},
				"folder/other:ab": {ID: "folder/other:ab", Meta: []byte{}, Vector: w},
			},
		},
		{
			"replaced later",
			[][]Row{{{ID: "a", Vector: v}}, {{ID: "a", Meta: []byte("2"), Vector: w}}},
			map[string]Row{"a": {ID: "a", Meta: []byte("2"), Vector: w}},
		},
		{
			"replaced in one write, by one without a vector",
			[][]Row{{{ID: "a", Vector: v}, {ID: "a", Meta: []byte("2")}}},
			map[string]Row{"a": {ID: "a", Meta: []byte("2")}},
		},
		{"deleted later", [][]Row{{{ID: "a", Vector: v}}, {{ID: "a", Deleted: true}}}, map[string]Row{}},
		{"deleted in one write", [][]Row{{{ID: "a", Vector: v}, {ID: "a", Deleted: true}}}, map[string]Row{}},
		{"deleted, never there", [][]Row{{{ID: "a", Deleted: true, Meta: []byte("m"), Vector: v}}}, map[string]Row{}},
		{
			"deleted and back in one write",
			[][]Row{{{ID: "a", Vector: v}}, {{ID: "a", Deleted: true}, {ID: "a", Vector: w}}},
			map[string]Row{"a": {ID: "a", Meta: []byte{}, Vector: w}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, dir, 2, Mark{})
			for _, rows := range tt.writes {
				write(t, l, rows...)
			}
			if diff := gocmp.Diff(tt.want, logContents(l)); diff != "" {
				t.Errorf("as written (-want +got):\n%s", diff)
			}
			mark := l.Mark()
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.want, logContents(open(t, dir, 2, mark))); diff != "" {
				t.Errorf("opened again (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendRefuses(t *testing.T) {
	nan := func() float32 { var z float32; return z / z }()
	tests := []struct {
		name string
		row  Row
	}{
		{"no id", Row{}},
		{"a long id", Row{ID: string(make([]byte, maxID+1))}},
		{"a long meta", Row{ID: "a", Meta: make([]byte, maxMeta+1)}},
		{"a short vector", Row{ID: "a", Vector: []float32{1}}},
		{"an empty vector", Row{ID: "a", Vector: []float32{}}},
		{"not a number", Row{ID: "a", Vector: []float32{1, nan}}},
		{"a vector too large", Row{ID: "a", Vector: []float32{1e19, 0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := open(t, t.TempDir(), 2, Mark{})
			if mark, err := l.Append([]Row{{ID: "good"}, tt.row}); err == nil {
				t.Errorf("Append = %+v, want an error", mark)
			}
			if diff := gocmp.Diff(Mark{}, must(l.Append(nil))); diff != "" {
				t.Errorf("mark afterwards (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSnapshotsDoNotChange(t *testing.T) {
	l := open(t, t.TempDir(), 2, Mark{})
	first := write(t, l, Row{ID: "a", Meta: []byte("1")}, Row{ID: "b", Meta: []byte("1")})
	old := l.Snapshot()
	defer old.Release()
	want := contents(old)

	second := must(l.Append([]Row{{ID: "a", Meta: []byte("2")}, {ID: "b", Deleted: true}, {ID: "c"}}))
	if got := logContents(l); !gocmp.Equal(want, got) {
		t.Errorf("before Publish: %v, want %v", got, want)
	}
	if err := l.Publish(second); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, contents(old)); diff != "" {
		t.Errorf("old snapshot (-want +got):\n%s", diff)
	}
	now := l.Snapshot()
	defer now.Release()
	lookups := map[string][2]bool{"a": {true, true}, "b": {true, false}, "c": {false, true}, "d": {false, false}}
	for id, want := range lookups {
		oldRow, inOld := old.Lookup(id)
		newRow, inNew := now.Lookup(id)
		if want != [2]bool{inOld, inNew} {
			t.Errorf("Lookup(%q) finds %v, want %v", id, [2]bool{inOld, inNew}, want)
		}
		if inOld && old.ID(oldRow) != id || inNew && now.ID(newRow) != id {
			t.Errorf("Lookup(%q) finds another row", id)
		}
	}
	if old.Mark() != first || now.Mark() != second {
		t.Errorf("marks %+v, %+v, want %+v, %+v", old.Mark(), now.Mark(), first, second)
	}
	if want := 3.0 / 5; l.Dead() != want {
		t.Errorf("Dead = %v, want %v", l.Dead(), want)
	}
}

func TestMarksThatAreNotOurs(t *testing.T) {
	l := open(t, t.TempDir(), 2, Mark{})
	first := write(t, l, Row{ID: "a"})
	second := write(t, l, Row{ID: "b"})
	third := must(l.Append([]Row{{ID: "c"}}))
	for name, mark := range map[string]Mark{
		"an older one":         first,
		"beyond the end":       {Offset: third.Offset + alignment},
		"another generation":   {Generation: 1, Offset: third.Offset},
		"the middle of blocks": {Offset: second.Offset + alignment},
	} {
		t.Run(name, func(t *testing.T) {
			if err := l.Publish(mark); err == nil {
				t.Errorf("Publish(%+v) works", mark)
			}
			if err := l.Rollback(mark); err == nil {
				t.Errorf("Rollback(%+v) works", mark)
			}
		})
	}
}

func TestClosedLog(t *testing.T) {
	l := open(t, t.TempDir(), 2, Mark{})
	write(t, l, Row{ID: "a", Vector: []float32{2, -2}})
	s := l.Snapshot()
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Fatal(err)
	}
	if got := s.Vector(0); !slices.Equal(got, []float32{2, -2}) {
		t.Errorf("a snapshot taken before: vector %v", got)
	}
	s.Release()
	s.Release()
	_, appendErr := l.Append(nil)
	_, compactErr := l.Compact()
	for name, err := range map[string]error{
		"Append": appendErr, "Compact": compactErr, "Publish": l.Publish(Mark{}), "Rollback": l.Rollback(Mark{}),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v, want ErrClosed", name, err)
		}
	}
	if got := logContents(l); len(got) != 0 {
		t.Errorf("a snapshot taken afterwards has %v", got)
	}
}

// TestLogAgainstAMap runs random changes against a log and against maps of
// what is committed and what is appended, and compares after each.
func TestLogAgainstAMap(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := &modelled{dir: t.TempDir(), rng: rand.New(rand.NewPCG(seed, 9)), appended: map[string]Row{}}
			m.log = open(t, m.dir, modelDims, Mark{})
			m.commit()
			for range 50 {
				name := m.step(t)
				if got := logContents(m.log); !reflect.DeepEqual(m.committed, got) { // Diff takes its time
					t.Fatalf("after %s (-want +got):\n%s", name, gocmp.Diff(m.committed, got))
				}
				m.checkNearest(t)
			}
		})
	}
}

const modelDims = 5

type modelled struct {
	dir                 string
	rng                 *rand.Rand
	log                 *Log
	committed, appended map[string]Row
	mark                Mark // of committed
	end                 Mark // of appended
}

func (m *modelled) commit() { m.committed, m.mark = maps.Clone(m.appended), m.end }
func (m *modelled) revert() { m.appended, m.end = maps.Clone(m.committed), m.mark }

func (m *modelled) step(t *testing.T) string {
	switch n := m.rng.IntN(12); {
	case n < 5:
		m.end = must(m.log.Append(m.rows()))
		return "append"
	case n < 8:
		m.commit()
		if err := m.log.Publish(m.mark); err != nil {
			t.Fatal(err)
		}
		return "publish"
	case n < 9:
		m.revert()
		if err := m.log.Rollback(m.mark); err != nil {
			t.Fatal(err)
		}
		return "rollback"
	case n < 11:
		m.revert()
		_ = m.log.Close()
		m.log = open(t, m.dir, modelDims, m.mark)
		return "reopen"
	}
	m.revert()
	if err := m.log.Rollback(m.mark); err != nil {
		t.Fatal(err)
	}
	m.end = must(m.log.Compact())
	m.commit()
	if err := m.log.Publish(m.mark); err != nil {
		t.Fatal(err)
	}
	return "compact"
}

func (m *modelled) rows() []Row {
	rows := make([]Row, m.rng.IntN(30))
	for i := range rows {
		n := m.rng.IntN(60)
		r := Row{ID: fmt.Sprintf("%s-%d", strings.Repeat("id", n%3*7), n), Meta: fmt.Append(nil, m.rng.Int32())}
		if n := m.rng.IntN(3) * 1000; n > 0 {
			r.Value = bytes.Repeat(r.Meta, n)
		}
		delete(m.appended, r.ID)
		switch m.rng.IntN(4) {
		case 0:
			r.Deleted = true
		case 1:
			m.appended[r.ID] = r
		default:
			r.Vector = unit(m.rng, modelDims)
			kept := r
			kept.Vector = codes.Encode(r.Vector).Floats()
			m.appended[r.ID] = kept
		}
		rows[i] = r
	}
	return rows
}

// checkNearest compares a filtered search with the committed rows.
func (m *modelled) checkNearest(t *testing.T) {
	t.Helper()
	s := m.log.Snapshot()
	defer s.Release()
	eligible := NewBits(s.Len())
	query := unit(m.rng, modelDims)
	var want []Scored
	for id, r := range m.committed {
		row, ok := s.Lookup(id)
		if !ok {
			t.Fatalf("Lookup(%q) finds nothing", id)
		}
		if m.rng.IntN(2) == 0 {
			continue
		}
		eligible.Set(row)
		if r.Vector != nil {
			b, i := s.locate(row)
			want = append(want, Scored{Row: int32(row), Dot: dot(b.coded(i, modelDims), query)})
		}
	}
	slices.SortFunc(want, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Dot, a.Dot), cmp.Compare(a.Row, b.Row))
	})
	k := 1 + m.rng.IntN(10)
	got := must(s.Nearest(t.Context(), query, k, eligible))
	if !slices.Equal(want[:min(k, len(want))], got) {
		t.Fatalf("Nearest = %v, want %v", got, want[:min(k, len(want))])
	}
}
