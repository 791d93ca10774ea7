package filefetch

import (
	"context"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// maxPicture bounds the bytes of a picture.
const maxPicture = 2 << 20

// pictures are the beginnings of files of pictures, "?" for any byte.
var pictures = []struct{ media, begin string }{
	{"image/png", "\x89PNG\r\n\x1a\n"},
	{"image/jpeg", "\xff\xd8\xff"},
	{"image/gif", "GIF8"},
	{"image/webp", "RIFF????WEBP"},
}

// picture reads the bytes of a picture.
func picture(ctx context.Context, s *Service, req Request) (Response, error) {
	name, err := relpath.Clean(req.FilePath)
	if err != nil {
		return Response{}, err
	}
	from, err := openAt(ctx, s, req.RepoID, req.Commit)
	if err != nil {
		return Response{}, err
	}
	defer func() { _ = from.files.Close() }()
	data, stat, err := from.files.Read(ctx, name, maxPicture)
	if err != nil {
		return Response{}, err
	}
	for _, p := range []string{name, stat.Path} {
		if rule, secret := filekind.Secret(p); secret {
			return Response{}, filekind.Refusal(name, models.SkipSecret, rule)
		}
	}
	if len(data) > maxPicture {
		return Response{}, fault.New(fault.InvalidRequest, "%q has more than %d MiB, which is too large for a picture", name,
			maxPicture>>20)
	}
	media := mediaOf(data)
	if media == "" {
		return Response{}, fault.New(fault.InvalidRequest, "%q is no PNG, JPEG, GIF or WebP picture", name)
	}
	item := models.FileContent{
		RepoID: from.record.RepoID, FilePath: name, Commit: from.commit,
		Picture: &models.Picture{Media: media, Data: data},
	}
	return Response{models.OKResult([]models.FileContent{item})}, nil
}

// mediaOf is the media type of a picture, "" for anything else.
func mediaOf(data []byte) string {
	for _, p := range pictures {
		if begins(data, p.begin) {
			return p.media
		}
	}
	return ""
}

func begins(data []byte, with string) bool {
	if len(data) < len(with) {
		return false
	}
	for i := range len(with) {
		if with[i] != '?' && data[i] != with[i] {
			return false
		}
	}
	return true
}
