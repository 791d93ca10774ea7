package prose

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// parseNotebook reads a Jupyter notebook: Markdown cells by their headings,
// the source of code cells as code. Line numbers are those of the JSON file.
// Outputs are left out. A broken notebook has no sections.
func parseNotebook(f parse.File) parse.Outline {
	r := &notebookReader{dec: json.NewDecoder(strings.NewReader(f.Text)), lines: parse.LineOffsets(f.Text)}
	b := &sectionBuilder{file: f.Path, sparse: true}
	if err := r.cells(func(c cell) { addCell(b, c) }); err != nil {
		return parse.Outline{}
	}
	return b.outline(parse.Lines(f.Text), 0)
}

func addCell(b *sectionBuilder, c cell) {
	b.text = append(b.text, "")
	if c.kind != "markdown" && c.kind != "raw" {
		for _, line := range c.source {
			b.code(line.text, line.number)
		}
		return
	}
	m := &markdown{sections: b}
	for _, line := range c.source {
		m.line(line.text, line.number)
	}
	m.flush()
}

// A cell is one of a notebook's.
type cell struct {
	kind   string
	source []cellLine
}

type cellLine struct {
	text   string
	number int // 1-indexed, in the JSON file
}

// notebookReader walks over the tokens of the JSON, whose places it needs.
type notebookReader struct {
	dec   *json.Decoder
	lines parse.Offsets
}

var errShape = errors.New("not the shape of a notebook")

func (r *notebookReader) cells(yield func(cell)) error {
	return r.object(func(key string) error {
		if key != "cells" {
			return r.skip()
		}
		return r.array(func(json.Token) error {
			c, err := r.cell()
			if err == nil {
				yield(c)
			}
			return err
		})
	})
}

// cell reads the rest of an object whose brace was read.
func (r *notebookReader) cell() (c cell, err error) {
	err = r.members(func(key string) error {
		switch key {
		case "cell_type":
			t, err := r.dec.Token()
			c.kind, _ = t.(string)
			return err
		case "source":
			c.source, err = r.source()
			return err
		default:
			return r.skip()
		}
	})
	return c, err
}

// source reads a string or a list of strings, one or more lines each.
func (r *notebookReader) source() (lines []cellLine, err error) {
	add := func(t json.Token) error {
		s, ok := t.(string)
		if !ok {
			return errShape
		}
		number := r.lines.LineAt(int(r.dec.InputOffset()) - 1)
		for line := range strings.Lines(s) {
			lines = append(lines, cellLine{text: strings.TrimRight(line, "\r\n"), number: number})
		}
		return nil
	}
	t, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	if t != json.Delim('[') {
		return lines, add(t)
	}
	for r.dec.More() {
		if t, err = r.dec.Token(); err != nil {
			return nil, err
		}
		if err = add(t); err != nil {
			return nil, err
		}
	}
	_, err = r.dec.Token()
	return lines, err
}

// object reads an object and calls member for the value of each key.
func (r *notebookReader) object(member func(key string) error) error {
	if t, err := r.dec.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errShape, err)
	}
	return r.members(member)
}

func (r *notebookReader) members(member func(key string) error) error {
	for r.dec.More() {
		t, err := r.dec.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if err := member(key); err != nil {
			return err
		}
	}
	_, err := r.dec.Token()
	return err
}

// array reads an array of objects and calls element behind the brace of each.
func (r *notebookReader) array(element func(json.Token) error) error {
	if t, err := r.dec.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(errShape, err)
	}
	for r.dec.More() {
		t, err := r.dec.Token()
		if err != nil || t != json.Delim('{') {
			return errors.Join(errShape, err)
		}
		if err := element(t); err != nil {
			return err
		}
	}
	_, err := r.dec.Token()
	return err
}

// skip reads one value of any shape.
func (r *notebookReader) skip() error {
	for depth := 0; ; {
		t, err := r.dec.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}
