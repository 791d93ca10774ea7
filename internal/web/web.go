// Package web is the page of the server: one screen to search repositories and
// read files. It is static and uses the REST API like any other client.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"time"
)

// policy lets the page load nothing but its own files and talk to nobody but
// its server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

//go:embed assets
var assets embed.FS

// Pages maps each path of the page to its handler: "/" and its assets.
func Pages() map[string]http.Handler {
	pages := map[string]http.Handler{}
	for url, media := range map[string]string{
		"/":                 "text/html; charset=utf-8",
		"/assets/style.css": "text/css; charset=utf-8",
		"/assets/app.js":    "text/javascript; charset=utf-8",
		"/assets/icon.svg":  "image/svg+xml",
	} {
		name := strings.TrimPrefix(url, "/")
		if name == "" {
			name = "assets/index.html"
		}
		content, err := assets.ReadFile(name)
		if err != nil {
			panic("web: " + err.Error()) // the file is part of the binary
		}
		pages[url] = static(path.Base(name), media, content)
	}
	return pages
}

// static serves a file that only changes with the binary. Browsers ask each
// time and are told with a 304 that what they have is good.
func static(name, media string, content []byte) http.Handler {
	sum := sha256.Sum256(content)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", media)
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}
