package httpapi_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// asks sends a conversation; found is the question that an answer was searched for, if one was.
func asks(t *testing.T, more string, conversation ...turn) (content, found string) {
	t.Helper()
	d := deps()
	bind(d, op.Ask, func(_ context.Context, req ask.Request) (ask.Response, error) {
		found = req.Query
		answer := models.Answer{Answer: "An answer [1].", Gaps: []string{"A gap."}}
		return ask.Response{Result: models.OKResult([]models.Answer{answer})}, nil
	})
	messages, err := json.Marshal(conversation)
	if err != nil {
		t.Fatal(err)
	}
	w := do(t, d, request{method: "POST", path: chatPath, body: `{"model":"ragnav",` + more + `"messages":` +
		string(messages) + `}`})
	var reply struct {
		Choices []struct{ Message turn }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || len(reply.Choices) != 1 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return reply.Choices[0].Message.Content, found
}

// What chat programs ask for themselves is answered without a search; what people ask is searched.
func TestChores(t *testing.T) {
	user := func(text string) turn { return turn{"user", text} }
	system := func(text string) turn { return turn{"system", text} }
	task := func(order, object string) turn {
		return user("### Task:\n" + order + "\n### Output:\nJSON format: " + object +
			"\n### Chat History:\n<chat_history>\nUSER: How does the cache forget entries?\n" +
			"ASSISTANT: By age [1].\nUSER: And when it is full?\n</chat_history>")
	}
	const question, titled = "How does the cache forget entries?", "Cache forget entries"
	for name, test := range map[string]struct {
		conversation []turn
		want         string // "" when it is a question
	}{
		"title as JSON": {
			[]turn{task("Generate a concise, 3-5 word title.", `{ "title": "your title" }`)},
			`{"title":"` + titled + `"}`,
		},
		"tags":       {[]turn{task("Generate 1-3 broad tags.", `{ "tags": ["a", "b"] }`)}, `{"tags":[]}`},
		"follow-ups": {[]turn{task("Suggest questions.", `{ "follow_ups": ["A?"] }`)}, `{"follow_ups":[]}`},
		"queries": {
			[]turn{task("Is a search needed?", `{ "queries": ["a"] }`)}, `{"queries":["And when it is full?"]}`,
		},
		"completion": {[]turn{task("Continue the text.", `{ "text": "more" }`)}, `{"text":""}`},
		"another":    {[]turn{task("Guess.", `{ "mood": "fine" }`)}, `{}`},
		"tools": {
			[]turn{system("Available Tools: []\n{\n \"tool_calls\": []\n}"), user("Query: " + question)}, `{"tool_calls": []}`,
		},
		"title before the conversation": {[]turn{user("Provide a concise, 5-word-or-less title for the conversation. Only " +
			"return the title itself.\n\nConversation:\nUser: " + question + "\nAI: By age.")}, titled},
		"title behind the conversation": {
			[]turn{
				user(question),
				{"assistant", "By age."},
				user("Generate a concise 3-7 word title for this conversation, omitting punctuation."),
			}, titled,
		},
		"title of an answer": {
			[]turn{user("Given the following... please reply with a title for the chat that is 3-4 words " +
				"in length.\n\nExtractive answer, without a language model: `Cache.forget` in a/b fits best [1].")},
			"Cache.forget a/b fits best",
		},
		"title by the system": {[]turn{system("\n  - you will generate a short title based on the first message a user " +
			"begins a conversation with"), user(`{"role":"user","parts":[{"type":"text","text":"` + question + `"}]}`)}, titled},
		"title by an agent": {[]turn{
			system("You are a title generator. You output ONLY a thread title."),
			user("Generate a title for this conversation:\n"),
			user(question),
		}, titled},
		"title between marks": {[]turn{
			system("Generate a short title (four words or less) that describes the topic of the user's messages."),
			user("---BEGIN USER MESSAGES---\n" + question + "\n---END USER MESSAGES---\n\n" +
				"Generate a short title for the above messages."),
		}, titled},
		"name between fences": {[]turn{user("Based on the chat history, give this conversation a name.\nKeep it short - 10 " +
			"characters max.\n\nHere's the conversation:\n\n```\nYou are a helpful assistant.\n\n---------\n\n" + question +
			"\n```")}, titled},
		"title of nothing": {[]turn{user("Write a short title for this chat:")}, "New chat"},

		"an order about titles": {[]turn{user("Give a short explanation of how the conversation title is made")}, ""},
		"an order about the files of titles": {
			[]turn{user("Based on the conversation history, which file has only the titles?")}, "",
		},
		"a title among what is ordered": {
			[]turn{user("Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise " +
				"title in the detected language (5 words or less, no punctuation)\n\nConversation:\nUser: " + question)}, titled,
		},
		"an order of code": {
			[]turn{user("Create a React component for the chat title with max 50 characters")}, "",
		},
		"a program that speaks of titles": {
			[]turn{system("You must write concise messages. Use title case for headings."), user(question)}, "",
		},
		"a task with a conversation in what was found": {
			[]turn{user("### Task:\nUse the context.\n<context>\n{ \"title\": 1 } <chat_history>\n</context>\n\n" + question)},
			"",
		},
		"a question about titles":   {[]turn{user("Where is the short title of a conversation generated?")}, ""},
		"a question about the task": {[]turn{user("Generate tests for the title of the parser")}, ""},
		"a task with what was found": {[]turn{
			user("### Task:\nRespond using the provided context.\n<context>\nbread\n</context>\n\n" + question),
		}, ""},
		"a program's own words": {[]turn{system("You are a coding assistant. Give short answers."), user(question)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, found := asks(t, "", test.conversation...)
			if searched := test.want == ""; searched != (found != "") || !searched && got != test.want {
				t.Errorf("%q, having searched for %q; want %q", got, found, test.want)
			}
			if limited, _ := asks(t, `"max_tokens":1,`, test.conversation...); len(limited) > models.BytesPerToken {
				t.Errorf("one token: %q", limited)
			}
		})
	}
}

// What a program has found itself stands before a question, and is no part of it.
func TestAskedBehindContext(t *testing.T) {
	const context = "### Task:\nUse the context.\n<context>\n<source>bread</source>\n</context>\n"
	for text, want := range map[string]string{
		context + "\nWho calls it?":                              "Who calls it?",
		context + "<user_query>\nWho calls it?\n</user_query>\n": "Who calls it?",
		"Why?\n<context>\nbread\n</context>\nBe brief.":          "Why?\n<context>\nbread\n</context>\nBe brief.",
		"What does <context> mean?":                              "What does <context> mean?",
		"Who closes </context>?":                                 "Who closes </context>?",
		"<context>\nfunc f()\n</context>":                        "<context>\nfunc f()\n</context>",
	} {
		if _, found := asks(t, "", turn{"user", text}); found != want {
			t.Errorf("%q: asked %q, want %q", text, found, want)
		}
	}
}

// A client that wants an object gets the whole answer as one, also in a stream.
func TestChatObject(t *testing.T) {
	const object = `"response_format":{"type":"json_object"},`
	content, _ := asks(t, object, turn{"user", "What does it do?"})
	const want = `{"answer":"An answer [1].","citations":[],"gaps":["A gap."],"out_of_scope":false,"confidence":0,` +
		`"warnings":[]}`
	if content != want {
		t.Errorf("%s\nwant %s", content, want)
	}
	w := do(t, deps(), request{method: "POST", path: chatPath, body: strings.Replace(said("what?"), `{"model"`,
		`{"stream":true,`+object+`"model"`, 1)})
	var text strings.Builder
	for line := range strings.Lines(w.Body.String()) {
		var chunk struct {
			Choices []struct{ Delta turn }
		}
		if data, ok := strings.CutPrefix(line, "data: {"); ok {
			if err := json.Unmarshal([]byte("{"+data), &chunk); err != nil {
				t.Fatal(err)
			}
			text.WriteString(chunk.Choices[0].Delta.Content)
		}
	}
	var got struct {
		Answer    string
		Citations []models.Citation
	}
	if err := json.Unmarshal([]byte(text.String()), &got); err != nil || got.Answer == "" || len(got.Citations) == 0 {
		t.Errorf("%v of %s", err, w.Body)
	}
}
