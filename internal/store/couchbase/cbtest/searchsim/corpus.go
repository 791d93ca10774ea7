package searchsim

// A corpus holds the documents of an index by number. Numbers are never used
// again until compact gives new ones. The caller guards it.
type corpus struct {
	entries []*entry // by number; nil where a document was deleted
	numbers map[string]int32
	live    set
	fields  map[string]*field
	vectors map[string][][]float32 // by field and number; nil for none
}

type entry struct {
	key     string
	stored  map[string]any
	lengths map[*field]int
}

// A field has the postings of its terms and what BM25 needs to know.
type field struct {
	postings map[string]*postings
	docs     int // live documents with a term
	length   int // terms of all of them
	sorted   sortedTerms
}

// Postings are the documents that have a term, in the order of their numbers.
// Deleted ones are among them.
type postings struct{ list []posting }

// A posting is a document that has a term.
type posting struct {
	doc    int32
	freq   int32
	length int32 // terms of the field in the document
}

func newCorpus() *corpus {
	return &corpus{numbers: map[string]int32{}, fields: map[string]*field{}, vectors: map[string][][]float32{}}
}

// put adds a document, in place of the one with that key.
func (c *corpus) put(m mapped) {
	c.remove(m.key)
	doc := int32(len(c.entries))
	e := &entry{key: m.key, stored: m.stored, lengths: make(map[*field]int, len(m.fields))}
	c.entries = append(c.entries, e)
	c.numbers[m.key] = doc
	if len(c.live)*64 < len(c.entries) {
		c.live = append(c.live, 0)
	}
	c.live.add(doc)
	for name, t := range m.fields {
		if t.length > 0 {
			f := c.field(name)
			f.put(doc, t)
			e.lengths[f] = t.length
		}
	}
	for name, vector := range m.vectors {
		c.putVector(name, doc, vector)
	}
}

func (c *corpus) field(name string) *field {
	f := c.fields[name]
	if f == nil {
		f = &field{postings: map[string]*postings{}}
		c.fields[name] = f
	}
	return f
}

func (f *field) put(doc int32, t *terms) {
	f.docs++
	f.length += t.length
	for term, freq := range t.freqs {
		p := f.postings[term]
		if p == nil {
			p = &postings{}
			f.postings[term] = p
			f.sorted.forget()
		}
		p.list = append(p.list, posting{doc, int32(freq.Frequency()), int32(t.length)})
	}
}

// of is the postings of a term.
func (f *field) of(term string) []posting {
	if p := f.postings[term]; p != nil {
		return p.list
	}
	return nil
}

func (c *corpus) putVector(name string, doc int32, vector []float32) {
	rows := c.vectors[name]
	for len(rows) <= int(doc) {
		rows = append(rows, nil)
	}
	rows[doc] = vector
	c.vectors[name] = rows
}

// remove deletes the document with that key, if there is one.
func (c *corpus) remove(key string) {
	doc, ok := c.numbers[key]
	if !ok {
		return
	}
	delete(c.numbers, key)
	for f, length := range c.entries[doc].lengths {
		f.docs--
		f.length -= length
	}
	for _, rows := range c.vectors {
		if int(doc) < len(rows) {
			rows[doc] = nil
		}
	}
	c.entries[doc] = nil
	c.live.remove(doc)
	if dead := len(c.entries) - len(c.numbers); dead > 1000 && dead > len(c.numbers) {
		c.compact()
	}
}

// compact numbers the live documents anew and drops what is left of the others.
func (c *corpus) compact() {
	renumbered := make([]int32, len(c.entries)) // -1 for deleted ones
	entries := make([]*entry, 0, 2*len(c.numbers))
	for doc, e := range c.entries {
		renumbered[doc] = -1
		if e != nil {
			renumbered[doc] = int32(len(entries))
			c.numbers[e.key] = int32(len(entries))
			entries = append(entries, e)
		}
	}
	for _, f := range c.fields {
		f.renumber(renumbered)
	}
	for name, rows := range c.vectors {
		c.vectors[name] = nil
		for doc, vector := range rows {
			if vector != nil {
				c.putVector(name, renumbered[doc], vector)
			}
		}
	}
	c.entries, c.live = entries, newSet(len(entries))
	for doc := range entries {
		c.live.add(int32(doc))
	}
}

func (f *field) renumber(renumbered []int32) {
	for term, p := range f.postings {
		kept := p.list[:0]
		for _, one := range p.list {
			if one.doc = renumbered[one.doc]; one.doc >= 0 {
				kept = append(kept, one)
			}
		}
		if p.list = kept; len(kept) == 0 {
			delete(f.postings, term)
		}
	}
	f.sorted.forget()
}
