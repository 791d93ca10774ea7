package worker

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// resident is the memory in bytes that a process has in use, 0 when it cannot be told.
func resident(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// clockTick is the unit of times in /proc: USER_HZ, which is 100 on every common architecture.
const clockTick = 10 * time.Millisecond

// processorTime is what a process has used of processors until now, and
// whether that can be told.
func processorTime(pid int) (time.Duration, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	_, rest, _ := strings.Cut(string(data), ") ") // behind the name, which may have spaces
	// from the third one on; proc_pid_stat(5): utime is the 14th, stime the 15th
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, false
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, false
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * clockTick, err == nil
}
