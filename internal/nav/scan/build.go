package scan

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parallel"
)

// A File is a file of a trigram file.
type File struct {
	Path    string
	Size    int64
	ModTime int64    // nanoseconds since 1970
	Hash    [32]byte // of the content; any that the builder likes

	// Content is what Build reads; a binary file has no trigrams. It must not
	// change before Build is done.
	Content []byte
	// Unread is a file whose content Build is not given: it is always a candidate.
	Unread bool
}

// errOrder is a mistake of Build's caller.
var errOrder = errors.New("files are not in order of paths")

// Create builds a trigram file and puts it in the place of what is at path. A
// reader sees the old file or the new one, whole.
func Create(ctx context.Context, path string, files iter.Seq2[File, error]) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*"+unfinished)
	if err != nil {
		return fmt.Errorf("create a trigram file: %w", err)
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = os.Remove(tmp.Name())
		}
	}()
	if err := Build(ctx, tmp, files); err != nil {
		return err
	}
	if err := errors.Join(tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write a trigram file: %w", err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("replace a trigram file: %w", err)
	}
	return nil
}

// unfinished is behind the names of files that Create writes.
const unfinished = ".tmp"

// Sweep removes what processes that died in Create have left. Nobody else may be in
// Create of that path.
func Sweep(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+".") && strings.HasSuffix(e.Name(), unfinished) {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(path), e.Name())))
		}
	}
	return err
}

// Build writes a trigram file of files, which come in order of paths, each
// once. It keeps the lists in memory, about a twentieth of the text, and some
// files at a time. The sequence's errors are returned.
func Build(ctx context.Context, w io.Writer, files iter.Seq2[File, error]) error {
	b := builder{}
	for range parallel.Processors() {
		b.extractors = append(b.extractors, match.NewExtractor())
	}
	for f, err := range files {
		if err == nil {
			err = b.add(ctx, f)
		}
		if err != nil {
			return err
		}
	}
	if err := b.flush(ctx); err != nil {
		return err
	}
	return b.write(w)
}

// batchBytes of content are read together.
const batchBytes = 16 << 20

// A builder gathers lists.
type builder struct {
	extractors []*match.Extractor
	batch      []File
	waiting    int // bytes of the batch

	records []byte
	paths   []byte
	last    string
	files   uint32
	blocks  uint32
	lists   lists
}

func (b *builder) add(ctx context.Context, f File) error {
	if f.Path <= b.last {
		return fmt.Errorf("%w: %q after %q", errOrder, f.Path, b.last)
	}
	b.last = f.Path
	b.batch = append(b.batch, f)
	if b.waiting += len(f.Content); b.waiting < batchBytes {
		return nil
	}
	return b.flush(ctx)
}

// flush takes up the batch: trigrams side by side, lists in order.
func (b *builder) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	found := make([][][]uint32, len(b.batch)) // trigrams by file and block
	group, ctx := parallel.NewGroup(ctx)
	for i, e := range b.extractors {
		group.Go(func() error {
			for j := i; j < len(b.batch); j += len(b.extractors) {
				text, _ := textOf(b.batch[j].Content) // nothing of a binary file
				if ctx.Err() == nil {
					found[j] = e.Blocks(text)
				}
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i := range b.batch {
		b.record(&b.batch[i])
		for _, block := range found[i] {
			for _, t := range block {
				b.lists.add(t, b.blocks)
			}
			b.blocks++
		}
		b.files++
	}
	b.batch, b.waiting = b.batch[:0], 0
	return nil
}

func (b *builder) record(f *File) {
	flags := uint32(0)
	if f.Unread {
		flags = unreadFile
	}
	b.records = order.AppendUint32(b.records, uint32(len(b.paths))) //nolint:gosec // paths of 4 GB are refused in write
	b.records = order.AppendUint32(b.records, flags)
	b.records = order.AppendUint64(b.records, uint64(f.Size))    //nolint:gosec // the bits are kept
	b.records = order.AppendUint64(b.records, uint64(f.ModTime)) //nolint:gosec // the bits are kept
	b.records = append(b.records, f.Hash[:]...)
	b.records = order.AppendUint32(b.records, b.blocks)
	b.records = order.AppendUint32(b.records, 0)
	b.paths = append(b.paths, f.Path...)
}

// encoded yields the lists in order of trigrams, each in its shorter form and
// with the trigram as in the table.
func (b *builder) encoded() iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		bits := make([]byte, (b.blocks+7)/8)
		for trigram, list := range b.lists.all() {
			if len(bits) < len(list) {
				setBits(bits, list)
				trigram, list = trigram|bitmapList, bits
			}
			if !yield(trigram, list) {
				return
			}
		}
	}
}

func (b *builder) write(w io.Writer) error {
	if len(b.paths) > 1<<31 {
		return errors.New("write a trigram file: too many files")
	}
	var table []byte
	at := uint64(headerSize)
	for trigram, list := range b.encoded() {
		table = order.AppendUint32(table, trigram)
		table = order.AppendUint32(table, checksum(list))
		table = order.AppendUint64(table, at)
		at += uint64(len(list))
	}
	files := slices.Concat(b.records, b.paths)
	h := header{
		files: b.files, blocks: b.blocks, trigrams: uint32(len(table) / entrySize), tableAt: at,
		tableChecksum: checksum(table), filesChecksum: checksum(files),
	} //nolint:gosec // 24 bits
	h.filesAt = at + uint64(len(table))
	h.pathsAt = h.filesAt + uint64(len(b.records))
	h.size = h.pathsAt + uint64(len(b.paths))
	out := bufio.NewWriterSize(w, 1<<20)
	_, err := out.Write(h.encode())
	for _, list := range b.encoded() {
		if err == nil {
			_, err = out.Write(list)
		}
	}
	for _, part := range [][]byte{table, files} {
		if err == nil {
			_, err = out.Write(part)
		}
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		return fmt.Errorf("write a trigram file: %w", err)
	}
	return nil
}

// setBits makes bits a list in the other form.
func setBits(bits, list []byte) {
	clear(bits)
	next := uint64(0)
	for len(list) > 0 {
		d, n := binary.Uvarint(list)
		list = list[n:]
		next += d
		bits[(next-1)>>3] |= 1 << ((next - 1) & 7)
	}
}
