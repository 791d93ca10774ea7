package tool

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
)

// spanOf has lines that a call gives as other tools have them, as a range or as where
// to begin and how many, go by the tool's first and last line.
func spanOf(given map[string]any, names []string) {
	if !slices.Contains(names, "start_line") {
		return
	}
	for _, name := range []string{"lines", "line_range", "range"} {
		first, last, ok := rangeOf(given[name])
		if !ok || given["start_line"] != nil || given["end_line"] != nil {
			continue
		}
		given["start_line"], given["end_line"] = first, last
		delete(given, name)
	}
	if offset, ok := whole(given["offset"]); ok && given["start_line"] == nil {
		given["start_line"] = max(offset, 1)
		delete(given, "offset")
	}
	for _, name := range []string{"limit", "num_lines", "line_count"} {
		if n, ok := whole(given[name]); ok && n > 0 && given["end_line"] == nil {
			first, _ := whole(given["start_line"])
			given["end_line"] = max(first, 1) + n - 1
			delete(given, name)
		}
	}
}

// lineRange is a range of lines as text: 10-20, 10:20, L10-L20, 10,20, or one line.
var lineRange = regexp.MustCompile(`^L?(\d{1,9})(?:\s*(?:-|:|,|\.\.)\s*L?(\d{1,9}))?$`)

// rangeOf are the first and the last line of a range, as text or as two numbers.
func rangeOf(v any) (first, last int, ok bool) {
	switch v := v.(type) {
	case string:
		m := lineRange.FindStringSubmatch(v)
		if m == nil {
			return 0, 0, false
		}
		first, _ = strconv.Atoi(m[1])
		if last = first; m[2] != "" {
			last, _ = strconv.Atoi(m[2])
		}
		return first, last, true
	case []any:
		if len(v) != 2 {
			return 0, 0, false
		}
		first, ok = whole(v[0])
		last, end := whole(v[1])
		return first, last, ok && end
	}
	return 0, 0, false
}

// whole is a whole number, also as text.
func whole(v any) (n int, ok bool) {
	got, ok := lenient(reflect.TypeFor[int](), v).(int64)
	return int(got), ok
}
