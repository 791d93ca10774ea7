package scan

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
)

// Trigrams is an open trigram file. Any number of goroutines may use it until
// it is closed.
type Trigrams struct {
	header

	data   []byte
	table  []byte
	paths  string   // outlives the mapping
	unread []uint32 // files that are always candidates
	close  func() error
}

// Open maps a trigram file. A missing one is PathNotFound; one that is damaged,
// or of another version, is IndexNotReady: build it again.
func Open(path string) (*Trigrams, error) {
	data, unmap, err := mapFile(path)
	if err != nil {
		return nil, fault.Wrap(fault.PathNotFound, err, "there is no trigram file that can be read; build the graph again")
	}
	t := &Trigrams{data: data, close: unmap}
	if err := t.open(); err != nil {
		_ = unmap()
		return nil, err
	}
	return t, nil
}

func (t *Trigrams) open() error {
	h, ok := decodeHeader(t.data)
	if !ok {
		return damaged("its header")
	}
	t.header = h
	t.table = t.data[h.tableAt:h.filesAt]
	if checksum(t.table) != h.tableChecksum || checksum(t.data[h.filesAt:]) != h.filesChecksum {
		return damaged("its tables")
	}
	t.paths = string(t.data[h.pathsAt:])
	for i := range h.files {
		if order.Uint32(t.recordAt(i)[4:])&unreadFile != 0 {
			t.unread = append(t.unread, i)
		}
	}
	return nil
}

func damaged(what string) error {
	return fault.New(fault.IndexNotReady, "the trigram file is damaged or of another version (%s); build the graph again",
		what)
}

// Close unmaps the file.
func (t *Trigrams) Close() error { return t.close() }

// Len is the number of files.
func (t *Trigrams) Len() int { return int(t.files) }

// Paths are those of all files, in order.
func (t *Trigrams) Paths() []string {
	all := make([]string, t.files)
	for i := range t.files {
		all[i] = t.path(i)
	}
	return all
}

// Differing are the paths, in order, of which the trigrams tell nothing: of files that
// have other content than the builder was told, and of those that only one side has.
func Differing[H ~[32]byte](t *Trigrams, files iter.Seq2[string, H]) (paths []string) {
	seen, next := make([]bool, t.files), 0
	for p, hash := range files {
		i, same := next, next < len(seen) && t.path(uint32(next)) == p //nolint:gosec // not negative
		if !same {                                                     // they come mostly in order
			i, same = sort.Find(len(seen), func(i int) int { return strings.Compare(p, t.path(uint32(i))) }) //nolint:gosec // as above
		}
		if same {
			seen[i], next = true, i+1
			same = H(t.recordAt(uint32(i))[24:56]) == hash //nolint:gosec // as above
		}
		if !same {
			paths = append(paths, p)
		}
	}
	for i, has := range seen {
		if !has {
			paths = append(paths, t.path(uint32(i))) //nolint:gosec // as above
		}
	}
	slices.Sort(paths)
	return paths
}

// Files yields all files in order of paths, without content.
func (t *Trigrams) Files() iter.Seq[File] {
	return func(yield func(File) bool) {
		for i := range t.files {
			r := t.recordAt(i)
			f := File{
				Path: t.path(i), Unread: order.Uint32(r[4:])&unreadFile != 0,
				Size: int64(order.Uint64(r[8:])), ModTime: int64(order.Uint64(r[16:])), //nolint:gosec // the bits are kept
			}
			copy(f.Hash[:], r[24:])
			if !yield(f) {
				return
			}
		}
	}
}

func (t *Trigrams) recordAt(i uint32) []byte {
	return t.data[t.filesAt+uint64(i)*recordSize:][:recordSize]
}

func (t *Trigrams) path(i uint32) string {
	from, to := order.Uint32(t.recordAt(i)), uint32(len(t.paths)) //nolint:gosec // less than 2³¹
	if i+1 < t.files {
		to = order.Uint32(t.recordAt(i + 1))
	}
	return t.paths[from:to]
}

// Candidates are the files that may have a line that matches, in order of
// paths: all that have one are among them, as long as the files are as they
// were when the trigrams were built. It is false when the pattern says too little
// and all files must be read. An error means that the file is damaged: read
// all files, build it again.
func (t *Trigrams) Candidates(m *match.Matcher) (paths []string, ok bool, err error) {
	found, ok, err := t.candidates(m)
	if !ok || err != nil {
		return nil, false, err
	}
	found = merged(t.filesOf(found), t.unread)
	paths = make([]string, len(found))
	for i, f := range found {
		paths[i] = t.path(f)
	}
	return paths, true, nil
}

// filesOf are the files of blocks, both in order.
func (t *Trigrams) filesOf(blocks []uint32) []uint32 {
	var found []uint32
	file, end := -1, uint32(0) // a file, and the block that the next begins with
	for _, block := range blocks {
		if block < end {
			continue
		}
		file += sort.Search(int(t.files)-1-file, func(i int) bool { return t.firstBlock(file+1+i) > block })
		end = t.firstBlock(file + 1)
		found = append(found, uint32(file)) //nolint:gosec // less than 2³²
	}
	return found
}

