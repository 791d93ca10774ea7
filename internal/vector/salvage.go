package vector

import "bytes"

// salvage reads the blocks of the file that are whole, in their order. Each says
// where it lies, so that what follows a damaged one is found again.
func (g *generation) salvage() ([]block, error) {
	info, err := g.file.Stat()
	if err != nil || info.Size() <= headerSize {
		return nil, err
	}
	data, err := g.mapping.bytes(g.file, 0, info.Size())
	if err != nil {
		return nil, err
	}
	var blocks []block
	for at := int64(headerSize); at < int64(len(data)); {
		b, n, err := parseBlock(data[at:], g.dims, at)
		if err == nil && b.verify() == nil {
			blocks = append(blocks, b)
			at += n
			continue
		}
		at = nextBlock(data, at+alignment)
	}
	return blocks, nil
}

// nextBlock is where from at on a block may begin, or the end of data.
func nextBlock(data []byte, at int64) int64 {
	for ; at < int64(len(data)); at += alignment {
		if bytes.HasPrefix(data[at:], []byte(blockMagic)) {
			return at
		}
	}
	return int64(len(data))
}
