package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// IndexStatus is the content of the status file.
type IndexStatus = models.IndexStatus

// SchemaVersion is that of the status file and the graph. Files of another one
// are not read: they are built again.
const SchemaVersion = 1

// Why a status file can't be used. loadStatus wraps them in a *fault.Error of
// the code IndexNotReady.
var (
	errCorrupt = errors.New("the status file is damaged")
	errSchema  = errors.New("the status file is of another version")
)

// maxStatus bytes are more than any status has.
const maxStatus = 1 << 20

// loadStatus reads the status file of a tree; nil when there is none. Fields that
// it does not know are left alone, missing ones are zero.
func loadStatus(tree *disk.Folder) (*IndexStatus, error) {
	data, err := ReadArtifact(tree, StatusFile, maxStatus+1)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // the contract: no file, no status
	}
	if err != nil {
		return nil, unusable(errors.Join(errCorrupt, err))
	}
	return parseStatus(data)
}

func parseStatus(data []byte) (*IndexStatus, error) {
	var s IndexStatus
	var version struct {
		SchemaVersion json.RawMessage `json:"schema_version"`
	}
	if len(data) > maxStatus || !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, unusable(errCorrupt)
	}
	if json.Unmarshal(data, &s) == nil && s.SchemaVersion == SchemaVersion {
		return &s, nil
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, unusable(errors.Join(errCorrupt, err))
	}
	var number int
	if err := json.Unmarshal(version.SchemaVersion, &number); err != nil || number != SchemaVersion {
		return nil, unusable(errSchema)
	}
	return nil, unusable(errCorrupt) // of this version, and not to be read
}

func unusable(cause error) error {
	words := errCorrupt.Error()
	switch {
	case errors.Is(cause, errSchema):
		words = errSchema.Error()
	case errors.Is(cause, fs.ErrPermission):
		return fault.Wrap(fault.IndexNotReady, cause,
			"the graph in .llmc can't be read by this program; change the permissions of that, or run as its owner")
	}
	return fault.Wrap(fault.IndexNotReady, cause, "%s; make the graph again with `ragnav nav build-graph`", words)
}

// SaveStatus replaces the status file, as WriteArtifact does. The same status
// gives the same bytes. It is to be called after what it speaks of is written.
func SaveStatus(tree *disk.Folder, s IndexStatus) error {
	s.SchemaVersion = SchemaVersion
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return WriteArtifact(tree, StatusFile, writeBytes(append(data, '\n')))
}
