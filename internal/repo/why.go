package repo

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
)

// WhyIgnored says why List leaves out an existing file or folder, with the rule
// or limit behind the reason; "" when List with the same limits does not.
// The path is as clients give it; a missing one is PathNotFound, unless git keeps
// it out of the work tree.
func (t *Tree) WhyIgnored(ctx context.Context, name string, limits Limits) (models.SkipReason, string, error) {
	p, err := CleanPath(name)
	if err != nil {
		return "", "", err
	}
	if _, err := t.IsGit(ctx); err != nil {
		return "", "", err
	}
	info, err := t.dir.Lstat(orDot(p))
	if errors.Is(err, fs.ErrNotExist) {
		sparse, err := t.sparse(ctx, p)
		if err != nil {
			return "", "", err
		}
		if sparse {
			return models.SkipIgnored, "not in the sparse checkout; `git sparse-checkout add` brings it here", nil
		}
	}
	if err != nil {
		return "", "", fileFault(name, err)
	}
	if p == "" {
		return "", "", nil
	}
	if reason, detail := t.whyFolder(p, info.IsDir(), limits); reason != "" {
		return reason, detail, nil
	}
	if rule, err := t.gitRule(ctx, p); err != nil || rule != "" {
		return models.SkipIgnored, rule, err
	}
	if info.IsDir() {
		return "", "", nil
	}
	if detail := oddName(p); detail != "" {
		return models.SkipUnreadable, detail, nil
	}
	reason, detail := t.judge(p, info, limits)
	return reason, detail, nil
}

// sparse reports whether a file, or something in a folder, is tracked by git and
// kept out of the work tree.
func (t *Tree) sparse(ctx context.Context, p string) (bool, error) {
	if !t.git {
		return false, nil
	}
	found, _, err := t.lsFiles(ctx, "-t", "--", p)
	return len(found) > 0 && strings.HasPrefix(found[0], "S "), err
}

// whyFolder judges by the folders above a path and by the rules that are not git's own.
func (t *Tree) whyFolder(p string, isDir bool, limits Limits) (models.SkipReason, string) {
	kinds := bothRules
	if t.git {
		kinds = []string{ragnavRules}
	}
	dirs := t.newFolders(limits, kinds)
	dir := dirs.at(parentOf(p))
	switch dir.state {
	case stateHidden:
		return models.SkipIgnored, "in a folder that is never listed"
	case stateIgnored:
		return models.SkipIgnored, dir.by.String()
	case stateLink, stateGone:
		return models.SkipSymlink, "reached through a symlink to a folder"
	case listed:
	}
	if hidden(baseOf(p)) || isDir && dirs.at(p).state == stateHidden {
		return models.SkipIgnored, "never listed"
	}
	if by := dir.excludes(p, isDir); by != nil {
		return models.SkipIgnored, by.String()
	}
	inner := parentOf(p)
	if isDir {
		inner = p
	}
	if nested := t.nestedRepo(inner); nested != "" {
		return models.SkipIrregular, fmt.Sprintf("in the submodule or nested repository %s; index it on its own", nested)
	}
	return "", ""
}

// nestedRepo is the outermost folder above or at dir, below the root, that is a
// repository of its own in this git tree.
func (t *Tree) nestedRepo(dir string) string {
	if !t.git || dir == "" {
		return ""
	}
	if outer := t.nestedRepo(parentOf(dir)); outer != "" {
		return outer
	}
	if _, err := t.dir.Lstat(path.Join(dir, ".git")); err != nil {
		return ""
	}
	return dir
}

// gitRule is the git rule that ignores a path, for people; "" when none does.
func (t *Tree) gitRule(ctx context.Context, p string) (string, error) {
	if !t.git || p == "" {
		return "", nil
	}
	rules, err := t.gitRules(ctx, []string{p})
	return rules[p], err
}

// gitRules are the git rules that ignore paths, for people, by path.
func (t *Tree) gitRules(ctx context.Context, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	found, err := t.checkIgnore(ctx, paths, "-v")
	if err != nil {
		return nil, err
	}
	rules := map[string]string{}
	for match := range slices.Chunk(found, 4) { // file, line, rule, path
		if len(match) == 4 && !strings.HasPrefix(match[2], "!") {
			rules[strings.TrimPrefix(match[3], "./")] = fmt.Sprintf("rule %q in %s line %s", match[2], ruleFile(match[0]), match[1])
		}
	}
	return rules, nil
}

// checkIgnore is what "git check-ignore" prints about paths, with an option.
func (t *Tree) checkIgnore(ctx context.Context, paths []string, option string) ([]string, error) {
	// check-ignore takes no --literal-pathspecs; "./" keeps ":(top)" a name
	out, _, err := readGit(ctx, gitCommand{
		dir: t.root, stdin: "./" + strings.Join(paths, "\x00./") + "\x00",
		args: []string{"check-ignore", option, "-z", "--stdin"},
	})
	if saidNo(err) {
		return nil, nil
	}
	if err != nil {
		return nil, gitFault(err)
	}
	return t.fields(out)
}

// ruleFile names the file of a git rule without telling folders of this machine.
func ruleFile(source string) string {
	if filepath.IsAbs(source) {
		return "git's " + filepath.Base(source)
	}
	return source
}
