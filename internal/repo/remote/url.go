package remote

import (
	"net/url"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A gitURL is a place that git can clone from, in one of its notations.
type gitURL struct {
	scheme string // "" for a path, "scp" for host:path, "helper" for transport::address
	user   string // with the password, as written
	host   string
	path   string
}

func (u gitURL) local() bool { return u.scheme == "" || u.scheme == "file" }

var (
	schemePattern = pattern.NewLazy(`^([A-Za-z][A-Za-z0-9+.-]*)://(.*)$`)
	helperPattern = pattern.NewLazy(`^[A-Za-z0-9][A-Za-z0-9+.-]*::`)
	scpPattern    = pattern.NewLazy(`^(?:([^/\\:@]+)@([^/\\:@]+)|([^/\\:@]{2,})):(.*)$`)
)

// parseURL takes a git URL apart; it never fails. A host of one letter without
// a user is a drive.
func parseURL(s string) gitURL {
	if m := schemePattern().FindStringSubmatch(s); m != nil {
		rest, _, _ := strings.Cut(m[2], "?")
		rest, _, _ = strings.Cut(rest, "#")
		authority, p, _ := strings.Cut(rest, "/")
		u := gitURL{scheme: strings.ToLower(m[1]), host: authority, path: "/" + unescaped(p)}
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			u.user, u.host = authority[:at], authority[at+1:]
		}
		return u
	}
	if helperPattern().MatchString(s) {
		return gitURL{scheme: "helper", path: s}
	}
	if m := scpPattern().FindStringSubmatch(s); m != nil {
		return gitURL{scheme: "scp", user: m[1], host: m[2] + m[3], path: m[4]}
	}
	return gitURL{path: s}
}

func unescaped(p string) string {
	if plain, err := url.PathUnescape(p); err == nil {
		return plain
	}
	return p
}

// IsURL reports whether an index target is something to clone rather than a
// folder: anything with a scheme, host:path, or a path that ends in ".git".
func IsURL(target string) bool {
	u := parseURL(target)
	return u.scheme != "" || strings.HasSuffix(strings.TrimRight(target, `/\`), ".git") && isBareName(target)
}

// isBareName is false for ".git" itself, the folder inside a work tree.
func isBareName(target string) bool {
	name := strings.TrimRight(strings.ReplaceAll(target, `\`, "/"), "/")
	return relpath.Base(name) != ".git"
}

// RedactURL is the URL without credentials, to be shown and stored. The user of
// an SSH address stays, it is part of the address.
func RedactURL(s string) string {
	u := parseURL(s)
	if u.user == "" || u.scheme == "scp" {
		return s
	}
	keep := ""
	if name, _, secret := strings.Cut(u.user, ":"); u.scheme == "ssh" {
		keep = u.user + "@"
		if secret {
			keep = name + "@"
		}
	}
	return strings.Replace(s, u.user+"@", keep, 1)
}
