// Package codec is how documents, their headers and batches are written in files.
package codec

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/wire"
)

// ErrDamaged is a stored value that is not what was written.
var ErrDamaged = errors.New("a stored value is damaged; remove the data directory and index again")

// A codec writes fields to b one after the other, or reads them. So that there
// is one list of the fields of a value, the same calls do both.
//
// Numbers are variable-length. Strings are length+2 and the bytes; or 1, offset
// and length of a part of id, because ids are made of the other fields; or 0
// and one of words.
type codec struct {
	wire.Reader[[]byte]

	reading bool
	b       []byte // what was written
	id      string
}

func reading(b []byte, id string) *codec {
	return &codec{Reader: wire.Reader[[]byte]{Rest: b}, reading: true, id: id}
}

// words are frequent values. The list may only ever grow at its end.
var words = []string{
	"", "symbol_index", "file_index", "module_summary", "repo_summary", "document",
	"llm", "docstring", "extracted", "aggregated",
	"func", "method", "class", "struct", "interface", "type", "enum", "const", "var", "module", "chunk", "section",
	"function", "constructor",
	"Go", "Python", "JavaScript", "TypeScript", "Java", "C", "C++", "C#", "Rust", "Ruby", "PHP", "Kotlin", "Swift",
	"Scala", "Shell", "Assembly",
	"HTML", "CSS", "JSON", "YAML", "TOML", "Markdown", "Text", "SQL", "Makefile", "Dockerfile",
}

// err is what was found damaged in reading.
func (c *codec) err() error {
	if c.Bad {
		return ErrDamaged
	}
	return nil
}

func (c *codec) number(n *int64) {
	if c.reading {
		*n = c.Varint()
	} else {
		c.b = binary.AppendVarint(c.b, *n)
	}
}

func (c *codec) int(n *int) {
	v := int64(*n)
	c.number(&v)
	*n = int(v)
}

// uint reads or writes a length or a choice.
func (c *codec) uint(n *uint64) {
	if c.reading {
		*n = c.Uvarint()
	} else {
		c.b = binary.AppendUvarint(c.b, *n)
	}
}

func (c *codec) writeText(s string) {
	if i := slices.Index(words, s); i >= 0 {
		c.b = binary.AppendUvarint(append(c.b, 0), uint64(i))
		return
	}
	if i := strings.Index(c.id, s); i >= 0 {
		c.b = binary.AppendUvarint(append(c.b, 1), uint64(i))
		c.b = binary.AppendUvarint(c.b, uint64(len(s)))
		return
	}
	c.b = append(binary.AppendUvarint(c.b, uint64(len(s))+2), s...)
}

func (c *codec) readText() string {
	if b := c.Rest; len(b) > 2 && b[0] == 1 && b[1]|b[2] < 1<<7 { // mostly: a part of the id, near its beginning
		if at, end := int(b[1]), int(b[1])+int(b[2]); end <= len(c.id) {
			c.Rest = b[3:]
			return c.id[at:end]
		}
	}
	switch choice := c.Uvarint(); choice {
	case 0:
		return words[c.UpTo(len(words)-1)] // "" where that can't be
	case 1:
		at := c.UpTo(len(c.id))
		return c.id[at:][:c.UpTo(len(c.id)-at)]
	default:
		return string(c.Take(choice - 2))
	}
}

// skipText reads a string for nobody.
func (c *codec) skipText() {
	switch choice := c.Uvarint(); choice {
	case 0:
		c.Uvarint()
	case 1:
		c.Uvarint()
		c.Uvarint()
	default:
		c.Take(choice - 2)
	}
}

// text reads or writes a string of any type.
func text[S ~string](c *codec, s *S) {
	if c.reading {
		*s = S(c.readText())
	} else {
		c.writeText(string(*s))
	}
}

func texts[S ~string](c *codec, list *[]S) {
	n := uint64(len(*list))
	if c.uint(&n); c.reading && n > uint64(len(c.Rest)) {
		c.Check(false)
		return
	}
	if c.reading && n > 0 {
		*list = make([]S, n)
	}
	for i := range *list {
		text(c, &(*list)[i])
	}
}

// flags reads or writes up to 63 booleans.
func (c *codec) flags(flags ...*bool) {
	var bits uint64
	for i, f := range flags {
		if *f {
			bits |= 1 << i
		}
	}
	c.uint(&bits)
	for i, f := range flags {
		*f = bits&(1<<i) != 0
	}
}

// time keeps the moment; it is UTC when read.
func (c *codec) time(t *time.Time) {
	seconds, nanos := t.Unix(), int64(t.Nanosecond())
	c.number(&seconds)
	c.number(&nanos)
	if c.reading {
		*t = time.Unix(seconds, nanos).UTC()
	}
}
