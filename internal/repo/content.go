package repo

import (
	"bytes"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// sniffBytes of a file decide whether it is text; git looks at as many.
const sniffBytes = 8000

// Examine says why a file with that content is not indexed, with the detected
// type or the rule; "" when it is text to index. Text is what has no NUL in
// its first 8,000 bytes and is mostly valid UTF-8.
func Examine(content []byte) (models.SkipReason, string) {
	head := content[:min(len(content), sniffBytes)]
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return models.SkipEmpty, "nothing but white space"
	case !isText(head):
		return models.SkipBinary, mimetype.Detect(head).String()
	case isPrivateKey(head):
		return models.SkipSecret, "holds a private key"
	}
	return "", ""
}

// isText allows one invalid byte in ten: Latin-1 prose and code are text.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
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

// isPrivateKey reports whether text starts with an armoured private key.
func isPrivateKey(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"), []byte("\n"))
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("-----BEGIN ")) &&
		(bytes.HasSuffix(line, []byte("PRIVATE KEY-----")) || bytes.HasSuffix(line, []byte("PRIVATE KEY BLOCK-----")))
}
