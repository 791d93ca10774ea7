package listing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// WhyIgnored says why List leaves out an existing file or folder, with the rule
// or limit behind the reason; "" when List with the same limits does not.
// The path is as clients give it; a missing one is PathNotFound, unless git keeps
// it out of the work tree.
func WhyIgnored(ctx context.Context, t *disk.Folder, name string, limits Limits) (models.SkipReason, string, error) {
	p, err := relpath.Clean(name)
	if err != nil {
		return "", "", err
	}
	if _, err := t.IsGit(ctx); err != nil {
		return "", "", err
	}
	info, err := t.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		sparse, err := sparse(ctx, t, p)
		if err != nil {
			return "", "", err
		}
		if sparse {
			return models.SkipIgnored, "not in the sparse checkout; `git sparse-checkout add` brings it here", nil
		}
	}
	if err != nil {
		return "", "", disk.Fault(name, err)
	}
	if p == "" {
		return "", "", nil
	}
	if reason, detail := whyFolder(t, p, info.IsDir(), limits); reason != "" {
		return reason, detail, nil
	}
	if rule, err := gitRule(ctx, t, p); err != nil || rule != "" {
		return models.SkipIgnored, rule, err
	}
	if info.IsDir() {
		return whyEmpty(ctx, t, p)
	}
	if detail := relpath.Odd(p); detail != "" {
		return models.SkipUnreadable, detail, nil
	}
	reason, detail := judge(t, p, info, limits)
	return reason, detail, nil
}

// whyEmpty says that an empty folder is a submodule's, whose files are elsewhere.
func whyEmpty(ctx context.Context, t *disk.Folder, dir string) (models.SkipReason, string, error) {
	entries, unread := t.ReadFolder(dir)
	if unread == nil && len(entries) == 0 && t.Git() {
		tracked, _, err := lsFiles(ctx, t, "-s", "--", dir)
		if err != nil || len(tracked) == 0 || !strings.HasPrefix(tracked[0], gitlink) {
			return "", "", err
		}
		return models.SkipIrregular, "a submodule that is not checked out; `git submodule update --init` brings its files",
			nil
	}
	return "", "", nil
}

// gitlink is the mode of a submodule in git's index.
const gitlink = "160000 "

// sparse reports whether a file, or something in a folder, is tracked by git and
// kept out of the work tree.
func sparse(ctx context.Context, t *disk.Folder, p string) (bool, error) {
	if !t.Git() {
		return false, nil
	}
	found, _, err := lsFiles(ctx, t, "-t", "--", p)
	return len(found) > 0 && strings.HasPrefix(found[0], "S "), err
}

// whyFolder judges by the folders above a path and by the rules that are not git's own.
func whyFolder(t *disk.Folder, p string, isDir bool, limits Limits) (models.SkipReason, string) {
	kinds := bothRules
	if t.Git() {
		kinds = []string{ragnavRules}
	}
	dirs := newFolders(t, limits, kinds)
	dir := dirs.at(relpath.Parent(p))
	if isDir && dirs.at(p).state == stateDeep {
		return models.SkipUnreadable, DeepFolder
	}
	switch dir.state {
	case stateHidden:
		return models.SkipIgnored, "in a folder that is never listed"
	case stateIgnored:
		return models.SkipIgnored, dir.by.String()
	case stateLink, stateGone:
		return models.SkipSymlink, "reached through a symlink to a folder"
	case stateDeep:
		return models.SkipUnreadable, DeepFolder
	case listed:
	}
	if relpath.Hidden(relpath.Base(p)) || isDir && dirs.at(p).state == stateHidden {
		return models.SkipIgnored, "never listed"
	}
	if by := dir.excludes(p, isDir); by != nil {
		return models.SkipIgnored, by.String()
	}
	inner := relpath.Parent(p)
	if isDir {
		inner = p
	}
	if nested := nestedRepo(t, inner); nested != "" {
		return models.SkipIrregular, fmt.Sprintf("in the submodule or nested repository %s; index it on its own", nested)
	}
	return "", ""
}

// nestedRepo is the outermost folder above or at dir, below the root, that is a
// repository of its own in this git tree.
func nestedRepo(t *disk.Folder, dir string) string {
	if !t.Git() || dir == "" {
		return ""
	}
	if outer := nestedRepo(t, relpath.Parent(dir)); outer != "" {
		return outer
	}
	if _, err := t.Lstat(path.Join(dir, ".git")); err != nil {
		return ""
	}
	return dir
}

// gitRule is the git rule that ignores a path, for people; "" when none does.
func gitRule(ctx context.Context, t *disk.Folder, p string) (string, error) {
	if !t.Git() || p == "" {
		return "", nil
	}
	rules, err := rulesOfGit(ctx, t, []string{p})
	return rules[p], err
}

// rulesOfGit are the git rules that ignore paths, for people, by path.
func rulesOfGit(ctx context.Context, t *disk.Folder, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	found, err := checkIgnore(ctx, t, paths, "-v")
	if err != nil {
		return nil, err
	}
	rules := map[string]string{}
	for match := range slices.Chunk(found, 4) { // file, line, rule, path
		if len(match) == 4 && !strings.HasPrefix(match[2], "!") {
			rules[strings.TrimPrefix(match[3], "./")] = fmt.Sprintf("rule %q in %s line %s", match[2], ruleFile(match[0]),
				match[1])
		}
	}
	return rules, nil
}

// checkIgnore is what "git check-ignore" prints about paths, with an option.
func checkIgnore(ctx context.Context, t *disk.Folder, paths []string, option string) ([]string, error) {
	// check-ignore takes no --literal-pathspecs; "./" keeps ":(top)" a name
	out, _, err := git.Read(ctx, git.Command{
		Dir: t.Root(), Stdin: "./" + strings.Join(paths, "\x00./") + "\x00",
		Args: []string{"check-ignore", option, "-z", "--stdin"},
	})
	if git.SaidNo(err) {
		return nil, nil
	}
	if err != nil {
		return nil, git.Fault(err)
	}
	return nulFields(t, out)
}

// ruleFile names the file of a git rule without telling folders of this machine.
func ruleFile(source string) string {
	if filepath.IsAbs(source) {
		return "git's " + filepath.Base(source)
	}
	return source
}
