package models

// A FileState is how a file stands to what was indexed of it.
type FileState int

// The states of files. FileGone is one that is no longer there.
const (
	FileUnknown FileState = iota
	FileSame
	FileChanged
	FileGone
)
