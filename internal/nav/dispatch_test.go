package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const served = `package served

import (
	"io"
	"net/http"
	"os"
)

type Counter struct{ n int }

func (c *Counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

type Recorder struct{ http.ResponseWriter }

func (r *Recorder) WriteHeader(code int) { r.ResponseWriter.WriteHeader(code) }

type Page struct{}

func (Page) ServeHTTP(w http.ResponseWriter, _ *http.Request) { Say(w) }

type Loud interface {
	io.Writer
	Shout()
}

type Shouter struct{ Counter }

func (*Shouter) Shout() {}

func (*Shouter) Write(p []byte) (int, error) { return len(p), nil }

type Other struct{}

func (Other) Write(text string) {}

func Say(w io.Writer) { w.Write([]byte("a")) }

func Serve(h http.Handler, w http.ResponseWriter) { h.ServeHTTP(w, nil) }

func Call(l Loud) { l.Write(nil) }

func Plain(f *os.File, o Other) { f.Write(nil); o.Write("") }
`

const servedTest = `package served

type fake struct{}

func (fake) Write(p []byte) (int, error) { return 0, nil }
`

// TestDispatch follows calls through interfaces that the repository does not declare.
func TestDispatch(t *testing.T) {
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/served\n")
	put(t, root, "served.go", served)
	put(t, root, "served_test.go", servedTest)
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	lineage := func(symbol, direction string) string {
		t.Helper()
		r, err := svc.Lineage(t.Context(), nav.LineageRequest{
			RepoID: "local", Symbol: symbol, Direction: direction, Depth: new(1), Edges: []string{"calls"},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range r.Items {
			said := item.Symbol
			if item.Tier != "" {
				said += fmt.Sprint(" ", item.Tier, " ", item.Confidence)
			}
			got = append(got, said)
		}
		return strings.Join(got, ", ")
	}
	check := func(tests [][3]string) {
		t.Helper()
		for _, test := range tests {
			if diff := cmp.Diff(test[2], lineage(test[0], test[1])); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", test[1], test[0], diff)
			}
		}
	}
	check([][3]string{
		{"Say", "downstream", "Counter.Write D 0.4, Shouter.Write D 0.4"},
		{"Serve", "downstream", "Page.ServeHTTP D 0.4"},
		{"Call", "downstream", "Shouter.Write D 0.4"},
		{"Plain", "downstream", "Other.Write"},
		{"Recorder.WriteHeader", "downstream", "Recorder.WriteHeader D 0.75"},
		{"Counter.Write", "upstream", "Say D 0.4"},
		{"Shouter.Write", "upstream", "Say D 0.4, Call D 0.4"},
		{"Page.ServeHTTP", "upstream", "Serve D 0.4"},
		{"fake.Write", "upstream", ""},
		{"Other.Write", "upstream", "Plain"},
	})
	put(t, root, "served.go", strings.Replace(served, "func (Other) Write(text string) {}",
		"func (Other) Write(p []byte) (int, error) { return 0, nil }", 1))
	check([][3]string{
		{"Say", "downstream", "Counter.Write D 0.4, Shouter.Write D 0.4, Other.Write D 0.4"},
		{"Other.Write", "upstream", "Say D 0.4, Plain"},
	})
}

// TestOuterInterface lists what satisfies an interface that the repository does not declare.
func TestOuterInterface(t *testing.T) {
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/served\n")
	put(t, root, "served.go", served)
	put(t, root, "served_test.go", servedTest)
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	before, _, _ := strings.Cut(served, "func Serve(")
	line := strings.Count(before, "\n") + 1
	for _, test := range []struct {
		req  nav.ImplementationsRequest
		want string
	}{
		{
			nav.ImplementationsRequest{RepoID: "local", Symbol: "io.Writer"},
			"Counter, Recorder, Loud, Shouter, fake test: it is declared in io, which is not indexed",
		},
		{
			nav.ImplementationsRequest{RepoID: "local", Symbol: "http.Handler"},
			"Page: it is declared in net/http, which is not indexed",
		},
		{
			nav.ImplementationsRequest{RepoID: "local", File: "served.go", Line: &line, Column: new(19)},
			"Page: it is declared in net/http, which is not indexed",
		},
		{
			nav.ImplementationsRequest{RepoID: "local", Symbol: "io.Seeker"},
			": it is declared in io, which is not indexed; no type of the repository satisfies it",
		},
	} {
		r, err := svc.Implementations(t.Context(), test.req)
		if err != nil {
			t.Errorf("%+v: %v", test.req, err)
			continue
		}
		var got []string
		for _, item := range r.Items {
			name := item.Symbol
			if item.Test {
				name += " test"
			}
			got = append(got, name)
		}
		_, says, _ := strings.Cut(*r.Meta.Message, "faster; ") // behind what it says of the graph
		if text := strings.Join(got, ", ") + ": " + says; text != test.want {
			t.Errorf("got %q, want %q", text, test.want)
		}
	}
	_, err := svc.Implementations(t.Context(), nav.ImplementationsRequest{RepoID: "local", Symbol: "io.Nothing"})
	if fault.CodeOf(err) != fault.SymbolNotFound {
		t.Errorf("of nothing: %v", err)
	}
}

// sinks are a module with an interface, and one that implements and calls it.
var sinks = map[models.RepoID]map[string]string{
	"o/sink": {
		"go.mod":  "module example.com/sink\n",
		"sink.go": "package sink\n\ntype Sink interface{ Put(s string) }\n\nfunc Feed(s Sink) { s.Put(\"\") }\n",
	},
	"p/app": {
		"go.mod": "module example.com/app\n\nrequire example.com/sink v1.0.0\n",
		"app.go": "package app\n\nimport (\n\t\"io\"\n\n\t\"example.com/sink\"\n)\n\n" +
			"type File struct{}\n\nfunc (File) Put(s string) {}\n\n" +
			"func (File) Write(p []byte) (int, error) { return 0, nil }\n\nfunc Own(s sink.Sink) { s.Put(\"\") }\n\n" +
			"func Out(w io.Writer) {}\n",
	},
}

// TestDispatchAcross follows calls through an interface of another repository.
func TestDispatchAcross(t *testing.T) {
	svc, _ := unionOf(t, sinks, true)
	for _, test := range []struct{ symbol, direction, want string }{
		{"Own", "downstream", "1 Sink.Put, 2 File.Put"},
		{"Feed", "downstream", "1 Sink.Put, 2 File.Put"},
		{"File.Put", "upstream", "1 Sink.Put, 2 Feed, 2 Own"},
	} {
		r, err := svc.Lineage(t.Context(), nav.LineageRequest{
			RepoID: "*", Symbol: test.symbol, Direction: test.direction, Edges: []string{"calls", "implements"},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range r.Items {
			got = append(got, fmt.Sprint(item.Depth, " ", item.Symbol))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", test.direction, test.symbol, diff)
		}
	}
	line := 17
	for _, req := range []nav.ImplementationsRequest{
		{RepoID: "*", Symbol: "io.Writer"}, {RepoID: "*", File: "app.go", Line: &line, Column: new(15)},
	} {
		r, err := svc.Implementations(t.Context(), req)
		if err != nil || len(r.Items) != 1 || r.Items[0].RepoID != "p/app" || r.Items[0].Symbol != "File" {
			t.Errorf("of io.Writer (%q): %+v, %v", req.Symbol, r.Items, err)
		}
	}
	r, err := svc.Implementations(t.Context(), nav.ImplementationsRequest{RepoID: "*", Symbol: "io.Seeker"})
	if err != nil || len(r.Items) != 0 || !strings.Contains(*r.Meta.Message, "no type of these") {
		t.Errorf("of io.Seeker: %+v, %v", r, err)
	}
}

// TestOuterUses lists uses of what the one repository that is asked does not declare.
func TestOuterUses(t *testing.T) {
	for _, build := range []bool{true, false} {
		svc, _ := unionOf(t, modules, build)
		for _, test := range []struct{ symbol, want string }{
			{"hclog.Default", "github.com/hashicorp/go-hclog@v1.6.3: [main.go:10]"},
			{"log.New", "example.com/base/log: [app_test.go:9]"},
			{"hclog.Nothing", "SYMBOL_NOT_FOUND: []"},
		} {
			r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "p/app", Symbol: test.symbol})
			module, places := string(fault.CodeOf(err)), []string{}
			for _, d := range r.Definitions {
				module = d.External
			}
			for _, item := range r.Items {
				places = append(places, fmt.Sprintf("%s:%d", item.FilePath, item.Line))
			}
			if got := fmt.Sprint(module, ": ", places); got != test.want {
				t.Errorf("graph %t, %s: got %q, want %q", build, test.symbol, got, test.want)
			}
			module, _, _ = strings.Cut(test.want, ":")
			_, err = svc.Lineage(t.Context(), nav.LineageRequest{RepoID: "p/app", Symbol: test.symbol, Direction: "upstream"})
			_, other := svc.Implementations(t.Context(), nav.ImplementationsRequest{RepoID: "p/app", Symbol: test.symbol})
			for _, err := range []error{err, other} {
				named := strings.Contains(fmt.Sprint(err), "declared in "+module+", which is not indexed; where-used")
				if fault.CodeOf(err) != fault.SymbolNotFound || named == (module == string(fault.SymbolNotFound)) {
					t.Errorf("graph %t, %s: %v, want it to name the module", build, test.symbol, err)
				}
			}
		}
	}
}
