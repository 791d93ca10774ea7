// Package mapped gives files as memory, and memory that the collector does not count.
// The build tag nommap, and systems without memory maps, have files read and all
// memory of the collector's.
package mapped
