package chat

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Chore is the reply to what chat programs ask a model for themselves, beside the
// questions of people: a title of the conversation, tags, what may be asked next,
// which tool fits. It is made of the conversation, and nothing is searched:
// Open WebUI sends four such requests with each question.
func (r Request) Chore() (reply string, ok bool) {
	reply, ok = r.chore()
	if ok && r.Object() && !strings.HasPrefix(reply, "{") {
		reply = object("title", reply)
	}
	return reply, ok
}

func (r Request) chore() (reply string, ok bool) {
	system, users := r.said("system", "developer"), r.said("user")
	if len(users) == 0 {
		return "", false
	}
	last := users[len(users)-1]
	if slices.ContainsFunc(system, toolChoice().MatchString) {
		return `{"tool_calls": []}`, true
	}
	if before, _, _ := strings.Cut(last, "<chat_history>"); task().MatchString(last) && !sources().MatchString(before) {
		return taskReply(last)
	}
	if titleWanted(last) {
		if len(users) > 1 && !titleWanted(users[0]) {
			last = users[0]
		}
		return title(last), true
	}
	return title(last), slices.ContainsFunc(system, titleWanted)
}

// said are the texts of the messages of roles.
func (r Request) said(roles ...string) (texts []string) {
	for _, m := range r.Messages {
		for _, role := range roles {
			if text, _, _ := m.text(); m.Role == role && strings.TrimSpace(text) != "" { // possible has looked at it
				texts = append(texts, strings.TrimSpace(text))
			}
		}
	}
	return texts
}

var (
	// toolChoice begins Open WebUI's question which tools to call.
	toolChoice = pattern.NewLazy(`(?s)^Available Tools:.*"tool_calls"`)
	// task is how Open WebUI asks for something about a conversation, as JSON.
	task    = pattern.NewLazy(`(?s)^### Task:.*"\w+"\s*:.*<chat_history>`)
	sources = pattern.NewLazy(`<(?:context|source)\b`) // of a question with what was found for it
	taskKey = pattern.NewLazy(`\{\s*"(\w+)"\s*:`)
)

// taskReply is the object that a task wants, by the key that its examples have;
// what can't be known of a conversation without a model is empty in it.
func taskReply(text string) (reply string, ok bool) {
	key := taskKey().FindStringSubmatch(text)
	if key == nil {
		return "", false
	}
	values := map[string]any{
		"title": title(text), "tags": []string{}, "follow_ups": []string{}, "text": "",
		"queries": []string{opening(lastTurn(text))}, "prompt": opening(lastTurn(text)),
	}
	value, known := values[key[1]]
	if !known {
		return "{}", true
	}
	return object(key[1], value), true
}

// object is a JSON object with one field.
func object(key string, value any) string {
	var b strings.Builder
	_ = models.Encode(&b, map[string]any{key: value}) // texts can be encoded
	return strings.TrimSpace(b.String())
}

const imperative = `(?:generate|provide|give|write|create|suggest|summari[sz]e|reply with|extract|produce)\b`

var (
	// orders is how an order of a title is put: "Please generate a concise title …",
	// "you will generate a short title", "Given the following … please reply with a title".
	orders = pattern.NewLazy(`(?i)^[\s\-*#]*(?:(?:please|you(?: will|'ll| are to| should| must)?) )?` + imperative +
		aTitle + `|^[\s\-*#]*(?:given the following|based on (?:the|this|our) (?:chat|conversation)|` +
		`conversation(?: context| history)?:)(?s:.*)` + imperative + aTitle +
		`|^[\s\-*#]*(?:analy[sz]e|summari[sz]e) (?:this|the) conversation and (?:provide|give)\b(?s:.*)\btitle\b` +
		`|^[\s\-*#]*you are an? (?:[\w-]+ )?title generator`)
	ofTalks = pattern.NewLazy(`(?i)\b(?:chat|conversation|thread|session|discussion|messages?)\b`)
	short   = pattern.NewLazy(`(?i)\b(?:concise|short|brief|words?|characters?|only)\b`)
)

