package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// unchanged gives a reply its tag, and reports whether the client has it already
// and was told so. The tag is of all but request_id and took_ms, hence weak.
func unchanged(w http.ResponseWriter, r *http.Request, resp models.Envelope) bool {
	hash := sha256.New()
	if resp.Head().ErrorCode != nil || models.Encode(hash, resp) != nil {
		return false
	}
	tag := `"` + hex.EncodeToString(hash.Sum(nil)[:16]) + `"`
	w.Header()["Etag"] = []string{"W/" + tag}
	w.Header().Set("Cache-Control", "private, no-cache")
	if !has(r.Header.Values("If-None-Match"), tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// has compares weakly, as RFC 9110, section 13.1.2 says.
func has(headers []string, tag string) bool {
	for known := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		known = strings.TrimSpace(known)
		if known == "*" || strings.TrimPrefix(known, "W/") == tag {
			return true
		}
	}
	return false
}
