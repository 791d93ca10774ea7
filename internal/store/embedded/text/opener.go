package text

import (
	"errors"
	"path/filepath"
	"sync"

	scorch "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// OpenerKey is under what the plugin finds the opener of its store.
const OpenerKey = "ragnav-opener"

// An Opener opens the segments of one store. Those of a commit it checks and opens
// before scorch does, because scorch leaves out a commit of which it can't open
// one, and is then as empty as a new index.
type Opener struct {
	seals    *disk.Seals
	builders builders

	mu    sync.Mutex
	ready map[string]scorch.Segment // opened and not yet taken, by name
}

// NewOpener is an opener that compares segments with their seals.
func NewOpener(seals *disk.Seals) *Opener {
	return &Opener{seals: seals, ready: map[string]scorch.Segment{}}
}

// Prepare opens the segments of a commit. Those that are damaged are returned;
// other errors end it.
func (k *Opener) Prepare(dir string, files []string) (lost []*disk.Damage, err error) {
	for _, file := range files {
		seg, err := k.check(filepath.Join(dir, file), disk.SegmentName(file))
		if d, ok := errors.AsType[*disk.Damage](err); ok {
			lost = append(lost, d)
			if seg, _, err = Build(nil, nil); err != nil {
				return nil, err
			}
		} else if err != nil {
			return nil, err
		}
		k.mu.Lock()
		k.ready[file] = seg
		k.mu.Unlock()
	}
	return lost, nil
}

// check opens a segment that is whole.
func (k *Opener) check(path, name string) (seg scorch.Segment, err error) {
	file, info, err := disk.OpenFile(path, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	seal, _ := k.seals.Of(name)
	whole := k.seals.Whole(name, disk.StampOf(info)) && seal.Sum != 0
	if !whole {
		if _, err := disk.CheckSegment(file, name, seal.Sum); err != nil {
			return nil, err
		}
	}
	if seg, err = open(path, nil); err != nil {
		return nil, err
	}
	if !whole {
		err = k.seal(name, seg)
	}
	return seg, err
}

// seal takes note of a segment that is whole, and of what is in it.
func (k *Opener) seal(name string, seg scorch.Segment) error {
	file, ok := seg.(scorch.PersistedSegment)
	if !ok {
		return nil
	}
	opened, info, err := disk.OpenFile(file.Path(), name)
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	sum, err := disk.SumOf(opened, name, 0)
	if err != nil {
		return err
	}
	var holds []string
	err = disk.Guard(func() (err error) {
		holds, err = repositoriesIn(seg)
		return err
	})
	k.seals.Put(name, disk.Seal{Stamp: disk.StampOf(info), Sum: sum, Holds: holds})
	return err
}

// Look compares the files of segments with their seals, and reads what looks
// different. Files that are gone stay mapped as they were.
func (k *Opener) Look(segments []scorch.Segment) error {
	for _, seg := range segments {
		file, ok := seg.(scorch.PersistedSegment)
		if !ok {
			continue
		}
		if err := k.lookAt(file.Path()); err != nil && !disk.IsMissing(err) {
			return err
		}
	}
	return nil
}

func (k *Opener) lookAt(path string) error {
	name := disk.SegmentName(filepath.Base(path))
	if touched, err := k.seals.Touched(name); err != nil || !touched {
		return err
	}
	seal, _ := k.seals.Of(name)
	info, sum, err := disk.CheckSegmentAt(filepath.Dir(filepath.Dir(path)), name, seal.Sum)
	if err == nil {
		k.seals.Put(name, disk.Seal{Stamp: disk.StampOf(info), Sum: sum, Holds: seal.Holds})
	}
	return err
}

// take is the segment of a file: one that was prepared, or a new one.
func (k *Opener) take(path string, config map[string]any) (scorch.Segment, error) {
	file := filepath.Base(path)
	k.mu.Lock()
	seg := k.ready[file]
	delete(k.ready, file)
	k.mu.Unlock()
	if seg != nil {
		return seg, nil
	}
	seg, err := open(path, config)
	if err != nil {
		return nil, err
	}
	if err := k.seal(disk.SegmentName(file), seg); err != nil {
		return nil, errors.Join(err, seg.Close())
	}
	return seg, nil
}

// Drop closes what nobody took.
func (k *Opener) Drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for file, seg := range k.ready {
		_ = seg.Close()
		delete(k.ready, file)
	}
}

// open is zapx's way to open a segment. What it can't understand is damaged.
func open(path string, config map[string]any) (seg scorch.Segment, err error) {
	err = disk.Guard(func() (err error) {
		seg, err = new(zap.ZapPlugin).OpenUsing(path, config)
		return err
	})
	return seg, err
}
