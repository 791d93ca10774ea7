package embedded

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A row's id is the document's; its meta data is the serial number of the row
// and the rest of the document's header:
//
//	serial, type, repo, path, symbol, qualified, kind, language, start, end, flags
//
// Numbers are unsigned varints. Strings are 0, length, bytes; or, because ids
// are made of the other fields, offset+1 and length of a part of the id. Flags
// are 1 test, 2 generated, 4 vendored.

var errMeta = errors.New("the meta data of a row is damaged")

func appendMeta(b []byte, serial uint32, h *models.Header) []byte {
	id := string(h.ID)
	b = binary.AppendUvarint(b, uint64(serial))
	for _, s := range []string{
		string(h.Type), string(h.RepoID), h.FilePath, h.SymbolName, h.QualifiedName, h.Kind, h.Language,
	} {
		if at := strings.Index(id, s); at >= 0 {
			b = binary.AppendUvarint(b, uint64(at+1))
			b = binary.AppendUvarint(b, uint64(len(s)))
		} else {
			b = appendBytes(append(b, 0), s)
		}
	}
	flags := byte(0)
	for i, set := range []bool{h.Test, h.Generated, h.Vendored} {
		if set {
			flags |= 1 << i
		}
	}
	b = binary.AppendUvarint(b, uint64(max(h.StartLine, 0)))
	b = binary.AppendUvarint(b, uint64(max(h.EndLine, 0)))
	return append(b, flags)
}

func appendBytes(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// metaSerial reads the serial number.
func metaSerial(meta []byte) (uint32, error) {
	serial, n := binary.Uvarint(meta)
	if n <= 0 || serial > 1<<32-1 {
		return 0, errMeta
	}
	return uint32(serial), nil
}

// metaHeader reads the header of the document with that id. It shares no
// memory with meta.
func metaHeader(id string, meta []byte) (models.Header, error) {
	r := metaReader{id: id, rest: meta}
	r.number()
	h := models.Header{
		ID: models.DocumentID(id), Type: models.DocType(r.text()), RepoID: models.RepoID(r.text()), FilePath: r.text(),
		SymbolName: r.text(), QualifiedName: r.text(), Kind: r.text(), Language: r.text(),
		StartLine: int(r.number()), EndLine: int(r.number()),
	}
	if flags := r.take(1); len(flags) == 1 {
		h.Test, h.Generated, h.Vendored = flags[0]&1 != 0, flags[0]&2 != 0, flags[0]&4 != 0
	}
	return h, r.err
}

// A metaReader reads fields one after the other; err is the first failure.
type metaReader struct {
	rest []byte
	id   string
	err  error
}

func (r *metaReader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.rest, r.err = nil, errMeta
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *metaReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.rest, r.err = nil, errMeta
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *metaReader) text() string {
	at := r.number()
	n := r.number()
	if at == 0 {
		return string(r.take(n))
	}
	if at--; at > uint64(len(r.id)) || n > uint64(len(r.id))-at {
		r.err = errMeta
		return ""
	}
	return r.id[at : at+n]
}
