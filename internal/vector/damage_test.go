package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/vector/codes"
	"github.com/ragnav/ragnav/internal/vector/values"
)

// sample is a small log in a closed directory: its file and the marks before
// and after its last block.
func sample(t *testing.T) (dir string, file []byte, before, after Mark) {
	t.Helper()
	dir = t.TempDir()
	l := open(t, dir, 2, Mark{})
	before = write(t, l, Row{ID: "a", Meta: []byte("one"), Vector: []float32{2, -2}}, Row{ID: "b", Value: []byte("three")})
	after = write(t, l, Row{ID: "a", Meta: []byte("two"), Vector: []float32{0, 4}},
		Row{ID: "some longer id", Value: []byte("four")}, Row{ID: "some longer name"}, Row{ID: "b", Deleted: true})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, must(os.ReadFile(filepath.Join(dir, FileName(0)))), before, after
}

// A write that a crash cut off leaves any part of the last block.
func TestTornWrite(t *testing.T) {
	dir, file, before, after := sample(t)
	f := must(os.OpenFile(filepath.Join(dir, FileName(0)), os.O_WRONLY, 0))
	defer f.Close()
	l := must(Open(dir, 2, before, Options{}))
	want := logContents(l)
	_ = l.Close()
	if len(want) != 2 {
		t.Fatalf("at the first mark: %v", want)
	}
	for size := before.Offset; size <= after.Offset; size++ {
		must(f.WriteAt(file, 0))
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		if l, err := Open(dir, 2, after, Options{}); size < after.Offset && !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%d bytes, mark %d: error %v, log %v, want ErrCorrupt", size, after.Offset, err, l)
		} else if err == nil {
			_ = l.Close()
		}
		l, err := Open(dir, 2, before, Options{})
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		got := logContents(l)
		_ = l.Close()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%d bytes (-want +got):\n%s", size, diff)
		}
		if got := must(f.Stat()).Size(); got != before.Offset {
			t.Fatalf("%d bytes: the file has %d afterwards, want %d", size, got, before.Offset)
		}
	}
}

// Each byte is covered by a checksum, the padding of the headers excepted.
func TestFlippedBytes(t *testing.T) {
	dir, file, _, after := sample(t)
	f := must(os.OpenFile(filepath.Join(dir, FileName(0)), os.O_WRONLY, 0))
	defer f.Close()
	for i := range file {
		if i >= 16 && i < headerSize {
			continue
		}
		must(f.WriteAt([]byte{file[i] ^ 0x10}, int64(i)))
		if l, err := Open(dir, 2, after, Options{}); err == nil {
			t.Errorf("byte %d: opened with %v", i, logContents(l))
			_ = l.Close()
		} else if !errors.Is(err, ErrCorrupt) {
			t.Errorf("byte %d: %v, want ErrCorrupt", i, err)
		}
		must(f.WriteAt(file[i:i+1], int64(i)))
	}
}

// blockOf is a block of vectors of two components at the start of a file.
func blockOf(rows ...Row) []byte {
	entries := make([]entry, len(rows))
	for i, r := range rows {
		entries[i] = r.entry()
	}
	return sheetOf(entries, 2).appendTo(nil, 2, 0)
}

