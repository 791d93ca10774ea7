package filefetch_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
)

// A picture is what its first bytes say, whatever its name; nothing else is.
func TestPicture(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\nrest"
	f := setUp(t, map[string]string{
		"a.png": png, "b.txt": "RIFF1234WEBPrest", "script.png": "<script>", "short.png": "\x89PNG",
		".env": png, "large.png": png + strings.Repeat("x", 2<<20),
	})
	s := filefetch.New(f)
	for name, want := range map[string]string{"a.png": "image/png", "b.txt": "image/webp"} {
		r, err := s.File(t.Context(), filefetch.Request{RepoID: repoID, FilePath: name, Picture: true})
		if err != nil || len(r.Items) != 1 || r.Items[0].Picture.Media != want ||
			!strings.HasSuffix(string(r.Items[0].Picture.Data), "rest") {
			t.Errorf("%s is %+v, %v, want %s", name, r.Items, err, want)
		}
	}
	for name, want := range map[string]fault.Code{
		"script.png": fault.InvalidRequest, "short.png": fault.InvalidRequest, "large.png": fault.InvalidRequest,
		"none.png": fault.PathNotFound, "../a.png": fault.InvalidPath, ".env": fault.Forbidden,
	} {
		if _, err := s.File(t.Context(),
			filefetch.Request{RepoID: repoID, FilePath: name, Picture: true}); fault.CodeOf(err) != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
