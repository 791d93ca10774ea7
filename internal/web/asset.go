package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

//go:embed assets
var files embed.FS

// assets are the files that pages load.
var assets = []asset{
	newAsset("/assets/style.css", "text/css; charset=utf-8"),
	newAsset("/assets/app.js", "text/javascript; charset=utf-8"),
	newAsset("/assets/icon.svg", "image/svg+xml"),
}

// An asset is a file that changes with the binary only. Pages name what it has
// in its address, so that browsers may keep it for good.
type asset struct {
	path, media, tag string
	content          []byte
}

// assetURL is the address of an asset as it is in this binary.
func assetURL(path string) string {
	for _, a := range assets {
		if a.path == path {
			return path + "?v=" + a.tag
		}
	}
	return path
}

func newAsset(path, media string) asset {
	content, err := files.ReadFile(path[1:])
	if err != nil {
		panic("web: " + err.Error()) // the file is part of the binary
	}
	if !strings.HasSuffix(path, ".svg") {
		content = stripped(content)
	}
	sum := sha256.Sum256(content)
	return asset{path, media, hex.EncodeToString(sum[:8]), content}
}

// stripped is a script or style sheet without indentation, blank lines and lines
// of comment. None of ours has a text of several lines.
func stripped(content []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(content) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte("// ")) {
			b.Write(line)
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.media)
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == a.tag {
		h.Set("Cache-Control", "max-age=31536000, immutable")
	}
	h.Set("ETag", `"`+a.tag+`"`)
	http.ServeContent(w, r, a.path, time.Time{}, bytes.NewReader(a.content))
}
