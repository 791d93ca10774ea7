package ask

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// An Event is what happens on the way to an answer. One field is set; its JSON
// name is the event's.
type Event struct {
	Plan       *Plan            `json:"plan"`        // first, once
	ToolCall   *ToolCall        `json:"tool_call"`   // the model asks for something
	ToolResult *ToolResult      `json:"tool_result"` // and gets it
	Delta      *Delta           `json:"delta"`       // the answer, piece by piece: together they are Answer.Answer
	Citation   *models.Citation `json:"citation"`    // checked; it comes before the piece that has its mark
	Usage      *models.Usage    `json:"usage"`       // so far
	Warning    *models.Warning  `json:"warning"`
}

// A Plan is how an answer is to be found.
type Plan struct {
	Model  string       `json:"model"` // "" for an extractive answer
	Level  models.Level `json:"level"` // where to look first
	Steps  int          `json:"max_steps"`
	Calls  int          `json:"max_calls"`
	Tokens int          `json:"max_tokens"`
}

// A ToolCall is a call of one of the tools.
type ToolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// A ToolResult is what came of a call.
type ToolResult struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Head   string  `json:"head"` // its first line
	Items  int     `json:"items"`
	Error  bool    `json:"error"`
	Cached bool    `json:"cached"` // the same call was made before
	TookMS float64 `json:"took_ms"`
}

// A Delta is a piece of the answer.
type Delta struct {
	Text string `json:"text"`
}

// Parts are the event's name and data; "" and nil of an event that is none.
func (e Event) Parts() (name string, data any) {
	v := reflect.ValueOf(e)
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsNil() {
			return fieldName(v.Type(), i), f.Interface()
		}
	}
	return "", nil
}

// ReadEvent is the event of that name with that data. An unknown name is an
// event without any field: newer servers may have more.
func ReadEvent(name string, data []byte) (e Event, err error) {
	v := reflect.ValueOf(&e).Elem()
	for i := range v.NumField() {
		if fieldName(v.Type(), i) != name {
			continue
		}
		f := reflect.New(v.Field(i).Type().Elem())
		if err := json.Unmarshal(data, f.Interface()); err != nil {
			return Event{}, fmt.Errorf("event %s: %w", name, err)
		}
		v.Field(i).Set(f)
	}
	return e, nil
}

func fieldName(t reflect.Type, i int) string {
	name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
	return name
}
