package disk

import "time"

// A Look is what a file looks like. Two of a path that are equal are of the same
// content, if the first one was Settled: every write sets the times, of which no program
// can set that of the last change of any kind.
type Look struct {
	device, inode     uint64
	size              int64
	modified, changed int64 // nanoseconds since 1970
}

// unsettled is how old a file must be for its times to tell it from a later version:
// file systems and clocks are that coarse.
const unsettled = 2 * time.Second

// Settled reports that a file which looked so when it was read, and not before a time, can't
// have got other content since without looking different. The zero Look never is.
func (l Look) Settled(read time.Time) bool {
	return l.changed != 0 && max(l.modified, l.changed) < read.Add(-unsettled).UnixNano()
}
