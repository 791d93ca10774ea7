package text

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	scorch "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// What is made of damaged segments would look whole, so they are not merged.
func TestMergeOfDamaged(t *testing.T) {
	dir, plugin := t.TempDir(), segmentPlugin{&zap.ZapPlugin{}}
	noError(t, os.Mkdir(filepath.Join(dir, disk.TextDir), 0o700))
	seals, err := disk.OpenSeals(dir)
	noError(t, err)
	config := map[string]any{OpenerKey: NewOpener(seals)}
	in := func(file string) string { return filepath.Join(dir, disk.TextDir, file) }
	merge := func(name string, segments ...scorch.Segment) error {
		_, _, err := plugin.MergeUsing(segments, make([]*roaring.Bitmap, len(segments)), in(name), nil, nil, config)
		return err
	}

	noError(t, merge("a.zap", must(t)(plugin.New(someDocuments(50)))))
	noError(t, merge("b.zap", must(t)(plugin.New(someRecords(30)))))
	a, err := plugin.OpenUsing(in("a.zap"), config)
	noError(t, err)
	b, err := plugin.OpenUsing(in("b.zap"), config)
	noError(t, err)
	noError(t, merge("whole.zap", a, b))

	cancelled := make(chan struct{})
	close(cancelled)
	for _, to := range []string{in("cancelled.zap"), filepath.Join(dir, "missing", "fails.zap")} {
		_, _, err = plugin.MergeUsing([]scorch.Segment{a, b}, make([]*roaring.Bitmap, 2), to, cancelled, nil, config)
		if err != scorch.ErrClosed { //nolint:errorlint // scorch compares, too, and goes on trying otherwise
			t.Errorf("a cancelled merge to %s: %#v, want ErrClosed itself", filepath.Base(to), err)
		}
	}

	data, err := os.ReadFile(in("a.zap"))
	noError(t, err)
	data[len(data)/3] ^= 4
	noError(t, os.WriteFile(in("a.zap"), data, 0o600))
	if d, ok := errors.AsType[*disk.Damage](merge("damaged.zap", a, b)); !ok || d.File != "text/a.zap" {
		t.Errorf("merged, error %v; want damage to text/a.zap", d)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
