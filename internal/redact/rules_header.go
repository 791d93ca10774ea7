package redact

import "github.com/ragnav/ragnav/internal/pattern"

// headerRules are credentials in headers of HTTP.
func headerRules() []rule {
	return []rule{
		{
			name: "authorization", from: "RFC 7617, RFC 6750; Token: github.com/encode/django-rest-framework, TokenAuthentication; gitleaks curl-auth-header",
			starts: []string{"Basic ", "Bearer ", "Token ", "basic ", "bearer ", "token "}, word: true, mixed: true, bits: 3.5, except: known,
			pattern: at(`(?i:basic|bearer|token) ([A-Za-z0-9+/_.~-]{20,}={0,2})(?:[^\w(]|$)`), line: pattern.NewLazy(`(?i)auth`), window: 2100,
		},
		{
			name: "header-key", from: "gitleaks curl-auth-header", starts: []string{"-Key: ", "-key: ", "-KEY: ", "-Token: ", "-token: "}, mixed: true, bits: 3.5,
			pattern: at(`-(?i:key|token): ([A-Za-z0-9+/_.=-]{16,200})`), line: pattern.NewLazy(`(?i)\bx-[a-z-]*(?:key|token): `),
		},
	}
}
