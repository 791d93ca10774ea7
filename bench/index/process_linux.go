package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// watchMemory looks at the resident memory of a process and its descendants
// every 20 ms, until the returned function is called. That gives the
// largest sum in bytes; pages that they share count more than once.
func watchMemory(pid int) (peak func() int64) {
	stop, result := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, resident(pid))
			select {
			case <-tick.C:
			case <-stop:
				result <- most
				return
			}
		}
	}()
	return func() int64 {
		close(stop)
		return <-result
	}
}

// resident is the memory of a process and its descendants, in bytes.
func resident(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var total int64
	if fields := bytes.Fields(data); len(fields) > 1 {
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		total = pages * int64(os.Getpagesize())
	}
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return total
	}
	for _, t := range threads {
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, t.Name()))
		for child := range strings.FieldsSeq(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				total += resident(n)
			}
		}
	}
	return total
}

// loadAverage is that of the last minute.
func loadAverage() string {
	data, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(data), " ")
	return first
}
