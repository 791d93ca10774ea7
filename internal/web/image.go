package web

import (
	"net/http"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/web/address"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
)

// imagePolicy is that of a picture, which may be a document with a script in it.
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// An Image is the bytes of a picture.
type Image struct {
	media string
	data  []byte
}

// isImage reports whether a file is shown as a picture, and whether it is text,
// too.
func isImage(file string) (image, text bool) {
	switch strings.ToLower(path.Ext(file)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true, false
	case ".svg":
		return true, true
	}
	return false, false
}

// image is the bytes of a file that is a picture.
func (s filePages) image(r *http.Request, t address.Target) (view, error) {
	image, text := isImage(t.File)
	if !image {
		return view{}, fault.New(fault.InvalidRequest, "%q is no picture", t.File)
	}
	resp, err := do(r.Context(), s.ops, op.File, filefetch.Request{
		RepoID: t.RepoID, FilePath: t.File, Picture: !text, Commit: r.URL.Query().Get("commit"),
	})
	if err != nil {
		return view{}, err
	}
	if len(resp.Items) != 1 || resp.Items[0].Truncated {
		return view{}, fault.New(fault.InvalidRequest, "%q is too large for a picture", t.File)
	}
	item := resp.Items[0]
	if item.Picture != nil {
		return view{Image: &Image{item.Picture.Media, item.Picture.Data}}, nil
	}
	return view{Image: &Image{"image/svg+xml", []byte(item.Code)}}, nil
}

func (i *Image) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", i.media)
	h.Set("Content-Security-Policy", imagePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(i.data) // it fails when the client has gone
}