// aTitle is a title with what may be said of it, or a name for a conversation.
const aTitle = `\W+(?:(?:(?:me|us|with|a|an|the|just|only|one|single|very|or|less|fewer|short|concise|brief|descriptive|clear|` +
	`simple|good|suitable|words?|characters?|chat|conversation|thread|session|\d+(?:-\d+)?(?:-[\w-]+)?)\W+)*titles?|this conversation a name)\b`

// orderSize is how much of a text is taken for an order, with a conversation behind it.
const orderSize = 400

// titleWanted reports whether a text orders a title for a conversation, in the words
// of LibreChat, Continue, NextChat, Zed, opencode, Goose, Chatbox and others.
func titleWanted(text string) bool {
	head := text[:min(orderSize, len(text))]
	return orders().MatchString(head) && ofTalks().MatchString(head) &&
		(short().MatchString(head) || strings.HasSuffix(strings.TrimSpace(head), ":"))
}

var (
	// talks are the forms of a conversation that is within an order, the surest first.
	talks = []*regexp.Regexp{
		regexp.MustCompile(`(?is)<chat_history>(.*?)(?:</chat_history>|$)`),
		regexp.MustCompile(`(?is)begin user messages-*(.*?)(?:-*end user messages|$)`),
		regexp.MustCompile("(?s)\n```\\w*\n(.*?)(?:\n```|$)"),
		regexp.MustCompile(`(?is)(?:conversation(?: context| history)?|messages?):\s*?\n(.*)`),
	}
	speaker = pattern.NewLazy(`(?i)^\W*(?:user|human|me)\s*:\s*`)
	quoted  = pattern.NewLazy(`"(?:text|content)"\s*:\s*("(?:[^"\\]|\\.)*")`)
	mark    = pattern.NewLazy(`\[\d+\]`)
)

// talk is the conversation within a text.
func talk(text string) string {
	if _, behind, ok := strings.Cut(text, "\n\n"); ok && titleWanted(text) {
		text = behind
	}
	for _, form := range talks {
		if m := form.FindStringSubmatch(text); m != nil {
			text = m[1]
			break
		}
	}
	if part := quoted().FindStringSubmatch(text); part != nil {
		if said, err := strconv.Unquote(part[1]); err == nil {
			text = said
		}
	}
	return text
}

// lastTurn is a conversation from what the user said last.
func lastTurn(text string) string {
	text = talk(text)
	for at := strings.LastIndex(text, "\n"); at >= 0; at = strings.LastIndex(text[:at], "\n") {
		if speaker().MatchString(text[at+1:]) {
			return text[at+1:]
		}
	}
	return text
}

// opening is the first line of a conversation that somebody said.
func opening(text string) string {
	for line := range strings.Lines(text) {
		line = strings.Trim(speaker().ReplaceAllString(strings.TrimSpace(line), ""), `"`)
		if line != "" && strings.Trim(line, "-`") != "" && !strings.HasPrefix(line, "You are ") {
			return lastRunes(strings.TrimPrefix(line, label), maxQuestion)
		}
	}
	return ""
}

// label begins extractive answers, of which some programs want a title.
const label = "Extractive answer, without a language model: "

// What a title has.
const (
	titleWords = 5
	titleRunes = 50
)

// title names a conversation by the words that its first line is about.
func title(text string) string {
	line := strings.TrimSpace(mark().ReplaceAllString(opening(talk(text)), ""))
	if titleWanted(line) { // there is nothing but the order
		line = ""
	}
	var words []string
	for word := range strings.FieldsSeq(line) {
		word = strings.Trim(word, ".,;:?!\"'`()[]*“”")
		if word != "" && !plain[strings.ToLower(word)] {
			words = append(words, word)
		}
	}
	if len(words) < 2 { // "what is this?"
		words = strings.Fields(strings.TrimRight(line, ".?! "))
	}
	if len(words) == 0 {
		return "New chat"
	}
	name := []rune(strings.Join(words[:min(titleWords, len(words))], " "))
	return strings.ToUpper(string(name[:1])) + string(name[1:min(titleRunes, len(name))])
}

// plain are words that say nothing of what a question is about.
var plain = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq("a about all an and any are can could describe do does did explain find for " +
		"from get give go has have how i if in into is it its let me my of on or our out please show so tell than that " +
		"the their them then there these they this those to us was we what when where which who why will with would " +
		"you your") {
		set[word] = true
	}
	return set
}()