// firstBlock is that of a file, or one past the last block.
func (t *Trigrams) firstBlock(file int) uint32 {
	if file >= int(t.files) {
		return t.blocks
	}
	return order.Uint32(t.recordAt(uint32(file))[56:]) //nolint:gosec // not negative
}

// Overlay is candidates without the paths that changed since the trigrams were
// built, and these paths: all that must be read. Changed is in order and may
// hold paths that are gone or new.
func Overlay(candidates, changed []string) []string {
	if len(changed) == 0 {
		return candidates
	}
	all := slices.Concat(candidates, changed)
	slices.Sort(all)
	return slices.Compact(all)
}

// candidates are the blocks that may have a line that matches.
func (t *Trigrams) candidates(m *match.Matcher) (found []uint32, ok bool, err error) {
	for _, c := range m.Trigrams {
		if ok && len(found) == 0 {
			break
		}
		some, err := t.anyOf(c)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			found, ok = some, true
			continue
		}
		found = intersected(found, some)
	}
	return found, ok, nil
}

// anyOf are the blocks that have all trigrams of at least one of the strings.
func (t *Trigrams) anyOf(strings [][]uint32) (found []uint32, err error) {
	for _, trigrams := range strings {
		some, err := t.allOf(trigrams)
		if err != nil {
			return nil, err
		}
		found = merged(found, some)
	}
	return found, nil
}

// fewBytes is how many bytes of a list are read in the time of opening a file: a
// list that is longer than that for each file that is left is not worth it.
const fewBytes = 4000

// allOf are the blocks that have all trigrams, or nearly.
func (t *Trigrams) allOf(trigrams []uint32) ([]uint32, error) {
	lists := make([]posting, len(trigrams))
	for i, trigram := range trigrams {
		p, ok := t.posting(trigram)
		if !ok {
			return nil, nil
		}
		lists[i] = p
	}
	slices.SortFunc(lists, func(a, b posting) int { return a.size() - b.size() })
	var found []uint32
	for i, p := range lists {
		if i > 0 && p.size() > fewBytes*len(found) {
			break
		}
		if checksum(p.list) != p.checksum {
			return nil, damaged("a list")
		}
		if i == 0 {
			found = p.blocks()
		} else {
			found = p.among(found)
		}
	}
	for _, f := range found {
		if f >= t.blocks {
			return nil, damaged(fmt.Sprintf("a list names block %d", f))
		}
	}
	return found, nil
}

// A posting is the list of a trigram.
type posting struct {
	list     []byte
	bitmap   bool
	checksum uint32
}

func (p posting) size() int { return len(p.list) }

// posting finds the list of a trigram.
func (t *Trigrams) posting(trigram uint32) (posting, bool) {
	n := int(t.trigrams)
	i := sort.Search(n, func(i int) bool { return order.Uint32(t.table[i*entrySize:])&^bitmapList >= trigram })
	if i == n {
		return posting{}, false
	}
	entry := t.table[i*entrySize:]
	key := order.Uint32(entry)
	if key&^bitmapList != trigram {
		return posting{}, false
	}
	from, to := order.Uint64(entry[8:]), t.tableAt
	if i+1 < n {
		to = order.Uint64(entry[entrySize+8:])
	}
	if from > to || to > t.tableAt { // not with a good checksum of the table
		return posting{checksum: 1}, true
	}
	return posting{list: t.data[from:to], bitmap: key&bitmapList != 0, checksum: order.Uint32(entry[4:])}, true
}

// blocks are the list's blocks in order.
func (p posting) blocks() []uint32 {
	found := make([]uint32, 0, len(p.list))
	if p.bitmap {
		for i, b := range p.list {
			for ; b != 0; b &= b - 1 {
				found = append(found, uint32(i*8+bits.TrailingZeros8(b))) //nolint:gosec // less than 2³²
			}
		}
		return found
	}
	next := uint64(0)
	for list := p.list; len(list) > 0; {
		d, n := binary.Uvarint(list)
		if n <= 0 {
			break
		}
		list = list[n:]
		next += d
		found = append(found, uint32(next-1)) //nolint:gosec // less than 2³²
	}
	return found
}

// among keeps those of blocks that are in the list.
func (p posting) among(blocks []uint32) []uint32 {
	if !p.bitmap {
		return intersected(blocks, p.blocks())
	}
	kept := blocks[:0]
	for _, f := range blocks {
		if i := int(f >> 3); i < len(p.list) && p.list[i]&(1<<(f&7)) != 0 {
			kept = append(kept, f)
		}
	}
	return kept
}

// intersected keeps those of a that are in b, in the place of a.
func intersected(a, b []uint32) []uint32 {
	kept := a[:0]
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == x {
			kept = append(kept, x)
		}
	}
	return kept
}

// merged are those of a and of b in order, each once.
func merged(a, b []uint32) []uint32 {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
