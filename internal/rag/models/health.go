package models

import (
	"fmt"
	"time"
)

// Version is the item of GET /version: what program is running.
type Version struct {
	Version       string `json:"version"`
	Commit        string `json:"commit"`     // of the source; empty when not known
	GoVersion     string `json:"go_version"` // that it was built with
	Embedder      string `json:"embedder"`   // provider/model
	SchemaVersion int    `json:"schema_version"`
}

// A Check is the item of GET /readyz and of the doctor: one thing that must be
// right. Message says what was found, and what to do when it is not right.
type Check struct {
	Name     string `json:"name"`
	OK       bool   `json:"ok"`
	Degraded bool   `json:"degraded,omitempty"` // it is ok because most answers do without
	Message  string `json:"message"`
}

// Passed is a check of something that is right.
func Passed(name, format string, args ...any) Check {
	return Check{Name: name, OK: true, Message: fmt.Sprintf(format, args...)}
}

// Failed is a check of something that is not.
func Failed(name, format string, args ...any) Check {
	return Check{Name: name, Message: fmt.Sprintf(format, args...)}
}

// Degraded is a check of something that most answers do without.
func Degraded(name, format string, args ...any) Check {
	return Check{Name: name, OK: true, Degraded: true, Message: fmt.Sprintf(format, args...)}
}

// A Minute is the requests that a server had in it.
type Minute struct {
	Begin    time.Time
	Requests int
	Errors   int           // that were the server's
	Took     time.Duration // all together
	Slowest  time.Duration
}
