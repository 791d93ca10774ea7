package fts_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
)

func TestAnalyze(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"punctuation only", " \t{}();--\n", nil},
		{"words are stemmed", "parsing timestamps", []string{"pars", "timestamp"}},
		{"stop words go", "what is the frame of a request", []string{"frame", "request"}},
		{"irregular forms", "written bytesFound indices", []string{"write", "byte", "find", "bytesfound", "index"}},
		{"camel case", "parseRequestBody", []string{"pars", "request", "bodi", "parserequestbody"}},
		{"acronym before a word", "HTTPServer", []string{"http", "server", "httpserver"}},
		{"acronym after a word", "newURL", []string{"new", "url", "newurl"}},
		{"acronym alone", "RFC", []string{"rfc"}},
		{"plural acronym", "URLs IDsOf", []string{"url", "id", "idsof"}},
		{"not a plural", "HTTPStatus", []string{"http", "status", "httpstatus"}},
		{"digits apart", "parseRFC3339", []string{"pars", "rfc", "3339", "rfc3339", "parserfc3339"}},
		{
			"a name with a number", "http2FrameHeader sha_256",
			[]string{"http", "http2", "frame", "header", "http2frameheader", "sha", "256", "sha_256"},
		},
		{"one digit only in the whole", "utf8 h2", []string{"utf", "utf8", "h2"}},
		{"snake case", "get_user_by_id", []string{"get", "user", "id", "get_user_by_id"}},
		{"upper snake case", "MAX_RETRIES", []string{"max", "retri", "max_retries"}},
		{"stop words stay in the whole", "doIt", []string{"doit"}},
		{"underscores around", "__init__ _x", []string{"init"}},
		{"only underscores", "_ ___", nil},
		{"qualified", "http.Client.Do", []string{"http", "client"}},
		{"one letter", "i j kk", []string{"kk"}},
		{"numbers", "7 42 1234567890 12345678901", []string{"42", "1234567890"}},
		{"other scripts", "Größe Привет 漢字", []string{"größe", "привет", "漢字"}},
		{"scripts without blanks", "用户登录 解析 户", []string{"用户", "户登", "登录", "用户登录", "解析", "户"}},
		{"beside other letters", "get用户名 ログイン_id", []string{"get", "用户", "户名", "get用户名", "ログ", "グイ", "イン", "id", "ログイン_id"}},
		{"Hangul, Thai", "사용자 ผู้ใช้", []string{"사용", "용자", "사용자", "ผู", "ู้", "้ใ", "ใช", "ช้", "ผู้ใช้"}},
		{"upper case of other scripts", "ПриветМир", []string{"привет", "мир", "приветмир"}},
		{"combining mark", "cafe\u0301s", []string{"caf\u00e9s"}},
		{"invalid UTF-8 separates", "read\xffwrite", []string{"read", "write"}},
		{"NUL separates", "read\x00write", []string{"read", "write"}},
		{"hash kept whole", "e3b0c44298fc1c149afbf4c8996fb924", []string{"e3b0c44298fc1c149afbf4c8996fb924"}},
		{"base64 dropped", strings.Repeat("aGVsbG8gd29ybGQh", 6), nil},
		{
			"long name split", "test" + strings.Repeat("_connection", 6),
			[]string{"test", "connect", "connect", "connect", "connect", "connect", "connect"},
		},
		{"data dropped", strings.Repeat("a", 65) + " " + strings.Repeat("word_", 300), nil},
	}
	analyser := fts.NewAnalyser()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, fts.Analyze(tt.text)); diff != "" {
				t.Errorf("Analyze(%q) (-want +got):\n%s", tt.text, diff)
			}
			for range 2 { // the second time from memory
				if diff := cmp.Diff(tt.want, each(analyser, tt.text)); diff != "" {
					t.Errorf("Each(%q) (-want +got):\n%s", tt.text, diff)
				}
			}
		})
	}
}

func TestAnalyserForgets(t *testing.T) {
	analyser := fts.NewAnalyser()
	for i := range 200_000 { // more words than it remembers
		each(analyser, "word"+strconv.Itoa(i))
	}
	if diff := cmp.Diff(fts.Analyze("word7 parseWord"), each(analyser, "word7 parseWord")); diff != "" {
		t.Errorf("Each (-want +got):\n%s", diff)
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, seed := range []string{
		"", "parseRFC3339(x)", "HTTPServer_v2 URLs", "a_b__c", "Straße ǅungla İstanbul ΑΣ", "\xff\xfe", "e\u0301A\u0301b",
		"١٢٣ abc४२",
		"yYyYyY", "'s don't", strings.Repeat("Ab1", 30), strings.Repeat("_", 70),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := fts.Analyze(text)
		for _, term := range terms {
			if len(term) < 2 || term != strings.ToLower(term) {
				t.Errorf("Analyze(%q) has the term %q", text, term)
			}
		}
		if diff := cmp.Diff(terms, each(fts.NewAnalyser(), text)); diff != "" {
			t.Errorf("Each(%q) (-Analyze +Each):\n%s", text, diff)
		}
	})
}

func BenchmarkAnalyser(b *testing.B) {
	text := strings.Repeat(`// ParseRFC3339 parses a timestamp such as "2006-01-02T15:04:05Z07:00" and returns the time.
func (c *Client) ParseRFC3339(ctx context.Context, value string) (time.Time, error) {
	if len(value) < minLength { return time.Time{}, fmt.Errorf("parse %q: %w", value, errTooShort) }
	for i := range value { if unexpectedByte(value[i]) { return c.fallback.parseSlowly(ctx, value) } }
}
`, 50)
	analyser := fts.NewAnalyser()
	n := 0
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		analyser.Each(text, func(*fts.Token) { n++ })
	}
}

func each(a *fts.Analyser, text string) []string {
	var terms []string
	a.Each(text, func(term *fts.Token) { terms = append(terms, term.Text) })
	return terms
}
