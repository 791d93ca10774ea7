package redact

import (
	"slices"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A rule recognises one kind of credential by its form.
type rule struct {
	name    string
	from    string   // where the form comes from
	starts  []string // what it begins with, two bytes or more
	word    bool     // only at the start of a word
	back    int      // bytes that the credential begins before its start
	after   string   // what may follow the word that it begins with, one of these bytes; "": anything
	behind  bool     // the pattern ends where the start begins
	pattern pattern.Lazy
	line    pattern.Lazy // must be in the same line; nil: anything
	except  pattern.Lazy // what the secret must not be; nil: nothing
	names   pattern.Lazy // what the text up to the end of the start must not be; nil: nothing
	mixed   bool         // the secret has digits and letters
	bits    float64      // entropy of the secret, at least
	window  int          // bytes to look at, 0 means defaultWindow
}

// Where forms come from. "gitleaks X" is the rule X of the default rules of
// gitleaks 8.30.1 (github.com/gitleaks/gitleaks, config/gitleaks.toml, MIT);
// of several rules of one issuer the first is named.
const (
	ours    = "ragnav"                   // a form that is described here only
	rfc7468 = "RFC 7468, section 10 ff." // textual encodings of keys
)

// rules is the table. In a pattern, which is anchored at the start, the last
// group that has taken part is the secret; without groups all of it is.
func rules() []rule {
	return slices.Concat(keyRules(), tokenRules(), cloudRules(), accessRules(), headerRules(), assignedRules())
}

// at anchors a pattern.
func at(form string) pattern.Lazy { return pattern.NewLazy(`^(?:` + form + `)`) }

// armour is what stands between the lines BEGIN and END of a key: base-64,
// headers, and what quotes and joins lines in source code.
const armour = "[A-Za-z0-9+/=\\s\\\\\"'`:,;.()-]"

func keyRules() []rule {
	return []rule{
		{
			name: "private-key", from: rfc7468 + "; gitleaks private-key", starts: []string{"-----BEGIN "}, window: 16 << 10,
			pattern: at("-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(" + armour + "*?[A-Za-z0-9+/]{12}" + armour +
				"*?)-----END"),
		},
		{
			name: "age-secret-key", from: "gitleaks age-secret-key", starts: []string{"AGE-SECRET-KEY-1"},
			pattern: at(`AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`),
		},
		{
			name: "jwt", from: "RFC 7519; gitleaks jwt", starts: []string{"eyJ"}, word: true, window: 4 << 10,
			pattern: at(`eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.([\w-]{20,})`),
		},
		{
			name: "jwt-base64", from: "gitleaks jwt-base64", starts: []string{"ZXlK"}, word: true, window: 4 << 10,
			pattern: at(`ZXlK[A-Za-z0-9+/_-]{80,}={0,2}`), bits: 4,
		},
	}
}
