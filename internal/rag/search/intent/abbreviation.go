package intent

import "strings"

// abbreviations are words of code that are written shorter, without being the beginning of
// the word, and mean one word only.
var abbreviations = func() map[string]string {
	all := map[string]string{}
	for pair := range strings.FieldsSeq(
		"addr:address args:arguments attrs:attributes btn:button cb:callback cfg:config cmd:command " +
			"cnt:count conn:connection ctx:context db:database dst:destination evt:event fmt:format " +
			"fn:function hdr:header hdrs:headers idx:index img:image lvl:level mgr:manager msg:message " +
			"msgs:messages obj:object pkg:package ptr:pointer pwd:password qty:quantity rdr:reader " +
			"req:request reqs:requests resp:response rsp:response srv:server svc:service sched:scheduler " +
			"tbl:table tmpl:template tx:transaction txn:transaction txt:text usr:user wrk:worker " +
			"wtr:writer") {
		short, long, _ := strings.Cut(pair, ":")
		all[short] = long
	}
	return all
}()

// Spelt is a word that is written shorter, in full; "" for others.
func Spelt(word string) string { return abbreviations[strings.ToLower(word)] }

// spelt are the words of a list that are written shorter, in full. One word is a name, and
// in longer texts they are names of commands and files.
func spelt(text string) string {
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > topicWords {
		return ""
	}
	var all strings.Builder
	for _, word := range words {
		if full := Spelt(word); full != "" {
			all.WriteByte(' ')
			all.WriteString(full)
		}
	}
	return all.String()
}
