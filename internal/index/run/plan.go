package run

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A plan says what a run has to do after listing.
type plan struct {
	same    []*models.FileRecord // of files that are as their records say
	read    []task               // files to look into
	skipped []models.FileRecord  // files left out without reading them, whose records change
	gone    []string             // files with a record that are no longer there
}

// A task is a file to look into and its record of the last run, or nil.
type task struct {
	entry disk.Entry
	old   *models.FileRecord
}

// again is the task to look into a file as its record says it is.
func again(rec *models.FileRecord) task {
	return task{disk.Entry{Path: rec.Path, Size: rec.Size, ModTime: rec.ModTime, Changed: rec.Changed}, rec}
}

// plan compares the files on disk in a scope with the records of the last run.
func (l *looker) plan(found listing.Listing, of scope) plan {
	var p plan
	here := make(map[string]bool, len(found.Files)+len(found.Skipped))
	for _, rec := range found.Skipped {
		here[rec.Path] = true
		if old := l.files[rec.Path]; old != nil && sameSkip(*old, rec) {
			p.same = append(p.same, old)
		} else {
			p.skipped = append(p.skipped, rec)
		}
	}
	for _, e := range found.Files {
		here[e.Path] = true
		if old := l.files[e.Path]; !l.anew(e.Path) && old != nil && untouched(*old, e) && l.settled(*old) && !l.dated(*old) {
			p.same = append(p.same, old)
		} else {
			p.read = append(p.read, task{e, old})
		}
	}
	for file := range l.files {
		if !here[file] && of.holds(file) {
			p.gone = append(p.gone, file)
		}
	}
	slices.Sort(p.gone)
	l.vectors.NoteGone(p.gone, l.files)
	return p
}

// untouched reports that a file need not be read: size and times are those of
// its record, and the times tell versions apart. The time of the last change
// counts because a file may have another content, or be closed to this program,
// with size and modification time as they were: a package unpacked over another
// one, chmod, two files that changed names.
func untouched(old models.FileRecord, e disk.Entry) bool {
	return old.Size == e.Size && old.ModTime == e.ModTime && old.Changed == e.Changed && !old.Racy && !unread(old)
}

// dated reports that a file would be read otherwise than it was: by other rules,
// or by grammars that this build has for it and the build of the last run had not.
func (l *looker) dated(old models.FileRecord) bool {
	if old.Hash != "" && old.Revision != l.Config.Revision() {
		return true
	}
	return old.Skipped == "" && old.Grammar < l.Config.parser().Revision(old.Path, old.Language)
}

// unread reports that a file was left out without looking at its content.
func unread(rec models.FileRecord) bool { return rec.Skipped != "" && rec.Hash == "" }

// sameSkip reports that the record of a file left out stays as it is.
func sameSkip(old, rec models.FileRecord) bool {
	return old.Skipped == rec.Skipped && old.Detail == rec.Detail && old.Hash == rec.Hash && old.Racy == rec.Racy &&
		old.Size == rec.Size && old.ModTime == rec.ModTime && old.Changed == rec.Changed && old.Stored == rec.Stored &&
		old.Revision == rec.Revision && len(old.Documents) == 0
}

// maxPaths is how many paths an update looks at one by one. Listing everything
// is as quick beyond that.
const maxPaths = 200

// inPart reports whether a run may look at the changed paths alone: the last run
// came to its end over the same commit with the same settings, and nothing
// changed that decides about other files.
func inPart(on *Site, s *state) bool {
	sp := on.Job.Spec
	return len(sp.Paths) > 0 && len(sp.Paths) <= maxPaths && !slices.ContainsFunc(sp.Paths, farReaching) &&
		s.fresh && !s.full && !s.rebuild && s.repo.LastError == "" &&
		s.repo.LastIndexedCommit == on.origin.Commit && s.repo.Stored == on.Config.StoreContent
}

// farReaching reports whether a change of that path can change what is listed
// elsewhere.
func farReaching(p string) bool {
	return p == "" || p == "." || listing.HoldsRules(p) || slices.Contains(strings.Split(p, "/"), ".git")
}

// A scope is the paths that a run looks at, with all below them; nil is all.
type scope map[string]bool

func scopeOf(paths []string) scope {
	s := make(scope, len(paths))
	for _, p := range paths {
		s[p] = true
	}
	return s
}

func (s scope) holds(file string) bool {
	if s == nil {
		return true
	}
	for ; file != compose.RootDir; file = path.Dir(file) {
		if s[file] {
			return true
		}
	}
	return false
}
