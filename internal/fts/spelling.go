package fts

import "strings"

// american is a word in lower case as it is spelt in America: organize for organise,
// color for colour. Code and those who ask for it seldom spell alike. What it makes of
// other words need not be one, as stems need not be; but all forms of a word must stay
// together: precision is said of what is precise.
func american(word string) string {
	for _, end := range endsWithS {
		root, ok := strings.CutSuffix(word, end)
		if !ok {
			continue
		}
		if i := len(root); end[0] == 'i' && i >= minRoot && !hasSuffix(root, notIze) || hasSuffix(root, lyze) {
			word = word[:i+1] + "z" + word[i+2:]
		}
		break
	}
	if i := strings.Index(word, "our"); i > 1 && hasSuffix(word[:i], or) {
		word = word[:i+1] + word[i+2:]
	}
	return word
}

const minRoot = 3 // bytes of a word before "ise": rise, arise and wise are shorter

var (
	endsWithS = strings.Fields("ise ised iser isers ises ising isable isation isations isational " +
		"yse ysed yser ysers yses ysing")
	// notIze end what is before an "ise" that is part of a word's root: noise, disguise, revise,
	// otherwise, precise, enterprise, promise, premise, advertise, franchise.
	notIze = strings.Fields("a e o u v w rc ec nc xc pr prom prem vert expert franch sunr")
	lyze   = strings.Fields("al ol") // analyze, electrolyze
	// or ends what is before "or" in words that have "our" in Britain.
	or = strings.Fields("arm behavi col endeav fav flav harb hon hum lab neighb rum vap")
)

func hasSuffix(word string, ends []string) bool {
	for _, end := range ends {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}
