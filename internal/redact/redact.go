// Package redact masks credentials in text: what is stored, embedded or quoted
// shows asterisks where a secret stood.
package redact

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A credential is a kind of secret that is recognised by its form.
type credential struct {
	starts  []string       // what it begins with
	word    bool           // only at the start of a word
	pattern *regexp.Regexp // anchored at the start; the last group, or all of it, is the secret
	random  bool           // the secret must look random
	window  int            // bytes to look at, 0 means defaultWindow
}

const defaultWindow = 400

// credentials are the forms that public secret scanners agree on and that
// hardly ever stand for anything else.
var credentials = []credential{
	{
		starts: []string{"-----BEGIN "}, window: 16 << 10,
		pattern: regexp.MustCompile(`^-----BEGIN [A-Z ]*PRIVATE KEY-----([A-Za-z0-9+/=\s\\n":,;.-]*?)-----END`),
	},
	{starts: []string{"AKIA", "ASIA"}, word: true, pattern: regexp.MustCompile(`^[0-9A-Z]{20}\b`)},
	{starts: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, word: true, pattern: regexp.MustCompile(`^gh[pousr]_[A-Za-z0-9]{36,255}\b`)},
	{starts: []string{"github_pat_"}, word: true, pattern: regexp.MustCompile(`^github_pat_\w{60,255}\b`)},
	{starts: []string{"glpat-"}, word: true, pattern: regexp.MustCompile(`^glpat-[\w-]{20,}`)},
	{starts: []string{"xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-"}, word: true, pattern: regexp.MustCompile(`^xox.-[A-Za-z0-9-]{20,}`), random: true},
	{starts: []string{"sk_live_", "rk_live_"}, word: true, pattern: regexp.MustCompile(`^.k_live_[A-Za-z0-9]{16,}`)},
	{starts: []string{"AIza"}, word: true, pattern: regexp.MustCompile(`^AIza[\w-]{35}`)},
	{starts: []string{"npm_"}, word: true, pattern: regexp.MustCompile(`^npm_[A-Za-z0-9]{36}\b`), random: true},
	{starts: []string{"sk-"}, word: true, pattern: regexp.MustCompile(`^sk-[A-Za-z0-9_-]{32,}`), random: true},
	{starts: []string{"eyJ"}, word: true, pattern: regexp.MustCompile(`^eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.([\w-]{20,})`), window: 4 << 10},
	{starts: []string{"://"}, pattern: regexp.MustCompile(`^://[^/\s:@"'<>{}$]+:([^/\s:@"'<>{}$*]{12,})@`), random: true},
	{
		starts: []string{
			"secret", "token", "password", "passwd", "apikey", "api_key", "Secret", "Token", "Password", "ApiKey", "APIKey", "apiKey",
			"SECRET", "TOKEN", "PASSWORD", "API_KEY",
		},
		pattern: regexp.MustCompile(`^(?i:secret|token|passw(?:or)?d|api_?key)(?:_\w{1,20})?["']?\s{0,20}(?::=|[:=])\s{0,20}["']([A-Za-z0-9+/_=-]{20,})["']`), random: true,
	},
}

// Text replaces the credentials in text by as many asterisks, so that offsets
// and lines stay as they are, and counts them.
func Text(text string) (string, int) {
	masked := 0
	for _, c := range credentials {
		if found := c.find(text); len(found) > 0 {
			masked += len(found)
			text = blank(text, found)
		}
	}
	return text, masked
}

// find returns the start and end of each secret of that kind.
func (c credential) find(text string) [][2]int {
	var found [][2]int
	for _, start := range c.starts {
		for at := 0; ; at += len(start) {
			i := strings.Index(text[at:], start)
			if i < 0 {
				break
			}
			at += i
			if c.word && at > 0 && isWordByte(text[at-1]) {
				continue
			}
			rest := text[at:min(len(text), at+max(c.window, defaultWindow))]
			loc := c.pattern.FindStringSubmatchIndex(rest)
			if loc == nil {
				continue
			}
			from, to := loc[len(loc)-2], loc[len(loc)-1]
			if !c.random || looksRandom(rest[from:to]) {
				found = append(found, [2]int{at + from, at + to})
			}
		}
	}
	return found
}

func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= utf8.RuneSelf
}

func blank(text string, spans [][2]int) string {
	b := []byte(text)
	for _, s := range spans {
		for i := s[0]; i < s[1]; i++ {
			if b[i] != '\n' && b[i] != '\r' {
				b[i] = '*'
			}
		}
	}
	return string(b)
}

// looksRandom tells a generated secret from a word or a placeholder: digits and
// letters with an entropy of more than 3.5 bits a character. (English words in
// camel case have about 3.2, 20 random base-64 characters about 4.1.)
func looksRandom(s string) bool {
	if !strings.ContainsAny(s, "0123456789") || !strings.ContainsAny(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") {
		return false
	}
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits > 3.5
}
