package modelserver

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/redact"
)

// Message is what the body of a failure says, in any of the forms that servers
// give it, on one line. Some repeat the key that they refuse, or all headers of the
// request, and what stands before a model shows keys of its own: credentials are
// masked, and key is, whatever its form.
func Message(body []byte, key string) string {
	var object struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  string          `json:"detail"`
	}
	text := string(body)
	if json.Unmarshal(body, &object) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		var plain string
		switch {
		case json.Unmarshal(object.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
		case json.Unmarshal(object.Error, &plain) == nil && plain != "":
			text = plain
		case object.Message+object.Detail != "":
			text = object.Message + object.Detail
		}
	}
	text, _ = redact.Text(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "))
	text = hideNamed(hide(text, key))
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}

// partOfKey is the size of a piece of a key that is hidden wherever it stands:
// servers cut what they repeat.
const partOfKey = 8

// hide puts asterisks over each piece of the key in a text, in upper or lower case,
// and as base64 or in a URL.
func hide(text, key string) string {
	var pieces []string
	for _, form := range []string{key, url.QueryEscape(key), base64.StdEncoding.EncodeToString([]byte(key))} {
		form = lowerASCII(form)
		for i := 0; i+partOfKey <= len(form); i++ {
			pieces = append(pieces, form[i:i+partOfKey])
		}
	}
	if len(key) > 0 && len(key) < partOfKey { // such a word may be any
		return regexp.MustCompile(`\b`+regexp.QuoteMeta(key)+`\b`).ReplaceAllLiteralString(text, "***")
	}
	out, low := []byte(text), lowerASCII(text)
	for _, piece := range pieces {
		for from := 0; ; {
			i := strings.Index(low[from:], piece)
			if i < 0 {
				break
			}
			from += i
			copy(out[from:], strings.Repeat("*", partOfKey))
			from++
		}
	}
	return strings.ToValidUTF8(string(out), "*") // a key may end within a character
}

// lowerASCII keeps sizes.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// named is what is called a key, and looks like one: it has a digit.
var named = pattern.NewLazy(`(?i)((?:\b|_)(?:bearer|basic|(?:x-)?api[-_ ]?key|authorization|token|secret|password)\b` +
	`(?:["'\x60\\\s:=(]|\b(?:provided|received|given|is|was|key|bearer|basic|value|of)\b)*)` +
	`([A-Za-z0-9+/_.~=-]{8,})`)

func hideNamed(text string) string {
	return named().ReplaceAllStringFunc(text, func(match string) string {
		parts := named().FindStringSubmatch(match)
		if !strings.ContainsAny(parts[2], "0123456789") {
			return match
		}
		return parts[1] + strings.Repeat("*", partOfKey)
	})
}
