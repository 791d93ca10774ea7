package scip

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// A table is kept as a message of its own: 1 time, 2 sources, 3 files, 4 symbols,
// behind a line that says what it is and the SHA-256 of the rest.

const magic = "ragnav scip table 1\n"

var errTable = errors.New("the table of exact edges is damaged")

// Encode writes a table that is bound.
func (t *Table) Encode() []byte {
	b := number(nil, 1, uint64(t.Made.Unix())) //nolint:gosec // after 1970
	for _, s := range t.Sources {
		m := number(text(text(nil, 1, s.Path), 2, s.Tool), 3, uint64(s.Size)) //nolint:gosec // not negative
		b = message(b, 2, number(m, 4, uint64(s.ModTime.UnixNano())))         //nolint:gosec // after 1970
	}
	for i := range t.files {
		b = message(b, 3, t.files[i].encode())
	}
	for i := range t.symbols {
		b = message(b, 4, t.symbols[i].encode())
	}
	sum := sha256.Sum256(b)
	return slices.Concat([]byte(magic), sum[:], b)
}

func (f *file) encode() []byte {
	var uses []byte
	line := int32(0)
	for _, u := range f.uses {
		uses = protowire.AppendVarint(uses, uint64(u.line-line)) //nolint:gosec // in order
		uses = protowire.AppendVarint(uses, uint64(u.column))    //nolint:gosec // not negative
		uses = protowire.AppendVarint(uses, uint64(u.symbol))    //nolint:gosec // not negative
		line = u.line
	}
	return message(message(text(nil, 1, f.path), 2, f.hash[:]), 3, uses)
}

func (s *symbol) encode() []byte {
	b := text(nil, 1, s.name)
	if s.declared {
		b = number(b, 2, 1)
	}
	for _, to := range s.targets {
		b = message(b, 3, text(number(number(nil, 1, uint64(to.file)), 2, uint64(to.nth)), 3, to.qualified)) //nolint:gosec // not negative
	}
	for _, n := range s.implements {
		b = number(b, 4, uint64(n)+1) //nolint:gosec // not negative
	}
	return b
}

// decode reads a table that Encode wrote. What does not fit together is an error.
func decode(data []byte) (*Table, error) {
	n := len(magic)
	if len(data) < n+sha256.Size || string(data[:n]) != magic ||
		sha256.Sum256(data[n+sha256.Size:]) != [32]byte(data[n:n+sha256.Size]) {
		return nil, errTable
	}
	t := &Table{bound: true}
	err := fields(data[n+sha256.Size:], func(n protowire.Number, v value) error {
		switch n {
		case 1:
			t.Made = time.Unix(int64(v.number), 0).UTC() //nolint:gosec // any time is one
		case 2:
			return t.decodeSource(v.bytes)
		case 3:
			return t.decodeFile(v.bytes)
		case 4:
			return t.decodeSymbol(v.bytes)
		}
		return nil
	})
	if err == nil {
		err = t.verify()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTable, err)
	}
	return t, nil
}

func (t *Table) decodeSource(b []byte) error {
	var s Source
	err := fields(b, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			s.Path = string(v.bytes)
		case 2:
			s.Tool = string(v.bytes)
		case 3:
			s.Size = int64(v.number) //nolint:gosec // compared only
		case 4:
			s.ModTime = time.Unix(0, int64(v.number)) //nolint:gosec // compared only
		}
		return nil
	})
	t.Sources = append(t.Sources, s)
	return err
}

func (t *Table) decodeFile(b []byte) error {
	var f file
	err := fields(b, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			f.path = string(v.bytes)
		case 2:
			if len(v.bytes) != len(f.hash) {
				return errTable
			}
			f.hash = Hash(v.bytes)
		case 3:
			return f.decodeUses(v.bytes)
		}
		return nil
	})
	t.files = append(t.files, f)
	return err
}

func (f *file) decodeUses(b []byte) error {
	line := int32(0)
	for len(b) > 0 {
		var row [3]int32
		for i := range row {
			x, n := protowire.ConsumeVarint(b)
			if n < 0 || x > 1<<30 {
				return errTable
			}
			row[i], b = int32(x), b[n:]
		}
		if line += row[0]; line < 0 {
			return errTable
		}
		f.uses = append(f.uses, use{line, row[1], row[2]})
	}
	return nil
}

func (t *Table) decodeSymbol(b []byte) error {
	var s symbol
	err := fields(b, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			s.name = string(v.bytes)
		case 2:
			s.declared = true
		case 3:
			var to target
			err := fields(v.bytes, func(n protowire.Number, v value) error {
				switch n {
				case 1:
					to.file = int32(min(v.number, 1<<30))
				case 2:
					to.nth = int32(min(v.number, 1<<30))
				case 3:
					to.qualified = string(v.bytes)
				}
				return nil
			})
			s.targets = append(s.targets, to)
			return err
		case 4:
			s.implements = append(s.implements, int32(min(v.number, 1<<30))-1)
		}
		return nil
	})
	t.symbols = append(t.symbols, s)
	return err
}

// verify checks that files are in order and that numbers are of something.
func (t *Table) verify() error {
	for i := range t.files {
		if i > 0 && t.files[i-1].path >= t.files[i].path || !slices.IsSortedFunc(t.files[i].uses, compareUses) {
			return errTable
		}
		for _, u := range t.files[i].uses {
			if int(u.symbol) >= len(t.symbols) {
				return errTable
			}
		}
	}
	for i := range t.symbols {
		for _, to := range t.symbols[i].targets {
			if int(to.file) >= len(t.files) {
				return errTable
			}
		}
		for _, n := range t.symbols[i].implements {
			if n < 0 || int(n) >= len(t.symbols) {
				return errTable
			}
		}
	}
	return nil
}
