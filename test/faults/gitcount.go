package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// mostGit is how many processes of git a process and its children had at once,
// looked at every 20 ms until ctx is done. It is 0 where there is no /proc.
func mostGit(ctx context.Context, pid int) int {
	most := 0
	for ctx.Err() == nil {
		most = max(most, gitOf(pid))
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	return most
}

// gitOf counts the descendants of a process that are called git. What git runs
// itself is not counted again.
func gitOf(pid int) int {
	children := map[int][]process{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	for _, file := range stats {
		if p, parent, err := readStat(file); err == nil { // else it has ended
			children[parent] = append(children[parent], p)
		}
	}
	return countGit(children, pid)
}

type process struct {
	pid  int
	name string
}

func countGit(children map[int][]process, pid int) int {
	n := 0
	for _, child := range children[pid] {
		if child.name == "git" {
			n++
		} else {
			n += countGit(children, child.pid)
		}
	}
	return n
}

// readStat reads "PID (NAME) STATE PARENT …".
func readStat(file string) (p process, parent int, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return p, 0, err
	}
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return p, 0, fmt.Errorf("%s has no name", file)
	}
	p.name = string(data[open+1 : end])
	var state string
	if _, err := fmt.Sscan(string(data[:open]), &p.pid); err != nil {
		return p, 0, err
	}
	_, err = fmt.Sscan(string(data[end+1:]), &state, &parent)
	return p, parent, err
}
