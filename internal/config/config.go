// Package config resolves the settings of both programs, once, at start-up.
//
// A setting is taken from the first place that names it: its flag, its
// environment variable, the optional configuration file, the default. All
// problems are reported at once, one line each.
package config

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// embeddedScheme is the prefix of a store that is files in a directory.
const embeddedScheme = "embedded:"

// Config holds every setting. The zero value is not usable; call Load or
// Resolve. Secrets in it print as ***.
type Config struct {
	Addr            string        // host:port to serve on; port 0 picks a free one
	Store           string        // "embedded:DIR", DIR absolute, or "couchbase://HOST/BUCKET.SCOPE"
	Couchbase       Couchbase     // of a store on a cluster; else its ConnStr is empty
	DataDir         string        // absolute folder for files of this process; of an embedded store its directory
	Content         string        // "checkout" or "stored": where replies take the text of files from
	ReposDir        string        // absolute folder for repositories cloned from a URL
	Embedder        string        // "builtin" or "openai"
	Embedding       Embedding     // of an embedder "openai"
	LLM             LLM           // that answers questions; without a URL there is none
	Rerank          Rerank        // that orders results; without a URL there is none
	RequestTimeout  time.Duration // limit for one request; > 0
	MaxFileSize     int64         // bytes; larger files are not indexed
	Workers         int           // parallel parsers of an index run; >= 1
	LogLevel        string        // debug, info, warn, error
	LogFormat       string        // json, console
	ShutdownTimeout time.Duration // limit for draining at the end; > 0
	// names by which clients may call the server, beside addresses and localhost; "*" stands for any
	AllowedHosts []string
	APIToken     Secret   // that clients must send; "" for none
	Insecure     bool     // without a token, serve whoever reaches the server
	IndexRoots   []string // absolute folders below which all clients may index
	Watch        bool     // follow the files of registered folders

	Index []string // repositories to index at start: folders or git URLs
}

// Embedded reports whether the store is files of this machine, in DataDir.
func (c Config) Embedded() bool { return strings.HasPrefix(c.Store, embeddedScheme) }

// Loopback reports whether only this machine reaches Addr.
func (c Config) Loopback() bool {
	host, _, err := net.SplitHostPort(c.Addr)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// checkAccess refuses to serve a network without a word about who may ask.
func (c Config) checkAccess() error {
	if c.Loopback() || c.APIToken != "" || c.Insecure {
		return nil
	}
	return fmt.Errorf("--addr (RAGNAV_ADDR): %s is reached from other machines: set RAGNAV_API_TOKEN, which clients "+
		"then send, "+
		"or say --insecure to serve whoever comes", c.Addr)
}

// Resolve makes a Config from the flags that were given, by name, and the
// environment. It reads the configuration file where one is named.
func Resolve(flags map[string]string, getenv func(string) string) (Config, error) {
	var errs []error
	file, err := readFile(flags, getenv)
	errs = append(errs, err)
	var c Config
	for _, s := range Settings() {
		if s.set == nil {
			continue
		}
		v, from := s.lookup(flags, getenv, file)
		if err := s.set(&c, v); err != nil {
			errs = append(errs, s.problem(v, from, err))
		}
	}
	errs = append(errs, c.Couchbase.check(), checkEmbedder(c.Embedder, c.Embedding), checkLLM(c.LLM),
		setFolders(&c, getenv))
	if err := errors.Join(errs...); err != nil {
		return Config{}, err
	}
	return c, nil
}

// AnswerTimeout is the limit of a request for an answer: that of the language
// model, and time to say so when it is over; 0 without one.
func (c Config) AnswerTimeout() time.Duration {
	if c.LLM.URL == "" {
		return 0
	}
	return c.LLM.Timeout + 5*time.Second
}
