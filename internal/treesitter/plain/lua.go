package plain

import "strings"

// Lua makes plain comments of comments with three dashes. The grammar
// reads the annotations in those ("---@return ...", "---@field a? string[]"),
// knows few of today's, and loses the functions below the ones that it does not.
func Lua(text string) string {
	const annotation = "---"
	var out []byte
	for i := strings.Index(text, annotation); i >= 0; {
		out = writable(out, text)
		out[i+len("--")] = ' '
		next := strings.Index(text[i+len(annotation):], annotation)
		if next < 0 {
			break
		}
		i += len(annotation) + next
	}
	return written(out, text)
}
