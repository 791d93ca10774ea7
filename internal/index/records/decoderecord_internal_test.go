package records

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Every field of a record is read without encoding/json: one that is not costs
// each run that finds nothing to do half of its time.
func TestDecodeRecordKnowsEveryField(t *testing.T) {
	var rec models.FileRecord
	fields := reflect.ValueOf(&rec).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		switch field := fields.Field(i); field.Kind() { //nolint:exhaustive // others need another case here
		case reflect.String:
			field.SetString("x")
		case reflect.Int, reflect.Int64:
			field.SetInt(1)
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		default:
			t.Fatalf("%s is a %s", name, field.Kind())
		}
	}
	b, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	var got models.FileRecord
	if d := (recordDecoder{rest: string(b)}); !d.record(&got) {
		t.Fatalf("the decoder does not know a field of %s; it stopped before %.40q", b, d.rest)
	}
	if diff := cmp.Diff(rec, got); diff != "" {
		t.Error("(-record +decoded)\n", diff)
	}
	if d := (recordDecoder{rest: string(b), brief: true}); !d.record(&got) {
		t.Errorf("in brief it stopped before %.40q of %s", d.rest, b)
	}
}

// FuzzDecodeRecord reads records as encoding/json reads them.
func FuzzDecodeRecord(f *testing.F) {
	full := models.FileRecord{
		Path: "a b/ü.go", Size: 1 << 40, ModTime: -5, Changed: 1 << 60, Hash: "00ff", Language: "Go", Lines: 3,
		Method: "go/parser", Skipped: "binary", Detail: "x", Masked: 1,
		Documents: []models.DocumentID{"file:a", "symbol:a:[]string.\"x\"", ""}, Top: 1,
		Summary: "a <b> & \"c\" \\ \u2028\xff", Package: "p", Exports: []string{"A", "]"},
		Test: true, Generated: true, Vendored: true, Racy: true, Grammar: 1, Stored: true, Revision: "0a",
	}
	for _, rec := range []models.FileRecord{{}, {Path: "a"}, full} {
		b, err := json.Marshal(rec)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range []string{
		"", "null", "{}", "{} ", `{"path":"a",}`, `{"path":null}`, `{"Path":"a"}`, `{"new":[1]}`, `{"size":1e3}`,
		`{"size":--1}`, `{"size":01}`, `{"size":-0}`,
		`{"path":"a"`, `{"path":"a\`, `{"path":"\ud800"}`, "{\"path\":\"a\nb\"}", "{\"path\":\"\xff\"}", `{"documents":[]}`,
		`{"documents":["a" ,"b"]}`,
		`{"documents":["a",]}`, `{"documents":[,"a"]}`, `{"test":true,"test":false}`, `{"documents":["a"],"documents":null}`,
		`{"path":"a"}}`, `{"size":9223372036854775808}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		var want, got models.FileRecord
		wantErr := json.Unmarshal(value, &want)
		var brief models.FileRecord
		if decodeBrief(value, &brief) == nil && wantErr == nil {
			whole := want
			whole.Documents, whole.Exports = nil, nil
			if diff := cmp.Diff(whole, brief); diff != "" {
				t.Errorf("in brief %q (-want +got):\n%s", value, diff)
			}
		}
		if err := decodeRecord(value, &got); wantErr != nil {
			if err == nil && json.Valid(value) {
				t.Errorf("decodeRecord(%q) = nil, want %v", value, wantErr)
			}
			return
		} else if err != nil {
			t.Fatalf("decodeRecord(%q) = %v", value, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("decodeRecord(%q) (-encoding/json +decodeRecord):\n%s", value, diff)
		}
	})
}
