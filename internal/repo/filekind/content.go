package filekind

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// sniffBytes of a file decide whether it is text; git looks at as many.
const sniffBytes = 8000

// Examine says why a file with that content is not indexed, with the detected
// type or the rule; "" when it is text to index. Text is what has no NUL in
// its first 8,000 bytes and is mostly valid UTF-8, or has no other control
// characters either than those of text.
func Examine(content []byte) (models.SkipReason, string) {
	head := content[:min(len(content), sniffBytes)]
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return models.SkipEmpty, "nothing but white space"
	case !isText(head):
		return models.SkipBinary, mimetype.Detect(head).String()
	case isPrivateKey(head):
		return models.SkipSecret, "holds a private key"
	case isPointer(content):
		return models.SkipIrregular, "a pointer of Git LFS; `git lfs pull` brings the file itself"
	}
	return "", ""
}

// isText allows one byte in ten that is not UTF-8: Latin-1 prose and code are
// text. There may be more in encodings of other scripts, as Shift JIS, KOI8-R or
// Windows-1251, of which only what is ASCII can be read: these have no control
// characters, of which other files have one among ten bytes.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	if len(head) >= unlikely && !hasControls(head) {
		return true
	}
	invalid := 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			invalid++
		}
		rest = rest[size:]
	}
	return invalid*10 <= len(head)
}

// unlikely is from how many bytes on random ones have a control character: all
// but one in a thousand.
const unlikely = 64

// notOfText are the bytes of no character of text. ESC is: ISO-2022 has it.
var notOfText = func() (t [256]bool) {
	for b := range t {
		t[b] = b < ' ' && (b < '\b' || b > '\r' && b != 0x1b) || b == 0x7f
	}
	return t
}()

func hasControls(text []byte) bool {
	// Eight at a time where all are above the control characters but DEL.
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for len(text) >= 8 {
		n := binary.LittleEndian.Uint64(text)
		deletes := n ^ 0x7f*ones
		if ((n-' '*ones)&^n|(deletes-ones)&^deletes)&highs != 0 && hasControl(text[:8]) {
			return true
		}
		text = text[8:]
	}
	return hasControl(text)
}

func hasControl(text []byte) bool {
	for _, b := range text {
		if notOfText[b] {
			return true
		}
	}
	return false
}

// maxPointer is the size of a pointer at most, as Git LFS has it.
const maxPointer = 1024

// isPointer reports whether a file only says which one belongs in its place.
func isPointer(content []byte) bool {
	return len(content) < maxPointer && bytes.HasPrefix(content, []byte("version https://git-lfs.github.com/spec/")) &&
		bytes.Contains(content, []byte("\noid sha256:"))
}

// isPrivateKey reports whether text starts with an armoured private key.
func isPrivateKey(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"), []byte("\n"))
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("-----BEGIN ")) &&
		(bytes.HasSuffix(line, []byte("PRIVATE KEY-----")) || bytes.HasSuffix(line, []byte("PRIVATE KEY BLOCK-----")))
}
