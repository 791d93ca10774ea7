package golang

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// goStdMethods are the methods of interfaces and types of the standard library
// that types of other modules embed most: name and signature, in the form of
// facts.Symbol.Shape.
var goStdMethods = map[string][]string{
	"error":                    {"Error()(string)"},
	"fmt.Stringer":             {"String()(string)"},
	"io.Reader":                {"Read([]uint8)(int,error)"},
	"io.Writer":                {"Write([]uint8)(int,error)"},
	"io.Closer":                {"Close()(error)"},
	"io.Seeker":                {"Seek(int64,int)(int64,error)"},
	"io.ReadCloser":            {"Read([]uint8)(int,error)", "Close()(error)"},
	"io.WriteCloser":           {"Write([]uint8)(int,error)", "Close()(error)"},
	"io.ReadWriter":            {"Read([]uint8)(int,error)", "Write([]uint8)(int,error)"},
	"io.ReadWriteCloser":       {"Read([]uint8)(int,error)", "Write([]uint8)(int,error)", "Close()(error)"},
	"io.ReadSeeker":            {"Read([]uint8)(int,error)", "Seek(int64,int)(int64,error)"},
	"io.ReadSeekCloser":        {"Read([]uint8)(int,error)", "Seek(int64,int)(int64,error)", "Close()(error)"},
	"io.ReaderAt":              {"ReadAt([]uint8,int64)(int,error)"},
	"io.WriterAt":              {"WriteAt([]uint8,int64)(int,error)"},
	"io.ByteReader":            {"ReadByte()(uint8,error)"},
	"io.ByteWriter":            {"WriteByte(uint8)(error)"},
	"io.StringWriter":          {"WriteString(string)(int,error)"},
	"io.WriterTo":              {`WriteTo("io".Writer)(int64,error)`},
	"io.ReaderFrom":            {`ReadFrom("io".Reader)(int64,error)`},
	"net/http.Handler":         {`ServeHTTP("net/http".ResponseWriter,*"net/http".Request)()`},
	"net/http.ResponseWriter":  {`Header()("net/http".Header)`, "Write([]uint8)(int,error)", "WriteHeader(int)()"},
	"net/http.Flusher":         {"Flush()()"},
	"net/http.RoundTripper":    {`RoundTrip(*"net/http".Request)(*"net/http".Response,error)`},
	"sort.Interface":           {"Len()(int)", "Less(int,int)(bool)", "Swap(int,int)()"},
	"container/heap.Interface": {"Len()(int)", "Less(int,int)(bool)", "Swap(int,int)()", "Push(any)()", "Pop()(any)"},
	"sync.Locker":              {"Lock()()", "Unlock()()"},
	"sync.Mutex":               {"Lock()()", "Unlock()()", "TryLock()(bool)"},
	"context.Context": {
		`Deadline()("time".Time,bool)`, "Done()(chan2 struct{})", "Err()(error)",
		"Value(any)(any)",
	},
	"flag.Value":                 {"String()(string)", "Set(string)(error)"},
	"encoding/json.Marshaler":    {"MarshalJSON()([]uint8,error)"},
	"encoding/json.Unmarshaler":  {"UnmarshalJSON([]uint8)(error)"},
	"encoding.TextMarshaler":     {"MarshalText()([]uint8,error)"},
	"encoding.TextUnmarshaler":   {"UnmarshalText([]uint8)(error)"},
	"encoding.BinaryMarshaler":   {"MarshalBinary()([]uint8,error)"},
	"encoding.BinaryUnmarshaler": {"UnmarshalBinary([]uint8)(error)"},
}

// goStdOf are the methods of a base type that is not of the repository, false
// if they are not known.
func goStdOf(q *resolve.Query, f resolve.FileID, base facts.Expr) (goMethods, bool) {
	name := base.LastName()
	if n := base.Node(); n.Op == facts.OpMember {
		i, imported := goImportNames(q, f).local[n.Of.LastName()]
		if !imported {
			return nil, false
		}
		name = q.File(f).Imports[i].Path + "." + n.Name
	}
	list, ok := goStdMethods[name]
	if !ok {
		return nil, false
	}
	set := goMethods{}
	for _, m := range list {
		i := strings.IndexByte(m, '(')
		set[m[:i]] = goMethod{id: resolve.SymbolID{File: -1, Index: -1}, shape: m[i:]}
	}
	return set, true
}
