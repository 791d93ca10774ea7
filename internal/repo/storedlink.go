package repo

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
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
	case rec.Skipped == models.SkipIrregular && rec.Detail == nestedRepository,
		rec.Skipped == models.SkipUnreadable && rec.Detail == unreadableFolder:
		return folderRecord
	case rec.Skipped == models.SkipIrregular:
		return specialRecord
	case rec.Skipped == models.SkipUnreadable && (rec.Detail == notUTF8 || rec.Detail == hasControls):
		return oddRecord
	}
	return fileRecord
}

func entryOfRecord(rec models.FileRecord) Entry {
	return Entry{Path: rec.Path, Size: rec.Size, ModTime: rec.ModTime, Changed: rec.Changed}
}

// entry is a record as ReadDir shows it, a symlink as what it leads to; false
// when it does not.
func (l *listing) entry(rec models.FileRecord) (DirEntry, bool) {
	switch kindOfRecord(rec) {
	case fileRecord:
		return DirEntry{Entry: entryOfRecord(rec)}, true
	case folderRecord:
		return DirEntry{IsDir: true}, true
	case linkRecord:
		if target, isFile := strings.CutPrefix(rec.Detail, linkToFile); isFile {
			to, _ := l.at(target) // ignored files have no record
			return DirEntry{Entry: entryOfRecord(to)}, true
		}
		return DirEntry{IsDir: true}, strings.HasPrefix(rec.Detail, linkToFolder)
	default:
		return DirEntry{}, false
	}
}

// resolve follows the symlinks of a clean path, as Tree.resolve does with those
// on disk. The path that it returns need not exist.
func (l *listing) resolve(p string) (string, error) {
	for range maxLinks {
		link, rest := l.linkIn(p)
		if link == "" {
			return p, nil
		}
		rec, _ := l.at(link)
		folder, isFolder := strings.CutPrefix(rec.Detail, linkToFolder)
		file, isFile := strings.CutPrefix(rec.Detail, linkToFile)
		switch {
		case isFolder:
			if p = path.Join(folder, rest); p == "." {
				p = ""
			}
		case isFile && rest == "":
			p = file
		case rec.Detail == linkLeaves:
			return "", errLeaves
		case rec.Detail == linkLoop:
			return "", errLoop
		case rec.Detail == linkToSpecial && rest == "":
			return "", notAFile(p, fs.ModeIrregular)
		default:
			return "", fmt.Errorf("follow %s: %w", link, fs.ErrNotExist)
		}
	}
	return "", errLoop
}

// linkIn is the first symlink in a path, and what follows it.
func (l *listing) linkIn(p string) (link, rest string) {
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
