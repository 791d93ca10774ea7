package config_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/config"
)

// env is an environment with a home folder and what is added.
func env(home string, more map[string]string) func(string) string {
	return func(name string) string {
		if v, ok := more[name]; ok {
			return v
		}
		return map[string]string{"HOME": home, "LocalAppData": home, "XDG_DATA_HOME": filepath.Join(home, "data")}[name]
	}
}

func TestLoadDefaults(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the data directory is another one here; see TestUserDataDir")
	}
	home := t.TempDir()
	got, err := config.Load(nil, env(home, nil))
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(home, "data", "ragnav")
	want := config.Config{
		Addr: "127.0.0.1:8080", Store: "embedded:" + data, DataDir: data, ReposDir: filepath.Join(data, "repos"),
		Embedder: "builtin", Embedding: config.Embedding{Batch: 32, Concurrency: 4, Timeout: 2 * time.Minute},
		Couchbase: config.Couchbase{Durability: "majority"}, Content: "checkout",
		LLM:            config.LLM{Timeout: 45 * time.Second, Tokens: 40_000, Context: 32_768},
		Rerank:         config.Rerank{Top: 30, Characters: 1000, Timeout: 3 * time.Second},
		RequestTimeout: 10 * time.Second, MaxFileSize: 1 << 20, Workers: runtime.NumCPU(),
		LogLevel: "info", LogFormat: "json", ShutdownTimeout: 15 * time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
}

// Each setting is taken from the first place that names it.
func TestLoadPrecedence(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "ragnav.conf")
	write(t, file, "# settings\n\nRAGNAV_LOG_LEVEL='warn'\nRAGNAV_WORKERS = 3\nRAGNAV_MAX_FILE_SIZE=2MiB\n")
	getenv := env(home, map[string]string{
		"RAGNAV_CONFIG": file, "RAGNAV_WORKERS": "4", "RAGNAV_MAX_FILE_SIZE": "3MiB",
		"RAGNAV_ADDR": "",
	})
	c, err := config.Load([]string{"--max-file-size=4MiB"}, getenv)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"flag": int64(4 << 20), "environment": 4, "file": "warn", "default": "127.0.0.1:8080"}
	got := map[string]any{"flag": c.MaxFileSize, "environment": c.Workers, "file": c.LogLevel, "default": c.Addr}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("flag > environment > file > default (-want +got):\n%s", diff)
	}
}

func TestLoadArguments(t *testing.T) {
	home := t.TempDir()
	for _, test := range []struct {
		name  string
		args  []string
		addr  string
		index []string
	}{
		{name: "none", addr: "127.0.0.1:8080"},
		{name: "flags only", args: []string{"--addr", "127.0.0.1:0"}, addr: "127.0.0.1:0"},
		{name: "one dash", args: []string{"-addr=127.0.0.1:0"}, addr: "127.0.0.1:0"},
		{
			name: "repositories", args: []string{".", "https://example.com/a/b.git"}, addr: "127.0.0.1:8080",
			index: []string{".", "https://example.com/a/b.git"},
		},
		{
			name: "flag after a repository", args: []string{"a", "--addr", "[::1]:9", "b"}, addr: "[::1]:9",
			index: []string{"a", "b"},
		},
		{
			name: "after two dashes", args: []string{"a", "--", "--addr"}, addr: "127.0.0.1:8080",
			index: []string{"a", "--addr"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := config.Load(test.args, env(home, nil))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.index, c.Index); diff != "" || c.Addr != test.addr {
				t.Errorf("addr %q, want %q; index (-want +got):\n%s", c.Addr, test.addr, diff)
			}
		})
	}
}

// A switch is on by its flag alone, and takes no argument away.
func TestWatchSwitch(t *testing.T) {
	for name, tc := range map[string]struct {
		args  []string
		env   string
		want  bool
		index []string
	}{
		"default":       {args: []string{"dir"}, index: []string{"dir"}},
		"flag":          {args: []string{"--watch", "dir"}, want: true, index: []string{"dir"}},
		"last flag":     {args: []string{"dir", "--watch"}, want: true, index: []string{"dir"}},
		"variable":      {env: "true", want: true},
		"flag beats it": {args: []string{"--watch=false"}, env: "true"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := config.Load(tc.args, env(t.TempDir(), map[string]string{"RAGNAV_WATCH": tc.env}))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.index, c.Index); diff != "" || c.Watch != tc.want {
				t.Errorf("watch %v, index %s", c.Watch, diff)
			}
		})
	}
	if _, err := config.Load([]string{"--watch=maybe"}, env(t.TempDir(), nil)); err == nil ||
		!strings.Contains(err.Error(), "RAGNAV_WATCH") {
		t.Errorf("maybe: %v", err)
	}
}

