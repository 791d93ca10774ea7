package disk

import (
	"io/fs"
	"time"

	"github.com/ragnav/ragnav/internal/filetime"
)

// A Stamp is how a file looks from outside. As long as it stays the same nobody
// has written to the file: Changed is set by the system alone.
type Stamp struct {
	Size    int64 `json:"size"`
	ModTime int64 `json:"mtime"`           // nanoseconds since 1970
	Changed int64 `json:"ctime,omitempty"` // likewise; 0 where the system does not tell
}

// StampOf is the stamp of a file that was looked at.
func StampOf(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), ModTime: info.ModTime().UnixNano(), Changed: filetime.Changed(info)}
}

// tick is longer than between two times that a file system tells apart.
const tick = 20 * time.Millisecond

// settled reports whether a file with that stamp, written to after it was looked
// at, would look different.
func (s Stamp) settled(looked time.Time) bool {
	return looked.UnixNano()-max(s.ModTime, s.Changed) > int64(tick)
}

// Settle waits until a file with that stamp, which was just written, would look
// different after it was written to again.
func Settle(s Stamp) {
	time.Sleep(time.Until(time.Unix(0, max(s.ModTime, s.Changed)).Add(tick + 1)))
}
