package fresh

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
)

// The stored form of a manifest, all numbers varints, strings with their length
// before them:
//
//	magic, version
//	commit, time, git, largest size, excluded folders, settings
//	deciders: path, mark, hash
//	nested folders: path, whether a repository
//	ignored: path, whether a folder
//	of the index: paths that may leave, absent paths, whether there are more
//	folders in the order of the state: number of the folder above, name,
//	  whether outside, mark, rules (name, mark, hash), files (name, flags, mark, size and hash of base)
//	CRC-32C of all before, 4 bytes little-endian
//
// A mark is its kind between racy and linked bit, then size, times and inode. Times are
// differences: from the time before, and of the second from the first.
const (
	magic   = "ragnav fresh"
	version = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// markLinked is above the bits of a mark's kind. Manifests of before it was there
// have files that look different once.
const markLinked = 1 << 3

// The flags of a file.
const (
	flagInBase = 1 << iota
	flagSame
	flagUnsure
	flagUnlisted
	flagUnread
)

// Encode is the manifest to be stored, with what checks learnt since; the
// same manifest gives the same bytes.
func (m *Manifest) Encode() []byte {
	k := m.known.Load()
	e := encoder{buf: make([]byte, 0, 1<<10+len(k.files)*80+len(k.dirs)*80)}
	e.buf = append(append(e.buf, magic...), version)
	e.string(m.commit)
	e.signed(m.takenAt.UnixNano())
	e.bool(k.git)
	e.signed(k.limits.MaxFileSize)
	e.number(len(k.limits.Exclude))
	for _, p := range k.limits.Exclude {
		e.string(p)
	}
	e.string(k.settings)
	e.number(len(k.deciders))
	for i := range k.deciders {
		e.string(k.deciders[i].path)
		e.mark(k.deciders[i].mark)
		e.hash(k.deciders[i].sum)
	}
	e.number(len(k.nested))
	for _, p := range slices.Sorted(maps.Keys(k.nested)) {
		e.string(p)
		e.bool(k.nested[p])
	}
	e.number(len(k.ignored))
	for _, p := range slices.Sorted(maps.Keys(k.ignored)) {
		e.string(p)
		e.bool(k.ignored[p] == folder)
	}
	e.set(k.index.leave)
	e.set(k.index.absent)
	e.bool(k.index.unknown)
	e.number(len(k.dirs))
	for i := range k.dirs {
		e.dir(k, i)
	}
	return binary.LittleEndian.AppendUint32(e.buf, crc32.Checksum(e.buf, castagnoli))
}

func (e *encoder) set(paths map[string]bool) {
	e.number(len(paths))
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		e.string(p)
	}
}

type encoder struct {
	buf  []byte
	last int64 // time before
}

func (e *encoder) dir(k *knowledge, i int) {
	d := &k.dirs[i]
	e.number(d.parent + 1)
	name := d.path
	if d.parent > 0 {
		name = name[len(k.dirs[d.parent].path)+1:]
	}
	e.string(name)
	e.bool(d.outside)
	e.mark(d.mark)
	e.number(len(d.rules))
	for r := range d.rules {
		e.string(d.rules[r].name)
		e.mark(d.rules[r].mark)
		e.hash(d.rules[r].sum)
	}
	e.number(d.end - d.first)
	for n := d.first; n < d.end; n++ {
		e.file(&k.files[n])
	}
}

func (e *encoder) file(f *file) {
	flags := byte(0)
	for i, on := range []bool{f.inBase, f.same, f.unsure, f.unlisted, f.unread} {
		if on {
			flags |= 1 << i
		}
	}
	e.string(f.name)
	e.buf = append(e.buf, flags)
	e.mark(f.mark)
	if f.inBase {
		e.signed(f.baseSize)
		e.hash(f.base)
	}
}

func (e *encoder) mark(m mark) {
	b := byte(m.kind) << 1
	if m.racy {
		b |= 1
	}
	if m.linked {
		b |= markLinked
	}
	e.buf = append(e.buf, b)
	if m.kind == nothing {
		return
	}
	e.signed(m.size)
	e.signed(m.mtime - e.last)
	e.signed(m.ctime - m.mtime)
	e.buf = binary.AppendUvarint(e.buf, m.inode)
	e.last = m.mtime
}

func (e *encoder) string(s string) {
	e.number(len(s))
	e.buf = append(e.buf, s...)
}

func (e *encoder) bool(b bool) {
	if b {
		e.number(1)
	} else {
		e.number(0)
	}
}

func (e *encoder) number(n int)   { e.buf = binary.AppendUvarint(e.buf, uint64(n)) } //nolint:gosec // never negative
func (e *encoder) signed(n int64) { e.buf = binary.AppendVarint(e.buf, n) }
func (e *encoder) hash(h Hash)    { e.buf = append(e.buf, h[:]...) }
