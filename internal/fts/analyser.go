package fts

import (
	"strings"
	"sync"
)

// An Analyser is Analyze for large amounts of text: it remembers the terms of
// the words it has seen, because the words of code repeat. The memory is
// bounded (some 10 MB). Its methods may be called concurrently.
type Analyser struct {
	shards [32]shard
}

// A shard remembers the terms of some of the words.
type shard struct {
	mu    sync.RWMutex
	terms map[string][]string
}

const (
	shardWords = 2048 // a full shard is emptied
	cachedWord = 64   // bytes of the longest word that is remembered
)

// NewAnalyser returns an analyser that remembers nothing yet.
func NewAnalyser() *Analyser {
	a := &Analyser{}
	for i := range a.shards {
		a.shards[i].terms = map[string][]string{}
	}
	return a
}

// Each calls emit for each term of text, in the order of Analyze. Terms are
// shared and do not keep text alive.
func (a *Analyser) Each(text string, emit func(term string)) {
	for word := range words(text) {
		for _, term := range a.word(word) {
			emit(term)
		}
	}
}

func (a *Analyser) word(word string) []string {
	if len(word) > cachedWord {
		return appendTerms(nil, strings.Clone(word))
	}
	s := &a.shards[shardOf(word)]
	s.mu.RLock()
	terms, ok := s.terms[word]
	s.mu.RUnlock()
	if ok {
		return terms
	}
	word = strings.Clone(word)
	terms = appendTerms(nil, word)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.terms) >= shardWords {
		clear(s.terms)
	}
	s.terms[word] = terms
	return terms
}

// shardOf spreads words over the shards; words are not empty.
func shardOf(word string) uint8 {
	n := len(word)
	return (word[0]*31 ^ word[n/2]*7 ^ word[n-1] ^ uint8(n)) % 32
}
