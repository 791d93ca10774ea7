package change

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/pattern"
)

// A File is a file before and after an edit; nil where it is not there.
type File struct {
	Path     string
	Old, New *string
}

// A Diff is what edits files, as a unified diff says: in the order of their names there,
// of each all parts that are about it.
type Diff struct {
	files  [][]*gitdiff.File
	Binary []string // paths of files of which it only says that they differ
}

// Parse reads a unified diff, as git writes it. Submodules are as binary files. What is none is
// fault.InvalidRequest.
func Parse(diff string) (Diff, error) {
	if wholeReturns(diff) {
		diff = strings.ReplaceAll(diff, "\r\n", "\n")
	}
	if combined().MatchString(diff) {
		return Diff{}, fault.New(fault.InvalidRequest, "diff: it is a combined one, of a merge, which leaves out what is as "+
			"on one side; send one against a parent, as git diff MERGE^ MERGE writes it")
	}
	diff = bareHeader().ReplaceAllStringFunc(diff, prefixed)
	parsed, _, err := gitdiff.Parse(strings.NewReader(diff))
	if err != nil {
		return Diff{}, fault.New(fault.InvalidRequest, "diff: %s; send a unified diff, as git diff writes it",
			strings.TrimPrefix(err.Error(), "gitdiff: "))
	}
	if len(parsed) == 0 {
		return Diff{}, fault.New(fault.InvalidRequest, "diff: no file is in it; send a unified diff, as git diff writes it")
	}
	var d Diff
	at := map[string]int{}
	for _, f := range parsed {
		if f.IsBinary || f.OldMode == submodule || f.NewMode == submodule {
			d.Binary = append(d.Binary, cmp.Or(f.NewName, f.OldName))
			continue
		}
		for _, one := range apart(f) {
			name := cmp.Or(one.NewName, one.OldName)
			if one.IsDelete {
				name = cmp.Or(one.OldName, name)
			}
			i, again := at[name]
			if !again {
				i = len(d.files)
				at[name], d.files = i, append(d.files, nil)
			}
			d.files[i] = append(d.files[i], one)
		}
	}
	return d, nil
}

var (
	// combined is how git begins to say what a merge changed against both of its parents.
	combined = pattern.NewLazy(`(?m)^diff --(?:cc|combined) `)
	// bareHeader is the head of a file in a diff, which diff.noprefix of git makes so that it
	// lacks the a/ and b/ that are taken off else.
	bareHeader = pattern.NewLazy(`(?m)^diff --git (\S+) (\S+)\n` +
		`(?:(?:index|new|old|deleted|similarity|dissimilarity) .*\n)*(?:--- .*\n\+\+\+ .*\n)?`)
)

// prefixed is the head of a file with the prefixes that git writes.
func prefixed(head string) string {
	m := bareHeader().FindStringSubmatch(head)
	if m[1] != m[2] {
		return head
	}
	head = strings.Replace(head, m[1]+" "+m[2]+"\n", "a/"+m[1]+" b/"+m[2]+"\n", 1)
	head = strings.Replace(head, "\n--- "+m[1]+"\n", "\n--- a/"+m[1]+"\n", 1)
	return strings.Replace(head, "\n+++ "+m[2]+"\n", "\n+++ b/"+m[2]+"\n", 1)
}

// Files are both sides of the files of a diff, which are read by read, which gives nil
// for one that is not there. The files may be as they were before the edit or as they
// are behind it; what fits neither is fault.InvalidRequest. Ends of lines need not be
// those of the files.
func (d Diff) Files(read func(path string) (*string, error)) ([]File, error) {
	files := make([]File, 0, len(d.files))
	for _, parts := range d.files {
		f, err := series(distinct(parts), read)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// distinct are parts, those that say the same once.
func distinct(parts []*gitdiff.File) []*gitdiff.File {
	if len(parts) < 2 {
		return parts
	}
	said := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(parts), func(f *gitdiff.File) bool {
		text := f.String()
		again := said[text]
		said[text] = true
		return again
	})
}

// series is a file with several edits of which each begins where the one before it
// ended: the file is as it is before or behind the first or behind the last.
func series(parts []*gitdiff.File, read func(path string) (*string, error)) (File, error) {
	first, err := fitted(parts[0], read)
	all, last := first, len(parts)-1
	for i := 1; i <= last && err == nil; i++ {
		var next File
		next, err = fitted(parts[i], giving(all.New))
		if err == nil && !same(next.Old, all.New) {
			err = misfit(next.Path)
		}
		all.New = next.New
	}
	if err == nil || last == 0 {
		return all, err
	}
	if all, err = fitted(parts[last], read); err != nil {
		return File{}, err
	}
	for i := last - 1; i >= 0; i-- {
		before, err := fitted(parts[i], giving(all.Old))
		if err == nil && !same(before.New, all.Old) {
			err = misfit(before.Path)
		}
		if err != nil {
			return File{}, err
		}
		all.Old = before.Old
	}
	return all, nil
}

func giving(text *string) func(string) (*string, error) {
	return func(string) (*string, error) { return text, nil }
}

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// misfit is the error of an edit that does not fit its file.
func misfit(name string) error {
	return fault.New(fault.InvalidRequest,
		"diff: it fits %s neither as it was before the edit nor as it is behind it", name)
}

// wholeReturns reports whether all lines of a diff were made to end with carriage
// returns, not just those of files.
func wholeReturns(diff string) bool {
	if !strings.Contains(diff, "\r\n") {
		return false
	}
	for line := range strings.Lines(diff) {
		if (strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "+++ ")) && strings.HasSuffix(line, "\r\n") {
			return true
		}
	}
	return false
}