// Open leaves out the vectors of a log that is known to be whole.
func TestVerify(t *testing.T) {
	good := blockOf(Row{ID: "a", Vector: []float32{2, -2}})
	bad := slices.Clone(good)
	bad[len(bad)-alignment] ^= 1
	for name, tt := range map[string]struct {
		data []byte
		want error
	}{"good": {good, nil}, "damaged": {bad, ErrCorrupt}} {
		t.Run(name, func(t *testing.T) {
			b, _, err := parseBlock(tt.data, 2, 0)
			if err != nil {
				t.Fatal(err)
			}
			s := Snapshot{view: &view{blocks: []block{b}}}
			if err := s.Verify(t.Context()); !errors.Is(err, tt.want) {
				t.Errorf("Verify = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	dir, _, _, after := sample(t)
	tests := []struct {
		name    string
		dims    int
		at      Mark
		corrupt bool
	}{
		{"no dimensions", 0, after, false},
		{"too many dimensions", maxDims + 1, after, false},
		{"another number of dimensions", 3, after, false},
		{"a mark beyond the data", 2, Mark{Offset: after.Offset + alignment}, true},
		{"a mark inside the file header", 2, Mark{Offset: 8}, true},
		{"a negative mark", 2, Mark{Offset: -alignment}, true},
		{"a generation that is not there", 2, Mark{Generation: 1, Offset: after.Offset}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := Open(dir, tt.dims, tt.at, Options{})
			if err == nil {
				t.Fatalf("Open = %v, want an error", logContents(l))
			}
			if got := errors.Is(err, ErrCorrupt); got != tt.corrupt {
				t.Errorf("%v: is ErrCorrupt is %v, want %v", err, got, tt.corrupt)
			}
		})
	}
	if got := logContents(open(t, dir, 2, after)); len(got) != 3 {
		t.Errorf("afterwards the log has %v, want three rows", got)
	}
}

// A full disk takes a part of a write, or nothing.
func TestAppendOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, 2, Mark{})
	before := write(t, l, Row{ID: "a", Vector: []float32{2, -2}})
	for _, room := range []int{0, 1, 64, 200} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			l.writeAt = func(f *os.File, b []byte, offset int64) (int, error) {
				n, err := f.WriteAt(b[:min(room, len(b))], offset)
				return n, errors.Join(err, syscall.ENOSPC)
			}
			if mark, err := l.Append([]Row{{ID: "a", Deleted: true}}); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("Append = %+v, %v, want ENOSPC", mark, err)
			}
			if mark, err := l.Compact(); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("Compact = %+v, %v, want ENOSPC", mark, err)
			}
			l.writeAt = (*os.File).WriteAt
			files := must(filepath.Glob(filepath.Join(dir, "*")))
			if len(files) != 1 || must(os.Stat(files[0])).Size() != before.Offset {
				t.Errorf("files %v afterwards, want one of %d bytes", files, before.Offset)
			}
			before = write(t, l, Row{ID: fmt.Sprint("row", room)})
		})
	}
	_ = l.Close()
	got := logContents(open(t, dir, 2, before))
	if len(got) != 5 {
		t.Errorf("opened again: %v, want 5 rows", got)
	}
}

// A compaction can be cut off at any point before or after its commit.
func TestCrashAroundCompact(t *testing.T) {
	build := func(t *testing.T) (*Log, string, Mark, Mark) {
		dir := t.TempDir()
		l := open(t, dir, 2, Mark{})
		write(t, l, Row{ID: "a", Vector: []float32{2, -2}}, Row{ID: "b"})
		before := write(t, l, Row{ID: "b", Deleted: true})
		return l, dir, before, must(l.Compact())
	}
	tests := []struct {
		name   string
		do     func(t *testing.T, l *Log, dir string, after Mark)
		commit bool
		dead   float64
	}{
		{"written, not committed", func(*testing.T, *Log, string, Mark) {}, false, 2.0 / 3},
		{"committed, not published", func(*testing.T, *Log, string, Mark) {}, true, 0},
		{"published", func(t *testing.T, l *Log, _ string, after Mark) {
			if err := l.Publish(after); err != nil {
				t.Error(err)
			}
		}, true, 0},
		{"half written", func(t *testing.T, l *Log, dir string, after Mark) {
			_ = l.Close()
			if err := os.WriteFile(filepath.Join(dir, FileName(1)), make([]byte, 100), 0o600); err != nil {
				t.Error(err)
			}
		}, false, 2.0 / 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, dir, before, after := build(t)
			want := logContents(l)
			tt.do(t, l, dir, after)
			_ = l.Close()
			mark := before
			if tt.commit {
				mark = after
			}
			fresh := open(t, dir, 2, mark)
			if diff := cmp.Diff(want, logContents(fresh)); diff != "" {
				t.Errorf("opened again (-want +got):\n%s", diff)
			}
			if fresh.Dead() != tt.dead {
				t.Errorf("Dead = %v, want %v", fresh.Dead(), tt.dead)
			}
			if files := must(filepath.Glob(filepath.Join(dir, "*"))); len(files) != 1 {
				t.Errorf("files %v, want one", files)
			}
		})
	}
}

func TestCompactWaitsForItsCommit(t *testing.T) {
	l := open(t, t.TempDir(), 2, Mark{})
	before := write(t, l, Row{ID: "a"})
	pending := must(l.Append([]Row{{ID: "b"}}))
	if mark, err := l.Compact(); err == nil {
		t.Errorf("Compact with appended rows = %+v, want an error", mark)
	}
	if err := l.Publish(pending); err != nil {
		t.Fatal(err)
	}
	must(l.Compact())
	if mark, err := l.Append([]Row{{ID: "c"}}); err == nil {
		t.Errorf("Append after Compact = %+v, want an error", mark)
	}
	if err := l.Rollback(before); err == nil {
		t.Error("Rollback to an older mark works")
	}
	if err := l.Rollback(pending); err != nil {
		t.Fatal(err)
	}
	write(t, l, Row{ID: "c"})
	if got := logContents(l); len(got) != 3 {
		t.Errorf("rows %v, want 3", got)
	}
}

