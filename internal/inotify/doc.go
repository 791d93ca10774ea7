// Package inotify is what Linux tells of folders: that something happened in
// them, and where it may not tell. It knows no tree and no rules.
//
// A Queue is read by whoever asks, at the moment of asking. The kernel puts an
// event into it within the system call that makes the change, so that a Queue
// that is read to its end holds the event of every system call that had returned
// before. A goroutine that hands events on, as in other libraries, would not do:
// it may lag behind.
//
// No event comes of writes through a memory map before it is unmapped and its
// file closed, of asynchronous writes (aio) before the file is closed, of a file
// that gets another name in another folder, and of what is then done by that name.
package inotify

// An Event is that something happened in or to a watched folder.
type Event struct {
	Watch int // as Watch returned it
	// Name is the entry that it is about, "" when that is the folder itself.
	Name   string
	Folder bool // the entry is a folder
	// Gone tells that the folder itself was moved, deleted or unmounted, or that
	// its watch ended for another reason.
	Gone bool
}
