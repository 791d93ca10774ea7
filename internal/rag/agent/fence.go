package agent

import "strings"

// A fence is how a block of code began: three or more of "`" or "~", indented by
// some spaces.
type fence struct {
	mark   byte
	length int
	indent int
}

// inCode reports whether a line of the answer is code, or begins or ends it, as
// CommonMark has it. Where programs may differ it is not: what a list item holds
// ends with its indentation.
func (c *citer) inCode(raw string) bool {
	line := strings.TrimLeft(raw, " ")
	indent := len(raw) - len(line)
	f, info := fenceOf(line, indent)
	switch {
	case c.block == nil:
		if f == nil || f.mark == '`' && strings.Contains(info, "`") {
			return false
		}
		c.block = f
	case line != "" && indent < c.block.indent:
		c.block = nil
		return c.inCode(raw)
	case f != nil && f.mark == c.block.mark && f.length >= c.block.length && strings.TrimSpace(info) == "":
		c.block = nil
	}
	return true
}

// fenceOf is the fence that a line begins with, and what stands behind it.
func fenceOf(line string, indent int) (*fence, string) {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return nil, ""
	}
	info := strings.TrimLeft(line, line[:1])
	if n := len(line) - len(info); n >= 3 {
		return &fence{line[0], n, indent}, info
	}
	return nil, ""
}

// cutFence splits a line into the fence that it begins with, and the rest.
func cutFence(raw string) (fence, rest string) {
	if f, info := fenceOf(strings.TrimLeft(raw, " "), 0); f != nil {
		return raw[:len(raw)-len(info)], info
	}
	return "", raw
}
