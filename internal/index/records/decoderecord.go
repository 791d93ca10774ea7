package records

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// decodeRecord reads the JSON of a file's record. Each run begins with
// the records of all files, where encoding/json would take most of the time of a
// run that finds nothing to do. What is not as it writes them is left to it.
func decodeRecord(value []byte, rec *models.FileRecord) error {
	return recordDecoder{rest: string(value)}.decode(value, rec) // once: the record's strings are parts of it
}

// decodeBrief is decodeRecord without the lists, which are most of a record.
func decodeBrief(value []byte, rec *models.FileRecord) error {
	err := recordDecoder{rest: string(value), brief: true}.decode(value, rec)
	rec.Documents, rec.Exports = nil, nil
	return err
}

func (d recordDecoder) decode(value []byte, rec *models.FileRecord) error {
	if d.record(rec) {
		return nil
	}
	*rec = models.FileRecord{}
	return json.Unmarshal(value, rec)
}

// A recordDecoder reads compact JSON from its front. Its methods report
// whether that was what they expect.
type recordDecoder struct {
	rest  string
	brief bool // lists are passed over
}

func (d *recordDecoder) record(rec *models.FileRecord) bool {
	if !d.skip('{') {
		return false
	}
	if d.rest == "}" {
		return true
	}
	for {
		key, ok := d.plainText()
		if !ok || !d.skip(':') || !d.field(key, rec) {
			return false
		}
		if d.rest == "}" {
			return true
		}
		if !d.skip(',') {
			return false
		}
	}
}

func (d *recordDecoder) field(key string, rec *models.FileRecord) bool {
	switch key {
	case "path":
		return d.text(&rec.Path)
	case "size":
		return d.number(&rec.Size)
	case "mtime":
		return d.number(&rec.ModTime)
	case "ctime":
		return d.number(&rec.Changed)
	case "hash":
		return d.text(&rec.Hash)
	case "language":
		return d.text(&rec.Language)
	case "lines":
		return d.int(&rec.Lines)
	case "method":
		return d.text(&rec.Method)
	case "skipped":
		return d.text((*string)(&rec.Skipped))
	case "detail":
		return d.text(&rec.Detail)
	case "masked":
		return d.int(&rec.Masked)
	case "documents":
		return list(d, &rec.Documents)
	case "top":
		return d.int(&rec.Top)
	case "summary":
		return d.text(&rec.Summary)
	case "package":
		return d.text(&rec.Package)
	case "exports":
		return list(d, &rec.Exports)
	case "test":
		return d.bool(&rec.Test)
	case "generated":
		return d.bool(&rec.Generated)
	case "vendored":
		return d.bool(&rec.Vendored)
	case "pending":
		return d.int(&rec.Pending)
	case "racy":
		return d.bool(&rec.Racy)
	case "grammar":
		return d.int(&rec.Grammar)
	case "beyond":
		return d.int(&rec.Beyond)
	case "stored":
		return d.bool(&rec.Stored)
	case "revision":
		return d.text(&rec.Revision)
	}
	return false
}

func (d *recordDecoder) skip(c byte) bool {
	if d.rest == "" || d.rest[0] != c {
		return false
	}
	d.rest = d.rest[1:]
	return true
}

// plainText reads a string without escapes that is valid UTF-8.
func (d *recordDecoder) plainText() (string, bool) {
	if !d.skip('"') {
		return "", false
	}
	end := strings.IndexByte(d.rest, '"')
	if end < 0 || strings.IndexByte(d.rest[:end], '\\') >= 0 || !utf8.ValidString(d.rest[:end]) {
		return "", false
	}
	s := d.rest[:end]
	d.rest = d.rest[end+1:]
	return s, true
}

func (d *recordDecoder) text(s *string) bool {
	before := d.rest
	if plain, ok := d.plainText(); ok {
		*s = plain
		return true
	}
	end := 1
	for end < len(before) && before[end] != '"' {
		if before[end] == '\\' {
			end++
		}
		end++
	}
	if before == "" || before[0] != '"' || end >= len(before) {
		return false
	}
	d.rest = before[end+1:]
	return json.Unmarshal([]byte(before[:end+1]), s) == nil
}

func (d *recordDecoder) number(n *int64) bool {
	end := 0
	for end < len(d.rest) && (d.rest[end] == '-' || '0' <= d.rest[end] && d.rest[end] <= '9') {
		end++
	}
	v, err := strconv.ParseInt(d.rest[:end], 10, 64)
	*n, d.rest = v, d.rest[end:]
	return err == nil
}

func (d *recordDecoder) int(n *int) bool {
	var v int64
	ok := d.number(&v)
	*n = int(v)
	return ok && int64(*n) == v
}

func (d *recordDecoder) bool(b *bool) bool {
	for _, v := range []bool{true, false} {
		if rest, ok := strings.CutPrefix(d.rest, strconv.FormatBool(v)); ok {
			*b, d.rest = v, rest
			return true
		}
	}
	return false
}

func list[S ~string](d *recordDecoder, all *[]S) bool {
	if !d.skip('[') {
		return false
	}
	if d.brief {
		return d.passList()
	}
	end := strings.IndexByte(d.rest, ']')
	if end < 0 {
		return false
	}
	*all = make([]S, 0, 1+strings.Count(d.rest[:end], `","`))
	for !d.skip(']') {
		if len(*all) > 0 && !d.skip(',') {
			return false
		}
		var s string
		if !d.text(&s) {
			return false
		}
		*all = append(*all, S(s))
	}
	return true
}

// passList goes to the end of a list of texts without escapes.
func (d *recordDecoder) passList() bool {
	for !d.skip(']') {
		d.skip(',')
		if !d.skip('"') {
			return false
		}
		end := strings.IndexByte(d.rest, '"')
		if end < 0 || strings.IndexByte(d.rest[:end], '\\') >= 0 {
			return false
		}
		d.rest = d.rest[end+1:]
	}
	return true
}
