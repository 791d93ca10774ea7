package backup

import (
	"archive/tar"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A backup is a tar file, compressed by gzip, of the files of one commit. The
// last of its files is the manifest: without it the backup was cut off.
const (
	manifestFile  = "manifest.json"
	archiveFormat = 1
	maxManifest   = 64 << 20
)

// A Manifest is what a backup says of itself.
type Manifest struct {
	Format       int             `json:"format"`
	Commit       uint64          `json:"commit"` // how many there were
	Created      time.Time       `json:"created"`
	Repositories []models.RepoID `json:"repositories"`
	// Clones are those of Repositories whose files are a clone, which is not in the
	// backup; nil in one that an older program wrote.
	Clones []models.RepoID `json:"clones"`
	Files  []ManifestFile  `json:"files"` // in their order in the archive
}

// A ManifestFile is a file of a backup.
type ManifestFile struct {
	Name   string `json:"name"` // relative to the data directory
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Bytes is the size of all files.
func (m Manifest) Bytes() (n int64) {
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

// archived matches what a backup may have; nothing else is ever written.
var archived = pattern.NewLazy(
	`^(format\.json|registrations\.json|text/root\.bolt|text/[0-9a-f]+\.zap|rows/vectors-[0-9a-f]+\.log|` +
		`drafts/[0-9a-f]+\.draft)$`)

// errArchive is a backup that is not what was written.
var errArchive = errors.New("not a whole backup")

// writeArchive writes the files, and what they are into m.
func writeArchive(ctx context.Context, w io.Writer, files []frozenFile, m *Manifest) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zipped)
	for _, f := range files {
		sum := sha256.New()
		if err := out.WriteHeader(header(f.name, f.size, m.Created)); err != nil {
			return err
		}
		in := &reader{ctx, io.NewSectionReader(f, 0, f.size)}
		if _, err := io.Copy(io.MultiWriter(out, sum), in); err != nil {
			return fmt.Errorf("copy %s: %w", f.name, err)
		}
		m.Files = append(m.Files, ManifestFile{f.name, f.size, hex.EncodeToString(sum.Sum(nil))})
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = out.WriteHeader(header(manifestFile, int64(len(data)), m.Created))
	}
	if err == nil {
		_, err = out.Write(data)
	}
	return errors.Join(err, out.Close(), zipped.Close())
}

func header(name string, size int64, at time.Time) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: at}
}

// readArchive gives the content of each file to yield, and then compares all of
// it with the manifest. The error is errArchive where it isn't what was written.
func readArchive(ctx context.Context, r io.Reader, yield func(name string, content io.Reader) error) (m Manifest,
	err error,
) {
	zipped, err := gzip.NewReader(r)
	if err != nil {
		return m, notWhole(err)
	}
	in := tar.NewReader(zipped)
	var found []ManifestFile
	for {
		h, err := in.Next()
		if err != nil {
			return m, notWhole(err)
		}
		if h.Name == manifestFile {
			break
		}
		if h.Typeflag != tar.TypeReg || !archived().MatchString(h.Name) {
			return m, fmt.Errorf("%w: it has %q, which no backup has", errArchive, h.Name)
		}
		sum, content := sha256.New(), &reader{ctx, in}
		if err := yield(h.Name, io.TeeReader(content, sum)); err != nil {
			return m, notWhole(err)
		}
		found = append(found, ManifestFile{h.Name, h.Size, hex.EncodeToString(sum.Sum(nil))})
	}
	data, err := io.ReadAll(io.LimitReader(in, maxManifest))
	if err == nil {
		_, err = in.Next()
	}
	if err == nil {
		return m, fmt.Errorf("%w: something follows its manifest", errArchive)
	} else if !errors.Is(err, io.EOF) {
		return m, notWhole(err)
	}
	if _, err := io.Copy(io.Discard, zipped); err != nil { // its checksum comes last
		return m, notWhole(err)
	}
	return m, m.parse(data, found)
}

// parse reads a manifest and compares the files with it.
func (m *Manifest) parse(data []byte, found []ManifestFile) error {
	if err := json.Unmarshal(data, m); err != nil {
		return fmt.Errorf("%w: its manifest: %w", errArchive, err)
	}
	if m.Format != archiveFormat {
		return fmt.Errorf("%w that this program knows: it has format %d, this is %d; use a newer program", errArchive,
			m.Format, archiveFormat)
	}
	for i, f := range found {
		if i >= len(m.Files) || m.Files[i] != f {
			return fmt.Errorf("%w: %s is not what was written (checksum)", errArchive, f.Name)
		}
	}
	if len(found) < len(m.Files) {
		return fmt.Errorf("%w: %s is missing", errArchive, m.Files[len(found)].Name)
	}
	return nil
}

// notWhole tells what the archive is to blame for from what it isn't.
func notWhole(err error) error {
	_, deflate := errors.AsType[flate.CorruptInputError](err)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it is cut short", errArchive)
	case deflate, errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, tar.ErrHeader):
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	return err
}

// A reader ends with its context.
type reader struct {
	ctx context.Context
	io.Reader
}

func (r *reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}
