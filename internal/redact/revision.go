package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Revision names the table of rules: another table, or another order, has
// another name.
func Revision() string { return tableRevision() }

var tableRevision = sync.OnceValue(func() string { return revisionOf(rules()) })

func revisionOf(all []rule) string {
	h := sha256.New()
	for _, r := range all {
		_, _ = fmt.Fprintf(h, "%q %q %t %d %q %t %q %q %q %q %t %g %d\n", // a hash takes everything
			r.name, r.starts, r.word, r.back, r.after, r.behind, source(r.pattern), source(r.line), source(r.except),
			source(r.names), r.mixed, r.bits, r.window)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// source is what an expression was made of; "" for none.
func source(re pattern.Lazy) string {
	if re == nil {
		return ""
	}
	return re().String()
}
