package text

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Records are JSON as package json writes it, which has no byte below 0x20. Much of
// a file's, of which there are most, is what all files have, or its key again. So
// what is stored has a byte below 0x20 in place of each of these texts.

// The first of these bytes stand for texts of the record itself.
const (
	ownHash = 1 + iota // the hexadecimal digits of the bytes that follow
	ownFile            // see ownTexts
	ownSymbol
	ownSection
	ownPath
	firstWord
)

const hashBytes = 32

// recordWords are what the bytes from firstWord on stand for, the longer of two
// before its beginning. The list may only ever grow at its end.
var recordWords = []string{
	`,"mtime":`, `,"ctime":`, `,"hash":"`, `","language":"`, `","lines":`, `,"lines":`, `,"method":"tree-sitter"`,
	`,"method":"`, `"],"top":1`, `"],"top":`, `,"summary":"`, `","package":"`, `,"package":"`, `,"exports":["`,
	`"],"test":true`, `"],"grammar":`, `,"grammar":`, `,"revision":"`, `","revision":"`, `","`,
}

// An ownText is what a byte from ownFile on stands for: the repository, a colon and
// the path of the file between two texts, or the path alone.
type ownText struct {
	before, after string
	path          bool
}

var ownTexts = [...]ownText{
	{before: `,"documents":["file:`},
	{before: `","symbol:`, after: ":"},
	{before: `"doc:`, after: "#"},
	{before: `{"path":"`, after: `","size":`, path: true},
}

func (o ownText) append(to []byte, repo, file string) []byte {
	to = append(to, o.before...)
	if !o.path {
		to = append(append(to, repo...), ':')
	}
	return append(append(to, file...), o.after...)
}

// fileOf are the repository and the path of the file that the record of an id is of.
func fileOf(id string) (repo, file string, ok bool) {
	collection, file, _ := strings.Cut(strings.TrimPrefix(id, recordPrefix), "\x00")
	repo, ok = strings.CutPrefix(collection, models.FilesCollection(""))
	return repo, file, ok
}

var wordsReplacer = func() *strings.Replacer {
	pairs := make([]string, 0, 2*len(recordWords))
	for i, s := range recordWords {
		pairs = append(pairs, s, string(rune(firstWord+i)))
	}
	return strings.NewReplacer(pairs...)
}()

// shorten is what is stored of the value of a record.
func shorten(id string, value []byte) []byte {
	repo, file, ok := fileOf(id)
	if !ok {
		return value
	}
	text := string(value)
	for i, o := range ownTexts {
		text = strings.ReplaceAll(text, string(o.append(nil, repo, file)), string(rune(ownFile+i)))
	}
	short := []byte(wordsReplacer.Replace(text))
	word := byte(firstWord + slices.Index(recordWords, `,"hash":"`))
	at := bytes.IndexByte(short, word) + 1
	if end := at + 2*hashBytes; at > 0 && end <= len(short) {
		digits := string(short[at:end])
		if hash, err := hex.DecodeString(digits); err == nil && hex.EncodeToString(hash) == digits {
			short = slices.Concat(short[:at], []byte{ownHash}, hash, short[end:])
		}
	}
	return short
}

// RecordValue is the value of the record of an id, of what is stored of it; nil
// where it is damaged. Values of earlier programs are stored as they are.
func RecordValue(id string, stored []byte) []byte {
	repo, file, ok := fileOf(id)
	if !ok {
		return stored
	}
	value := make([]byte, 0, 4*len(stored))
	from := 0 // what is copied up to
	for i := 0; i < len(stored); i++ {
		word := int(stored[i])
		if word >= ' ' {
			continue
		}
		value = append(value, stored[from:i]...)
		from = i + 1
		switch {
		case word == ownHash && len(stored)-from >= hashBytes:
			value = hex.AppendEncode(value, stored[from:][:hashBytes])
			i += hashBytes
			from += hashBytes
		case word >= ownFile && word < firstWord:
			value = ownTexts[word-ownFile].append(value, repo, file)
		case word >= firstWord && word < firstWord+len(recordWords):
			value = append(value, recordWords[word-firstWord]...)
		default:
			return nil
		}
	}
	return append(value, stored[from:]...)
}
