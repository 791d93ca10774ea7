package driver

import (
	"crypto/x509"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
)

// Config says which cluster, as whom, and how patiently.
type Config struct {
	ConnStr       string // "couchbase://host" or "couchbases://host1,host2", no path
	Bucket, Scope string
	Username      string
	Password      string
	CAFile        string        // PEM roots for TLS, "" for the system's and Capella's
	Dims          int           // components of the vectors
	Durability    string        // of writes: "none", "majority" (default ""), "persist"
	ReadyTimeout  time.Duration // how long Open waits for the services; default 10 s
	OpTimeout     time.Duration // cap of one call besides the caller's deadline; default 10 s

	RefreshEvery time.Duration // how old the knowledge of the live index may be; default 30 s
}

// The defaults of Config.
const (
	defaultReadyTimeout = 10 * time.Second
	defaultOpTimeout    = 10 * time.Second
	defaultRefresh      = 30 * time.Second
)

// WithDefaults fills what is not set.
func (c Config) WithDefaults() Config {
	if c.ReadyTimeout <= 0 {
		c.ReadyTimeout = defaultReadyTimeout
	}
	if c.OpTimeout <= 0 {
		c.OpTimeout = defaultOpTimeout
	}
	if c.RefreshEvery <= 0 {
		c.RefreshEvery = defaultRefresh
	}
	return c
}

// DurabilityLevel is the driver's level for Durability.
func (c Config) DurabilityLevel() (gocb.DurabilityLevel, error) {
	switch c.Durability {
	case "", "majority":
		return gocb.DurabilityLevelMajority, nil
	case "none":
		return gocb.DurabilityLevelNone, nil
	case "persist":
		return gocb.DurabilityLevelPersistToMajority, nil
	}
	return 0, fault.New(fault.InvalidRequest, "RAGNAV_COUCHBASE_DURABILITY is %q; it is none, majority or persist",
		c.Durability)
}

// roots reads CAFile; nil means the system's roots and that of Capella.
func (c Config) roots() (*x509.CertPool, error) {
	if c.CAFile == "" {
		return nil, nil
	}
	if !strings.HasPrefix(c.ConnStr, "couchbases://") {
		return nil, fault.New(fault.InvalidRequest, "RAGNAV_COUCHBASE_CA is set, but %s is not encrypted; use couchbases://",
			c.ConnStr)
	}
	pem, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "the file of RAGNAV_COUCHBASE_CA, %s, cannot be read", c.CAFile)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fault.New(fault.InvalidRequest, "the file of RAGNAV_COUCHBASE_CA, %s, holds no certificate in PEM form",
			c.CAFile)
	}
	return pool, nil
}

// refusal is what to say when the cluster does not let the user in.
func (c Config) refusal() string {
	return fmt.Sprintf("Couchbase refuses user %q; look at RAGNAV_COUCHBASE_USERNAME and RAGNAV_COUCHBASE_PASSWORD, and "+
		"at the user's roles for %s.%s (data, query and search)",
		c.Username, c.Bucket, c.Scope)
}

// absence is what to say when bucket, scope or collections are not there.
func (c Config) absence() string {
	return fmt.Sprintf("the bucket %s has no scope %s with the collections %s and %s; run `ragnav setup couchbase`",
		c.Bucket, c.Scope, DocumentsCollection, RecordsCollection)
}
