//go:build unix

package git

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// endTogether has all that a command starts end with it when its context does:
// git leaves the transfer to other processes, which would keep its pipes open.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// finish stops the reader of a pipe and reads what is left in it, without waiting
// for more.
func finish(c *collector) {
	if c.read.SetReadDeadline(time.Unix(1, 0)) != nil {
		<-c.done
		return
	}
	<-c.done
	conn, err := c.read.SyscallConn()
	if err != nil || c.read.SetReadDeadline(time.Time{}) != nil {
		return
	}
	_ = conn.Read(func(fd uintptr) bool {
		chunk := make([]byte, 64<<10)
		for range maxLeft / len(chunk) {
			n, err := syscall.Read(int(fd), chunk)
			if errors.Is(err, syscall.EINTR) {
				continue
			}
			if n <= 0 {
				break
			}
			c.data.Write(chunk[:n])
		}
		return true
	})
}

// maxLeft is more than a pipe holds.
const maxLeft = 4 << 20
