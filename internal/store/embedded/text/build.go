package text

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	bleve "github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	scorch "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// RegisterBuilder makes scorch build the segments of new documents with a
// builder, and have them opened by the opener of its store.
var RegisterBuilder = sync.OnceFunc(func() { bleve.RegisterSegmentPlugin(segmentPlugin{&zap.ZapPlugin{}}, true) })

// A segmentPlugin is zapx's, but for documents of this package, which it makes
// into a segment itself: zapx takes the terms of a document as maps of strings,
// and takes most of its time to put them in and out.
type segmentPlugin struct{ *zap.ZapPlugin }

func (p segmentPlugin) OpenUsing(path string, config map[string]any) (scorch.Segment, error) {
	if k, ok := config[OpenerKey].(*Opener); ok {
		return k.take(path, config)
	}
	return open(path, config)
}

// MergeUsing is called by scorch's own goroutines, which no panic may end. What is
// made of damaged segments would look whole: they are not merged. Scorch ends a merge
// that is cancelled when it sees ErrClosed itself, not within another error, and
// otherwise tries for ever: also where each try fails before it is seen to be
// cancelled, as on a full disk.
//
//nolint:revive // the signature is scorch's
func (p segmentPlugin) MergeUsing(segments []scorch.Segment, drops []*roaring.Bitmap, path string,
	closing chan struct{}, stats scorch.StatsReporter, config map[string]any,
) (numbers [][]uint64, size uint64, err error) {
	err = disk.Guard(func() (err error) {
		numbers, size, err = p.ZapPlugin.MergeUsing(segments, drops, path, closing, stats, config)
		return err
	})
	if err != nil && isClosed(closing) {
		return nil, 0, scorch.ErrClosed
	}
	if k, ok := config[OpenerKey].(*Opener); ok && !errors.Is(err, scorch.ErrClosed) {
		err = errors.Join(err, k.Look(segments))
	}
	return numbers, size, err
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (p segmentPlugin) New(docs []index.Document) (scorch.Segment, uint64, error) {
	return p.NewUsing(docs, nil)
}

func (p segmentPlugin) NewUsing(docs []index.Document, config map[string]any) (scorch.Segment, uint64, error) {
	ours := make([]*Document, len(docs))
	for i, d := range docs {
		var ok bool
		if ours[i], ok = d.(*Document); !ok {
			return p.ZapPlugin.NewUsing(docs, config)
		}
	}
	return Build(ours, config)
}

// A builders lends builders, whose tables are made once and not for each batch.
type builders struct{ pool sync.Pool }

func (b *builders) take() *builder {
	if used, ok := b.pool.Get().(*builder); ok {
		return used
	}
	return newBuilder()
}

func (b *builders) give(used *builder) {
	used.size = len(used.out) / max(len(used.docs), 1)
	used.out, used.docs = nil, nil // of the segment
	clear(used.ones)
	for _, f := range used.fields {
		f.reset()
	}
	b.pool.Put(used)
}

// A builder writes a segment of version 17 of zapx's format (its README.md and
// zap.md describe it). The documents are numbered in the order of their rows, so
// that those of a file are together: postings of neighbours take less space.
//
// It differs from what zapx builds in four points: the only posting of a term is kept
// in the dictionary, and each segment has the same fields, which lets zapx merge stored
// fields without decoding them, as what zapx merges; sets of documents may have runs;
// and frequencies are as [Frequency] says.
type builder struct {
	out    []byte
	size   int // bytes of a document in the segment before
	docs   []*Document
	fields []*fieldTerms // the number of a field is its place
	byName map[string]*fieldTerms
	ones   map[int]uint64 // see writeOnes: where, by documents of a chunk

	dictionary *vellum.Builder
	encoded    bytes.Buffer // the dictionary
	grouped    []posting    // of a field, by term
	data       []byte       // of a chunk or stored fields
	compressed []byte
}

// segmentFields are the fields of a segment. The format wants the id's first.
var segmentFields = func() []string {
	names := slices.Concat(fts.KeywordFields(), fts.TextFields(), []string{FieldRow, FieldValue})
	slices.Sort(names)
	return append([]string{FieldID}, slices.Compact(names)...)
}()

// smallRegistry is how much the builder of a dictionary remembers to share the
// ends of terms. Its default remembers 20 times as much, more than processors
// keep close, which takes twice the time and saves little. The dictionaries of
// merged segments have it.
var smallRegistry = &vellum.BuilderOpts{Encoder: 1, RegistryTableSize: 1024, RegistryMRUSize: 1}

func newBuilder() *builder {
	b := &builder{byName: make(map[string]*fieldTerms, len(segmentFields)), ones: map[int]uint64{}}
	for _, name := range segmentFields {
		f := newFieldTerms(name)
		b.fields, b.byName[name] = append(b.fields, f), f
	}
	return b
}

// Build makes a segment of documents, in the order of their rows.
func Build(docs []*Document, config map[string]any) (scorch.Segment, uint64, error) {
	k, ok := config[OpenerKey].(*Opener)
	if !ok {
		return newBuilder().segment(docs, config)
	}
	b := k.builders.take()
	defer k.builders.give(b)
	return b.segment(docs, config)
}

func (b *builder) segment(docs []*Document, config map[string]any) (scorch.Segment, uint64, error) {
	b.docs, b.out = docs, make([]byte, 0, b.size*len(docs))
	slices.SortFunc(docs, func(a, b *Document) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.id, b.id))
	})
	for number, d := range docs {
		b.collect(uint32(number), d) //nolint:gosec // a batch has fewer documents
	}
	var err error
	if b.dictionary, err = vellum.New(&b.encoded, smallRegistry); err != nil {
		return nil, 0, err
	}
	stored := b.writeStored()
	if err := b.writeTerms(); err != nil {
		return nil, 0, err
	}
	sections := b.writeFields()
	stats, _ := config[scorch.StatsKey].(*scorch.Stats)
	if stats == nil {
		stats = new(scorch.Stats)
	}
	seg, err := zap.InitSegmentBase(b.out, crc32.ChecksumIEEE(b.out), zap.DefaultChunkMode, uint64(len(docs)), stored,
		sections, config, stats)
	if err != nil {
		return nil, 0, err
	}
	return seg, uint64(len(b.out)), nil
}

