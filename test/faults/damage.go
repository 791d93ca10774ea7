package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A damage does something to one file of a data directory and tells what.
type damage struct {
	name string
	do   func(d *damaging) (string, error)
}

// damaging is what a damage is done to.
type damaging struct {
	random *rand.Rand
	world  *world
	file   string // that is damaged
	size   int64
}

var damages = []damage{
	{"bit flips", flip},
	{"zeroed pages", zero},
	{"random page", scribble},
	{"truncated", truncate},
	{"emptied", func(d *damaging) (string, error) { return "emptied", os.Truncate(d.file, 0) }},
	{"missing", func(d *damaging) (string, error) { return "deleted", os.Remove(d.file) }},
	{"garbage appended", appendGarbage},
	{"of another store", func(d *damaging) (string, error) { return d.replaced("other") }},
	{"stale copy", func(d *damaging) (string, error) { return d.replaced("stale") }},
	{"folder missing", removeFolder},
	{"a folder instead", folderInstead},
}

// damageRandom damages a file of the world's data directory, larger ones and
// small ones alike.
func damageRandom(w *world, random *rand.Rand, kind damage) (string, error) {
	all, err := files(w.data())
	if err != nil {
		return "", err
	}
	var choice []string
	for _, file := range all {
		if info, err := os.Stat(file); err == nil && info.Size() > 0 && filepath.Base(file) != "owner.json" {
			choice = append(choice, file)
		}
	}
	d := &damaging{random: random, world: w, file: choice[random.IntN(len(choice))]}
	info, err := os.Stat(d.file)
	if err != nil {
		return "", err
	}
	d.size = info.Size()
	what, err := kind.do(d)
	rel, _ := filepath.Rel(w.data(), d.file) // for people
	return rel + ": " + what, err
}

// rewrite changes some bytes in place, as a disk does.
func (d *damaging) rewrite(at int64, change func(page []byte)) error {
	f, err := os.OpenFile(d.file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	page := make([]byte, min(4096, d.size-at))
	if _, err := f.ReadAt(page, at); err != nil && err != io.EOF {
		return err
	}
	change(page)
	_, err = f.WriteAt(page, at)
	return err
}

func flip(d *damaging) (string, error) {
	n := 1 + d.random.IntN(8)
	for range n {
		at := d.random.Int64N(d.size)
		if err := d.rewrite(at, func(page []byte) { page[0] ^= 1 << d.random.IntN(8) }); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d bits flipped", n), nil
}

func (d *damaging) page() int64 { return d.random.Int64N(d.size/4096+1) * 4096 % d.size }

func zero(d *damaging) (string, error) {
	at := d.page()
	return fmt.Sprintf("zeros at %d", at), d.rewrite(at, func(page []byte) { clear(page) })
}

func scribble(d *damaging) (string, error) {
	at := d.page()
	return fmt.Sprintf("noise at %d", at), d.rewrite(at, d.noise)
}

func (d *damaging) noise(page []byte) {
	for i := range page {
		page[i] = byte(d.random.Uint32())
	}
}

func truncate(d *damaging) (string, error) {
	to := d.random.Int64N(d.size)
	if d.random.IntN(3) == 0 {
		to = d.size - 1 - d.random.Int64N(min(64, d.size))
	}
	return fmt.Sprintf("cut to %d of %d", to, d.size), os.Truncate(d.file, max(0, to))
}

func appendGarbage(d *damaging) (string, error) {
	garbage := make([]byte, 1+d.random.IntN(10_000))
	if d.random.IntN(3) > 0 {
		d.noise(garbage)
	}
	f, err := os.OpenFile(d.file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	_, err = f.Write(garbage)
	return fmt.Sprintf("%d bytes appended", len(garbage)), err
}

// replaced puts the file of the same role of another data directory in the place.
func (d *damaging) replaced(from string) (string, error) {
	all, err := files(d.world.at(from))
	if err != nil {
		return "", err
	}
	var choice []string
	for _, file := range all {
		if strings.EqualFold(filepath.Ext(file), filepath.Ext(d.file)) &&
			filepath.Base(filepath.Dir(file)) == filepath.Base(filepath.Dir(d.file)) ||
			filepath.Base(file) == filepath.Base(d.file) {
			choice = append(choice, file)
		}
	}
	if len(choice) == 0 {
		return "none of that role, emptied", os.Truncate(d.file, 0)
	}
	chosen := choice[d.random.IntN(len(choice))]
	if err := os.Remove(d.file); err != nil {
		return "", err
	}
	return "replaced by that of the " + from + " store", copyFile(chosen, d.file)
}

func removeFolder(d *damaging) (string, error) {
	dir := filepath.Dir(d.file)
	if dir == d.world.data() {
		return "deleted", os.Remove(d.file)
	}
	return "its folder deleted", os.RemoveAll(dir)
}

func folderInstead(d *damaging) (string, error) {
	if err := os.Remove(d.file); err != nil {
		return "", err
	}
	return "a folder in its place", os.Mkdir(d.file, 0o700)
}
