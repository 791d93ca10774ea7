package run

import (
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
)

// Who goes on with a job does not know the credentials, and says so.
func TestMissingCredentials(t *testing.T) {
	clones := t.TempDir()
	for _, secret := range []bool{false, true} {
		url := "https://127.0.0.1:1/a/b.git"
		j := jobs.New(jobs.Spec{Target: url, URL: url, Secret: secret}, time.Now)
		r := &run{Site: &Site{Job: j}, reposDir: clones}
		err := r.obtain(t.Context())
		if err == nil || fault.CodeOf(err) != fault.InvalidRequest ||
			strings.Contains(fault.MessageOf(err), "credentials") != secret {
			t.Errorf("secret %v: %v", secret, err)
		}
	}
}
