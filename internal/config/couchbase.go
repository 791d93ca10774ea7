package config

import (
	"errors"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// ContentStored is the Content that keeps the text of files in the store.
const ContentStored = "stored"

// Couchbase is how a cluster is reached.
type Couchbase struct {
	ConnStr       string // "couchbase://HOST[,HOST][?options]", without the path
	Bucket, Scope string
	Username      string
	Password      Secret
	CAFile        string // PEM file with roots for couchbases://; "" for the system's
	Durability    string // "none", "majority", "persist"
}

// A Secret prints as ***, so that it gets into no log by accident.
type Secret string

// String is *** unless there is no secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "***"
}

// GoString is String.
func (s Secret) GoString() string { return s.String() }

// MarshalText is String.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func couchbaseSettings() []Setting {
	return []Setting{
		{
			Env: "RAGNAV_COUCHBASE_USERNAME", Values: "a user of the cluster", Usage: "of a couchbase:// store",
			set: func(c *Config, v string) error { c.Couchbase.Username = v; return nil },
		},
		{
			Env: "RAGNAV_COUCHBASE_PASSWORD", Values: "the user's password", Usage: "of a couchbase:// store",
			set: func(c *Config, v string) error { c.Couchbase.Password = Secret(v); return nil },
		},
		{
			Env: "RAGNAV_COUCHBASE_CA", Values: "a PEM file", Usage: "roots to trust for couchbases:// (default: the system's)",
			set: func(c *Config, v string) error { c.Couchbase.CAFile = v; return nil },
		},
		{
			Env: "RAGNAV_COUCHBASE_DURABILITY", Default: "majority", Values: "none, majority, persist",
			Usage: "what a write waits for: one node's memory, most replicas' memory, or a disk",
			set:   oneOf(func(c *Config) *string { return &c.Couchbase.Durability }, "none", "majority", "persist"),
		},
	}
}

var (
	keyspace = pattern.NewLazy(`^([A-Za-z0-9_.%-]{1,100})\.([A-Za-z0-9%-][A-Za-z0-9_%-]{0,250}|_default)$`)
	hostPort = pattern.NewLazy(`^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5}(=[a-z]+)?)?$`)
)

// setURL takes couchbase://HOST[:PORT][,HOST…]/BUCKET.SCOPE[?options]. It is
// no URL in the sense of RFC 3986: several hosts may have ports.
func (c *Couchbase) setURL(v string) error {
	scheme, rest, _ := strings.Cut(v, "://")
	rest, options, hasOptions := strings.Cut(rest, "?")
	hosts, path, _ := strings.Cut(rest, "/")
	if strings.Contains(hosts, "@") {
		return errors.New("credentials don't belong in the address; set RAGNAV_COUCHBASE_USERNAME and " +
			"RAGNAV_COUCHBASE_PASSWORD")
	}
	for host := range strings.SplitSeq(hosts, ",") {
		if !hostPort().MatchString(host) {
			return errors.New("names no host")
		}
	}
	names := keyspace().FindStringSubmatch(path)
	if names == nil {
		return errors.New("does not end in /BUCKET.SCOPE")
	}
	c.ConnStr, c.Bucket, c.Scope = scheme+"://"+hosts, names[1], names[2]
	if hasOptions {
		c.ConnStr += "?" + options
	}
	return nil
}

// check tells what is missing for a store on a cluster.
func (c Couchbase) check() error {
	if c.ConnStr == "" || c.Username != "" && c.Password != "" {
		return nil
	}
	return errors.New("--store (RAGNAV_STORE): a couchbase store needs RAGNAV_COUCHBASE_USERNAME and " +
		"RAGNAV_COUCHBASE_PASSWORD in the environment or the --config file")
}
