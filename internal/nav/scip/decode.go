package scip

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// MaxBytes is the size of the largest index that is read.
const MaxBytes = 512 << 20

// errDamaged is what is wrong with bytes that are no SCIP index.
var errDamaged = errors.New("this is no SCIP index, or a damaged one")

// Read reads an index. Each document is passed on as soon as it was read, with
// strings of its own; an error of each ends it. Metadata comes before.
func Read(data []byte, meta func(Metadata) error, each func(Document) error) error {
	if len(data) > MaxBytes {
		return fmt.Errorf("%w: it is larger than %d MB", errDamaged, MaxBytes>>20)
	}
	d := decoder{names: map[string]string{}}
	seen := false
	err := fields(data, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			seen = true
			return meta(d.metadata(v.bytes))
		case 2:
			seen = true
			doc, err := d.document(v.bytes)
			if err != nil {
				return err
			}
			return each(doc)
		}
		return nil
	})
	if err == nil && !seen {
		return fmt.Errorf("%w: it has neither metadata nor documents", errDamaged)
	}
	return err
}

// A value is that of one field.
type value struct {
	bytes  []byte
	number uint64
}

// fields calls do with each field of a message. Those of other wire types than
// varint and bytes are none of ours.
func fields(b []byte, do func(protowire.Number, value) error) error {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return fmt.Errorf("%w: %w", errDamaged, protowire.ParseError(n))
		}
		b = b[n:]
		var v value
		switch typ {
		case protowire.VarintType:
			v.number, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(num, typ, b)
		}
		if n < 0 {
			return fmt.Errorf("%w: %w", errDamaged, protowire.ParseError(n))
		}
		b = b[n:]
		if typ == protowire.VarintType || typ == protowire.BytesType {
			if err := do(num, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// A decoder shares the names of symbols, which are repeated at each occurrence.
type decoder struct{ names map[string]string }

// maxNames is how many names are shared.
const maxNames = 1 << 20

func (d *decoder) name(b []byte) string {
	if s, ok := d.names[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(d.names) < maxNames {
		d.names[s] = s
	}
	return s
}

// metadata reads it as far as it can be read: it is for people only.
func (d *decoder) metadata(b []byte) (m Metadata) {
	_ = fields(b, func(n protowire.Number, v value) error {
		switch n {
		case 2:
			return fields(v.bytes, func(n protowire.Number, v value) error {
				switch n {
				case 1:
					m.ToolName = string(v.bytes)
				case 2:
					m.ToolVersion = string(v.bytes)
				}
				return nil
			})
		case 3:
			m.ProjectRoot = string(v.bytes)
		}
		return nil
	})
	return m
}

func (d *decoder) document(b []byte) (doc Document, err error) {
	err = fields(b, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			doc.Path = string(v.bytes)
		case 2:
			o, err := d.occurrence(v.bytes)
			doc.Occurrences = append(doc.Occurrences, o)
			return err
		case 3:
			s, err := d.symbol(v.bytes)
			doc.Symbols = append(doc.Symbols, s)
			return err
		case 4:
			doc.Language = string(v.bytes)
		case 5:
			doc.Text = string(v.bytes)
		case 6:
			doc.Encoding = Encoding(min(v.number, math.MaxInt32)) //nolint:gosec // checked
		}
		return nil
	})
	return doc, err
}

func (d *decoder) occurrence(b []byte) (o Occurrence, err error) {
	var at, around []int32
	err = fields(b, func(n protowire.Number, v value) (err error) {
		switch n {
		case 1:
			at, err = numbers(at, v)
		case 2:
			o.Symbol = d.name(v.bytes)
		case 3:
			o.Roles = Role(v.number & math.MaxInt32) //nolint:gosec // checked
		case 7:
			around, err = numbers(around, v)
		}
		return err
	})
	if err != nil {
		return o, err
	}
	if o.Range, err = rangeOf(at); err != nil {
		return o, err
	}
	if len(around) > 0 {
		o.Enclosing, err = rangeOf(around)
	}
	return o, err
}

// numbers reads numbers that are packed, or one that is not.
func numbers(all []int32, v value) ([]int32, error) {
	if v.bytes == nil {
		return appendNumber(all, v.number)
	}
	for b := v.bytes; len(b) > 0; {
		x, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return nil, fmt.Errorf("%w: %w", errDamaged, protowire.ParseError(n))
		}
		var err error
		if all, err = appendNumber(all, x); err != nil {
			return nil, err
		}
		b = b[n:]
	}
	return all, nil
}

func appendNumber(all []int32, x uint64) ([]int32, error) {
	if len(all) == 4 || x >= math.MaxInt32 {
		return nil, fmt.Errorf("%w: a range is out of bounds", errDamaged)
	}
	return append(all, int32(x)), nil //nolint:gosec // checked
}

// rangeOf is a range of three or four numbers.
func rangeOf(n []int32) (Range, error) {
	switch len(n) {
	case 3:
		return Range{n[0], n[1], n[0], n[2]}, nil
	case 4:
		return Range{n[0], n[1], n[2], n[3]}, nil
	}
	return Range{}, fmt.Errorf("%w: a range of %d numbers", errDamaged, len(n))
}

func (d *decoder) symbol(b []byte) (s SymbolInformation, err error) {
	err = fields(b, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			s.Symbol = d.name(v.bytes)
		case 3:
			s.Documentation = append(s.Documentation, string(v.bytes))
		case 4:
			r, err := d.relationship(v.bytes)
			s.Relationships = append(s.Relationships, r)
			return err
		case 5:
			s.Kind = Kind(v.number & math.MaxInt32) //nolint:gosec // checked
		case 6:
			s.DisplayName = string(v.bytes)
		case 7:
			return fields(v.bytes, func(n protowire.Number, v value) error {
				switch n {
				case 4:
					s.Language = string(v.bytes)
				case 5:
					s.Signature = string(v.bytes)
				}
				return nil
			})
		case 8:
			s.Enclosing = d.name(v.bytes)
		}
		return nil
	})
	return s, err
}

func (d *decoder) relationship(b []byte) (r Relationship, err error) {
	err = fields(b, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			r.Symbol = d.name(v.bytes)
		case 2:
			r.IsReference = v.number != 0
		case 3:
			r.IsImplementation = v.number != 0
		case 4:
			r.IsTypeDefinition = v.number != 0
		case 5:
			r.IsDefinition = v.number != 0
		}
		return nil
	})
	return r, err
}
