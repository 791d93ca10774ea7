package run

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
)

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

// addContent adds to the batch what becomes of a file's stored content.
func (c *committer) addContent(ch change) {
	contents := models.ContentsCollection(c.repo.RepoID)
	old := c.files[ch.path]
	switch {
	case ch.content != nil:
		c.batch.PutRecords = append(c.batch.PutRecords, models.Record{Collection: contents, Key: ch.path, Value: *ch.content})
	case ch.dropsContent(old):
		c.batch.DeleteRecords = append(c.batch.DeleteRecords, models.RecordID{Collection: contents, Key: ch.path})
	}
}

// dropsContent reports that the stored content of a file goes.
func (c change) dropsContent(old *models.FileRecord) bool {
	return old != nil && old.Stored && (c.gone || c.record != nil && !c.record.Stored)
}
