package config_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/config"
)

func clusterEnv(home, url string) func(string) string {
	return env(home, map[string]string{
		"RAGNAV_STORE": url, "RAGNAV_COUCHBASE_USERNAME": "ann", "RAGNAV_COUCHBASE_PASSWORD": "s3cret",
		"RAGNAV_COUCHBASE_CA": "roots.pem",
	})
}

func TestCouchbaseStore(t *testing.T) {
	for url, want := range map[string][3]string{
		"couchbase://localhost/ragnav.code":          {"couchbase://localhost", "ragnav", "code"},
		"couchbase://10.0.0.1:12000,b:12001/r-1.c_2": {"couchbase://10.0.0.1:12000,b:12001", "r-1", "c_2"},
		"couchbase://[::1]:12000/my.bucket.code":     {"couchbase://[::1]:12000", "my.bucket", "code"},
		"couchbases://cb.x.cloud/b._default":         {"couchbases://cb.x.cloud", "b", "_default"},
		"couchbase://h/b.s?network=external":         {"couchbase://h?network=external", "b", "s"},
	} {
		c, err := config.Load(nil, clusterEnv(t.TempDir(), url))
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if diff := cmp.Diff(want, [3]string{c.Couchbase.ConnStr, c.Couchbase.Bucket, c.Couchbase.Scope}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", url, diff)
		}
		if c.Embedded() || c.Store != url || c.Couchbase.Username != "ann" || string(c.Couchbase.Password) != "s3cret" ||
			c.Couchbase.CAFile != "roots.pem" {
			t.Errorf("%s: %+v", url, c)
		}
		if !filepath.IsAbs(c.DataDir) || c.ReposDir != filepath.Join(c.DataDir, "repos") {
			t.Errorf("data in %q, clones in %q", c.DataDir, c.ReposDir)
		}
	}
}

func TestCouchbaseStoreRefused(t *testing.T) {
	for url, want := range map[string]string{
		"couchbase://":                   "no host",
		"couchbase:///b.s":               "no host",
		"couchbase://h":                  "/BUCKET.SCOPE",
		"couchbase://h/bucket":           "/BUCKET.SCOPE",
		"couchbase://h/b.s/more":         "/BUCKET.SCOPE",
		"couchbase://h,/b.s":             "no host",
		"couchbase://me:pw@h/b.s":        "credentials",
		"couchbase://h h/b.s":            "no host",
		"couchbase://h/b.s with a blank": "/BUCKET.SCOPE",
		"couchbase2://h/b.s":             "not a store",
		"couchbase://h/b._system":        "/BUCKET.SCOPE",
	} {
		_, err := config.Load(nil, clusterEnv(t.TempDir(), url))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), ":pw@") {
			t.Errorf("%s: %v, want an error with %q", url, err, want)
		}
	}
	_, err := config.Load([]string{"--store", "couchbase://h/b.s"}, env(t.TempDir(), nil))
	if err == nil || !strings.Contains(err.Error(), "RAGNAV_COUCHBASE_PASSWORD") {
		t.Errorf("without credentials: %v", err)
	}
}

func TestSecretsDontPrint(t *testing.T) {
	c, err := config.Load(nil, clusterEnv(t.TempDir(), "couchbase://h/b.s"))
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if out := fmt.Sprintf(form, c); strings.Contains(out, "s3cret") {
			t.Errorf("%s prints the password: %s", form, out)
		}
	}
	if _, err := config.Load([]string{"--couchbase-password", "x"}, env(t.TempDir(), nil)); err == nil {
		t.Error("the password is taken from the command line")
	}
}
