package models

// MaxContent is the size in bytes of the largest file whose content is stored:
// as JSON it has at most six times as many, and stores take 20 MB.
const MaxContent = 3 << 20

// A Content is the text of a file as an index run kept it, for servers that
// don't have the repository's folder.
type Content struct {
	Text   string `json:"text"`             // UTF-8 without byte order mark, credentials masked
	Hash   string `json:"hash"`             // hex SHA-256 of the file's bytes
	Lines  int    `json:"lines"`            // of Text
	Masked int    `json:"masked,omitempty"` // credentials replaced by asterisks
	// MaskedLines are the numbers of the lines that the asterisks are in, which
	// are not the lines of the file.
	MaskedLines []int `json:"masked_lines,omitempty"`
}

// ContentsCollection is the collection of Contents by path of one repository.
func ContentsCollection(id RepoID) string { return "contents:" + string(id) }
