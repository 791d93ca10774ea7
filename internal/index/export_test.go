package index

// AtRevision is c of a version of this program that reads files otherwise.
func AtRevision(c Config, revision string) Config {
	c.revision = revision
	return c
}
