package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/ragnav/ragnav/internal/redact"
)

// Revision is counted up by every change of what is read out of files: how they
// are decoded, judged and classified, outlines without a grammar, what documents
// are composed of them, summaries included. An index that was made by another
// one gets all of its documents made again by its next run. The table of rules
// by which credentials are masked counts by itself. Grammars have a revision of
// their own.
const Revision = 32

// revision is the name under which an index has Revision and the rules of
// masking.
func revision() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", Revision, redact.Revision()))
	return hex.EncodeToString(sum[:4])
}
