package codec

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// storedFields lists what is stored of a document beside its row: all but the
// header. The parent, the children and the hash are written in a shorter form
// where they can be.
func storedFields(c *codec, d *models.Document) {
	text(c, &d.Signature)
	text(c, &d.Content)
	text(c, &d.SummarySource)
	text(c, &d.Title)
	text(c, &d.Heading)
	c.int(&d.HeadingLevel)
	texts(c, &d.HeaderPath)
	texts(c, &d.Tags)
	texts(c, &d.Wikilinks)
	text(c, &d.CreatedDate)
	text(c, &d.ModifiedDate)
	text(c, &d.Commit)
	c.int(&d.SchemaVersion)
	c.time(&d.Created)

	inFile, symbols, hashed := shorten(c, d)
	updated := !d.Updated.Equal(d.Created)
	c.flags(&inFile, &symbols, &hashed, &updated)
	if updated {
		c.time(&d.Updated)
	} else {
		d.Updated = d.Created
	}
	text(c, &d.ParentID)
	texts(c, &d.ChildrenIDs)
	text(c, &d.ContentHash)
	if c.reading {
		lengthen(d, inFile, symbols, hashed)
	}
	if c.reading && len(c.Rest) > 0 || !c.reading && len(d.Aliases) > 0 { // documents of earlier programs end before
		texts(c, &d.Aliases)
	}
}

// shorten removes from d, when it is to be written, what lengthen can restore.
func shorten(c *codec, d *models.Document) (inFile, symbols, hashed bool) {
	if c.reading {
		return false, false, false
	}
	if inFile = d.ParentID == models.FileID(d.RepoID, d.FilePath); inFile {
		d.ParentID = ""
	}
	prefix := symbolPrefix(d)
	if symbols = !slices.ContainsFunc(d.ChildrenIDs,
		func(id models.DocumentID) bool { return !strings.HasPrefix(string(id), prefix) }); symbols {
		d.ChildrenIDs = slices.Clone(d.ChildrenIDs)
		for i, id := range d.ChildrenIDs {
			d.ChildrenIDs[i] = id[len(prefix):]
		}
	}
	if hash, err := hex.DecodeString(d.ContentHash); err == nil && hex.EncodeToString(hash) == d.ContentHash {
		hashed, d.ContentHash = true, string(hash)
	}
	return inFile, symbols, hashed
}

func lengthen(d *models.Document, inFile, symbols, hashed bool) {
	if inFile {
		d.ParentID = models.FileID(d.RepoID, d.FilePath)
	}
	for i := range d.ChildrenIDs {
		if symbols {
			d.ChildrenIDs[i] = models.DocumentID(symbolPrefix(d)) + d.ChildrenIDs[i]
		}
	}
	if hashed {
		d.ContentHash = hex.EncodeToString([]byte(d.ContentHash))
	}
}

// symbolPrefix is how the ids of the symbols of the document's file begin.
func symbolPrefix(d *models.Document) string {
	return string(models.SymbolID(d.RepoID, d.FilePath, "", 1))
}

// EncodeDocument is what is stored of a document beside its row.
func EncodeDocument(d models.Document) []byte {
	c := codec{id: string(d.ID), b: make([]byte, 0, len(d.Content)+256)}
	storedFields(&c, &d)
	return c.b
}

// DecodeDocument is the document of which that was stored, with that header.
func DecodeDocument(b []byte, header models.Header) (models.Document, error) {
	c := reading(b, string(header.ID))
	d := models.Document{Header: header}
	storedFields(c, &d)
	if err := c.err(); err != nil {
		return models.Document{}, fmt.Errorf("document %s: %w", header.ID, err)
	}
	return d, nil
}
