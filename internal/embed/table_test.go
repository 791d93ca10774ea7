package embed

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// smallTable is a well-formed model of three rows, two dimensions and one stop word.
func smallTable() []byte {
	var b bytes.Buffer
	b.WriteString(tableMagic)
	strs := "\x03the" + "\x04file" + "\x04open" + "\x04read" + "\x00"
	for _, n := range []uint32{0, tableVersion, tableFlags, 2, 3, 1, uint32(len(strs))} {
		_ = binary.Write(&b, binary.LittleEndian, n)
	}
	b.WriteString(strs)
	_ = binary.Write(&b, binary.LittleEndian, []float32{1, 2, 3, 1, 2, 3, .5, .5, .5})
	b.Write([]byte{1, 2, 3, 0xff, 5, 6})
	return sealed(b.Bytes())
}

func sealed(data []byte) []byte {
	binary.LittleEndian.PutUint32(data[8:], crc32.ChecksumIEEE(data[12:]))
	return data
}

func TestReadTable(t *testing.T) {
	got, err := readTable(smallTable())
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]int32{"file": 0, "open": 1, "read": 2} {
		if row, ok := got.vocab.row(token); !ok || row != want {
			t.Errorf("%s: row %d, %v; want %d", token, row, ok, want)
		}
	}
	for _, token := range []string{"the", "fil", "files", "a", "open\x00", "z", "\x00", "\xff"} {
		if row, ok := got.vocab.row(token); ok {
			t.Errorf("%q: row %d, want none", token, row)
		}
	}
	if diff := cmp.Diff([]float32{.5, 1, 1.5}, got.query); diff != "" {
		t.Error(diff)
	}
	small, err := static("small", smallTable())
	if err != nil {
		t.Fatal(err)
	}
	v, _ := small.Queries(t.Context(), []string{"the open"})
	want := []float32{3 / float32(math.Sqrt(10)), -1 / float32(math.Sqrt(10))}
	if diff := cmp.Diff(want, v[0], near); diff != "" {
		t.Error(diff)
	}
}

func TestCorruptTables(t *testing.T) {
	put := func(at int, v uint32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], v); return sealed(b) }
	}
	const strs = headerSize
	for name, tc := range map[string]struct {
		damage func([]byte) []byte
		want   string
	}{
		"empty":            {func([]byte) []byte { return nil }, "not a token table"},
		"header only":      {func(b []byte) []byte { return b[:headerSize-1] }, "not a token table"},
		"magic":            {func(b []byte) []byte { b[0] = 'X'; return b }, "not a token table"},
		"flipped bit":      {func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "checksum"},
		"cut off":          {func(b []byte) []byte { return sealed(b[:len(b)-1]) }, "bytes, want"},
		"too long":         {func(b []byte) []byte { return sealed(append(b, 0)) }, "bytes, want"},
		"version":          {put(12, 2), "version 2"},
		"flags":            {put(16, 7), "flags 7"},
		"no dims":          {put(20, 0), "out of range"},
		"huge dims":        {put(20, math.MaxUint32), "out of range"},
		"huge rows":        {put(24, math.MaxUint32), "out of range"},
		"huge stop words":  {put(28, math.MaxUint32), "out of range"},
		"huge strings":     {put(32, math.MaxUint32), "bytes, want"},
		"more stop words":  {put(28, 200), "stop words: "},
		"string too long":  {func(b []byte) []byte { b[strs] = 255; return sealed(b) }, "ends before string 0"},
		"unsorted":         {func(b []byte) []byte { b[strs+5] = 'z'; return sealed(b) }, "is not after"},
		"empty string":     {func(b []byte) []byte { b[strs+4] = 0; return sealed(b) }, "is not after"},
		"infinite weight":  {put(strs+20, math.Float32bits(float32(math.Inf(1)))), "row 0 are not finite"},
		"weight not a num": {put(strs+20+12, 0x7fc00000), "row 0 are not finite"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readTable(tc.damage(smallTable()))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
			if err := embedBy(t, tc.damage(smallTable())); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error of what embeds %v, want one with %q", err, tc.want)
			}
		})
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add(smallTable())
	f.Add(smallTable()[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= headerSize {
			data = sealed(bytes.Clone(data))
		}
		if _, err := readTable(data); err != nil {
			return
		}
		if err := embedBy(t, data); err != nil {
			t.Error(err)
		}
	})
}

// embedBy embeds something by a table.
func embedBy(t *testing.T, data []byte) error {
	s, err := static("test", data)
	if err == nil {
		_, err = s.Queries(t.Context(), []string{"open the file, kmalloc"})
	}
	return err
}
