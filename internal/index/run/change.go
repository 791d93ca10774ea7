package run

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
)

// A change is what a run does to the store for one file.
type change struct {
	path    string
	gone    bool               // there is no such file any more
	record  *models.FileRecord // nil: stays as it is
	content *models.Content    // nil: stays, or goes when record says so
	put     []models.Document
	drop    []models.DocumentID
	bytes   int    // of text
	away    string // why the file's parser could not be asked
}

// touched reports that documents change, and not at most the record.
func (c change) touched() bool { return len(c.put)+len(c.drop) > 0 }

// skip is the change to a file without documents.
func skip(rec models.FileRecord, old *models.FileRecord) change {
	switch {
	case old == nil:
		return change{path: rec.Path, record: &rec}
	case sameSkip(*old, rec):
		return change{path: rec.Path}
	}
	return change{path: rec.Path, record: &rec, drop: old.Documents}
}

// refresh is the change to a file whose content is as it was.
func refresh(rec, old models.FileRecord) change {
	c := change{path: rec.Path}
	if old.Size != rec.Size || old.ModTime != rec.ModTime || old.Changed != rec.Changed || old.Racy != rec.Racy {
		old.Size, old.ModTime, old.Changed, old.Racy = rec.Size, rec.ModTime, rec.Changed, rec.Racy
		c.record = &old
	}
	return c
}

// withContent adds the content of a file to its change, where its record says
// that it is stored.
func (c change) withContent(rec models.FileRecord, data []byte) change {
	if !rec.Stored {
		return c
	}
	raw, ok := parse.Decode(data)
	if !ok { // white space that looks binary
		raw = string(data)
	}
	var text string
	text, rec.Masked = redact.Text(raw)
	return c.withText(rec, raw, text)
}

// withText is withContent for a text of which credentials are masked already.
func (c change) withText(rec models.FileRecord, raw, text string) change {
	if !rec.Stored {
		return c
	}
	c.content = &models.Content{Text: text, Hash: rec.Hash, Lines: parse.Lines(text), Masked: rec.Masked}
	if rec.Masked > 0 {
		c.content.MaskedLines = differing(raw, text)
	}
	c.bytes += len(text)
	return c
}

// differing are the numbers of the lines in which two texts with as many lines
// differ.
func differing(a, b string) []int {
	var numbers []int
	for n := 1; a != ""; n++ {
		var x, y string
		x, a, _ = strings.Cut(a, "\n")
		y, b, _ = strings.Cut(b, "\n")
		if x != y {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// dropsContent reports that the stored content of a file goes.
func (c change) dropsContent(old *models.FileRecord) bool {
	return old != nil && old.Stored && (c.gone || c.record != nil && !c.record.Stored)
}

// intent is the record of a file while its documents change. No file matches
// it, so that the next run reads the file again, unless the change's own record
// has come after it. What readers are told in between is what was true before.
func (c change) intent(old *models.FileRecord) models.FileRecord {
	rec := models.FileRecord{Path: c.path}
	switch {
	case old != nil:
		rec = *old
	case c.record != nil:
		rec = *c.record
	}
	rec.Size, rec.ModTime, rec.Changed, rec.Hash, rec.Racy = 0, 0, 0, "", true
	rec.Skipped, rec.Detail = "", ""
	rec.Stored = rec.Stored || c.content != nil
	rec.Documents = slices.Clone(rec.Documents)
	listed := make(map[models.DocumentID]bool, len(rec.Documents))
	for _, id := range rec.Documents {
		listed[id] = true
	}
	for _, d := range c.put {
		if !listed[d.ID] {
			rec.Documents = append(rec.Documents, d.ID)
		}
	}
	return rec
}
