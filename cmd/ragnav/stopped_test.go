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

// A server that is stopped answers nobody: that is said without asking it, with what
// lets it go on.
func TestStoppedServerIsNotAsked(t *testing.T) {
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
	silent, restore := sh.silence(server)
	signal("-STOP")
	_, errs, exit := sh.try("repos")
	signal("-CONT")
	restore()
	if exit != 5 || !strings.Contains(errs, "process "+pid+", which is stopped; `kill -CONT "+pid+"`") {
		t.Errorf("exit %d, %s", exit, errs)
	}
	if err := silent.SetDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if conn, err := silent.Accept(); err == nil {
		_ = conn.Close()
		t.Error("it was asked")
	}
	if out := sh.run("repos"); !strings.Contains(out, "clock") {
		t.Errorf("the server goes on: %s", out)
	}
}

// silence has a server announce an address where connections are taken and nobody
// answers, until restore is called.
func (sh shell) silence(server *process) (silent *net.TCPListener, restore func()) {
	sh.t.Helper()
	silent, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		sh.t.Fatal(err)
	}
	sh.t.Cleanup(func() { _ = silent.Close() })
	owner := filepath.Join(sh.store, "owner.json")
	was, err := os.ReadFile(owner)
	if err != nil {
		sh.t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(owner, []byte(text), 0o600); err != nil {
			sh.t.Fatal(err)
		}
	}
	write(strings.Replace(string(was), strings.TrimPrefix(server.url, "http://"), silent.Addr().String(), 1))
	return silent, func() { write(string(was)) }
}

// A server that takes connections and does not answer is not one to "use".
func TestServerThatDoesNotAnswer(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", writeRepo(t, "clock", clockRepo))
	silent, restore := sh.silence(sh.serve())
	_, errs, exit := sh.try("repos")
	restore()
	if exit != 5 || !strings.Contains(errs, "its server at http://"+silent.Addr().String()+" does not answer; try again") {
		t.Errorf("exit %d, %s", exit, errs)
	}
}
