package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A failing is a way in which system calls fail while a program runs.
// Preparing it returns the words before the program, what to tell, and how to
// withdraw it.
type failing struct {
	name    string
	needs   []string // programs of this machine
	apply   func(ctx context.Context, w *world, random *rand.Rand) (failure, error)
	live    bool // it can come over a running server: by strace -p
	answers bool // it is in the way of no reading command
}

// A failure is a failing that is in force.
type failure struct {
	before   []string
	what     string
	log      string // of strace
	withdraw func() error
}

var failings = []failing{
	injected("EIO reading", "EIO", "pread64,read", "openat"),
	injected("EIO writing", "EIO", "write,pwrite64", "fsync,fdatasync", "write,pwrite64,fsync,fdatasync,ftruncate"),
	injected("EACCES injected", "EACCES", "openat", "openat,renameat,renameat2,unlinkat,mkdirat"),
	injected("EMFILE injected", "EMFILE", "openat"),
	injected("ENOSPC injected", "ENOSPC", "write,pwrite64", "write,pwrite64,ftruncate,fallocate,fsync,openat"),
	injected("EIO renaming", "EIO", "rename,renameat,renameat2,unlinkat"),
	injected("ENOMEM mapping", "ENOMEM", "mmap"),
	{name: "EMFILE by limit", needs: []string{"prlimit"}, apply: fewFiles},
	{name: "EACCES by owner", needs: []string{"setpriv"}, apply: notMine},
	{name: "ENOSPC of a full disk", needs: []string{"mount"}, apply: fullDisk},
	{name: "EROFS", needs: []string{"mount"}, apply: readOnly, answers: true},
}

// injected lets calls on files of the data directory fail, by strace.
func injected(name, errno string, choices ...string) failing {
	apply := func(_ context.Context, w *world, random *rand.Rand) (failure, error) {
		words, what, err := injection(w, random, errno, choices)
		log := w.at("strace.log")
		return failure{before: append([]string{"strace", "-D", "-A", "-o", log}, words...), what: what, log: log}, err
	}
	return failing{name: name, needs: []string{"strace"}, apply: apply, live: true}
}

func injection(w *world, random *rand.Rand, errno string, choices []string) (words []string, what string, err error) {
	calls := choices[random.IntN(len(choices))]
	when := fmt.Sprint(1 + random.IntN(8))
	when += []string{"", "+", "+2"}[random.IntN(3)]
	paths, err := touched(w.data())
	if err != nil {
		return nil, "", err
	}
	if random.IntN(3) == 0 { // one file only
		paths = paths[:1+random.IntN(len(paths))]
		paths = paths[len(paths)-1:]
		what = " of " + filepath.Base(paths[0])
		when = []string{"1+", "2+", "1", "2"}[random.IntN(4)]
	}
	words = []string{
		"-f", "-qqq", "-e", "signal=none", "-e", "trace=" + calls, "-e",
		fmt.Sprintf("inject=%s:error=%s:when=%s", calls, errno, when),
	}
	for _, path := range paths {
		words = append(words, "-P", path)
	}
	return words, fmt.Sprintf("%s: %s%s, when=%s", calls, errno, what, when), nil
}

// touched are the paths of a data directory that exist, and those that a program
// is likely to make.
func touched(dir string) ([]string, error) {
	paths, err := files(dir)
	if err != nil {
		return nil, err
	}
	for _, folder := range []string{"", "text", "rows", "drafts"} {
		paths = append(paths, filepath.Join(dir, folder))
	}
	for i := range 64 {
		paths = append(paths, filepath.Join(dir, "text", fmt.Sprintf("%012x.zap", i)))
	}
	for i := range 4 {
		paths = append(paths, filepath.Join(dir, "rows", fmt.Sprintf("vectors-%d.log", i)))
	}
	for _, repo := range append([]string{epsilon}, indexed...) {
		paths = append(paths, filepath.Join(dir, "drafts", repo))
	}
	return paths, nil
}

func fewFiles(_ context.Context, _ *world, random *rand.Rand) (failure, error) {
	n := 10 + random.IntN(30) // with fewer Go's runtime itself does not start
	return failure{
		before: []string{"prlimit", fmt.Sprintf("--nofile=%d", n)},
		what:   fmt.Sprintf("at most %d open files", n),
	}, nil
}

// notMine has the program run as another user, whom some of the data directory
// belongs to and some doesn't.
func notMine(_ context.Context, w *world, random *rand.Rand) (failure, error) {
	const nobody = 65534
	paths, err := files(w.data())
	if err != nil {
		return failure{}, err
	}
	paths = append(paths, w.data(), filepath.Join(w.data(), "text"), filepath.Join(w.data(), "rows"))
	var kept []string
	all := random.IntN(4) == 0
	for _, path := range paths {
		mine := random.IntN(4) == 0
		if !all && !mine {
			err = os.Chown(path, nobody, nobody)
		} else {
			kept = append(kept, filepath.Base(path))
			err = os.Chmod(path, map[bool]os.FileMode{false: 0o600, true: 0o700}[isDir(path)])
		}
		if err != nil {
			return failure{}, err
		}
	}
	before := []string{"setpriv", fmt.Sprint("--reuid=", nobody), fmt.Sprint("--regid=", nobody), "--clear-groups"}
	withdraw := func() error {
		for _, path := range paths {
			if err := os.Chown(path, 0, 0); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		return nil
	}
	return failure{before: before, what: "another user, not theirs: " + strings.Join(kept, " "), withdraw: withdraw}, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// fullDisk moves the data directory onto a small disk with little room left.
func fullDisk(ctx context.Context, w *world, random *rand.Rand) (failure, error) {
	all, err := sizes(w.data())
	if err != nil {
		return failure{}, err
	}
	var size int64
	for _, n := range all {
		size += (n + 4095) / 4096 * 4096
	}
	room := random.Int64N(size/2) / 4096 * 4096
	if random.IntN(3) == 0 {
		room = 0
	}
	disk := w.at("disk")
	if err := os.MkdirAll(disk, 0o755); err != nil {
		return failure{}, err
	}
	if err := mount(ctx, "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", size+room), "tmpfs", disk); err != nil {
		return failure{}, err
	}
	err = replaceInto(w.data(), disk)
	if err == nil {
		err = mount(ctx, "--bind", disk, w.data())
	}
	withdraw := func() error {
		copied := replaceTree(disk, w.at("copy"))
		for _, at := range []string{w.data(), disk} {
			if err := umount(ctx, at); err != nil {
				return err
			}
		}
		if copied != nil {
			return copied
		}
		return replaceTree(w.at("copy"), w.data())
	}
	return failure{what: fmt.Sprintf("%d KiB free", room/1024), withdraw: withdraw}, err
}

func readOnly(ctx context.Context, w *world, _ *rand.Rand) (failure, error) {
	err := mount(ctx, "--bind", w.data(), w.data())
	if err == nil {
		err = mount(ctx, "-o", "remount,ro,bind", w.data())
	}
	return failure{what: "a read-only medium", withdraw: func() error { return umount(ctx, w.data()) }}, err
}

func mount(ctx context.Context, args ...string) error  { return run(ctx, "mount", args...) }
func umount(ctx context.Context, args ...string) error { return run(ctx, "umount", args...) }

func run(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// replaceInto copies what is in a folder into another one that is there.
func replaceInto(from, to string) error {
	all, err := files(from)
	if err != nil {
		return err
	}
	for _, file := range all {
		rel, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o755); err != nil {
			return err
		}
		if err := copyFile(file, filepath.Join(to, rel)); err != nil {
			return err
		}
	}
	return nil
}
