package redact

import (
	"strings"
	"testing"
)

// Each row of the table says where it comes from and can be found at all.
func TestTable(t *testing.T) {
	names, pairs := map[string]bool{}, map[string]bool{}
	for _, r := range rules() {
		if r.name == "" || r.from == "" || len(r.starts) == 0 || names[r.name] {
			t.Errorf("rule %+v", r)
		}
		names[r.name] = true
		for _, start := range r.starts {
			if len(start) < 2 {
				t.Errorf("%s: start %q", r.name, start)
				continue
			}
			pairs[start[:2]] = true
		}
	}
	if len(pairs) > 255 {
		t.Errorf("%d pairs of bytes, more than a table has groups", len(pairs))
	}
}

// chars are letters and digits in no order, n of them.
func chars(n int) string { return strings.Repeat("q7Zk2XvB9mTr4WcY8nLs5GdH3fJp6", 12)[:n] }

func hexes(n int) string { return strings.Repeat("7d1c5f71eb29dda2af80d6214632eeae", 5)[:n] }

// Every kind that must be found. Secrets are put together here, so that no
// scanner takes this file for a leak.
func TestFind(t *testing.T) {
	for _, test := range []struct{ rule, before, secret, after string }{
		{"private-key", "-----BEGIN " + "PRIVATE KEY-----", "\n" + chars(64) + "\n" + chars(20) + "\n", "-----END PRIVATE KEY-----"},
		{"private-key", "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----", "\n\n" + chars(64) + "\n=" + chars(4) + "\n", "-----END PGP PRIVATE KEY BLOCK-----"},
		{"private-key", `"key": "-----BEGIN ` + `RSA PRIVATE KEY-----`, `\n` + chars(64) + `\n` + chars(10) + `==\n`, `-----END RSA PRIVATE KEY-----\n"`},
		{"private-key", "x = \"-----BEGIN " + "EC PRIVATE KEY-----", "\\n\" +\n\t\"" + chars(64) + "\\n\" +\n\t\"", "-----END EC PRIVATE KEY-----\""},
		{"age-secret-key", "# ", "AGE-SECRET-" + "KEY-1" + strings.Repeat("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 2)[:58], "\n"},
		{"jwt", "eyJ" + chars(30) + ".eyJ" + chars(40) + ".", chars(43), `"`},
		{"github-token", "", "ghp" + "_" + chars(36), " "},
		{"github-fine-grained", "x ", "github" + "_pat_" + chars(82), ""},
		{"gitlab-token", "", "glpat" + "-" + chars(20), "\n"},
		{"gitlab-token", "", "gldt" + "-" + chars(20), "\n"},
		{"slack-token", "", "xoxb" + "-123456789012-1234567890123-" + chars(24), "\n"},
		{"slack-app-token", "", "xapp" + "-1-A0123456789-1234567890123-" + hexes(64), "\n"},
		{"slack-webhook", "https://hooks.slack" + ".com/services/", "T0" + chars(8) + "/B0" + chars(8) + "/" + chars(24), "\n"},
		{"stripe-key", "", "sk" + "_live_" + chars(24), ""},
		{"stripe-key", "", "rk" + "_test_" + chars(24), ""},
		{"openai-key", "", "sk" + "-proj-" + chars(48), ""},
		{"anthropic-key", "", "sk" + "-ant-api03-" + chars(93) + "AA", ""},
		{"npm-token", "", "npm" + "_" + chars(36), ""},
		{"npm-auth", "//registry.npmjs.org/:_auth" + "Token=", chars(8) + "-1234-4321-1234-" + chars(12), "\n"},
		{"pypi-token", "", "pypi" + "-AgEIcHlwaS5vcmc" + chars(80), ""},
		{"aws-key-id", "id = ", "AK" + "IAQ7ZK2XVB9MTR4WCY", "\n"},
		{"aws-secret-key", "AWS_SECRET_ACCESS_KEY=", chars(20) + "/+" + chars(18), "\n"},
		{"aws-secret-key", `"SecretAccessKey": "`, chars(20) + "/+" + chars(18), `"`},
		{"gcp-key", "key=", "AIza" + chars(35), "&"},
		{"gcp-client-secret", "", "GOCSPX" + "-" + chars(28), ""},
		{"gcp-access-token", "", "ya29" + "." + chars(60), ""},
		{"azure-client-secret", "secret=", "q7Z8Q" + "~" + chars(34), "\n"},
		{"azure-account-key", "DefaultEndpointsProtocol=https;AccountName=x;Account" + "Key=", chars(86) + "==", ";EndpointSuffix=core.windows.net"},
		{"azure-account-key", "Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccess" + "Key=", chars(43) + "=", ""},
		{"azure-sas", "https://x.blob.core.windows.net/c?sv=2022&sp=r&sig" + "=", chars(43) + "%3D", ""},
		{"url-password", "postgres://app:", "tr0ub4dor&3", "@db.internal:5432/app"},
		{"url-password", "redis://:", "p4ssw0rd-of-redis", "@cache:6379/0"},
		{"url-password", "https://deploy:", "correcthorse", "@git.example.org/x.git"},
		{"connection-password", "Server=tcp:db,1433;Initial Catalog=app;User ID=sa;Password=", "Tr0ub4dor!x", ";Encrypt=True"},
		{"connection-password", "host=db user=app password=", "Tr0ub4dorx", " dbname=app"},
		{"parameter-password", "jdbc:mysql://db/app?user=app&password=", "Tr0ub4dorx", "&ssl=true"},
		{"authorization", "Authorization: Basic ", chars(30) + "==", "\r\n"},
		{"authorization", `{"authorization": "Bearer `, chars(40), `"}`},
		{"curl-user", "curl -u admin:", "Tr0ub4dorx", " https://x/"},
		{"header-key", "curl -H 'X-Api-Key: ", chars(32), "' https://x"},
		{"telegram-token-9", "", "123456789:A" + chars(34), ""},
		{"docker-auth", `{"auths": {"https://index.docker.io/v1/": {"auth": "`, chars(28) + "=", `"}}}`},
		{"heroku-uuid", "HEROKU_API_KEY=", "b1593400-67c7-193c-187e-75bb810a9203", "\n"},
		{"telegram-token", "", "1234567890:A" + chars(34), ""},
		{"assigned", `client_secret := "`, chars(24), `"`},
		{"assigned", `apiKey: '`, chars(32), `'`},
		{"assigned", `const API_KEY: &str = "`, chars(24), `";`},
		{"assigned", `static API_KEY: &'static str = "`, chars(24), `";`},
		{"assigned", `let apiKey: String = "`, chars(24), `"`},
		{"assigned", `val apiKey: String? = "`, chars(24), `"`},
		{"assigned", `const clientSecret: string = "`, chars(24), `";`},
		{"assigned", `client_secret: str = "`, chars(24), `"`},
		{"assigned", `var apiKey string = "`, chars(24), `"`},
		{"assigned", `const char api_key[] = "`, chars(24), `";`},
		{"assigned", `let api_key: Option<String> = Some("`, chars(24), `".into());`},
		{"assigned", `api_key := String::from("`, chars(24), `")`},
		{"assigned", `os.environ["SECRET_KEY"] = "`, chars(24), `"`},
		{"assigned", `headers["X-Api-Key"] = "`, chars(24), `"`},
		{"assigned-call", `req.Header.Set("X-Auth-Token", "`, chars(24), `")`},
		{"assigned", `ENV["API_KEY"] ||= "`, chars(24), `"`},
		{"assigned", `"api_key" => "`, chars(24), `",`},
		{"assigned", "const token = `", chars(24), "`"},
		{"assigned-markup", `<apiKey>`, chars(24), `</apiKey>`},
		{"assigned", `<add key="ApiKey" value="`, chars(24), `"/>`},
		{"assigned-markup", `<string name="google_api_key">`, chars(24), `</string>`},
		{"assigned", `<property name="secret" value="`, chars(24), `"/>`},
		{"assigned-config", "api_key: ", chars(24), ""},
		{"assigned-config", "  - auth-token: ", chars(24), " # of prod\n"},
		{"assigned-config", "spring.datasource.password=", chars(24), "\r\n"},
		{"assigned-config", "ARG SECRET_TOKEN=", chars(24), "\n"},
		{"assigned-config", "token = ", chars(24), "\n"},
		{"dockerfile", "ENV SECRET_TOKEN ", chars(24), "\n"},
		{"password", `password: "`, "S3cr3tP@ss" + "w0rd!", `"`},
		{"password", `DB_PASSWD = '`, "hunter2-" + "Sup3r!", `'`},
		{"password-config", "db.password=", "aB3$kP9!" + "vQ2x", "\n"},
		{"password-digits", `Password = "`, "Vf8sK2" + "mQ9z", `";`},
		{"password-digits", `$db['passwd'] = '`, "tr0Ub4" + "dor9x", `'`},
		{"password-digits-config", "export DB_PASSWORD=", "Vf8sK2" + "mQ9z", "\n"},
		{"password-digits-config", "  POSTGRES_PASSWORD: ", "9q2K" + "w8zXp", "\r\n"},
		{"authorization", `auth = "Bearer `, chars(40), `"`},
		{"authorization", "Authorization: Token ", hexes(40), "\n"},
		{"dsn-password", `open("root:`, "pw8Kd92xQ", `@tcp(db:3306)/app")`},
		{"mailgun-key", "`", "key" + "-" + hexes(32), "`"},
		{"discord-token", "", "MTk4" + chars(20) + ".Cl2FMQ." + chars(27), "\n"},
		{"newrelic-key", "", "NRAK" + "-" + strings.ToUpper(chars(27)), "\n"},
		{"heroku-key", "", "HRKU" + "-b1593400-67c7-193c-187e-75bb810a9203", "\n"},
		{"facebook-page", "", "EAACEdEose0" + "cBA" + chars(60), "\n"},
		{"stripe-letters", "sk" + "_live_", "mcMWlfebwNEJIEbTXevfYuaD", "\n"},
		{"environment", "run -e SERVICE_TOKEN=", chars(32), "\n"},
	} {
		text := test.before + test.secret + test.after
		got := Find(text)
		if len(got) != 1 || got[0].Rule != test.rule || text[got[0].Start:got[0].End] != test.secret {
			t.Errorf("%s: %q: got %+v", test.rule, text, got)
		}
	}
}

// What looks like a credential and is none.
func TestFindNothing(t *testing.T) {
	for name, text := range map[string]string{
		"SHA-1": "commit " + hexes(40), "SHA-256": "h1:" + chars(43) + "=", "checksum file": hexes(64) + "  file.tar.gz\n",
		"UUID":          `token: "7d1c5f71-eb29-dda2-af80-d6214632eeae"`,
		"base 64":       `data := "` + chars(200) + `"`,
		"next page":     `"nextToken": "` + chars(40) + `"`,
		"words":         `token = "some-readable-identifier-name"`,
		"documentation": "AKIA" + "IOSFODNN7EXAMPLE", "placeholder": "postgres://user:password@host/db", "variable": "https://user:${PASSWORD}@host", "template": "https://user:{{.Password}}@host",
		"format":               `fmt.Sprintf("postgres://%s:%s@%s/db", user, password, host)`,
		"port":                 "http://localhost:8080/path@version",
		"time":                 "see http://example.com/a:b and mail me@example.com",
		"constant":             "const passwordMinimumLength = 20",
		"call":                 "password := generatePasswordWithLength20(ctx)",
		"public key":           "-----BEGIN PUBLIC KEY-----\n" + chars(64) + "\n-----END PUBLIC KEY-----",
		"prose":                `a file that starts with "-----BEGIN RSA PRIVATE KEY-----" and ends with "-----END RSA PRIVATE KEY-----"`,
		"ssh public":           "ssh-ed25519 " + chars(68) + " me@host",
		"go.sum":               "golang.org/x/sys v0.49.0 h1:" + chars(43) + "=\n",
		"integrity":            `"integrity": "sha512-` + chars(86) + `=="`,
		"css":                  ".sk-circle-fade-dot-animation-delayed { }",
		"Go test":              "Password=xxxxxx;Server=db",
		"environment variable": `token = os.getenv("SERVICE_TOKEN_OF_2024_PROD")`, "shell variable": "API_KEY: ${SERVICE_API_KEY_2024_PRODUCTION}\n", "JavaScript": "const apiKey = process.env.SERVICE2_API_KEY_PRODUCTION;",
		"CI": "token: ${{ secrets.DEPLOY_TOKEN_2024 }}\n", "angle brackets": `api_key: "<YOUR_KEY_2024_OF_THE_SERVICE>"`, "yours": `api_key = "YOUR_API_KEY_1234567890"`, "your words": "api_key: your-api-key-here-0123\n",
		"identifier": "token: parseTokenFromSha256HeaderValue\n", "type": "apiKey: Optional[SecretStr2WithLongName]\n", "camel case": `token: "generatedWebhookToken1"`,
		"path": "private_key: config/keys/production2/server_key\n", "pointer": `"AuthKey": "/properties/HttpDestination/Auth2KeyOfConfiguration"`, "call of a function": "password = decrypt_with_kms2(ciphertext_of_password)\n",
		"list of names": "[\"https://host/token\",\n\"auth_provider_x509_cert_url\"]", "UUID in YAML": "token: 7d1c5f71-eb29-dda2-af80-d6214632eeae\n", "short": "token: abc123\n",
		"weak password": `password: "Password123!"`, "pattern of passwords": `password: "^(?=.*[A-Z])(?=.*\d).{8,}$"`, "password of a variable": `password: "$DB_PASSWORD_1a"`, "lower case": `passwd = "pass-word!"`,
		"password of a function": "password = utf8ToBase64Url\n", "name of a password": `password: "sha256Of2Words"`, "digits at the end": `password = "Summer2024"`, "digits once": "password: pass2word\n", "a call": "password = b64Decode2x(raw)\n",
		"DSN of a variable": "user:${DB_PASSWORD}@tcp(db:3306)/app", "DSN in documentation": "user:password@tcp(localhost:5555)/dbname", "cache key": "cache-key-" + hexes(32), "prose on auth": "uses basic authentication-of-version-2 and token based-access2-for-users",
		"test vector":        `{"secret", "` + hexes(64) + `"},`,
		"Stripe placeholder": "sk" + "_live_" + "xxxxxxxxxxxxxxxxxxxxxxxx",
	} {
		if got := Find(text); len(got) > 0 {
			t.Errorf("%s: %q: %+v", name, text, got)
		}
	}
}

// Masking what is masked changes nothing, keeps sizes and lines, and never fails.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", "token = \"" + chars(24) + "\"", "-----BEGIN " + "PRIVATE KEY-----\n" + chars(64) + "\n-----END", "://a:" + chars(12) + "@b", "a:" + chars(12) + "@tcp(b)", "token: " + chars(24) + "\n", "<token>" + chars(24) + "<", "password='aB3$kP9!vQ'", "ENV X_KEY " + chars(24) + "\n", "Q~" + chars(34), "_mmk", ":A" + chars(34), "\xff\xfe-u x:y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		masked, n := Text(text)
		if len(masked) != len(text) || strings.Count(masked, "\n") != strings.Count(text, "\n") || (n == 0) != (masked == text) && !strings.Contains(text, "*") {
			t.Fatalf("%q became %q with %d masked", text, masked, n)
		}
		again, more := Text(masked)
		if len(again) != len(text) || n == 0 && more > 0 {
			t.Fatalf("%q became %q", masked, again)
		}
		last := 0
		for _, m := range Find(text) {
			if m.Start < last || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("%q: %+v after %d", text, m, last)
			}
			last = m.End
		}
	})
}
