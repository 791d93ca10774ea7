// Package filetime is what systems tell of the times of a file, each in its way.
package filetime
