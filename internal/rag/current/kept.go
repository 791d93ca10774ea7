package current

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/wire"
)

// Kept is a folder with what processes have learnt of folders, a file a repository,
// so that the next one need neither read the records of all files nor have git list
// them. It is a cache: what is lost, damaged or of another state of the index costs
// time and nothing else. The zero Kept keeps nothing.
type Kept struct {
	Dir   string // "" for none
	Write bool   // whether this process may write to it
}

// A file of it: the magic, the checksum of what follows, then the repository, of which
// state of its index the manifest is, the folders that its run could not read, what
// Manifest.EncodeGit gives, and what Encode does.
const keptMagic = "ragnavF2"

var keptSums = crc32.MakeTable(crc32.Castagnoli)

func (k Kept) path(id models.RepoID) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(k.Dir, hex.EncodeToString(sum[:12]))
}

// load is what was kept of the folder of a repository, if its index is of the same
// folder; not necessarily of the same state.
func (k Kept) load(r models.Repository) (m *fresh.Manifest, of generation, closed []string) {
	if k.Dir == "" {
		return nil, of, nil
	}
	data, err := os.ReadFile(k.path(r.RepoID))
	head := len(keptMagic) + crc32.Size
	if err != nil || len(data) < head || string(data[:len(keptMagic)]) != keptMagic ||
		crc32.Checksum(data[head:], keptSums) != binary.LittleEndian.Uint32(data[len(keptMagic):]) {
		return nil, of, nil
	}
	b := wire.Reader[[]byte]{Rest: data[head:]}
	id := string(b.Text())
	of = generation{root: string(b.Text()), indexed: time.Unix(0, b.Varint()).UTC(), runs: b.Int()}
	for range b.Count() {
		closed = append(closed, string(b.Text()))
	}
	git := b.Text()
	if b.Bad || id != string(r.RepoID) || of.root != r.Root {
		return nil, generation{}, nil
	}
	if m, err = fresh.Decode(b.Rest); err != nil {
		return nil, generation{}, nil
	}
	m.RememberGit(git)
	return m, of, closed
}

// save keeps what is known of a folder, where it is all that a check has to know. A
// disk that is full or broken is told by those who lose something by it.
func (k Kept) save(id models.RepoID, f *folder) {
	if !k.Write || k.Dir == "" || f.manifest == nil || !f.manifest.Complete() {
		return
	}
	b := wire.AppendText(nil, string(id))
	b = wire.AppendText(b, f.of.root)
	b = binary.AppendVarint(b, f.of.indexed.UnixNano())
	b = binary.AppendUvarint(b, uint64(f.of.runs))     //nolint:gosec // never negative
	b = binary.AppendUvarint(b, uint64(len(f.closed))) //nolint:gosec // likewise
	for _, p := range f.closed {
		b = wire.AppendText(b, p)
	}
	b = wire.AppendText(b, f.manifest.EncodeGit())
	b = append(b, f.manifest.Encode()...)
	sum := binary.LittleEndian.AppendUint32([]byte(keptMagic), crc32.Checksum(b, keptSums))
	k.replace(k.path(id), append(sum, b...))
}

// replace replaces a file, or leaves it as it is where that can't be done.
func (k Kept) replace(path string, data []byte) {
	if os.MkdirAll(k.Dir, 0o700) != nil {
		return
	}
	temp, err := os.CreateTemp(k.Dir, "new*")
	if err != nil {
		return
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err == nil {
		if err = os.Rename(temp.Name(), path); err != nil { // onto a folder, perhaps, that nobody made
			err = errors.Join(os.RemoveAll(path), os.Rename(temp.Name(), path))
		}
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // what is left is removed by clean
	}
}

// clean removes what was kept of repositories that are not registered any more, and
// what is left of a process that was ended.
func (k Kept) clean(ctx context.Context, store Store) {
	if !k.Write || k.Dir == "" {
		return
	}
	files, err := os.ReadDir(k.Dir)
	if err != nil {
		return
	}
	for _, file := range files {
		if path := filepath.Join(k.Dir, file.Name()); !k.registered(ctx, store, path) {
			_ = os.Remove(path) // it is a cache
		}
	}
}

// registered reports whether a file is of a repository that is registered, or nobody
// can tell.
func (k Kept) registered(ctx context.Context, store Store, path string) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		return true
	}
	head := len(keptMagic) + crc32.Size
	if len(data) < head {
		return false
	}
	b := wire.Reader[[]byte]{Rest: data[head:]}
	id := models.RepoID(b.Text())
	var r models.Repository
	found, err := store.Record(ctx, models.CollectionRepos, string(id), &r)
	return err != nil || found && k.path(id) == path
}
