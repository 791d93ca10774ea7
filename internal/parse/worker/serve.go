package worker

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/parse"
)

// A Parser is what Serve asks.
type Parser interface {
	Outline(f parse.File, want parse.Want) (parse.Outline, error)
	Facts(f parse.File) (facts.File, error)
	Both(f parse.File) (parse.Outline, *facts.File, error) // nil: they are another parse
	Locals(f parse.File) ([]facts.Local, error)
}

// Serve answers requests from in until that ends, which is at once when the
// process that asks is gone, even within a request. The caller should then
// end the process: the parser may be busy for ever.
func Serve(in io.Reader, out io.Writer, p Parser) error {
	if err := writeFrame(out, []byte(greeting)); err != nil {
		return fmt.Errorf("say that it is ready: %w", err)
	}
	requests := make(chan parsing)
	received := parallel.Start(func() error { return receive(bufio.NewReaderSize(in, 1<<16), requests) })
	answered := parallel.Start(func() error { return answer(requests, bufio.NewWriterSize(out, 1<<16), p) })
	select {
	case err := <-received:
		return err
	case err := <-answered:
		return err
	}
}

type parsing struct {
	request

	text string
}

func receive(in io.Reader, requests chan<- parsing) error {
	for {
		var r request
		err := readValue(in, &r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		text, err := readFrame(in)
		if err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		requests <- parsing{r, string(text)}
	}
}

func answer(requests <-chan parsing, out *bufio.Writer, p Parser) error {
	for r := range requests {
		reply := answerTo(r, p)
		if err := writeValue(out, &reply); err != nil {
			return fmt.Errorf("write a reply: %w", err)
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("write a reply: %w", err)
		}
	}
	return nil
}

func answerTo(r parsing, p Parser) reply {
	f := parse.File{Path: r.Path, Language: r.Language, Text: r.text}
	if r.Both {
		out, found, err := p.Both(f)
		if err != nil {
			return reply{Error: err.Error()}
		}
		var kept []byte
		if found != nil {
			kept = encode(found)
		}
		return reply{Outline: &out, Kept: kept}
	}
	if r.Facts {
		found, err := p.Facts(f)
		if err != nil {
			return reply{Error: err.Error()}
		}
		return reply{Facts: &found}
	}
	if r.Locals {
		found, err := p.Locals(f)
		if err != nil {
			return reply{Error: err.Error()}
		}
		return reply{Locals: found}
	}
	out, err := p.Outline(f, r.Want)
	if err != nil {
		return reply{Error: err.Error()}
	}
	return reply{Outline: &out}
}
