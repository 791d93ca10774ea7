package openai

import (
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/embed"
)

// bytesPerToken of code, as tokenisers of embedding models cut it: rather too few.
const bytesPerToken = 3

func tokens(s string) int { return (len(s) + bytesPerToken - 1) / bytesPerToken }

// textsOf are the texts to embed for an input: its names and what there is room
// for of its text, as often as it takes. None for an input without a word.
func textsOf(o settings, in embed.Input) []string {
	if strings.TrimSpace(in.Text+in.Name) == "" {
		return nil
	}
	head := o.documentPrefix + header(in)
	room := max(minRoom, o.maxTokens*bytesPerToken-len(head))
	var out []string
	for _, piece := range cut(strings.TrimSpace(in.Text), room) {
		out = append(out, head+piece)
	}
	return out
}

// minRoom is how many bytes of text are in each chunk, at least.
const minRoom = 128

// header is what names an input: file, enclosing type and name on one line.
func header(in embed.Input) string {
	name := in.Name
	if in.Parent != "" {
		name = in.Parent + "." + name
	}
	switch {
	case in.File != "" && name != "":
		return in.File + ": " + name + "\n"
	case in.File != "" || name != "":
		return in.File + name + "\n"
	}
	return ""
}

// cut divides s into pieces of at most n bytes and about the same size, at the
// ends of lines where there are some near.
func cut(s string, n int) []string {
	if len(s) <= n {
		return []string{s}
	}
	parts := (len(s) + n*7/8 - 1) / (n * 7 / 8)
	size := (len(s) + parts - 1) / parts
	var out []string
	for len(s) > n {
		end := size
		if i := strings.LastIndexByte(s[:n], '\n'); i > size*3/4 {
			end = i + 1
		}
		for end > 1 && !utf8.RuneStart(s[end]) {
			end--
		}
		out, s = append(out, s[:end]), s[end:]
	}
	return append(out, s)
}

// A pool adds up the vectors of the chunks of a text, by how much text is in each.
type pool struct {
	sum  []float32
	left int
}

// add takes a vector, and reports whether it was the last.
func (p *pool) add(v []float32, weight float32) bool {
	if p.left--; p.left == 0 && p.sum == nil {
		p.sum = v
		return true
	}
	if p.sum == nil {
		p.sum = make([]float32, len(v))
	}
	for i, x := range v {
		p.sum[i] += weight * x
	}
	return p.left == 0
}

// vector is their mean, of length 1.
func (p *pool) vector() []float32 { return embed.Unit(p.sum) }
