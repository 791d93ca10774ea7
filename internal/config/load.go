package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Load resolves the settings of api-server from its arguments and the
// environment. Flags and repositories to index may stand in any order; after
// "--" everything is a repository. The error is flag.ErrHelp when help is asked
// for: show Usage.
func Load(args []string, getenv func(string) string) (Config, error) {
	flags, rest, parseErr := parse(args)
	if errors.Is(parseErr, flag.ErrHelp) {
		return Config{}, flag.ErrHelp
	}
	c, err := Resolve(flags, getenv)
	if err := errors.Join(parseErr, err); err != nil {
		return Config{}, err
	}
	c.Index = rest
	return c, c.checkAccess()
}

// parse collects the flags by name and what is not a flag. It reports an
// unknown flag and stops there.
func parse(args []string) (flags map[string]string, rest []string, err error) {
	flags = map[string]string{}
	fs := flag.NewFlagSet("api-server", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, s := range Settings() {
		if s.Flag == "" {
			continue
		}
		take := func(v string) error { flags[s.Flag] = v; return nil }
		if s.Switch {
			fs.BoolFunc(s.Flag, s.Usage, take)
		} else {
			fs.Func(s.Flag, s.Usage, take)
		}
	}
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return flags, rest, err
		}
		read := len(args) - fs.NArg()
		if read > 0 && args[read-1] == "--" {
			return flags, append(rest, fs.Args()...), nil
		}
		args = fs.Args()
		if len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return flags, rest, nil
}

// Usage is api-server's help.
func Usage() string {
	var b strings.Builder
	b.WriteString(`Usage: api-server [flags] [FOLDER-or-git-URL ...]

Serves the REST API and the web page, and indexes the repositories named.

Flags (each also as an environment variable, and as a line of the --config file):
`)
	for _, s := range Settings() {
		name := s.Env + " (environment or file only)"
		if s.Flag != "" {
			name = fmt.Sprintf("--%s, %s", s.Flag, s.Env)
		}
		fmt.Fprintf(&b, "  %s\n        %s", name, s.Usage)
		if s.Default != "" {
			fmt.Fprintf(&b, " (default %s)", s.Default)
		}
		fmt.Fprintf(&b, "\n        allowed: %s\n", s.Values)
	}
	return b.String()
}
