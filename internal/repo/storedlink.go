package repo

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A recordKind says what a file record tells of.
type recordKind int

const (
	fileRecord    recordKind = iota // a regular file
	folderRecord                    // a folder whose files have no records
	linkRecord                      // a symlink
	specialRecord                   // a FIFO, a socket, a device
	oddRecord                       // a name that can't be a path here
)

func kindOfRecord(rec models.FileRecord) recordKind {
	switch {
	case rec.Skipped == models.SkipSymlink:
		return linkRecord
	case rec.Skipped == models.SkipIrregular && rec.Detail == listing.NestedRepository,
		rec.Skipped == models.SkipUnreadable && (rec.Detail == listing.UnreadableFolder || rec.Detail == listing.DeepFolder):
		return folderRecord
	case rec.Skipped == models.SkipIrregular:
		return specialRecord
	case rec.Skipped == models.SkipUnreadable && (rec.Detail == relpath.NotUTF8 || rec.Detail == relpath.HasControls):
		return oddRecord
	}
	return fileRecord
}

func entryOfRecord(rec models.FileRecord) disk.Entry {
	return disk.Entry{Path: rec.Path, Size: rec.Size, ModTime: rec.ModTime, Changed: rec.Changed}
}

// entry is a record as ReadDir shows it, a symlink as what it leads to; false
// when it does not.
func (l *knownFiles) entry(rec models.FileRecord) (disk.DirEntry, bool) {
	switch kindOfRecord(rec) {
	case fileRecord:
		return disk.DirEntry{Entry: entryOfRecord(rec)}, true
	case folderRecord:
		return disk.DirEntry{IsDir: true}, true
	case linkRecord:
		if target, isFile := strings.CutPrefix(rec.Detail, disk.LinkToFile); isFile {
			to, _ := l.at(target) // ignored files have no record
			return disk.DirEntry{Entry: entryOfRecord(to)}, true
		}
		return disk.DirEntry{IsDir: true}, strings.HasPrefix(rec.Detail, disk.LinkToFolder)
	default:
		return disk.DirEntry{}, false
	}
}

// resolve follows the symlinks of a clean path, as Tree.resolve does with those
// on disk. The path that it returns need not exist.
func (l *knownFiles) resolve(p string) (string, error) {
	for range disk.MaxLinks {
		link, rest := l.linkIn(p)
		if link == "" {
			return p, nil
		}
		rec, _ := l.at(link)
		folder, isFolder := strings.CutPrefix(rec.Detail, disk.LinkToFolder)
		file, isFile := strings.CutPrefix(rec.Detail, disk.LinkToFile)
		switch {
		case isFolder:
			if p = path.Join(folder, rest); p == "." {
				p = ""
			}
		case isFile && rest == "":
			p = file
		case rec.Detail == disk.LinkLeaves:
			return "", disk.ErrLeaves
		case rec.Detail == disk.LinkLoop:
			return "", disk.ErrLoop
		case rec.Detail == disk.LinkToSpecial && rest == "":
			return "", disk.NotAFile(p, fs.ModeIrregular)
		default:
			return "", fmt.Errorf("follow %s: %w", link, fs.ErrNotExist)
		}
	}
	return "", disk.ErrLoop
}

// linkIn is the first symlink in a path, and what follows it.
func (l *knownFiles) linkIn(p string) (link, rest string) {
	for at := 0; at < len(p); {
		end := strings.IndexByte(p[at:], '/')
		if end < 0 {
			end = len(p) - at
		}
		at += end
		if rec, ok := l.at(p[:at]); ok && kindOfRecord(rec) == linkRecord {
			return p[:at], strings.TrimPrefix(p[at:], "/")
		}
		at++
	}
	return "", ""
}
