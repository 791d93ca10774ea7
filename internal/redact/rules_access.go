package redact

import "github.com/ragnav/ragnav/internal/pattern"

// placeholder is what stands for a password in documentation and tests.
var placeholder = pattern.NewLazy(`(?i)^(?:[*x.\-_]+|(?:my|your|the|some|test|db|user|admin|root|super|new|old|bad|wrong|fake|dummy|sample|example|default)?[_-]?` +
	`(?:pass(?:word|wd|phrase)?|pwd?|secret|token|key|apikey|api_key|credentials?|user(?:name)?|admin|root|guest|test|example|change_?me|foo|foobar|bar|baz|qux|hunter2|none|null|empty|redacted|masked|hidden|value|string)` +
	`[_-]?\d{0,4}!?|[a-z]{1,5}|\d{1,6}|abc\w{0,6}|qwerty\w{0,4}|(?:[%$#@].*)|.*(?:\{\{|\$\{|\$\(|%\(|<[a-z]).*)$`)

// accessRules are credentials in URLs, headers and connection strings.
func accessRules() []rule {
	return []rule{
		{
			name: "url-password", from: "RFC 3986, section 3.2.1; " + ours, starts: []string{"://"}, except: placeholder, bits: 2.3,
			pattern: at("://[^/\\s:@\"'`<>{}()$%,;|\\\\]{0,80}:([^/\\s:@\"'`<>{}()$*,;|\\\\]{6,200})@[A-Za-z0-9\\[_]"),
		},
		{
			name: "connection-password", from: "ADO.NET, ODBC and libpq connection strings; " + ours, starts: []string{"assword=", "Pwd=", "pwd=", "PWD=", "ASSWORD="},
			pattern: at("(?:assword|ASSWORD|Pwd|pwd|PWD)=([^\\s\"'`;&<>{}()$%\\\\,]{6,128})(?:[\\s;\"'`]|$)"), except: placeholder, bits: 2.3,
			line: pattern.NewLazy(`(?i)(?:\b(?:server|data source|initial catalog|user id|uid|dbname|database|driver|endpoint)\s?=\s?[^\s=]|\bhost=\S+\s(?:.*\s)?user=|\buser=\S+\s(?:.*\s)?host=)`),
		},
		{
			name: "parameter-password", from: "JDBC URLs; " + ours, starts: []string{"?password=", "&password=", ";password="}, except: placeholder, bits: 2.3,
			pattern: at("[?&;]password=([^\\s\"'`;&<>{}()$%\\\\]{6,128})"), line: pattern.NewLazy(`jdbc:|://`),
		},
		{
			name: "dsn-password", from: "github.com/go-sql-driver/mysql, DSN: user:password@protocol(address)", starts: []string{"@tcp(", "@unix(", "@tcp6("}, behind: true,
			pattern: pattern.NewLazy("(?:^|[\"'`\\s=/])[\\w.-]{1,64}:([^\\s\"'`<>{}$%]{4,128})$"), except: placeholder, bits: 2.3,
		},
		{
			name: "npm-auth", from: "npm: .npmrc; " + ours, starts: []string{":_authToken=", ":_auth=", ":_password="}, mixed: true, bits: 3,
			pattern: at(`:_(?:authToken|auth|password)=["']?([\w+/=-]{16,})`),
		},
		{
			name: "curl-user", from: "gitleaks curl-auth-user", starts: []string{"-u ", "--user ", "--user="}, except: placeholder, bits: 2.3,
			pattern: at("-(?:u|-user)[ =][\"']?[^\\s:\"'`<>${}]{1,64}:([^\\s\"'`<>${}:]{6,128})"), line: pattern.NewLazy(`\bcurl\b`),
		},
		{name: "slack-webhook", from: "gitleaks slack-webhook-url", starts: []string{"hooks.slack.com/"}, pattern: at(`hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{43,56})`), bits: 3},
		{name: "discord-webhook", from: "Discord: webhooks; " + ours, starts: []string{"/api/webhooks/"}, pattern: at(`/api/webhooks/\d{17,20}/([\w-]{60,72})`), bits: 3.5},
		{
			name: "teams-webhook", from: "gitleaks microsoft-teams-webhook", starts: []string{".webhook.office.com/webhookb2/"},
			pattern: at(`\.webhook\.office\.com/webhookb2/([a-z0-9@-]{73}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9-]{36})`),
		},
		{name: "telegram-token", from: "gitleaks telegram-bot-api-token", starts: []string{":A"}, back: 10, word: true, mixed: true, bits: 3.5, pattern: at(`\d{10}:A[A-Za-z0-9_-]{34}\b`)},
		{name: "telegram-token-9", from: "likewise of bots with older, shorter numbers", starts: []string{":A"}, back: 9, word: true, mixed: true, bits: 3.5, pattern: at(`\d{9}:A[A-Za-z0-9_-]{34}\b`)},
		{
			name: "docker-auth", from: "Docker: config.json, auths; " + ours, starts: []string{`"auth"`}, mixed: true, bits: 3.5, except: known,
			pattern: at(`"auth"\s{0,3}:\s{0,3}"([A-Za-z0-9+/]{20,}={0,2})"`),
		},
		{
			name: "heroku-uuid", from: "gitleaks heroku-api-key", starts: []string{"HEROKU_API_KEY", "heroku_api_key"}, bits: 3,
			pattern: at(`(?i:heroku_api_key)["']?\s{0,3}(?::=|=>|[:=])\s{0,3}["']?([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})`),
		},
		{name: "maxmind-key", from: "gitleaks maxmind-license-key", starts: []string{"_mmk"}, back: 36, word: true, pattern: at(`[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b`), bits: 3.5},
		{
			name: "nuget-password", from: "gitleaks nuget-config-password", starts: []string{"\"ClearTextPassword\"", "\"Password\""}, except: placeholder,
			pattern: at(`"(?:ClearText)?Password"\s*value="([^"%]{8,100})"`), bits: 2.3,
		},
	}
}
