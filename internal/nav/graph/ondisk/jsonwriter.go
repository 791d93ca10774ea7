package ondisk

import (
	"bufio"
	"encoding/json"
	"strconv"
)

// A jsonWriter writes pieces of JSON.
type jsonWriter struct {
	w   *bufio.Writer
	buf []byte
}

func (j *jsonWriter) raw(s string) *jsonWriter {
	j.w.WriteString(s) //nolint:errcheck // Flush returns it
	return j
}

// comma begins the i-th element of a list on a line of its own.
func (j *jsonWriter) comma(i int) *jsonWriter {
	if i > 0 {
		j.raw(",")
	}
	return j.raw("\n")
}

func (j *jsonWriter) int(n int) *jsonWriter {
	j.buf = strconv.AppendInt(j.buf[:0], int64(n), 10)
	j.w.Write(j.buf) //nolint:errcheck // Flush returns it
	return j
}

func (j *jsonWriter) float(f float32) *jsonWriter {
	j.buf = strconv.AppendFloat(j.buf[:0], float64(f), 'g', -1, 32)
	j.w.Write(j.buf) //nolint:errcheck // Flush returns it
	return j
}

// text writes a string in quotes.
func (j *jsonWriter) text(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			b, _ := json.Marshal(s) //nolint:errchkjson // a string can be written
			j.w.Write(b)            //nolint:errcheck // Flush returns it
			return
		}
	}
	j.raw(`"`).raw(s).raw(`"`)
}
