//go:build unix

package repo

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
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
