package binder

import "github.com/ragnav/ragnav/internal/nav/facts"

// Variables may be made from themselves: url = url.join("a"). While such a
// variable is evaluated, what is made from it is not known, and what was found
// out then must not be remembered beyond: cycles tells what that is.
type cycles struct {
	cut    int // how often something was not known because it was being evaluated
	active int // variables that are being evaluated
	nodes  map[At]bool
	vars   []*Binding
}

// add notes a node whose expression was cut.
func (c *cycles) add(n At) {
	if c.nodes == nil {
		c.nodes = make(map[At]bool)
	}
	c.nodes[n] = true
}

// met notes that what is remembered of a node is used.
func (c *cycles) met(n At) {
	if c.nodes[n] {
		c.cut++
	}
}

// variable is the expression of a local variable.
func variable(b *Builder, v *Binding) facts.Expr {
	c := &b.cycles
	switch v.state {
	case 1:
		c.cut++
		return facts.Unknown
	case 2:
		return v.expr
	}
	before := c.cut
	v.state = 1
	c.active++
	v.expr = union(b, v.Sources)
	c.active--
	v.state = 2
	if c.cut != before {
		c.vars = append(c.vars, v)
	}
	if c.active == 0 {
		forget(b, v)
	}
	return v.expr
}

// forget forgets what was cut on the way to a variable that is known now.
func forget(b *Builder, known *Binding) {
	c := &b.cycles
	for n := range c.nodes {
		delete(b.memo, n)
	}
	clear(c.nodes)
	for _, v := range c.vars {
		if v != known {
			v.state = 0
		}
	}
	c.vars = c.vars[:0]
}
