package disk

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/util"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// A Root is what scorch's root.bolt says of its last snapshot.
type Root struct {
	Seal     RootSeal
	Segments []RootSegment
	Internal map[string][]byte // what the batches set; nil where nothing was ever committed
}

// A RootSegment is a segment of a snapshot.
type RootSegment struct {
	File    string // beside root.bolt
	Deleted []byte // which documents, as scorch writes it
}

// A RootSeal is the checksum of a snapshot: of all that root.bolt says of it.
type RootSeal struct {
	Epoch string `json:"epoch"` // of the snapshot, in the order of time
	CRC   uint32 `json:"crc"`
}

// RootFile is where scorch commits.
const RootFile = "root.bolt"

const (
	minRoot  = 4 * 1024 // two pages of the smallest size there is
	lockWait = 2 * time.Second
	maxItems = 1 << 20 // in a snapshot; more are a circle of damaged pages
)

// readRoot reads root.bolt in the folder dir, changing nothing. known, if any,
// is compared with the last snapshot where that is not a later one. Without the
// file the error is fs.ErrNotExist.
func readRoot(dir string, known RootSeal) (Root, error) {
	path := filepath.Join(dir, RootFile)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return Root{}, &Damage{RootFile, noFile}
	}
	data, err := os.ReadFile(path) // what can't be read is found out here, not in mapped memory
	if err != nil {
		return Root{}, err
	}
	if len(data) < minRoot {
		return Root{}, &Damage{RootFile, "is cut short"}
	}
	var root Root
	var file *os.File // stays open, and locked, when bolt panics
	if err := Guard(func() error { return root.read(path, int64(len(data)), &file) }); err != nil {
		if file != nil {
			_ = file.Close()
		}
		return Root{}, certain(err)
	}
	if root.Seal.Epoch < known.Epoch || root.Seal.Epoch == known.Epoch && root.Seal != known {
		return Root{}, &Damage{RootFile, "has another content than was written (checksum)"}
	}
	return root, nil
}

// certain tells what the file is to blame for from what it isn't.
func certain(err error) error {
	_, system := errors.AsType[syscall.Errno](err)
	_, path := errors.AsType[*fs.PathError](err)
	if system || path || errors.Is(err, bolterrors.ErrTimeout) {
		return err
	}
	return &Damage{RootFile, "cannot be understood: " + err.Error()}
}

func (r *Root) read(path string, size int64, file **os.File) error {
	existing := func(path string, _ int, _ os.FileMode) (f *os.File, err error) { // bolt would create it
		f, err = os.Open(path)
		*file = f
		return f, err
	}
	db, err := bolt.Open(path, 0,
		&bolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: lockWait, OpenFile: existing})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	return db.View(func(tx *bolt.Tx) error {
		if tx.Size() > size {
			return errors.New("it is cut short")
		}
		if err := tx.ForEach(readable); err != nil {
			return err
		}
		snapshots := tx.Bucket(util.BoltSnapshotsBucket)
		if snapshots == nil {
			return nil
		}
		last, _ := snapshots.Cursor().Last()
		if last == nil {
			return nil
		}
		snapshot := snapshots.Bucket(last)
		if snapshot == nil {
			return errors.New("the last snapshot is no bucket")
		}
		r.Seal.Epoch = hex.EncodeToString(last)
		return r.readSnapshot(snapshot)
	})
}

// readable reads a bucket, as scorch and bolt will do when they drop it: pages of
// older snapshots can be damaged as well.
func readable(_ []byte, b *bolt.Bucket) error {
	all := walker{sum: crc32.New(castagnoli)}
	return all.walk(b, func([]byte, *bolt.Bucket) error { return nil })
}

func (r *Root) readSnapshot(snapshot *bolt.Bucket) error {
	r.Internal = map[string][]byte{}
	w := walker{sum: crc32.New(castagnoli)}
	err := w.walk(snapshot, func(name []byte, bucket *bolt.Bucket) error {
		if name[0] == util.BoltInternalKey[0] {
			return bucket.ForEach(func(k, v []byte) error {
				r.Internal[string(k)] = bytes.Clone(v)
				return nil
			})
		}
		file := string(bucket.Get(util.BoltPathKey))
		if file == "" || filepath.Base(file) != file {
			return fmt.Errorf("a segment has the file %q", file)
		}
		r.Segments = append(r.Segments, RootSegment{file, bytes.Clone(bucket.Get(util.BoltDeletedKey))})
		return nil
	})
	r.Seal.CRC = w.sum.Sum32()
	return err
}

// A walker sums up what is in a bucket.
type walker struct {
	sum   hash.Hash32
	items int
}

// walk takes all that is in a bucket and calls yield with the buckets in it.
func (w *walker) walk(b *bolt.Bucket, yield func(name []byte, b *bolt.Bucket) error) error {
	return b.ForEach(func(k, v []byte) error {
		if w.items++; w.items > maxItems {
			return errors.New("pages in a circle")
		}
		if again(k) {
			return nil
		}
		_, _ = fmt.Fprintf(w.sum, "%d %d %x %x\n", len(k), len(v), k, v)
		if v != nil {
			return nil
		}
		inner := b.Bucket(k)
		if inner == nil {
			return fmt.Errorf("no bucket %x", k)
		}
		if err := w.walk(inner, func([]byte, *bolt.Bucket) error { return nil }); err != nil || len(k) == 0 {
			return err
		}
		return yield(k, inner)
	})
}

// DropSegments takes segments out of the last snapshot of root.bolt in the folder
// dir, durably, and makes it the only one.
func DropSegments(dir string, files []string) error {
	return Guard(func() error {
		db, err := bolt.Open(filepath.Join(dir, RootFile), 0o600, &bolt.Options{Timeout: lockWait})
		if err != nil {
			return err
		}
		err = db.Update(func(tx *bolt.Tx) error {
			snapshots := tx.Bucket(util.BoltSnapshotsBucket)
			last, _ := snapshots.Cursor().Last()
			var gone [][]byte
			if err := snapshots.ForEachBucket(func(k []byte) error {
				if !bytes.Equal(k, last) {
					gone = append(gone, bytes.Clone(k))
				}
				return nil
			}); err != nil {
				return err
			}
			snapshot := snapshots.Bucket(last)
			return errors.Join(deleteBuckets(snapshots, gone), deleteBuckets(snapshot, segmentsOf(snapshot, files)))
		})
		return errors.Join(err, db.Close())
	})
}

// segmentsOf are the keys of the segments with those files.
func segmentsOf(snapshot *bolt.Bucket, files []string) (keys [][]byte) {
	c := snapshot.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if v != nil {
			continue
		}
		if inner := snapshot.Bucket(k); inner != nil && slices.Contains(files, string(inner.Get(util.BoltPathKey))) {
			keys = append(keys, bytes.Clone(k))
		}
	}
	return keys
}

func deleteBuckets(b *bolt.Bucket, keys [][]byte) error {
	for _, k := range keys {
		if err := b.DeleteBucket(k); err != nil {
			return err
		}
	}
	return nil
}

// again reports whether scorch writes another value under that key when it writes
// the same snapshot once more, as it does when it is opened.
func again(key []byte) bool {
	return bytes.Equal(key, util.BoltMetaDataKey) || bytes.Equal(key, util.TotBytesWrittenKey)
}
