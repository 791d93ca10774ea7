package listing

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// Ignored lists what List leaves out because a rule says so, with that rule, in
// path order. A folder of which nothing is listed is one entry, whose path ends
// in "/"; Size is that of files. Folders that are never listed, such as .git,
// are not in it.
func Ignored(ctx context.Context, t *disk.Folder, limits Limits) ([]models.FileRecord, error) {
	found := map[string]string{} // path → rule
	note := func(p string, by *rule) { found[p] = by.String() }
	in, err := t.IsGit(ctx)
	if err != nil {
		return nil, err
	}
	if !in {
		w := walker{tree: t, dirs: newFolders(t, limits, bothRules), excluded: note}
		if err := w.walk(ctx, ""); err != nil {
			return nil, err
		}
		return ignoredRecords(t, found), nil
	}
	if err := gitIgnored(ctx, t, found); err != nil {
		return nil, err
	}
	paths, err := gitFiles(ctx, t)
	if err != nil {
		return nil, err
	}
	dirs := newFolders(t, limits, secondRules(t))
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dirs.noteExcluded(strings.TrimSuffix(p, "/"), note)
	}
	return ignoredRecords(t, found), nil
}

// noteExcluded tells the rule that excludes a file, or the outermost folder
// above it that is excluded.
func (fs *folders) noteExcluded(p string, note func(string, *rule)) {
	dir := fs.at(relpath.Parent(p))
	switch dir.state {
	case listed:
		if by := dir.excludes(p, false); by != nil && !relpath.Hidden(relpath.Base(p)) {
			note(p, by)
		}
	case stateIgnored:
		for dir.parent.state == stateIgnored {
			dir = dir.parent
		}
		note(dir.path+"/", dir.by)
	case stateHidden, stateLink, stateGone:
	}
}

// gitIgnored adds what git ignores.
func gitIgnored(ctx context.Context, t *disk.Folder, found map[string]string) error {
	paths, _, err := lsFiles(ctx, t, "-o", "-i", "--exclude-standard", "--directory")
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths,
		func(p string) bool { return slices.ContainsFunc(strings.Split(p, "/"), relpath.Hidden) })
	rules, err := rulesOfGit(ctx, t, paths)
	if err != nil {
		return err
	}
	for _, p := range paths {
		if rule, ok := rules[p]; ok { // a folder in which all happens to be ignored has none, its files have
			found[p] = rule
		}
	}
	return nil
}

func ignoredRecords(t *disk.Folder, found map[string]string) []models.FileRecord {
	records := make([]models.FileRecord, 0, len(found))
	for p, detail := range found {
		rec := models.FileRecord{Path: p, Skipped: models.SkipIgnored, Detail: detail}
		if info, err := t.Lstat(strings.TrimSuffix(p, "/")); err == nil && info.Mode().IsRegular() {
			rec.Size = info.Size()
		}
		if relpath.Odd(p) != "" {
			rec.Path = relpath.Printable(p)
		}
		records = append(records, rec)
	}
	slices.SortFunc(records, func(a, b models.FileRecord) int { return cmp.Compare(a.Path, b.Path) })
	return records
}
