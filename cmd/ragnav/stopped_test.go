package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A server that is stopped answers nobody: that is said at once, with what lets it go on.
func TestStoppedServerIsToldAtOnce(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: this system does not tell which processes are stopped")
	}
	sh := newShell(t)
	sh.run("index", "--quiet", writeRepo(t, "clock", clockRepo))
	server := sh.serve()
	pid := strconv.Itoa(server.cmd.Process.Pid)
	signal := func(name string) {
		if err := exec.CommandContext(t.Context(), "kill", name, pid).Run(); err != nil {
			t.Fatal(err)
		}
	}
	signal("-STOP")
	began := time.Now()
	_, errs, exit := sh.try("repos")
	took := time.Since(began)
	signal("-CONT")
	if exit != 5 || !strings.Contains(errs, "process "+pid+", which is stopped; `kill -CONT "+pid+"`") {
		t.Errorf("exit %d, %s", exit, errs)
	}
	if took > 1500*time.Millisecond { // a server that might answer gets 2 s
		t.Errorf("it took %v", took)
	}
	if out := sh.run("repos"); !strings.Contains(out, "clock") {
		t.Errorf("the server goes on: %s", out)
	}
}

// A server that takes connections and does not answer is not one to "use".
func TestServerThatDoesNotAnswer(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", writeRepo(t, "clock", clockRepo))
	server := sh.serve()
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	owner := filepath.Join(sh.store, "owner.json")
	was, err := os.ReadFile(owner)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(was), strings.TrimPrefix(server.url, "http://"), silent.Addr().String(), 1)
	if err := os.WriteFile(owner, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs, exit := sh.try("repos")
	if err := os.WriteFile(owner, was, 0o600); err != nil {
		t.Fatal(err)
	}
	if exit != 5 || !strings.Contains(errs, "its server at http://"+silent.Addr().String()+" does not answer; try again") {
		t.Errorf("exit %d, %s", exit, errs)
	}
}