// submodule is the mode of a commit of another repository.
const submodule = 0o160000

// apart takes a file that was renamed for one that went and one that came.
func apart(f *gitdiff.File) []*gitdiff.File {
	if f.IsNew || f.IsDelete || f.OldName == f.NewName {
		return []*gitdiff.File{f}
	}
	came := *f
	came.IsNew = true
	if f.IsCopy {
		return []*gitdiff.File{&came}
	}
	gone := *f
	gone.IsDelete = true
	return []*gitdiff.File{&gone, &came}
}

// bare is a path without the a/ or b/ that git writes, which the parser takes off
// only below a line of git's.
func bare(name string, read func(path string) (*string, error)) string {
	short, ok := strings.CutPrefix(name, "a/")
	if !ok {
		short, ok = strings.CutPrefix(name, "b/")
	}
	if !ok {
		return name
	}
	if text, err := read(name); err != nil || text != nil {
		return name
	}
	return short
}

// fitted finds the two sides of a file, one of which is on disk.
func fitted(f *gitdiff.File, read func(path string) (*string, error)) (File, error) {
	renamed := f.OldName != f.NewName && f.OldName != "" && f.NewName != ""
	from, to := f.OldName, f.NewName
	if !renamed {
		from, to = bare(from, read), bare(to, read)
	}
	if f.IsNew && !renamed {
		from = ""
	}
	if f.IsDelete && !renamed {
		to = ""
	}
	before, err := contents(from, read)
	if err != nil {
		return File{}, err
	}
	behind, err := contents(to, read)
	if err != nil {
		return File{}, err
	}
	if before == nil && behind == nil && !f.IsNew && !f.IsDelete {
		return File{}, fault.New(fault.InvalidRequest, "diff: there is no file %.200q in the repository", cmp.Or(to, from))
	}
	old, now, ok := sides(f, before, behind)
	if !ok {
		f = withoutReturns(f)
		old, now, ok = sides(f, bareLines(before), bareLines(behind))
	}
	if !ok {
		name := to
		if name == "" {
			name = from
		}
		return File{}, misfit(name)
	}
	switch {
	case renamed && f.IsNew:
		return File{Path: to, New: now}, nil
	case renamed && f.IsDelete:
		return File{Path: from, Old: old}, nil
	case to == "":
		return File{Path: from, Old: old}, nil
	case from == "":
		return File{Path: to, New: now}, nil
	}
	return File{Path: to, Old: old, New: now}, nil
}

// bareLines is a text whose lines end with a line feed alone.
func bareLines(text *string) *string {
	if text == nil || !strings.Contains(*text, "\r\n") {
		return text
	}
	return new(strings.ReplaceAll(*text, "\r\n", "\n"))
}

// withoutReturns is an edit of lines that end with a line feed alone.
func withoutReturns(f *gitdiff.File) *gitdiff.File {
	bare := *f
	bare.TextFragments = nil
	for _, part := range f.TextFragments {
		p := *part
		p.Lines = slices.Clone(part.Lines)
		for i := range p.Lines {
			if line, ok := strings.CutSuffix(p.Lines[i].Line, "\r\n"); ok {
				p.Lines[i].Line = line + "\n"
			}
		}
		bare.TextFragments = append(bare.TextFragments, &p)
	}
	return &bare
}

func contents(path string, read func(path string) (*string, error)) (*string, error) {
	if path == "" {
		return nil, nil
	}
	return read(path)
}

// sides are the texts before and behind an edit, made from the one that is
// there.
func sides(f *gitdiff.File, before, behind *string) (old, now *string, ok bool) {
	empty := ""
	if before == nil && f.OldName == "" || before != nil {
		if text, fits := apply(f, orEmpty(before, &empty)); fits {
			return before, &text, true
		}
	}
	if behind == nil && f.NewName != "" {
		return nil, nil, false
	}
	if text, fits := apply(reversed(f), orEmpty(behind, &empty)); fits {
		return &text, behind, true
	}
	return nil, nil, false
}

func orEmpty(s, empty *string) string {
	if s == nil {
		return *empty
	}
	return *s
}

func apply(f *gitdiff.File, text string) (string, bool) {
	var out bytes.Buffer
	plain := &gitdiff.File{TextFragments: f.TextFragments}
	if err := gitdiff.Apply(&out, strings.NewReader(text), plain); err != nil {
		return "", false
	}
	return out.String(), true
}

// reversed is the edit that takes another one back.
func reversed(f *gitdiff.File) *gitdiff.File {
	back := &gitdiff.File{}
	for _, part := range f.TextFragments {
		r := *part
		r.OldPosition, r.NewPosition = part.NewPosition, part.OldPosition
		r.OldLines, r.NewLines = part.NewLines, part.OldLines
		r.LinesAdded, r.LinesDeleted = part.LinesDeleted, part.LinesAdded
		r.Lines = slices.Clone(part.Lines)
		for i, l := range r.Lines {
			switch l.Op {
			case gitdiff.OpAdd:
				r.Lines[i].Op = gitdiff.OpDelete
			case gitdiff.OpDelete:
				r.Lines[i].Op = gitdiff.OpAdd
			case gitdiff.OpContext:
			}
		}
		back.TextFragments = append(back.TextFragments, &r)
	}
	return back
}
