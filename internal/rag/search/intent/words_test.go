package intent

import (
	"slices"
	"strings"
	"testing"
)

// Names of several words are the same in the styles of all languages.
func TestSpellings(t *testing.T) {
	for name, want := range map[string]string{
		"getUserById":     "get_user_by_id get-user-by-id",
		"get_user_by_id":  "getuserbyid get-user-by-id",
		"HTTPServer":      "http_server http-server",
		"getHTTPStatus2":  "get_http_status2 get-http-status2",
		"utf8Decode":      "utf8_decode utf8-decode",
		"MAX_RETRY_COUNT": "maxretrycount max-retry-count",
		"Größe_von":       "größevon größe-von",
		"__init__":        "",
		"render":          "",
		"Render":          "",
		"URL":             "",
		"_x":              "",
	} {
		id := Identifier{Low: strings.ToLower(name), Words: wordsOf(name)}
		if got := strings.Join(id.Spellings(), " "); got != want {
			t.Errorf("%s is also spelt %q, want %q", name, got, want)
		}
		for _, other := range append(strings.Fields(want), name) {
			if len(id.Words) > 1 && (!id.SameWords(other) || !id.SameWords(strings.ToUpper(other))) {
				t.Errorf("%s is not taken for %s", other, name)
			}
		}
	}
	id := Of("get_user_by_id").Identifiers[0]
	others := ",get,getUserBy,getUserByIds,get_user_by_ids,_get_user_by_id,ge_tuser_by_id"
	for other := range strings.SplitSeq(others, ",") {
		if id.SameWords(other) {
			t.Errorf("%s is taken for %s", other, id.Name)
		}
	}
	words := Of("where is http.ListenAndServe").Identifiers[0].Words
	if !slices.Equal(words, []string{"listen", "and", "serve"}) {
		t.Errorf("words of the last part are %q", words)
	}
}
