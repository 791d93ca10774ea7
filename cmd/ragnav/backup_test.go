package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// What was restored replies as the index did when it was backed up.
func TestBackup(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", writeRepo(t, "clock", clockRepo))
	query := []string{"search", "exponential", "backoff"}
	want := sh.run(query...)
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	if out := sh.run("backup", "--quiet", file); !strings.Contains(out, "1 repository") {
		t.Errorf("backup: %s", out)
	}
	if _, errs, exit := sh.try("restore", file); exit == 0 || !strings.Contains(errs, "is not empty") {
		t.Errorf("restored over an index: exit %d, %s", exit, errs)
	}
	for _, test := range []struct {
		args []string
		exit int
		says string
	}{
		{[]string{"backup", "-"}, 2, "backup needs a file"},
		{[]string{"backup", filepath.Join(t.TempDir(), "nowhere", "b.tar.gz")}, 3, "there is no folder "},
		{[]string{"restore", "-", "--store", "embedded:" + t.TempDir()}, 2, "restore needs a file"},
		{[]string{"restore", t.TempDir(), "--store", "embedded:" + t.TempDir()}, 2, "is not a regular file"},
	} {
		if _, errs, exit := sh.try(test.args...); exit != test.exit || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit %d, %s; want %d, %s", test.args, exit, errs, test.exit, test.says)
		}
	}
	sh.run("remove", "clock")
	sh.env["RAGNAV_STORE"] += "-restored"
	if out := sh.run("restore", file, "--json"); !strings.Contains(out, `"sha256"`) {
		t.Errorf("restore --json: %s", out)
	}
	if got := sh.run(query...); got != want {
		t.Errorf("after the restoration:\n%s\nwant:\n%s", got, want)
	}
	sh.run("doctor", "--deep")
	sh.env["HOME"], sh.env["RAGNAV_COUCHBASE_USERNAME"], sh.env["RAGNAV_COUCHBASE_PASSWORD"] = t.TempDir(), "u", "p"
	for _, command := range []string{"backup", "restore"} {
		_, errs, exit := sh.try(command, file, "--store", "couchbase://localhost/b.s")
		if exit != 2 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "the cluster's own tools") {
			t.Errorf("%s of a cluster: exit %d, %s", command, exit, errs)
		}
	}
}

// That clones are to be fetched again is said where there are some.
func TestBackupOfClones(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", writeRepo(t, "clock", clockRepo))
	for want, name := range []string{"none.tar.gz", "some.tar.gz"} {
		if want > 0 {
			sh.run("index", "--quiet", "file://"+gitRepo(t, clockRepo))
		}
		file := filepath.Join(t.TempDir(), name)
		_, errs, exit := sh.try("backup", file)
		_, again, restored := sh.try("restore", file, "--store", "embedded:"+filepath.Join(t.TempDir(), "new"))
		if got := strings.Count(errs+again, "`ragnav index URL`"); exit+restored != 0 || got != 2*want {
			t.Errorf("%s: exit %d and %d, %d hints, want %d: %s%s", name, exit, restored, got, 2*want, errs, again)
		}
	}
}
