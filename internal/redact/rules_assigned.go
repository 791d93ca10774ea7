package redact

import "github.com/ragnav/ragnav/internal/pattern"

// secretNames are the words in names that say that a value is secret.
var secretNames = []string{
	"secret", "token", "password", "passwd", "apikey", "api_key", "api-key", "access_key", "access-key", "auth_key", "auth-key", "private_key", "private-key",
	"accessKey", "authKey", "privateKey", "Secret", "Token", "Password", "ApiKey", "APIKey", "apiKey", "Api-Key", "API-Key", "AccessKey", "AuthKey", "Auth-Key", "PrivateKey",
	"SECRET", "TOKEN", "PASSWORD", "PASSWD", "API_KEY", "API-KEY", "APIKEY", "ACCESS_KEY", "AUTH_KEY", "PRIVATE_KEY",
}

// passwordNames are the words for passwords.
var passwordNames = []string{"password", "passwd", "passphrase", "Password", "Passwd", "PASSWORD", "PASSWD", "pwd", "Pwd", "PWD"}

const (
	// named is a name with one of the words.
	named = `(?i:secret|token|passw(?:or)?d|(?:api|access|auth|private)[_-]?key)(?:[_-]?\w{1,20})?`
	// between is what may stand between a name and a value in quotes: the type
	// (": &str", ": Option<String>", " string", "[]"), and what wraps the value
	// ("String::from(", "new String(", a prefix of Python or C).
	between = `(?:["'\x60]?\]?(?:\[\d{0,4}\]|\s{0,3}:\s{0,3}[&\w.:<>\[\]?*|' ]{1,40}|[ \t]\*?[\w.\[\]]{1,30})?\s{0,20}(?::=|=>|\|\|=|\?\?=|\?=|\?:|[:=])\s{0,20}(?:(?:String::from|Some|new String|str|Secret(?:Str)?|SecretString::from)\(|@)?[bBrRuUL$]?)`
	// random is what a generated value is made of.
	random = `[A-Za-z0-9+/_=-]{20,}`
	// among are letters with digits among them, in two places or more.
	among = `[A-Za-z]{0,12}[0-9]{1,4}[A-Za-z]{1,12}[0-9]{1,4}[A-Za-z][A-Za-z0-9]{0,12}`
)

var (
	// known are words with a number, names of things in programs and paths,
	// UUIDs, and what documentation and tests have for keys.
	known = pattern.NewLazy(`^[A-Za-z]{2,}\d{0,2}(?:[-_/][A-Za-z]{2,}\d{0,2})+[-_/]?\d{0,4}$|^[A-Za-z]+\d{0,3}(?:[-_/][A-Za-z]+\d{0,3}){2,}$|^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$|` +
		`^` + humps + `\d{0,4}(?:` + humps + `\d{0,3}){0,2}$|^\.{0,2}/?(?:[a-z][a-z0-9_.-]*/)+[\w-]*$|^/(?:[A-Za-z]{4,}/){2}|^[-_=]+$|` +
		fillers)
	// setting is a line of a file of settings.
	setting = pattern.NewLazy(`^[ \t]*(?:-[ \t]+)?(?:(?:export|ENV|ARG|set)[ \t]+)?["']?[\w.-]{1,80}["']?[ \t]*[=:]`)
	// position are tokens that say where a list goes on, or which request is which.
	position = pattern.NewLazy(`(?i)(?:next|page|continuation|starting|client|request|idempotency|change|creation|lock|sync|cancel|cancellation|pagination|resume|public)[_-]?(?:token|key)$`)
)

// fillers stand in documentation and tests where a key would stand.
const fillers = `(?i:example|sample|placeholder|change.?me|your[_-]|[_-]your|dummy|fake|xxxx|redacted|abcdef|12345|0123|foobar|^test|[_-]test|test[_-])|(?:YOUR|Your)[A-Z]|EXAMPLE`

// humps are words in camel case, one after another.
const humps = `(?:[A-Z]?[a-z]{2,}|[A-Z]{2,6}|_)+`