// TestParseBlockOfAnything gives parseBlock blocks with good checksums around
// bad content.
func TestParseBlockOfAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 19))
	good := blockOf(Row{ID: "abc", Meta: []byte("x"), Vector: []float32{2, -2}}, Row{ID: "abde", Value: []byte("v")},
		Row{ID: "f", Deleted: true})
	packed := packedBlock(rng)
	for range 20_000 {
		data, dims := slices.Clone(good), 2
		if rng.IntN(2) == 0 {
			data, dims = slices.Clone(packed), packedDims
		}
		for range 1 + rng.IntN(3) {
			data[12+rng.IntN(len(data)-12)] = byte(rng.IntN(8))
		}
		parseResealed(t, data, dims)
	}
}

const packedDims = 64

// packedBlock is a block of vectors that pack, at the start of a file.
func packedBlock(rng *rand.Rand) []byte {
	entries := make([]entry, 3)
	for i := range entries {
		entries[i] = Row{ID: fmt.Sprint("id", i), Vector: coarsened(unit(rng, packedDims))}.entry()
	}
	return sheetOf(entries, packedDims).appendTo(nil, packedDims, 0)
}

func FuzzParseBlock(f *testing.F) {
	f.Add(blockOf(Row{ID: "a", Meta: []byte("m"), Vector: []float32{2, -2}}, Row{ID: "b", Deleted: true}))
	f.Add(blockOf(Row{ID: "a"}))
	f.Add([]byte(blockMagic))
	f.Add(packedBlock(rand.New(rand.NewPCG(20, 21))))
	f.Fuzz(func(t *testing.T, data []byte) {
		parseResealed(t, data, 2)
		parseResealed(t, data, packedDims)
	})
}

// parseResealed makes the checksum right and uses all that parseBlock accepts.
func parseResealed(t *testing.T, data []byte, dims int) {
	data = bytes.Clone(data)
	if len(data) >= headerSize {
		l := layout{
			rows: int64(binary.LittleEndian.Uint32(data[12:])),
			ids:  int64(binary.LittleEndian.Uint32(data[24:])), metas: int64(binary.LittleEndian.Uint32(data[28:])),
		}.place(dims)
		if l.indexEnd <= int64(len(data)) {
			binary.LittleEndian.PutUint32(data[4:], crc32.Checksum(data[8:l.indexEnd], castagnoli))
		}
	}
	b, n, err := parseBlock(data, dims, 0)
	if err != nil {
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("error %v, want ErrCorrupt", err)
		}
		return
	}
	if n > int64(len(data)) || n%alignment != 0 {
		t.Errorf("length %d of %d", n, len(data))
	}
	for i := range b.rows {
		if b.id(i) == "" {
			t.Errorf("row %d has no id", i)
		}
		_, _ = b.meta(i), b.coded(i, dims).Floats()
		if _, err := b.valueOf(values.NewReader(b.values), i); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("value of row %d: %v, want ErrCorrupt", i, err)
		}
	}
	_ = b.verify()
}

// No byte of the log is written for nothing: each that is another one is told.
func TestEveryByteIsChecked(t *testing.T) {
	dir, _, _, after := sample(t)
	everyByteIsChecked(t, dir, 2, after)
}

// Likewise of vectors that pack.
func TestEveryPackedByteIsChecked(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 21))
	dir := t.TempDir()
	l := open(t, dir, packedDims, Mark{})
	row := Row{ID: "a", Vector: coarsened(unit(rng, packedDims))}
	mark := write(t, l, row, Row{ID: "b", Value: []byte("value")})
	if want := codes.Rounded(row.Vector); !cmp.Equal(logContents(l)["a"].Vector, want) {
		t.Errorf("of %v there is %v", want, logContents(l))
	}
	_ = l.Close()
	everyByteIsChecked(t, dir, packedDims, mark)
}

func everyByteIsChecked(t *testing.T, dir string, dims int, mark Mark) {
	t.Helper()
	path := filepath.Join(dir, FileName(0))
	file := must(os.ReadFile(path))
	for i := range file {
		file[i] ^= 4
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Check(dir, dims, mark); !errors.Is(err, ErrCorrupt) {
			t.Errorf("byte %d of %d: error %v, want ErrCorrupt", i, len(file), err)
		}
		file[i] ^= 4
	}
}
