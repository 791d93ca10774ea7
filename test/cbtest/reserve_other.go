//go:build !linux

package cbtest

// A reservation is none here: somebody else may get the ports of a stopped node.
type reservation struct{}

func reserve(...int) (reservation, error) { return reservation{}, nil }

func (reservation) release() {}
