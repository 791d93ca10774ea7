package indexing

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
)

// maxTargetLine bounds a line of a list of targets, in bytes.
const maxTargetLine = 64 << 10

// A target is a folder, absolute, or a git URL to index.
type target struct {
	path  string
	where string // "FILE:LINE" in a list, else ""
}

// targetsOf are the targets that the arguments name, or the lines of a list.
func targetsOf(cmd *cobra.Command, args []string, from string) ([]target, error) {
	switch from {
	case "":
		targets := make([]target, len(args))
		for i, arg := range args {
			targets[i] = target{path: app.Target(arg)}
		}
		return targets, nil
	case "-":
		return readTargets(cmd.InOrStdin(), "standard input")
	}
	f, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Wrap(fault.PathNotFound, err, "there is no file %s", from)
	}
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "%s can't be read; check its permissions", from)
	}
	defer func() { _ = f.Close() }()
	return readTargets(f, from)
}

// readTargets reads one target a line. Relative ones are relative to the
// current folder, as arguments are.
func readTargets(r io.Reader, name string) ([]target, error) {
	var targets []target
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxTargetLine)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(lines.Text())
		if n == 1 {
			line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			targets = append(targets, target{path: app.Target(line), where: fmt.Sprintf("%s:%d", name, n)})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "%s:%d: %v; give a folder or git URL a line", name, n+1, err)
	}
	if len(targets) == 0 {
		return nil, fault.New(fault.InvalidRequest, "%s names no repository; give a folder or git URL a line", name)
	}
	return targets, nil
}
