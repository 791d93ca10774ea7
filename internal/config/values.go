package config

import (
	"errors"
	"net"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	minWait, maxWait = 100 * time.Millisecond, time.Hour
	minFile, maxFile = 1 << 10, 64 << 20
	maxWorkers       = 256
	minToken         = 16 // characters
)

func duration(field func(*Config) *time.Duration) func(*Config, string) error {
	return func(c *Config, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil {
			return errors.New("not a duration such as 10s")
		}
		if d < minWait || d > maxWait {
			return errors.New("out of range")
		}
		*field(c) = d
		return nil
	}
}

func parseSwitch(v string) (bool, error) {
	on, err := strconv.ParseBool(v)
	if err != nil {
		return false, errors.New("neither true nor false")
	}
	return on, nil
}

func oneOf(field func(*Config) *string, allowed ...string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if !slices.Contains(allowed, v) {
			return errors.New("not known")
		}
		*field(c) = v
		return nil
	}
}

func setAddr(c *Config, v string) error {
	_, port, err := net.SplitHostPort(v)
	if err != nil {
		return errors.New("not an address")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return errors.New("port is not a number from 0 to 65535")
	}
	c.Addr = v
	return nil
}

func setHosts(c *Config, v string) error {
	for name := range strings.SplitSeq(v, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		if strings.ContainsAny(name, "/: ") {
			return errors.New("not a host name without scheme and port")
		}
		c.AllowedHosts = append(c.AllowedHosts, name)
	}
	return nil
}

func setStore(c *Config, v string) error {
	switch {
	case strings.HasPrefix(v, "couchbase://"), strings.HasPrefix(v, "couchbases://"):
		if err := c.Couchbase.setURL(v); err != nil {
			return err
		}
	case v == embeddedScheme:
		return errors.New("names no directory")
	case v != "" && !strings.HasPrefix(v, embeddedScheme):
		return errors.New("not a store")
	}
	c.Store = v
	return nil
}

func setWorkers(c *Config, v string) error {
	if v == "" {
		c.Workers = runtime.NumCPU()
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > maxWorkers {
		return errors.New("not a number in range")
	}
	c.Workers = n
	return nil
}

// parseSize reads "1048576", "1024KiB" or "1MiB" as bytes.
func parseSize(v string) (int64, error) {
	digits, unit := v, int64(1)
	for suffix, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20} {
		if d, ok := strings.CutSuffix(v, suffix); ok {
			digits, unit = d, bytes
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, errors.New("not a size")
	}
	if n < 1 || n > maxFile || n*unit < minFile || n*unit > maxFile {
		return 0, errors.New("out of range")
	}
	return n * unit, nil
}

func setToken(c *Config, v string) error {
	if v != "" && (len(v) < minToken || strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r > '~' })) {
		return errors.New("not a token")
	}
	c.APIToken = Secret(v)
	return nil
}

func setRoots(c *Config, v string) error {
	for dir := range strings.SplitSeq(v, ",") {
		if dir = strings.TrimSpace(dir); dir == "" {
			continue
		}
		if !filepath.IsAbs(dir) {
			return errors.New("not an absolute folder")
		}
		c.IndexRoots = append(c.IndexRoots, filepath.Clean(dir))
	}
	return nil
}
