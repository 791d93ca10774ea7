package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A Setting is one line of the table of settings.
type Setting struct {
	Flag    string // without dashes; "" for what must not stand on a command line
	Env     string // variable, and key in a configuration file
	Default string // "" when it depends on the machine; Usage tells
	Values  string // what is allowed, in words
	Usage   string // one line
	Switch  bool   // the flag alone means true

	set func(*Config, string) error // nil for the configuration file itself
}

// Settings is the table of all settings, in the order in which help shows them.
func Settings() []Setting {
	return slices.Concat(serverSettings(), storeSettings(), couchbaseSettings(), embeddingSettings(), embeddingDetails(),
		llmSettings(), rerankSettings(), commonSettings())
}

func storeSettings() []Setting {
	return []Setting{
		{
			Flag: "store", Env: "RAGNAV_STORE",
			Values: "embedded:DIR or couchbase://HOST[,HOST]/BUCKET.SCOPE (couchbases:// for TLS)",
			Usage:  "where the index is kept (default embedded: and the user's data directory)",
			set:    setStore,
		},
		{
			Flag: "content", Env: "RAGNAV_CONTENT", Default: "checkout", Values: "checkout, stored",
			Usage: "stored: keep the text of files in the store, for servers without the folders",
			set:   oneOf(func(c *Config) *string { return &c.Content }, "checkout", ContentStored),
		},
		{
			Flag: "repos-dir", Env: "RAGNAV_REPOS_DIR", Values: "a folder",
			Usage: "folder for repositories cloned from a URL (default: repos in the store's directory)",
			set:   func(c *Config, v string) error { c.ReposDir = v; return nil },
		},
	}
}

func commonSettings() []Setting {
	return []Setting{
		{
			Flag: "max-file-size", Env: "RAGNAV_MAX_FILE_SIZE", Default: "1MiB",
			Values: "1KiB to 64MiB, as bytes or with KiB or MiB",
			Usage:  "larger files are not indexed",
			set:    func(c *Config, v string) (err error) { c.MaxFileSize, err = parseSize(v); return err },
		},
		{
			Flag: "workers", Env: "RAGNAV_WORKERS", Values: "1 to 256",
			Usage: "files parsed at the same time (default: one a processor)",
			set:   setWorkers,
		},
		{
			Flag: "log-level", Env: "RAGNAV_LOG_LEVEL", Default: "info", Values: "debug, info, warn, error",
			Usage: "least important messages to log",
			set:   oneOf(func(c *Config) *string { return &c.LogLevel }, "debug", "info", "warn", "error"),
		},
		{
			Flag: "config", Env: "RAGNAV_CONFIG", Values: "a file of RAGNAV_NAME=VALUE lines",
			Usage: "file with more settings; flags and environment win",
		},
	}
}

func serverSettings() []Setting {
	return []Setting{
		{
			Flag: "addr", Env: "RAGNAV_ADDR", Default: "127.0.0.1:8080", Values: "HOST:PORT, port 0 for any free one",
			Usage: "address to serve on",
			set:   setAddr,
		},
		{
			Flag: "allowed-hosts", Env: "RAGNAV_ALLOWED_HOSTS", Values: "host names separated by commas, or *",
			Usage: "names by which clients may call the server beside addresses and localhost",
			set:   setHosts,
		},
		{
			Env: "RAGNAV_API_TOKEN", Values: "at least 16 characters without spaces",
			Usage: "what clients must send as \"Authorization: Bearer TOKEN\"; ragnav sends it to --server",
			set:   setToken,
		},
		{
			Flag: "insecure", Env: "RAGNAV_INSECURE", Default: "false", Values: "true, false",
			Usage: "serve whoever reaches the server, without a token", Switch: true,
			set: func(c *Config, v string) (err error) { c.Insecure, err = parseSwitch(v); return err },
		},
		{
			Flag: "index-roots", Env: "RAGNAV_INDEX_ROOTS", Values: "absolute folders separated by commas",
			Usage: "folders below which clients may index, beside git URLs; who runs the server may index any",
			set:   setRoots,
		},
		{
			Flag: "watch", Env: "RAGNAV_WATCH", Default: "false", Values: "true, false",
			Usage: "keep the index of registered folders up to date while their files change", Switch: true,
			set: func(c *Config, v string) (err error) { c.Watch, err = parseSwitch(v); return err },
		},
		{
			Flag: "request-timeout", Env: "RAGNAV_REQUEST_TIMEOUT", Default: "10s", Values: "100ms to 1h",
			Usage: "limit for one request",
			set:   duration(func(c *Config) *time.Duration { return &c.RequestTimeout }),
		},
		{
			Flag: "shutdown-timeout", Env: "RAGNAV_SHUTDOWN_TIMEOUT", Default: "15s", Values: "100ms to 1h",
			Usage: "how long to wait for running requests when stopped",
			set:   duration(func(c *Config) *time.Duration { return &c.ShutdownTimeout }),
		},
		{
			Flag: "log-format", Env: "RAGNAV_LOG_FORMAT", Default: "json", Values: "json, console",
			Usage: "form of the log",
			set:   oneOf(func(c *Config) *string { return &c.LogFormat }, "json", "console"),
		},
	}
}

// lookup is the setting's value and the place it is from: "--addr",
// "RAGNAV_ADDR", "line 3 of FILE", or "" for the default. An empty variable
// counts as not set.
func (s Setting) lookup(flags map[string]string, getenv func(string) string, f file) (value, from string) {
	if v, ok := flags[s.Flag]; ok && s.Flag != "" {
		return v, "--" + s.Flag
	}
	if v := getenv(s.Env); v != "" {
		return v, s.Env
	}
	if e, ok := f.entries[s.Env]; ok && e.value != "" {
		return e.value, fmt.Sprintf("line %d of %s", e.line, f.path)
	}
	return s.Default, ""
}

// problem is the error for a bad value: it names flag, variable and what is allowed.
func (s Setting) problem(value, from string, err error) error {
	if from == "" {
		from = "the default"
	}
	value = userinfo().ReplaceAllString(value, "://***@")
	if strings.HasSuffix(s.Env, "_API_TOKEN") || strings.HasSuffix(s.Env, "_API_KEY") {
		value = Secret(value).String()
	}
	return fmt.Errorf("%s: %w: got %q from %s; allowed: %s", s.Name(), err, value, from, s.Values)
}

// Name is how people know a setting: "--store (RAGNAV_STORE)", or the variable
// alone.
func (s Setting) Name() string {
	if s.Flag == "" {
		return s.Env
	}
	return fmt.Sprintf("--%s (%s)", s.Flag, s.Env)
}

// userinfo is where a URL may hold a password.
var userinfo = pattern.NewLazy(`://.*@`)
