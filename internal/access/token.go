package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tokenFile is in the data directory of a server.
const tokenFile = "api-token"

// OwnToken is the token by which the person who runs a server with that data
// directory is known to it. It is made when there is none, for that person alone; a folder
// in its place is put aside.
func OwnToken(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenFile)
	if info, err := os.Lstat(path); err == nil && info.IsDir() { // nobody's token: it is kept beside the new one
		if err := os.Rename(path, fmt.Sprintf("%s.put-aside-%d", path, time.Now().UnixNano())); err != nil {
			return "", err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		if err := os.Chmod(path, 0o600); err != nil {
			return "", err
		}
		if token := ReadToken(dir); token != "" {
			return token, nil
		}
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o600) // it was cut off while it was made
	}
	if err != nil {
		return "", fmt.Errorf("%w; move %s away, and a new one is made", err, path)
	}
	token := rand.Text()
	_, err = f.WriteString(token + "\n")
	return token, errors.Join(err, f.Close())
}

// ReadToken is the token of the server with that data directory, or "" for who
// may not know it.
func ReadToken(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, tokenFile))
	if token := strings.TrimSpace(string(text)); err == nil && len(token) >= len(rand.Text()) {
		return token
	}
	return ""
}

// Same compares two tokens in a time that tells nothing of them. No token is
// the same as none.
func Same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return a != "" && subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
