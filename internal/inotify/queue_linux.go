package inotify

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// told is what a watch is for: every change to an entry or to the folder. Reading
// is not, so that readers don't fill the queue.
const told = unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CLOSE_WRITE | unix.IN_CREATE | unix.IN_DELETE |
	unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// gone are the events after which a watch does not stand for its folder any more.
const gone = unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_UNMOUNT | unix.IN_IGNORED

// A Queue is one instance of inotify, with a look at the table of mounts. Close
// it. Its methods may be called concurrently.
type Queue struct {
	mu     sync.Mutex
	fd     int
	mounts int
	buf    []byte
	closed bool
}

// Open makes a queue without watches. The error is that of the system, as when
// there are too many queues.
func Open() (*Queue, error) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	mounts, err := unix.Open("/proc/self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		_ = unix.Close(fd)
		return nil, os.NewSyscallError("open mountinfo", err)
	}
	return &Queue{fd: fd, mounts: mounts, buf: make([]byte, 64<<10)}, nil
}

// Watch watches an open folder, by its descriptor: the very folder that was
// opened, whatever happens to its name meanwhile. The same folder gives the
// same number.
func (q *Queue) Watch(folder int) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return 0, os.ErrClosed
	}
	for {
		watch, err := unix.InotifyAddWatch(q.fd, "/proc/self/fd/"+strconv.Itoa(folder), told)
		if !errors.Is(err, unix.EINTR) {
			return watch, os.NewSyscallError("inotify_add_watch", err)
		}
	}
}

// unwatch ends a watch. One that the system ended is none any more.
func (q *Queue) unwatch(watch int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		_, _ = unix.InotifyRmWatch(q.fd, uint32(watch)) //nolint:gosec // as the system gave it
	}
}

// ErrLost means that not all of what happened is known: the queue overflowed, or
// something was mounted or unmounted somewhere.
var ErrLost = errors.New("events were lost")

// Drain tells of all events up to now, in order, without waiting for any.
func (q *Queue) Drain(tell func(Event)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return os.ErrClosed
	}
	for {
		n, err := unix.Read(q.fd, q.buf)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			if q.remounted() {
				return ErrLost
			}
			return nil
		case err != nil:
			return os.NewSyscallError("read", err)
		default:
			if err := parse(q.buf[:max(n, 0)], tell); err != nil {
				return err
			}
		}
	}
}

// parse reads events as inotify(7) lays them out.
func parse(data []byte, tell func(Event)) error {
	if len(data) == 0 {
		return fmt.Errorf("%w: an empty read", ErrLost)
	}
	for len(data) > 0 {
		if len(data) < unix.SizeofInotifyEvent {
			return fmt.Errorf("%w: a torn event", ErrLost)
		}
		watch, mask := int32(binary.NativeEndian.Uint32(data)), binary.NativeEndian.Uint32(data[4:]) //nolint:gosec // it is signed there
		size := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(data[12:]))
		if mask&unix.IN_Q_OVERFLOW != 0 || size > len(data) {
			return ErrLost
		}
		name, _, _ := bytes.Cut(data[unix.SizeofInotifyEvent:size], []byte{0})
		tell(Event{Watch: int(watch), Name: string(name), Folder: mask&unix.IN_ISDIR != 0, Gone: mask&gone != 0})
		data = data[size:]
	}
	return nil
}

// remounted reports whether the table of mounts changed since the last time: a
// mount over a watched folder hides it, and tells its watch nothing.
func (q *Queue) remounted() bool {
	fds := []unix.PollFd{{Fd: int32(q.mounts), Events: unix.POLLPRI}} //nolint:gosec // a descriptor
	for {
		n, err := unix.Poll(fds, 0)
		if !errors.Is(err, unix.EINTR) {
			return err != nil || n > 0
		}
	}
}

// Close ends all watches.
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil
	}
	q.closed = true
	return os.NewSyscallError("close", errors.Join(unix.Close(q.fd), unix.Close(q.mounts)))
}

// SystemLimit is how many watches the system gives to a user, 0 if it does not say.
func SystemLimit() int {
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(string(bytes.TrimSpace(data)))
	return max(n, 0)
}
