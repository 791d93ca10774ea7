package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/modelserver"
)

// A role says what a text is for.
type role string

const (
	asQuery    role = "query"
	asDocument role = "document"
)

type request struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	EncodingFormat string   `json:"encoding_format"`
	Dimensions     int      `json:"dimensions,omitempty"`
	InputType      role     `json:"input_type,omitempty"`
}

// errOtherwise is in the error of a request that may succeed in another form.
var errOtherwise = errors.New("the server wants it otherwise")

// errSlow is in the error of a request that took longer than the timeout.
var errSlow = errors.New("the server is too slow")

// tries is how often a request is sent to a server that answers, but with nothing
// of use: it may want it in another form, or have been cut off.
const tries = 3

// ask sends one request until it is answered, or has failed for good.
func (c *Client) ask(ctx context.Context, texts []string, as role, attempts int) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	for n := 1; ; n++ {
		vectors, err := c.once(ctx, texts, as, attempts)
		if err == nil || n == tries || !errors.Is(err, errOtherwise) {
			return vectors, c.inTime(ctx, err)
		}
	}
}

// inTime is err in words if it is that of the timeout.
func (c *Client) inTime(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return c.problem(errors.Join(errSlow, err), "does not answer in time; see its log, or set RAGNAV_EMBED_TIMEOUT")
	}
	return err
}

// problem is an error about what the server did.
func (c *Client) problem(cause error, format string, args ...any) error {
	return fault.Wrap(fault.EmbedderUnavailable, cause, "the embedder (%s) %s", c.o.Model, fmt.Sprintf(format, args...))
}

// maxReplyPerText bounds how much of a reply is read: 4096 components as numbers
// of 24 characters.
const maxReplyPerText = 4096*24 + 4096

func (c *Client) once(ctx context.Context, texts []string, as role, attempts int) ([][]float32, error) {
	ask := request{Model: c.o.Model, Input: texts, EncodingFormat: "base64"}
	if c.plain.Load() {
		ask.EncodingFormat = "float"
	}
	if c.shorten.Load() {
		ask.Dimensions = c.dims
	}
	if c.o.inputType {
		ask.InputType = as
	}
	server := c.server
	server.Attempts = attempts
	resp, err := server.Post(ctx, "/embeddings", ask)
	if err != nil {
		return nil, c.refusal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	limit := int64(len(texts))*maxReplyPerText + 1<<16
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, c.problem(errors.Join(errOtherwise, err), "breaks off its answer; see its log")
	}
	if int64(len(data)) > limit {
		return nil, c.problem(nil, "answers with more than %d bytes to %d texts", limit, len(texts))
	}
	return c.read(data, len(texts))
}

// read decodes the vectors of n texts.
func (c *Client) read(data []byte, n int) ([][]float32, error) {
	r, err := decode(data)
	if err != nil {
		return nil, c.problem(err,
			"answers with what is no list of vectors; see that RAGNAV_EMBED_URL is the address of its API, with /v1")
	}
	if r.failed() {
		said := modelserver.Message(data, c.server.Key)
		if tooLong(strings.ToLower(said)) {
			return nil, c.problem(embed.ErrRefused, "fails: %s", said)
		}
		return nil, c.problem(nil, "fails: %s", said)
	}
	vectors, err := r.vectors(n, c.dims)
	wrong, resized := errors.AsType[dimsError](err)
	switch {
	case err == nil:
		return vectors, nil
	case resized && c.o.Dims > 0 && wrong.got > wrong.want && c.shorten.CompareAndSwap(false, true):
		// models that were trained for it can give fewer, if they are asked to
		return nil, c.problem(errOtherwise, "makes %v", wrong)
	case resized:
		return nil, c.problem(err,
			"makes %v; use the model that the index was made with, or set RAGNAV_EMBED_DIMS=%d and run `ragnav index --reembed`",
			wrong, wrong.got)
	case errors.Is(err, errNoDirection):
		return nil, c.problem(errors.Join(embed.ErrRefused, err), "makes %v", err)
	}
	return nil, c.problem(err, "answers with %v", err)
}

// refusal is why a request was not answered, with embed.ErrRefused if it is about its texts.
func (c *Client) refusal(err error) error {
	f, ok := errors.AsType[*modelserver.Failure](err)
	if !ok {
		return err
	}
	said := strings.ToLower(f.Message)
	switch {
	case strings.Contains(said, "encoding_format") && c.plain.CompareAndSwap(false, true):
		return fault.Wrap(fault.EmbedderUnavailable, errors.Join(errOtherwise, err), "%s", fault.MessageOf(err))
	case f.Status == http.StatusBadRequest, f.Status == http.StatusRequestEntityTooLarge,
		f.Status == http.StatusUnprocessableEntity, tooLong(said):
		return fault.Wrap(fault.EmbedderUnavailable, errors.Join(embed.ErrRefused, err), "%s", fault.MessageOf(err))
	}
	return err
}

// tooLong reports whether a server speaks of a text or of a batch that is too
// long for it. Some do so with status 500.
func tooLong(said string) bool {
	return slices.ContainsFunc(
		[]string{"too long", "too large", "context length", "context size", "input length", "maximum"},
		func(words string) bool { return strings.Contains(said, words) })
}
