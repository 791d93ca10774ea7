package filekind

import (
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Refusal is the error of a file that is not served for what it is, whatever it
// is read from: BinaryFile or, for a store of secrets, Forbidden. The detail is
// what Examine or Secret says. Other reasons refuse nothing.
func Refusal(file string, reason models.SkipReason, detail string) error {
	switch reason {
	case models.SkipBinary:
		return fault.New(fault.BinaryFile, "%q is not text but %s", file, detail)
	case models.SkipSecret:
		return fault.New(fault.Forbidden, "%q looks like a store of secrets (%s) and is never served", file, detail)
	default:
		return nil
	}
}
