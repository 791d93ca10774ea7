package app

import (
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/ragnav/ragnav/internal/parse/worker"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// ParseWorker is the one argument with which a program runs as a worker: its
// main must then do nothing but call ServeParser.
const ParseWorker = "parse-worker"

// ServeParser parses what the program that started this one asks for, and
// returns when that has ended.
func ServeParser(in io.Reader, out io.Writer) error {
	debug.SetGCPercent(workerCollector)
	return worker.Serve(in, out, treesitter.NewAlone())
}

// workerCollector is how much a worker's heap grows, in percent, between two
// collections. What it keeps from one file to the next is next to nothing.
const workerCollector = 400

// newParsers returns the workers that have the grammars, or nil if there are
// none in this build.
func newParsers() *worker.Pool {
	command := workerCommand()
	if command == nil || len(treesitter.Languages()) == 0 {
		return nil
	}
	return worker.New(worker.Config{
		Command: command, Speaks: treesitter.Speaks, Guard: treesitter.Guard, Revision: treesitter.Revision,
	})
}

// workerCommand starts this program once more as a worker. It is nil in a test
// binary, which would run its tests; that of a main package is not known by its
// path, so its TestMain has to look for ParseWorker.
func workerCommand() []string {
	info, ok := debug.ReadBuildInfo()
	if ok && strings.HasSuffix(info.Path, ".test") {
		return nil
	}
	if runtime.GOOS == "linux" { // this very program, even if its file was replaced
		return []string{"/proc/self/exe", ParseWorker}
	}
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, ParseWorker}
}

func closeParsers(parsers *worker.Pool) error {
	if parsers == nil {
		return nil
	}
	return parsers.Close()
}

// checkGrammars tells what is parsed by grammars. Without them nothing fails.
func checkGrammars() models.Check {
	names := treesitter.Languages()
	if len(names) == 0 {
		return models.Passed("grammars",
			"not in this build, which was made without cgo: Go is parsed, other languages are outlined by patterns")
	}
	return models.Passed("grammars", "tree-sitter for %d languages: %s", len(names), strings.Join(names, ", "))
}
