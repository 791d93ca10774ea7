package main

import (
	"encoding/json"
	"fmt"
	"sync"
)

// engines are those that the tests of one process use, by number. The types of its calls are those of cbtest, field by
// field.
type engines struct {
	mu  sync.Mutex
	all []*Engine
}

// A Call says to an engine what to do. Each deed needs some of it.
type Call struct {
	Do                  string // "open", "put", …, see Do
	Engine              int
	Options             Options
	Bucket, Scope, Name string
	Collection, Key     string // "scope.collection" and key of a document
	Body                []byte
	Failed              int // partitions
}

// An Answer is what it says to that. Each deed gives some of it.
type Answer struct {
	Engine      int
	Status      int // of HTTP
	Body        []byte
	UUID        string
	Definitions []json.RawMessage
	Count       int
}

// Do is all that can be called.
func (s *engines) Do(c Call, a *Answer) error {
	if c.Do == "open" {
		a.Engine = s.open(c.Options)
		return nil
	}
	s.mu.Lock()
	e := s.all[c.Engine]
	s.mu.Unlock()
	switch c.Do {
	case "put":
		return e.Put(c.Collection, c.Key, c.Body)
	case "delete":
		return e.Delete(c.Collection, c.Key)
	case "define":
		a.UUID, a.Status, a.Body = e.Define(c.Bucket, c.Scope, c.Body)
	case "drop":
		e.Drop(c.Bucket, c.Scope, c.Name)
	case "definitions":
		a.Definitions = e.Definitions(c.Bucket, c.Scope)
	case "count":
		a.Count, _ = e.Count(c.Bucket, c.Scope, c.Name)
	case "query":
		a.Status, a.Body = e.Query(c.Bucket, c.Scope, c.Name, c.Body, c.Failed)
	case "close":
		e.Close()
		s.forget(c.Engine)
	default:
		return fmt.Errorf("an engine can't %q", c.Do)
	}
	return nil
}

func (s *engines) open(o Options) (number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, New(o))
	return len(s.all) - 1
}

func (s *engines) forget(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[number] = nil
}
