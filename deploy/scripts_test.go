//go:build unix

package deploy_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A shell runs the scripts with programs that only pretend.
type shell struct {
	t   *testing.T
	bin string // the only folder of PATH, beside those of the system when system is set
}

func newShell(t *testing.T) shell { return shell{t, t.TempDir()} }

// pretend adds a program, a shell script that may add to $CALLS.
func (s shell) pretend(name, script string) {
	s.t.Helper()
	script = "#!/bin/sh\necho \"" + name + " $*\" >>\"$CALLS\"\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(s.bin, name), []byte(script), 0o700); err != nil { //nolint:gosec // it is run
		s.t.Fatal(err)
	}
}

// link adds programs of this machine.
func (s shell) link(names ...string) {
	s.t.Helper()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			s.t.Skipf("this machine has no %s", name)
		}
		if err := os.Symlink(path, filepath.Join(s.bin, name)); err != nil {
			s.t.Fatal(err)
		}
	}
}

// run returns what the script printed, the calls that it made, and its exit code.
func (s shell) run(script string, env []string, args ...string) (out, calls string, code int) {
	s.t.Helper()
	log := filepath.Join(s.t.TempDir(), "calls")
	cmd := exec.CommandContext(s.t.Context(), "/bin/sh", append([]string{script}, args...)...) //nolint:gosec // ours
	cmd.Env = append([]string{"PATH=" + s.bin, "CALLS=" + log, "PATIENCE=0"}, env...)
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	called, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(b), string(called), cmd.ProcessState.ExitCode()
}

func TestInitCluster(t *testing.T) {
	const already = `case $1 in cluster-init) echo "ERROR: Cluster is already initialized, use setting-cluster to ` +
		`change settings"; exit 1;; esac`
	const refused = already + `; echo "ERROR: unable to authenticate"; exit 1`
	for _, tt := range []struct {
		name, cli, curl string
		code            int
		says            string
		calls           []string
	}{
		{
			name: "fresh node", cli: "echo SUCCESS: Cluster initialized", says: "the cluster is made\nQuery and Search answer",
			calls: []string{
				"cluster-init", "--services data,index,query,fts", "--cluster-fts-ramsize 1024",
				"--cluster-password secret",
			},
		},
		{
			name: "second time", cli: already, says: "the cluster is there\nQuery and Search answer",
			calls: []string{"setting-cluster -c db -u admin -p secret --cluster-ramsize 512 --cluster-index-ramsize 256 " +
				"--cluster-fts-ramsize 1024"},
		},
		{name: "another password", cli: refused, code: 1, says: "unable to authenticate"},
		{name: "too little memory", cli: "echo ERROR: quota; exit 1", code: 1, says: "could not be made: ERROR: quota"},
		{
			name: "no Search service", cli: already, curl: `case "$*" in *8094*) exit 22;; esac`, code: 1,
			says: "did not answer within 0 seconds",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShell(t)
			s.link("sleep")
			s.pretend("couchbase-cli", tt.cli)
			s.pretend("curl", tt.curl)
			out, calls, code := s.run("init-cluster.sh", []string{
				"COUCHBASE_HOST=db", "COUCHBASE_USERNAME=admin", "COUCHBASE_PASSWORD=secret", "DATA_MB=512", "INDEX_MB=256",
				"SEARCH_MB=1024",
			})
			if code != tt.code || !strings.Contains(out, tt.says) {
				t.Errorf("exit %d, want %d with %q; it says:\n%s", code, tt.code, tt.says, out)
			}
			for _, want := range tt.calls {
				if !strings.Contains(calls, want) {
					t.Errorf("no call with %q:\n%s", want, calls)
				}
			}
		})
	}
}

// Without Docker one line says so, and what to do.
func TestUpWithoutDocker(t *testing.T) {
	for _, tt := range []struct{ name, docker, says string }{
		{"no docker", "", "docker is not installed"},
		{"no compose", `case $1 in compose) exit 1;; esac`, "no compose plugin"},
		{"no daemon", `case $1 in info) exit 1;; esac`, "daemon does not answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShell(t)
			s.link("basename", "dirname", "tr", "git")
			if tt.docker != "" {
				s.pretend("docker", tt.docker)
			}
			out, calls, code := s.run("up.sh", nil, ".")
			if code != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "NOTHING WAS STARTED") ||
				!strings.Contains(out, tt.says) {
				t.Errorf("exit %d, it says:\n%s", code, out)
			}
			if strings.Contains(calls, " up ") {
				t.Errorf("something was started:\n%s", calls)
			}
		})
	}
}

func TestUp(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "my project")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	const docker = `case "$*" in
		*" up "*) echo "mounts $SOURCE_DIR as $SOURCE_NAME" >>"$CALLS" ;;
		*" port "*) echo 127.0.0.1:1 ;;
	esac`
	for _, tt := range []struct {
		name, docker, repo string
		code               int
		calls, says        []string
	}{
		{
			name: "folder", docker: docker, repo: folder,
			calls: []string{" up --detach --build", "my project as my-project\n", "index /src/my-project\n"},
			says:  []string{"ragnav is at http://127.0.0.1:1"},
		},
		{
			name: "URL", docker: docker, repo: "https://example.com/o/r.git",
			calls: []string{"index https://example.com/o/r.git\n"},
		},
		{name: "neither", docker: docker, repo: "no/such/folder", code: 1, says: []string{"neither a folder nor a git URL"}},
		{
			name: "does not come up", docker: `case "$*" in *" up "*) exit 1;; esac`, repo: folder, code: 1,
			says: []string{"did not come up"},
		},
		{
			name: "does not get ready", docker: `case "$*" in *wget*) exit 1;; *doctor*) echo FAIL search;; esac`, repo: folder,
			code: 1,
			says: []string{"FAIL search", "api-server is not ready"},
		},
		{
			name: "indexing fails", docker: `case "$*" in *" index "*) echo no; exit 5;; esac`, repo: folder, code: 5,
			says: []string{"no"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShell(t)
			s.link("basename", "dirname", "tr", "git")
			s.pretend("docker", tt.docker)
			out, calls, code := s.run("up.sh", nil, tt.repo)
			if code != tt.code {
				t.Errorf("exit %d, want %d; it says:\n%s", code, tt.code, out)
			}
			for _, want := range tt.says {
				if !strings.Contains(out, want) {
					t.Errorf("it does not say %q:\n%s", want, out)
				}
			}
			for _, want := range tt.calls {
				if !strings.Contains(calls, want) {
					t.Errorf("no call with %q:\n%s", want, calls)
				}
			}
		})
	}
}
