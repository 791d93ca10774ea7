package parse

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// The size of a chunk: it ends at the line that reaches one of the first two.
const (
	chunkLines   = 60
	chunkBytes   = 3000
	chunkOverlap = 10 // lines shared with the chunk before
)

// Chunks cuts a text into overlapping runs of lines. Runs of blank lines only
// are left out. A chunk has at least one line, however long.
func Chunks(text string) []Symbol {
	lines := LineOffsets(text)
	var symbols []Symbol
	for start := 1; start <= lines.Lines(); {
		end := chunkEnd(lines, start)
		if strings.TrimSpace(lines.Slice(text, start, end)) != "" {
			symbols = append(symbols, Symbol{
				Qualified: "chunk-" + strconv.Itoa(len(symbols)+1), Kind: models.KindChunk,
				StartLine: start, EndLine: end,
			})
		}
		if end == lines.Lines() {
			break
		}
		// The few lines of a chunk of long ones overlap in proportion.
		start = end + 1 - min(chunkOverlap, (end-start+1)/6)
	}
	return symbols
}

func chunkEnd(lines Offsets, start int) int {
	end := start
	for end < lines.Lines() && end-start+1 < chunkLines && lines[end]-lines[start-1] < chunkBytes {
		end++
	}
	return end
}

// ChunkOutline is the outline of a text that has nothing else.
func ChunkOutline(text string) Outline {
	return Outline{Method: MethodChunks, Lines: Lines(text), Symbols: Chunks(text)}
}