// collect takes the terms of a document.
func (b *builder) collect(number uint32, d *Document) {
	for _, field := range d.Fields {
		switch f := field.(type) {
		case *textField:
			b.byName[f.name].addText(number, f.terms)
		case *rowField:
			b.byName[FieldRow].add(number, f.text.name, f.frequency(), f.AnalyzedLength())
		case *keywordField:
			b.byName[f.name].addKeywords(number, f)
		case *idField:
			b.byName[f.name].addKeywords(number, f.keywordField)
		}
	}
}

// offset is where the next byte is written.
func (b *builder) offset() uint64 { return uint64(len(b.out)) }

func (b *builder) uvarint(values ...uint64) {
	for _, v := range values {
		b.out = binary.AppendUvarint(b.out, v)
	}
}

// writeFields writes where things are. It returns where it says that.
func (b *builder) writeFields() uint64 {
	offsets := make([]uint64, len(b.fields))
	for i, f := range b.fields {
		offsets[i] = b.offset()
		b.uvarint(uint64(len(f.name)))
		b.out = append(b.out, f.name...)
		b.uvarint(uint64(f.options), 1) // one section
		b.out = binary.BigEndian.AppendUint16(b.out, zap.SectionInvertedTextIndex)
		b.out = binary.BigEndian.AppendUint64(b.out, f.address)
	}
	start := b.offset()
	b.uvarint(uint64(len(b.fields)))
	for _, at := range offsets {
		b.out = binary.BigEndian.AppendUint64(b.out, at)
	}
	return start
}
