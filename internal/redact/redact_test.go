package redact

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	// Put together here, so that no scanner takes this file for a leak.
	j := func(parts ...string) string { return strings.Join(parts, "") }
	stars := func(n int) string { return strings.Repeat("*", n) }
	tests := []struct{ name, text, want string }{
		{"AWS key id", j("id = AK", "IAIOSFODNN7EXAMPLX"), "id = " + stars(20)},
		{"inside a longer word", j("xAK", "IAIOSFODNN7EXAMPLX"), j("xAK", "IAIOSFODNN7EXAMPLX")},
		{"GitHub token", j("gh", "p_abcdefghij0123456789ABCDEFGHIJ012345"), stars(40)},
		{
			"private key keeps its lines",
			j("-----BEGIN RSA PRIV", "ATE KEY-----\nMIIEpAIBAAKCAQEA\nabc=\n-----END RSA PRIV", "ATE KEY-----"),
			j("-----BEGIN RSA PRIV", "ATE KEY-----\n****************\n****\n-----END RSA PRIV", "ATE KEY-----"),
		},
		{"password in a URL", j("postgres://app:", "h7Gq2LmZx9Vt4", "@db/x"), "postgres://app:" + stars(13) + "@db/x"},
		{"placeholder in a URL", "postgres://user:password@db/x", "postgres://user:password@db/x"},
		{"assigned secret", j(`clientSecret: "`, `a8Fk29LmQz7RtYw3Xc5V"`), `clientSecret: "` + stars(20) + `"`},
		{
			"two of them", j(`token = "`, `a8Fk29LmQz7RtYw3Xc5V"; password := "`, `Zp4nB7sKd0GhJ2tYqWe6"`),
			`token = "` + stars(20) + `"; password := "` + stars(20) + `"`,
		},
		{"assigned words", `token = "some-readable-identifier-name"`, `token = "some-readable-identifier-name"`},
		{
			"code", "func (t *token) secret() password { return t.apiKey }",
			"func (t *token) secret() password { return t.apiKey }",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, n := Text(test.text)
			if got != test.want || (n > 0) != (test.text != test.want) {
				t.Errorf("got %q and %d, want %q", got, n, test.want)
			}
		})
	}
}
