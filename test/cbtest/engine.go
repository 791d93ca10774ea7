package cbtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// ErrNoEngine is that of a machine where the engine of the Search service can't be built: it is a Go module of its own,
// test/engine, made of modules that a module proxy has.
var ErrNoEngine = errors.New("cbtest: the engine of the Search service does not start")

// An engine is the Search service of one bucket, in the process of all engines. What its methods ask for and give is
// said there.
type engine struct {
	process *rpc.Client
	number  int
}

// engineOptions, engineCall and engineAnswer are Options, Call and Answer of test/engine.
type (
	engineOptions struct {
		Partitions      int
		Prefilter, BM25 bool
		Nodes           int
	}
	engineCall struct {
		Do                  string
		Engine              int
		Options             engineOptions
		Bucket, Scope, Name string
		Collection, Key     string
		Body                []byte
		Failed              int
	}
	engineAnswer struct {
		Engine, Status int
		Body           []byte
		UUID           string
		Definitions    []json.RawMessage
		Count          int
	}
)

// environment is that of the start: a test may change it.
var environment = os.Environ() // for the go command, which needs all of it

// process is the one of this program. It is started when the first node is, and ends when its input does, with this
// program.
var process = sync.OnceValues(func() (*rpc.Client, error) {
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(file), "..", "engine")
	run := exec.CommandContext(context.Background(), "go", "run", "-buildvcs=false", "-tags", "vectors", ".")
	run.Dir, run.Env = dir, append(environment, "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	var problem bytes.Buffer
	run.Stderr = &problem
	in, err := run.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := run.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := run.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoEngine, err)
	}
	client := rpc.NewClient(struct {
		io.Reader
		io.WriteCloser
	}{out, in})
	if err := client.Call("Engines.Do", engineCall{Do: "open"}, &engineAnswer{}); err != nil {
		return nil, fmt.Errorf("%w: %w: %w\n%s", ErrNoEngine, err, run.Wait(), problem.Bytes())
	}
	return client, nil
})

// newEngine makes the Search service of one bucket.
func newEngine(n *Node) *engine {
	e := &engine{process: n.engines}
	e.number = e.do(engineCall{Do: "open", Options: engineOptions{
		Partitions: n.opts.Partitions,
		Prefilter:  n.version.vectorPrefilter(),
		BM25:       n.version.bm25(),
		Nodes:      n.opts.Nodes,
	}}).Engine
	return e
}

// do panics when the engine does not answer: it is on this machine, and no test is about that.
func (e *engine) do(c engineCall) (a engineAnswer) {
	c.Engine = e.number
	if err := e.process.Call("Engines.Do", c, &a); err != nil {
		panic(fmt.Sprintf("cbtest: the engine of the Search service: %s: %v", c.Do, err))
	}
	return a
}

func (e *engine) put(collection, key string, json []byte) {
	e.do(engineCall{Do: "put", Collection: collection, Key: key, Body: json})
}

func (e *engine) delete(collection, key string) {
	e.do(engineCall{Do: "delete", Collection: collection, Key: key})
}

func (e *engine) define(bucket, scope string, definition []byte) (uuid string, status int, problem string) {
	a := e.do(engineCall{Do: "define", Bucket: bucket, Scope: scope, Body: definition})
	return a.UUID, a.Status, string(a.Body)
}

func (e *engine) definitions(bucket, scope string) []json.RawMessage {
	return e.do(engineCall{Do: "definitions", Bucket: bucket, Scope: scope}).Definitions
}

func (e *engine) drop(bucket, scope, name string) {
	e.do(engineCall{Do: "drop", Bucket: bucket, Scope: scope, Name: name})
}

func (e *engine) count(bucket, scope, name string) int {
	return e.do(engineCall{Do: "count", Bucket: bucket, Scope: scope, Name: name}).Count
}

func (e *engine) query(bucket, scope, name string, body []byte, failPartitions int) (status int, reply []byte) {
	a := e.do(engineCall{Do: "query", Bucket: bucket, Scope: scope, Name: name, Body: body, Failed: failPartitions})
	return a.Status, a.Body
}

func (e *engine) close() { e.do(engineCall{Do: "close"}) }
