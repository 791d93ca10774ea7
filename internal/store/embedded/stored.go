package embedded

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A storedDocument is what is stored of a document beside its row: all but the
// header, in half the bytes that the document's own JSON takes.
type storedDocument struct {
	Signature     string               `json:"s,omitempty"`
	Content       string               `json:"c,omitempty"`
	SummarySource models.SummarySource `json:"f,omitempty"`

	InFile   bool                `json:"i,omitempty"` // the parent is the file
	Parent   models.DocumentID   `json:"p,omitempty"`
	Symbols  []string            `json:"y,omitempty"` // names: all children are symbols of the file
	Children []models.DocumentID `json:"k,omitempty"`

	Title        string   `json:"t,omitempty"`
	Heading      string   `json:"h,omitempty"`
	HeadingLevel int      `json:"l,omitempty"`
	HeaderPath   []string `json:"a,omitempty"`
	Tags         []string `json:"g,omitempty"`
	Wikilinks    []string `json:"w,omitempty"`
	CreatedDate  string   `json:"n,omitempty"`
	ModifiedDate string   `json:"m,omitempty"`

	Commit        string     `json:"o,omitempty"`
	Hash          []byte     `json:"x,omitempty"` // of which ContentHash is the hexadecimal form
	HashText      string     `json:"z,omitempty"` // ContentHash where it is not
	SchemaVersion int        `json:"v,omitempty"`
	Created       time.Time  `json:"d,omitzero"`
	Updated       *time.Time `json:"u,omitempty"` // nil: as Created
}

func encodeDocument(d *models.Document) ([]byte, error) {
	s := storedDocument{
		Signature: d.Signature, Content: d.Content, SummarySource: d.SummarySource,
		Title: d.Title, Heading: d.Heading, HeadingLevel: d.HeadingLevel, HeaderPath: d.HeaderPath, Tags: d.Tags, Wikilinks: d.Wikilinks,
		CreatedDate: d.CreatedDate, ModifiedDate: d.ModifiedDate,
		Commit: d.Commit, SchemaVersion: d.SchemaVersion, Created: d.Created,
	}
	if s.InFile = d.ParentID == models.FileID(d.RepoID, d.FilePath); !s.InFile {
		s.Parent = d.ParentID
	}
	if s.Symbols = symbolNames(d); s.Symbols == nil {
		s.Children = d.ChildrenIDs
	}
	if hash, err := hex.DecodeString(d.ContentHash); err == nil && hex.EncodeToString(hash) == d.ContentHash {
		s.Hash = hash
	} else {
		s.HashText = d.ContentHash
	}
	if !d.Updated.Equal(d.Created) {
		s.Updated = &d.Updated
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode document %s: %w", d.ID, err)
	}
	return b, nil
}

func decodeDocument(b []byte, header models.Header) (models.Document, error) {
	var s storedDocument
	if err := json.Unmarshal(b, &s); err != nil {
		return models.Document{}, fmt.Errorf("decode document %s: %w", header.ID, err)
	}
	d := models.Document{
		Header:    header,
		Signature: s.Signature, Content: s.Content, SummarySource: s.SummarySource, ParentID: s.Parent, ChildrenIDs: s.Children,
		Title: s.Title, Heading: s.Heading, HeadingLevel: s.HeadingLevel, HeaderPath: s.HeaderPath, Tags: s.Tags, Wikilinks: s.Wikilinks,
		CreatedDate: s.CreatedDate, ModifiedDate: s.ModifiedDate,
		Commit: s.Commit, ContentHash: s.HashText, SchemaVersion: s.SchemaVersion, Created: s.Created, Updated: s.Created,
	}
	if s.InFile {
		d.ParentID = models.FileID(d.RepoID, d.FilePath)
	}
	for _, name := range s.Symbols {
		d.ChildrenIDs = append(d.ChildrenIDs, models.SymbolID(d.RepoID, d.FilePath, name, 1))
	}
	if len(s.Hash) > 0 {
		d.ContentHash = hex.EncodeToString(s.Hash)
	}
	if s.Updated != nil {
		d.Updated = *s.Updated
	}
	return d, nil
}

// symbolNames is what distinguishes the children when all are symbols of the
// document's file, else nil.
func symbolNames(d *models.Document) []string {
	prefix := string(models.SymbolID(d.RepoID, d.FilePath, "", 1))
	var names []string
	for _, id := range d.ChildrenIDs {
		name, ok := strings.CutPrefix(string(id), prefix)
		if !ok {
			return nil
		}
		names = append(names, name)
	}
	return names
}