func TestLoadReportsEveryProblem(t *testing.T) {
	_, err := config.Load(
		[]string{"--workers=0", "--addr", "8080", "--nonsense"},
		env(t.TempDir(), map[string]string{
			"RAGNAV_LOG_LEVEL": "loud", "RAGNAV_STORE": "couchbase://me:s3cret@host/b.s",
			"RAGNAV_EMBEDDER": "openai",
		}))
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		"flag provided but not defined: -nonsense",
		`--addr (RAGNAV_ADDR): not an address: got "8080" from --addr; allowed: HOST:PORT, port 0 for any free one`,
		`--store (RAGNAV_STORE): credentials don't belong in the address; set RAGNAV_COUCHBASE_USERNAME and ` +
			`RAGNAV_COUCHBASE_PASSWORD: got "couchbase://***@host/b.s" from RAGNAV_STORE; allowed: embedded:DIR or ` +
			`couchbase://HOST[,HOST]/BUCKET.SCOPE (couchbases:// for TLS)`,
		`--workers (RAGNAV_WORKERS): not a number in range: got "0" from --workers; allowed: 1 to 256`,
		`--log-level (RAGNAV_LOG_LEVEL): not known: got "loud" from RAGNAV_LOG_LEVEL; allowed: debug, info, warn, error`,
		"--embedder (RAGNAV_EMBEDDER): openai needs RAGNAV_EMBED_URL and RAGNAV_EMBED_MODEL, in the environment or the " +
			"--config file, such as http://127.0.0.1:11434/v1 and nomic-embed-text",
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	long := filepath.Join(t.TempDir(), "long")
	write(t, long, strings.Repeat("\n", 2<<20))
	for name, args := range map[string][]string{
		"file is too long":   {"--config", long},
		"no port":            {"--addr", "localhost"},
		"port out of range":  {"--addr", "localhost:65536"},
		"port is a name":     {"--addr", "localhost:http"},
		"timeout of zero":    {"--request-timeout", "0s"},
		"timeout unit":       {"--request-timeout", "10"},
		"drain too long":     {"--shutdown-timeout", "100h"},
		"size of nothing":    {"--max-file-size", "0"},
		"size overflows":     {"--max-file-size", "9223372036854775807MiB"},
		"size unit":          {"--max-file-size", "1GB"},
		"workers":            {"--workers", "two"},
		"store":              {"--store", "sqlite:x"},
		"log format":         {"--log-format", "xml"},
		"host with a port":   {"--allowed-hosts", "a.example:80"},
		"file is not there":  {"--config", filepath.Join("no", "such", "file")},
		"flag without value": {"--addr"},
	} {
		t.Run(name, func(t *testing.T) {
			if c, err := config.Load(args, env(t.TempDir(), nil)); err == nil {
				t.Errorf("Load(%q) = %+v, want an error", args, c)
			}
		})
	}
}

func TestLoadHelp(t *testing.T) {
	for _, arg := range []string{"-h", "--help"} {
		if _, err := config.Load([]string{arg, "--workers=0"}, env(t.TempDir(), nil)); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("Load(%s) = %v, want flag.ErrHelp", arg, err)
		}
	}
	usage := config.Usage()
	for _, s := range config.Settings() {
		name := "--" + s.Flag + ", " + s.Env
		if s.Flag == "" {
			name = s.Env + " (environment"
		}
		if !strings.Contains(usage, name) || s.Usage == "" || s.Values == "" {
			t.Errorf("usage does not explain %s", s.Name())
		}
	}
}

func TestConfigFileProblems(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	write(t, file, "RAGNAV_ADDR=:0\nRAGNAV_ADR=:1\nnonsense\nRAGNAV_ADDR=:2\nRAGNAV_CONFIG=x\nRAGNAV_WORKERS=many\n")
	_, err := config.Resolve(map[string]string{"config": file}, env(t.TempDir(), nil))
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		"FILE:2: RAGNAV_ADR is not a setting",
		"FILE:3: not a RAGNAV_NAME=VALUE line",
		"FILE:4: RAGNAV_ADDR stands here a second time",
		"FILE:5: RAGNAV_CONFIG is not a setting",
		`--workers (RAGNAV_WORKERS): not a number in range: got "many" from line 6 of FILE; allowed: 1 to 256`,
	}
	if diff := cmp.Diff(want, strings.Split(strings.ReplaceAll(err.Error(), file, "FILE"), "\n")); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestFolders(t *testing.T) {
	home := t.TempDir()
	work, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name         string
		flags        map[string]string
		store, repos string
	}{
		{
			name:  "relative to the working folder",
			flags: map[string]string{"store": "embedded:index"},
			store: filepath.Join(work, "index"), repos: filepath.Join(work, "index", "repos"),
		},
		{
			name:  "home",
			flags: map[string]string{"store": "embedded:~/index", "repos-dir": "~/clones"},
			store: filepath.Join(home, "index"), repos: filepath.Join(home, "clones"),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := config.Resolve(test.flags, env(home, nil))
			if err != nil {
				t.Fatal(err)
			}
			if c.DataDir != test.store || c.ReposDir != test.repos {
				t.Errorf("store %q, want %q; repos %q, want %q", c.DataDir, test.store, c.ReposDir, test.repos)
			}
		})
	}
}

func TestLoopback(t *testing.T) {
	for addr, want := range map[string]bool{
		"127.0.0.1:8080": true, "[::1]:0": true, "localhost:0": true, "127.9.9.9:1": true,
		"0.0.0.0:8080": false, ":8080": false, "[::]:0": false, "host.example:80": false,
	} {
		c, err := config.Resolve(map[string]string{"addr": addr}, env(t.TempDir(), nil))
		if err != nil || c.Loopback() != want {
			t.Errorf("%s: %v, %v", addr, c.Loopback(), err)
		}
		if _, err := config.Load([]string{"--addr", addr}, env(t.TempDir(), nil)); (err == nil) != want {
			t.Errorf("%s without a token: %v", addr, err)
		}
		token := map[string]string{"RAGNAV_API_TOKEN": "0123456789abcdef"}
		if _, err := config.Load([]string{"--addr", addr}, env(t.TempDir(), token)); err != nil {
			t.Errorf("%s with a token: %v", addr, err)
		}
	}
	_, err := config.Resolve(nil, env(t.TempDir(), map[string]string{"RAGNAV_API_TOKEN": "short s3cret"}))
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a short token: %v", err)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
