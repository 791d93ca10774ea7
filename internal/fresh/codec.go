package fresh

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/wire"
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

func (e *encoder) string(s string) { e.buf = wire.AppendText(e.buf, s) }

func (e *encoder) bool(b bool) {
	if b {
		e.number(1)
	} else {
		e.number(0)
	}
}

func (e *encoder) number(n int) { e.buf = binary.AppendUvarint(e.buf, uint64(n)) } //nolint:gosec // never negative

func (e *encoder) signed(n int64) { e.buf = binary.AppendVarint(e.buf, n) }

func (e *encoder) hash(h Hash) { e.buf = append(e.buf, h[:]...) }

// ErrManifest means that stored bytes are no manifest of this version. Decode
// wraps it in a *fault.Error of the code IndexNotReady.
var ErrManifest = errors.New("the manifest is damaged, or of another version")

// Decode is the manifest that Encode stored. It holds on to data, which must not be
// changed any more, and may come from anyone: no path in it leads out of a tree.
func Decode(data []byte) (*Manifest, error) {
	body := len(data) - crc32.Size
	if body < 0 || crc32.Checksum(data[:body], castagnoli) != binary.LittleEndian.Uint32(data[body:]) ||
		!bytes.HasPrefix(data, append([]byte(magic), version)) {
		return nil, notAManifest()
	}
	rest := data[len(magic)+1 : body]
	d := decoder{Reader: wire.Reader[string]{Rest: unsafe.String(unsafe.SliceData(rest), len(rest))}}
	m := &Manifest{commit: d.Text(), takenAt: time.Unix(0, d.Varint())}
	k := &knowledge{state: &state{shape: new(shape)}}
	k.git = d.bool()
	k.limits.MaxFileSize = d.Varint()
	for range d.Count() {
		k.limits.Exclude = append(k.limits.Exclude, d.Text())
	}
	k.settings = d.Text()
	for range d.Count() {
		k.deciders = append(k.deciders, decider{d.Text(), d.mark(), d.hash()})
	}
	k.nested = map[string]bool{}
	for range d.Count() {
		k.nested[d.Text()] = d.bool()
	}
	k.ignored = map[string]kind{}
	for range d.Count() {
		p := d.Text()
		k.ignored[p] = regular
		if d.bool() {
			k.ignored[p] = folder
		}
	}
	k.index = indexed{d.set(), d.set(), d.bool()}
	d.state(k.state)
	k.terminate()
	k.findOdd()
	if d.Bad || d.Rest != "" || len(k.dirs) == 0 {
		return nil, notAManifest()
	}
	m.known.Store(k)
	return m, nil
}

func notAManifest() error {
	return fault.Wrap(fault.IndexNotReady, ErrManifest, "%s; make the graph again with `ragnav nav build-graph`",
		ErrManifest)
}

// A decoder reads what an encoder wrote. After the first thing that can't be
// it is bad, and reads zeros.
type decoder struct {
	wire.Reader[string]

	last int64
}

func (d *decoder) state(s *state) {
	n := d.Count()
	s.dirs = make([]dir, 0, n)
	s.files = make([]file, 0, min(len(d.Rest)/40, 50*n))
	for i := 0; i < n && !d.Bad; i++ {
		here := dir{parent: d.UpTo(i) - 1, first: len(s.files)}
		name := d.Text()
		switch {
		case i == 0:
			d.Bad = d.Bad || name != ""
		case here.parent < 0 || !usable(name):
			d.Bad = true
		default:
			here.path = name
			if up := s.dirs[here.parent].path; up != "" {
				here.path = up + "/" + name
			}
			d.Bad = d.Bad || comparePaths(s.dirs[i-1].path, here.path) >= 0
		}
		here.outside, here.mark = d.bool(), d.mark()
		for range d.Count() {
			r := rule{d.Text(), d.mark(), d.hash()}
			d.Bad = d.Bad || !usable(r.name)
			here.rules = append(here.rules, r)
		}
		d.files(s, i)
		here.end = len(s.files)
		s.dirs = append(s.dirs, here)
	}
}

func (d *decoder) files(s *state, dir int) {
	before := ""
	for n := d.Count(); n > 0 && !d.Bad; n-- {
		f := file{name: d.Text(), dir: dir}
		flags := d.Byte()
		f.inBase, f.same, f.unsure = flags&flagInBase != 0, flags&flagSame != 0, flags&flagUnsure != 0
		f.unlisted, f.unread = flags&flagUnlisted != 0, flags&flagUnread != 0
		f.mark = d.mark()
		if f.inBase {
			f.baseSize, f.base = d.Varint(), d.hash()
		}
		d.Bad = d.Bad || !usable(f.name) || f.name <= before
		before = f.name
		s.files = append(s.files, f)
	}
}

// usable reports whether a name is one of an entry of a folder.
func usable(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}

func (d *decoder) mark() mark {
	b := d.Byte()
	m := mark{racy: b&1 != 0, stat: stat{kind: kind(b&(markLinked-1)) >> 1, linked: b&markLinked != 0}}
	if b >= markLinked<<1 {
		d.Bad = true
	}
	if m.kind == nothing {
		return m
	}
	m.size = d.Varint()
	m.mtime = d.last + d.Varint()
	m.ctime = m.mtime + d.Varint()
	m.inode = d.Uvarint()
	d.last = m.mtime
	return m
}

func (d *decoder) hash() (h Hash) {
	copy(h[:], d.Take(uint64(len(h))))
	return h
}

func (d *decoder) set() map[string]bool {
	paths := map[string]bool{}
	for range d.Count() {
		paths[d.Text()] = true
	}
	return paths
}

func (d *decoder) bool() bool { return d.Uvarint() == 1 }

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

// LearnGit has EncodeGit know what git says of the tree of the manifest.
func (m *Manifest) LearnGit(ctx context.Context, tree *disk.Folder, opts Options) error {
	m.checking.Lock()
	defer m.checking.Unlock()
	return m.git.learn(ctx, &check{tree: tree, opts: opts, now: opts.now()})
}

// EncodeGit is what git said of the tree, to be stored for other processes; nil where
// they would have to ask it.
func (m *Manifest) EncodeGit() []byte {
	m.checking.Lock()
	defer m.checking.Unlock()
	return m.git.encode()
}

// RememberGit takes what EncodeGit gave, if this process would ask the same git. It is
// believed for as long as nothing that git reads looks different.
func (m *Manifest) RememberGit(data []byte) {
	if g, ok := decodeGit(data); ok {
		m.checking.Lock()
		defer m.checking.Unlock()
		m.git = g
	}
}
