package models

// A Snippet shows the lines around a place in a file.
type Snippet struct {
	Text     string          `json:"text"` // without the newline of the last line
	Location SnippetLocation `json:"location"`
}

// A SnippetLocation is the lines that a Snippet shows, 1-indexed and inclusive.
type SnippetLocation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}
