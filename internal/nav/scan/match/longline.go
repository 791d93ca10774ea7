package match

import (
	"context"
	"io"
	"unicode/utf8"
)

// A lineReader reads the runes of a line until its context ends.
type lineReader struct {
	ctx  context.Context //nolint:containedctx // io.RuneReader takes none
	rest []byte
	read int
}

// ReadRune implements io.RuneReader.
func (r *lineReader) ReadRune() (rune, int, error) {
	if r.read++; r.read%(1<<8) == 0 && r.ctx.Err() != nil {
		return 0, 0, r.ctx.Err()
	}
	if len(r.rest) == 0 {
		return 0, 0, io.EOF
	}
	c, size := utf8.DecodeRune(r.rest)
	r.rest = r.rest[size:]
	return c, size, nil
}
