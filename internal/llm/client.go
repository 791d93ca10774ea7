package llm

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/modelserver"
)

// Settings say which model to ask, and where. URL and Model are required.
type Settings struct {
	URL, Model, Key string
	// Silence is how long a server may send nothing; default 60 s.
	Silence time.Duration
	HTTP    *http.Client // see modelserver.Server
}

const defaultSilence = time.Minute

// A Client asks the model of an OpenAI-compatible server. It learns which parts
// of the protocol that server does not take, and does without them.
type Client struct {
	Settings

	server modelserver.Server

	mu      sync.Mutex
	lacking lacks
	thinks  bool // the last text began within a thought that the server had opened
}

// kind is how errors speak of the server.
var kind = modelserver.Kind{Name: "language model", Setting: "RAGNAV_LLM", Code: fault.LLMUnavailable}

// New returns a client. It sends nothing.
func New(s Settings) *Client {
	if s.Silence <= 0 {
		s.Silence = defaultSilence
	}
	return &Client{
		Settings: s, server: modelserver.Server{URL: s.URL, Key: s.Key, Kind: kind, HTTP: s.HTTP},
		lacking: lacks{},
	}
}

// Name implements Model.
func (c *Client) Name() string { return c.Model }

// Chat implements Model. A reply that breaks off before any of it was handed to
// text is asked for once more.
func (c *Client) Chat(ctx context.Context, req Request, text func(string)) (Reply, error) {
	handed := false
	hand := func(s string) {
		handed = true
		if text != nil {
			text(s)
		}
	}
	reply, err := c.chat(ctx, req, hand)
	if _, broken := errors.AsType[*brokenError](err); broken && !handed && ctx.Err() == nil {
		reply, err = c.chat(ctx, req, hand)
	}
	if reply.Usage == (Usage{}) {
		reply.Usage = Usage{Prompt: req.Size(), Completion: Tokens(reply.Text), Estimated: true}
	}
	return reply, err
}

// chat is one try, with less of the protocol each time the server refuses a
// part of it.
func (c *Client) chat(ctx context.Context, req Request, text func(string)) (Reply, error) {
	ctx, w := watch(ctx, c.Silence)
	defer w.stop()
	for {
		lacking := c.lacks()
		resp, err := c.server.Post(ctx, "/chat/completions", body(c.Model, req, lacking)) //nolint:bodyclose // receive does it
		if err == nil {
			return c.receive(ctx, w, resp, req, text)
		}
		if !c.learn(err, req, lacking) {
			return Reply{}, silent(ctx, err)
		}
	}
}

// receive reads a reply: a stream, or whole from servers that don't stream.
func (c *Client) receive(ctx context.Context, w *watchdog, resp *http.Response, req Request, text func(string)) (Reply,
	error,
) {
	defer func() { _ = resp.Body.Close() }()
	in := bufio.NewReader(w.reading(io.LimitReader(resp.Body, maxReply)))
	thinks := c.thinksFirst()
	b := builder{key: c.server.Key, text: gate{out: text, tools: req.Tools, within: thinks, assumed: thinks}}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) // "" is no stream
	var err error
	switch formOf(in, media) {
	case formStream:
		err = b.stream(in)
	case formPage:
		err = fault.New(fault.LLMUnavailable,
			"%s sends a page in place of a reply; set RAGNAV_LLM_URL to the address of the model's API", c.server.URL)
	default:
		err = b.whole(in)
	}
	reply := b.reply()
	if err == nil {
		if !b.text.empty() {
			c.setThinksFirst(b.text.unopened)
		}
		return reply, nil
	}
	if ctx.Err() != nil {
		return reply, silent(ctx, context.Cause(ctx))
	}
	return reply, err
}

func (c *Client) thinksFirst() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.thinks
}

func (c *Client) setThinksFirst(thinks bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.thinks = thinks
}

// How a reply comes.
type form int

const (
	formWhole form = iota
	formStream
	formPage // of HTML: nothing that a model sends
)

// formOf tells by how it begins in which form a reply comes: servers, and what stands
// before them, give either form the content type of the other, or none.
func formOf(in *bufio.Reader, media string) form {
	for {
		first, err := in.Peek(1)
		switch {
		case err != nil && media == "text/event-stream":
			return formStream
		case err != nil:
			return formWhole
		case first[0] == ' ' || first[0] == '\t' || first[0] == '\r' || first[0] == '\n':
			_, _ = in.Discard(1) // what was seen is there
			continue
		case first[0] == '{':
			return formWhole
		case first[0] == '<':
			return formPage
		}
		return formStream
	}
}

// A brokenError is a reply that ended before its end.
type brokenError struct{ cause error }

func (e *brokenError) Error() string { return fmt.Sprintf("the reply broke off: %v", e.cause) }

func (e *brokenError) Unwrap() error { return e.cause }

func broken(cause error) error {
	return fault.Wrap(fault.LLMUnavailable, &brokenError{cause},
		"the language model's reply broke off; ask again, or look at the log of its server")
}

var errSilence = errors.New("nothing was received for too long")

// silent is err, or what to tell of a server that was silent for too long.
func silent(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errSilence) {
		return fault.Wrap(fault.LLMUnavailable, err, "the language model's server is silent; ask again, or look at its log")
	}
	return err
}

// A watchdog ends a context when nothing happens for a while.
type watchdog struct {
	limit  time.Duration
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

func watch(ctx context.Context, limit time.Duration) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &watchdog{limit, time.AfterFunc(limit, func() { cancel(errSilence) }), cancel}
}

func (w *watchdog) stop() {
	w.timer.Stop()
	w.cancel(context.Canceled)
}

func (w *watchdog) reading(r io.Reader) io.Reader { return &watched{r, w} }

type watched struct {
	io.Reader

	by *watchdog
}

func (r *watched) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.by.timer.Reset(r.by.limit)
	}
	return n, err
}
