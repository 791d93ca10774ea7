package scan

import (
	"bytes"
	"encoding/binary"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// sniffed is how many bytes decide whether content is text, as in parse.Decode.
// git looks at 8,000.
const sniffed = 8 << 10

var (
	markUTF8 = []byte("\xef\xbb\xbf")
	markLE   = []byte("\xff\xfe")
	markBE   = []byte("\xfe\xff")
)

// textOf is what is searched of a file's content, the content itself but for
// what marks its encoding. It is not ok for a binary file, as far as that is
// cheap to tell; refusal tells the rest.
func textOf(content []byte) (text []byte, ok bool) {
	switch {
	case isUTF16(content):
		decoded, ok := parse.Decode(content)
		return []byte(decoded), ok && bytes.IndexByte([]byte(decoded[:min(len(decoded), sniffed)]), 0) < 0
	case hasNUL(content):
		return nil, false
	}
	return bytes.TrimPrefix(content, markUTF8), true
}

// hasNUL reports whether content is binary, in an encoding that is not UTF-16.
func hasNUL(content []byte) bool {
	return !isUTF16(content) && bytes.IndexByte(content[:min(len(content), sniffed)], 0) >= 0
}

func isUTF16(content []byte) bool {
	return bytes.HasPrefix(content, markLE) || bytes.HasPrefix(content, markBE)
}

// refusal says why content whose text textOf returned is not searched after all,
// "" when it is. Only the head decides, as in the index (filekind.Examine,
// parse.Decode): but for white space alone, which has nothing to hide.
func refusal(content, text []byte) models.SkipReason {
	if isUTF16(content) {
		content = text
	}
	head := content[:min(len(content), sniffed+len(markUTF8))]
	if plain(head) && !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("-----BEGIN ")) {
		return ""
	}
	if reason, _ := filekind.Examine(head); reason != "" && reason != models.SkipEmpty {
		return reason
	}
	if _, ok := parse.Decode(head); !ok {
		return models.SkipBinary
	}
	return ""
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain reports whether text is ASCII without control characters, but those
// that are space: what nearly all files begin with.
func plain(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		w := binary.LittleEndian.Uint64(text)
		if w&highs != 0 {
			return false
		}
		if ((w-ones*' ')|(w+ones))&highs != 0 && !plainBytes(text[:8]) { // may be a byte below ' ' or 0x7f
			return false
		}
	}
	return plainBytes(text)
}

func plainBytes(text []byte) bool {
	for _, c := range text {
		if c >= 0x7f || c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' {
			return false
		}
	}
	return true
}
