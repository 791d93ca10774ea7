package models

// A MaskCount counts credentials that asterisks stand for in what is stored.
// Records that are older than it have zeros.
type MaskCount struct {
	Masked      int `json:"masked"`
	MaskedFiles int `json:"masked_files"` // that have some
}

// Count adds what a file has.
func (n *MaskCount) Count(rec FileRecord) {
	if rec.Masked > 0 {
		n.Masked += rec.Masked
		n.MaskedFiles++
	}
}
