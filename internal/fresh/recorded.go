package fresh

import (
	"time"

	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A Record is what is known of one file by whoever read it.
type Record struct {
	Path string
	Hash Hash // of its content; zero for a file that could not be read
	// What the file looked like before it was read, as in disk.Entry.
	Size, ModTime, Changed int64
	// Racy tells that a later version may look the same; Unread, that the file was
	// there and could not be read.
	Racy, Unread bool
}

// Recorded makes a manifest of files that were read before, by somebody who
// listed them under these limits. A file that looks as its record says, and is
// not racy, has that content. The first check lists everything.
func Recorded(takenAt time.Time, limits listing.Limits, records []Record) *Manifest {
	files := make([]listedFile, len(records))
	for i, r := range records {
		files[i] = listedFile{r.Path, r.file()}
	}
	m := &Manifest{takenAt: takenAt}
	m.known.Store(&knowledge{state: newState(nil, files), limits: limits, unlisted: true})
	return m
}

func (r Record) file() file {
	seen := sight{size: r.Size, mtime: r.ModTime, ctime: r.Changed, kind: regular}
	return file{
		mark: mark{seen, r.Racy || r.Unread}, recorded: true,
		base: r.Hash, baseSize: r.Size, inBase: true, same: !r.Unread, unread: r.Unread,
	}
}

// adopt takes note of the first look at a recorded file, and reports whether it
// is the file of the record.
func (f *file) adopt(s sight, now time.Time) bool {
	was, known := f.mark, f.recorded && !f.mark.racy
	f.recorded = false
	if !known || s.kind != regular || s.size != was.size || s.mtime != was.mtime || s.ctime != was.ctime {
		return false
	}
	f.mark = mark{s, s.racy(now)}
	return true
}

// Rebase makes other records the manifest: all of them, in place of those that
// there were, and what is known of the folder stays.
func (m *Manifest) Rebase(records []Record) {
	m.checking.Lock()
	defer m.checking.Unlock()
	c := check{known: m.known.Load()}
	k := c.own()
	for i := range k.files {
		k.files[i].inBase = false
	}
	var added []listedFile
	for _, r := range records {
		if i := k.find(r.Path); i >= 0 {
			k.files[i].rebase(r)
			continue
		}
		f := r.file() // it came and went between two checks, or comes with the next one
		f.unlisted = !k.unlisted
		added = append(added, listedFile{r.Path, f})
	}
	if len(added) > 0 {
		k.state = k.with(map[string]dir{}, added)
	}
	k.findOdd()
	m.known.Store(k)
}

// rebase compares a file with another record than before, by what was last seen
// of it where that tells.
func (f *file) rebase(r Record) {
	known := !f.recorded && f.mark.kind == regular && f.same && !f.unsure && !f.unread && f.base == r.Hash
	was := f.mark.sight
	looks := !r.Racy && !f.mark.racy && was.kind == regular && was.size == r.Size && was.mtime == r.ModTime &&
		was.ctime == r.Changed
	f.inBase, f.base, f.baseSize, f.unread = true, r.Hash, r.Size, r.Unread
	f.same = !r.Unread && (known || looks)
	f.unsure = !f.same && was.kind == regular && (r.Unread || was.size == r.Size)
}
