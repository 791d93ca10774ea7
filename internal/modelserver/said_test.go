package modelserver_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/modelserver"
)

// Servers repeat keys, whole or cut, in headers and in words.
func TestMessageHidesKeys(t *testing.T) {
	const key = "Team-Zebra/inference+passphrase"
	for _, body := range []string{
		`{"error":{"message":"Incorrect API key provided: Team-Zebra/inference+passphrase."}}`,
		`{"error":"refused","headers":{"Authorization":"Bearer Team-Zebra/inference+passphrase"}}`,
		`{"headers":{"authorization":["Bearer Team-Zebra\/inference+passphrase"]},"path":"/v1"}`,
		`<pre>AUTHORIZATION: BEARER TEAM-ZEBRA/INFERENCE+PASSPHRASE</pre>`,
		`{"detail":"key Team-Zebra/infe... is not known"}`,
		`{"detail":"key ****+passphrase is not known"}`,
		`{"detail":"/v1/embeddings?key=Team-Zebra%2Finference%2Bpassphrase"}`,
		`{"detail":"Authorization: Basic VGVhbS1aZWJyYS9pbmZlcmVuY2UrcGFzc3BocmFzZQ=="}`,
	} {
		got := modelserver.Message([]byte(body), key)
		for _, part := range []string{
			"Team-Zeb", "TEAM-ZEB", "inferenc", "INFERENC", "passphra", "PASSPHRA", "VGVhbS1a", "c3BocmFz",
		} {
			if strings.Contains(got, part) {
				t.Errorf("%s: %q tells %q", body, got, part)
			}
		}
	}
	for text, want := range map[string]string{
		"Refused: Invalid API key: 7f3a99c1d2; see the log":     "Refused: Invalid API key: ********; see the log",
		`upstream said: x-api-key="corp.gateway.77" is unknown`: `upstream said: x-api-key="********" is unknown`,
		"token limit exceeded: 8193 tokens, maximum 8192":       "token limit exceeded: 8193 tokens, maximum 8192",
		"This model's maximum context length is 4096 tokens":    "This model's maximum context length is 4096 tokens",
		"an API key is required":                                "an API key is required",
		"unknown model qwen3-embedding:0.6b":                    "unknown model qwen3-embedding:0.6b",
	} {
		if got := modelserver.Message([]byte(text), ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	got := modelserver.Message([]byte("the key abc is not one of abcdef"), "abc")
	if want := "the key *** is not one of abcdef"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
