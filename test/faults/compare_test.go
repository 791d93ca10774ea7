package main

import (
	"slices"
	"testing"
)

const (
	envelopeHead = `{"meta":{"status":"OK","error_code":null,"message":null,"request_id":"A","took_ms":1},"items":[`
	twoItems     = envelopeHead +
		`{"document_id":"a","repo_id":"x","content":"A","score":2},` +
		`{"document_id":"b","repo_id":"y","content":"B","score":1}]}`
)

// What a reply is called that isn't the recorded one.
func TestJudge(t *testing.T) {
	truth := table{replies: []reply{parsed(t, twoItems)}, items: map[string]document{}}
	for _, item := range truth.replies[0].Items {
		d, err := parseItem(item)
		if err != nil {
			t.Fatal(err)
		}
		truth.items[d.id] = d
	}
	warned := `{"meta":{"status":"OK","warnings":[{"code":"DAMAGED","message":"m"}]},"items":[`
	for _, tt := range []struct {
		name, reply string
		want        verdict
	}{
		{
			"another request id",
			`{"meta":{"status":"OK","error_code":null,"message":null,"request_id":"B","took_ms":7},` +
				twoItems[len(envelopeHead)-9:], same,
		},
		{"empty", envelopeHead + `]}`, loss},
		{"one left out", envelopeHead + `{"document_id":"a","repo_id":"x","content":"A","score":2}]}`, lie},
		{"other scores", envelopeHead +
			`{"document_id":"b","repo_id":"y","content":"B","score":3},` +
			`{"document_id":"a","repo_id":"x","content":"A","score":2}]}`, ranked},
		{"with uses, of a graph that was built meanwhile", envelopeHead +
			`{"document_id":"b","repo_id":"y","content":"B","score":3,"uses":1},` +
			`{"document_id":"a","repo_id":"x","content":"A","score":2,"uses":12,"tests":3}]}`, ranked},
		{"other marks", envelopeHead +
			`{"document_id":"b","repo_id":"y","content":"B","score":3},` +
			`{"document_id":"a","repo_id":"x","content":"A","freshness":"STALE"}]}`, lie},
		{"one left out and said", warned + `{"document_id":"a","repo_id":"x","content":"A","score":1.5}]}`, said},
		{"other text and said", warned + `{"document_id":"a","repo_id":"x","content":"Z","score":2}]}`, lie},
		{
			"nothing, and said of both repositories",
			`{"meta":{"status":"OK","warnings":[{"code":"DAMAGED","message":"x and y"}]},"items":[]}`, said,
		},
		{"nothing and said", warned + `]}`, loss},
		{"an error", `{"meta":{"status":"ERROR","error_code":"RAG_UNAVAILABLE","message":"damaged"},"items":[]}`, said},
		{
			"an error without words",
			`{"meta":{"status":"ERROR","error_code":"INTERNAL","message":"internal error"},"items":[]}`, mute,
		},
		{"denied", `{"meta":{"status":"ERROR","error_code":"REPO_NOT_FOUND","message":"no such"},"items":[]}`, loss},
		{
			"denied as never indexed",
			`{"meta":{"status":"ERROR","error_code":"INDEX_NOT_READY","message":"nothing is indexed yet"},"items":[]}`, loss,
		},
	} {
		if got := judge(operation{name: "search symbol"}, 0, parsed(t, tt.reply), []table{truth}); got.verdict != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got.verdict, tt.want)
		}
	}
}

// A warning about one more repository says more, also where its code was there before.
func TestTellsMore(t *testing.T) {
	unknown := func(more string) reply {
		return parsed(t, `{"meta":{"status":"OK","warnings":[{"code":"FRESHNESS_UNKNOWN","message":"x"}`+more+`]},"items":[]}`)
	}
	two := unknown(`,{"code":"FRESHNESS_UNKNOWN","message":"y can't be read"}`)
	if one := unknown(""); !tellsMore(two, one) || tellsMore(one, two) || tellsMore(one, one) {
		t.Error("the number of warnings of one code does not count")
	}
	with := func(message string) reply {
		return parsed(t, `{"meta":{"status":"OK","warnings":[{"code":"UNKNOWN","message":"`+message+`"}]},"items":[]}`)
	}
	one, four := with("x: it was not compared"), with("x, y, z and 1 more: it was not compared")
	if !tellsMore(four, one) || tellsMore(one, four) {
		t.Error("the repositories that one warning names do not count")
	}
	apart := parsed(t, `{"meta":{"status":"OK","warnings":[{"code":"UNKNOWN","message":"x, y, z: it was not compared"},`+
		`{"code":"UNKNOWN","message":"v: git can't be started"}]},"items":[]}`)
	if !tellsMore(apart, with("v, x, y and 1 more: it was not compared")) {
		t.Error("a reason more does not count")
	}
	if other := with("x: git can't be started"); !tellsMore(other, one) || tellsMore(one, one) {
		t.Error("another reason does not count")
	}
}

func parsed(t *testing.T, text string) reply {
	t.Helper()
	r, err := parseReply([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The commands of a message are found and taken apart as a shell does.
func TestNamed(t *testing.T) {
	message := "damaged; run `ragnav index '/a b/c' \"d\"`, or `ragnav doctor --repair`; `ragnav nav build-graph` and " +
		"`make run` are not meant"
	want := [][]string{{"ragnav", "index", "/a b/c", "d"}, {"ragnav", "doctor", "--repair"}}
	if got := named(message); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCrash(t *testing.T) {
	for text, want := range map[string]bool{
		"panic: runtime error: index out of range":       true,
		"x\nfatal error: fault\n[signal SIGBUS: bus err": true,
		`{"level":"error","msg":"panic","panic":"x"}`:    true,
		"ragnav: don't panic: it is damaged":             false,
	} {
		if got := (result{err: text}).panicked(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