// assignedRules are values under names that say that they are secret. Only what
// looks random is one.
func assignedRules() []rule {
	return []rule{
		{
			name: "assigned", from: ours + "; gitleaks generic-api-key is wider and names hashes and identifiers", mixed: true, bits: 3.5, except: known, names: position,
			starts: secretNames, after: "\"'` ]:=?[\t\n", pattern: at(named + between + "[\"'`](" + random + ")[\"'`]"),
		},
		{
			name: "assigned-call", from: "calls with a name and a value, as of setHeader, define and getenv; " + ours, mixed: true, bits: 3.5, except: known, names: position,
			starts: secretNames, after: "\"'", pattern: at(named + `["'], ?["'](` + random + `)["']`), line: pattern.NewLazy(`\(["'][\w.-]{1,60}["'], ?["']`),
		},
		{
			name: "assigned-markup", from: "XML: elements, and attributes key or name beside value; " + ours, mixed: true, bits: 3.5, except: known, names: position,
			starts: secretNames, after: "\"'>", pattern: at(named + `(?:["']\s{1,3}value\s?=\s?["']|["']?[^<>\n]{0,60}>\s{0,20}(?:<value>)?\s{0,20})(` + random + `)\s{0,20}["'<]`),
		},
		{
			name: "assigned-config", from: "YAML, properties, INI and .env files; " + ours, mixed: true, bits: 3.5, except: known, names: position,
			starts: secretNames, after: "\"' :=\t", pattern: at(named + `["']?[ \t]{0,10}[=:][ \t]{0,10}(` + random + `)[ \t]*(?:[ \t]#[^\n]*)?(?:[\r\n]|$)`),
			line: setting,
		},
		{
			name: "password", from: "passwords with capitals, digits and punctuation in quotes; " + ours, bits: 2.8, except: weak, mixed: true,
			starts: passwordNames, after: "\"'` ]:=?[\t",
			pattern: at(`(?i:password|passwd|passphrase|pwd)` + between + "[\"'`]([A-Za-z0-9._-]{0,40}[!@#$%^&*?~+][!-!#-&(-_a-~]{0,60})[\"'`]"),
		},
		{
			name: "password-config", from: "likewise without quotes in YAML, properties and INI files; " + ours, bits: 2.8, except: weak, mixed: true,
			starts: passwordNames, after: "\"' :=\t", line: setting,
			pattern: at(`(?i:password|passwd|passphrase|pwd)["']?[ \t]{0,10}[=:][ \t]{0,10}([A-Za-z0-9._-]{0,40}[!@#$%^&*?~+][!-!#-&(-_a-~]{0,60})[ \t]*(?:[\r\n]|$)`),
		},
		{
			name: "password-digits", from: "passwords of letters with digits among them, in quotes; " + ours, bits: 2.8, except: wordy, mixed: true,
			starts: passwordNames, after: "\"'` ]:=?[\t",
			pattern: at(`(?i:password|passwd|passphrase|pwd)` + between + "[\"'`](" + among + ")[\"'`]"),
		},
		{
			name: "password-digits-config", from: "likewise without quotes in YAML, properties and INI files and in scripts; " + ours, bits: 2.8, except: wordy, mixed: true,
			starts: passwordNames, after: "\"' :=\t", line: setting,
			pattern: at(`(?i:password|passwd|passphrase|pwd)["']?[ \t]{0,10}[=:][ \t]{0,10}(` + among + `)[ \t]*(?:[\r\n]|$)`),
		},
		{
			name: "environment", from: "variables in shell scripts, Dockerfiles and CI files; " + ours, mixed: true, bits: 3.5, except: known, names: position,
			starts: []string{"SECRET", "TOKEN", "PASSWORD", "API_KEY", "APIKEY", "_KEY"}, after: "\"' :=\t",
			pattern: at(`[A-Z_]{4,20}["']?[ \t]{0,3}[=:][ \t]{0,3}["']?(` + random + `)["']?(?:[\s;&,]|$)`),
		},
		{
			name: "dockerfile", from: "Dockerfile reference, ENV <key> <value>; " + ours, mixed: true, bits: 3.5, except: known, starts: []string{"ENV "}, word: true,
			pattern: at(`ENV[ \t]+[A-Z0-9_]{0,40}(?:SECRET|TOKEN|PASSWORD|PASSWD|KEY)[A-Z0-9_]{0,20}[ \t]+["']?(` + random + `)["']?\s`),
		},
	}
}

// weakForm are the passwords that are none: of up to seven bytes or without a
// capital or a small letter, with what fills in a variable, or a pattern.
const weakForm = `^.{0,7}$|^[^A-Z]+$|^[^a-z]+$|[$#@%]\{|\{\{|\$\(|^[$%#@*&!]\w+[%$]?$|[()<>\[\]{}\\;,|]|%[sdvq]|^[\w.-]*(?:%[0-9A-Fa-f]{2}[\w.-]*)+$|://|` +
	`(?i:example|sample|placeholder|change.?me|your|dummy|fake|xxxx|redacted|abcdef|12345|foobar|test|secret|password|^p[a@4][s$5]{2}w[o0]rd.{0,4}$)`

var weak = pattern.NewLazy(weakForm)

// wordy are those, and names in programs: "utf8ToBase64Url".
var wordy = pattern.NewLazy(weakForm + `|^(?:(?:[A-Z]?[a-z]{2,}|[A-Z][a-z]|[A-Z]{2,6})+\d{0,4})+$`)
