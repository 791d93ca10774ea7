package scip

import (
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Writer writes an index. Metadata comes first.
type Writer struct {
	w   io.Writer
	buf []byte
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Metadata writes how the index was made, of texts in UTF-8.
func (w *Writer) Metadata(m Metadata) error {
	tool := text(text(nil, 1, m.ToolName), 2, m.ToolVersion)
	return w.field(1, number(text(message(nil, 2, tool), 3, m.ProjectRoot), 4, 1))
}

// Document writes what is known of one file.
func (w *Writer) Document(d Document) error {
	b := text(nil, 1, d.Path)
	for i := range d.Occurrences {
		b = message(b, 2, d.Occurrences[i].encode())
	}
	for i := range d.Symbols {
		b = message(b, 3, d.Symbols[i].encode())
	}
	b = text(text(b, 4, d.Language), 5, d.Text)
	return w.field(2, number(b, 6, uint64(d.Encoding))) //nolint:gosec // not negative
}

func (w *Writer) field(n protowire.Number, b []byte) error {
	w.buf = message(w.buf[:0], n, b)
	_, err := w.w.Write(w.buf)
	return err
}

func (o *Occurrence) encode() []byte {
	b := message(nil, 1, o.Range.encode())
	b = number(text(b, 2, o.Symbol), 3, uint64(o.Roles)) //nolint:gosec // not negative
	if o.Enclosing != (Range{}) {
		b = message(b, 7, o.Enclosing.encode())
	}
	return b
}

func (r Range) encode() (b []byte) {
	all := []int32{r.StartLine, r.StartChar, r.EndLine, r.EndChar}
	if r.StartLine == r.EndLine {
		all = []int32{r.StartLine, r.StartChar, r.EndChar}
	}
	for _, n := range all {
		b = protowire.AppendVarint(b, uint64(max(n, 0))) //nolint:gosec // not negative
	}
	return b
}

func (s *SymbolInformation) encode() []byte {
	b := text(nil, 1, s.Symbol)
	for _, d := range s.Documentation {
		b = text(b, 3, d)
	}
	for _, r := range s.Relationships {
		b = message(b, 4, r.encode())
	}
	b = text(number(b, 5, uint64(s.Kind)), 6, s.DisplayName) //nolint:gosec // not negative
	if s.Signature != "" {
		b = message(b, 7, text(text(nil, 4, s.Language), 5, s.Signature))
	}
	return text(b, 8, s.Enclosing)
}

func (r Relationship) encode() []byte {
	b := text(nil, 1, r.Symbol)
	for i, is := range []bool{r.IsReference, r.IsImplementation, r.IsTypeDefinition, r.IsDefinition} {
		if is {
			b = number(b, protowire.Number(i+2), 1) //nolint:gosec // 2 to 5
		}
	}
	return b
}

// text, number and message append a field; what is empty is left out.
func text(b []byte, n protowire.Number, s string) []byte {
	if s == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), s)
}

func number(b []byte, n protowire.Number, x uint64) []byte {
	if x == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), x)
}

func message(b []byte, n protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), content)
}
