package vector

import (
	"bytes"
	"testing"
)

// What is remembered is bounded, and what was read last is there.
func TestValueMemory(t *testing.T) {
	var m ValueMemory
	const rows, size = 10_000, 1000
	gen := new(generation)
	for row := range rows {
		m.remember(rowOf{gen, row}, bytes.Repeat([]byte{byte(row)}, size))
		if v, ok := m.recall(rowOf{gen, 0}); !ok || v[0] != 0 {
			t.Fatalf("%v of row 0, which was read just now, after %d", v, row)
		}
		if n := len(m.now) + len(m.before); n*size > 2*maxRemembered {
			t.Fatalf("%d values are remembered", n)
		}
	}
	if v, ok := m.recall(rowOf{gen, rows - 1}); !ok || v[0] != (rows-1)&0xff {
		t.Errorf("%v, %t of the last row", v, ok)
	}
	if _, ok := m.recall(rowOf{gen, 1}); ok {
		t.Error("a value was not forgotten for others")
	}
	if _, ok := m.recall(rowOf{new(generation), rows - 1}); ok {
		t.Error("the value of another log's row")
	}
	m.remember(rowOf{gen, 1}, make([]byte, maxRemembered))
	if _, ok := m.recall(rowOf{gen, 1}); ok {
		t.Error("a value that takes all of the memory was remembered")
	}
	m.Forget()
	if _, ok := m.recall(rowOf{gen, rows - 1}); ok {
		t.Error("a value was not forgotten")
	}
}
