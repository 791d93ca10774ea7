package index

// InBatches is c with so many documents in a batch, unless it says how many.
func InBatches(c Config, documents int) Config {
	c.batch = positive(c.batch, documents)
	return c
}

// AtRevision is c of a version of this program that reads files otherwise.
func AtRevision(c Config, revision string) Config {
	c.revision = func() string { return revision }
	return c
}
