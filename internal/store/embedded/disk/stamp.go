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

// written is when the file was last written to.
func (s Stamp) written() int64 { return max(s.ModTime, s.Changed) }

// later is the one of two stamps whose file was written to last.
func later(a, b Stamp) Stamp {
	if a.written() < b.written() {
		return b
	}
	return a
}

// settled reports whether a file with that stamp, written to after it was looked
// at, would look different.
func (s Stamp) settled(looked time.Time) bool { return looked.UnixNano()-s.written() > int64(tick) }

// settle waits for that, of a file that was just written. Where clocks differ it does
// not wait long.
func (s Stamp) settle() {
	time.Sleep(min(time.Until(time.Unix(0, s.written()).Add(tick+1)), 2*tick))
}
