// Package disk reads what is kept in a data directory without opening it: it
// tells what is there, what is damaged, and what cannot be read at this moment.
//
// These are different errors. A [Damage] is certain: a file is missing, or its
// bytes were read and are not what was written. Any other error says nothing
// about the file (no permission, too many open files, a failing disk), and
// nothing may be concluded from it.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
)

// A Damage is a file that is not what was written.
type Damage struct {
	File   string // relative to the data directory
	Reason string
}

func (d *Damage) Error() string { return fmt.Sprintf("%s %s", d.File, d.Reason) }

// Missing is why a file is damaged that is not there.
const Missing = "is missing"

// noFile is why a file is damaged in whose place there is a folder, say.
const noFile = "is not a file"

// damaged is err, or the damage of a file that is missing.
func damaged(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Damage{file, Missing}
	}
	return err
}
