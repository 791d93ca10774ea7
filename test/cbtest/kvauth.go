package cbtest

import (
	"bytes"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"hash"
	"strconv"
	"strings"

	"github.com/couchbase/gocbcore/v10/memd"
)

// mechanismNames are those of SASL, strongest first.
const mechanismNames = "SCRAM-SHA512 SCRAM-SHA256 SCRAM-SHA1 PLAIN"

// scramHashes are those of the mechanisms of SCRAM.
var scramHashes = map[string]func() hash.Hash{
	"SCRAM-SHA512": sha512.New, "SCRAM-SHA256": sha256.New, "SCRAM-SHA1": sha1.New,
}

// scramRounds is small: this password protects nothing.
const scramRounds = 16

func (s *session) mechanisms(*memd.Packet) memd.Packet {
	return memd.Packet{Value: []byte(mechanismNames)}
}

// auth is all of PLAIN and the first step of SCRAM (RFC 5802).
func (s *session) auth(p *memd.Packet) memd.Packet {
	mechanism := string(p.Key)
	if mechanism == "PLAIN" {
		name, password, _ := strings.Cut(strings.TrimPrefix(string(p.Value), "\x00"), "\x00")
		s.user = s.node.login(name, password)
		return s.outcome()
	}
	newHash, ok := scramHashes[mechanism]
	if !ok {
		return memd.Packet{Status: memd.StatusAuthError}
	}
	first, ok := bytes.CutPrefix(p.Value, []byte("n,,"))
	name, nonce, both := strings.Cut(strings.TrimPrefix(string(first), "n="), ",r=")
	if !ok || !both {
		return memd.Packet{Status: memd.StatusAuthError}
	}
	s.scram = newSCRAM(newHash, string(first), nonce)
	s.scram.account = s.node.account(strings.NewReplacer("=2C", ",", "=3D", "=").Replace(name))
	return memd.Packet{Status: memd.StatusAuthContinue, Value: []byte(s.scram.serverFirst)}
}

func (s *session) authStep(p *memd.Packet) memd.Packet {
	if s.scram == nil {
		return memd.Packet{Status: memd.StatusAuthError}
	}
	signature, user := s.scram.verify(string(p.Value))
	s.user, s.scram = user, nil
	r := s.outcome()
	if user != nil {
		r.Value = []byte("v=" + base64.StdEncoding.EncodeToString(signature))
	}
	return r
}

func (s *session) outcome() memd.Packet {
	if s.user == nil {
		return memd.Packet{Status: memd.StatusAuthError}
	}
	return memd.Packet{}
}

// scram is the server's side of one exchange.
type scram struct {
	newHash                  func() hash.Hash
	salt                     []byte
	clientFirst, serverFirst string
	nonce                    string
	account                  *Account // nil when there is none of that name
}

func newSCRAM(newHash func() hash.Hash, clientFirst, clientNonce string) *scram {
	b64 := base64.StdEncoding.EncodeToString
	x := &scram{newHash: newHash, salt: random(16), clientFirst: clientFirst, nonce: clientNonce + b64(random(18))}
	x.serverFirst = "r=" + x.nonce + ",s=" + b64(x.salt) + ",i=" + strconv.Itoa(scramRounds)
	return x
}

// verify checks the client's proof and returns the server's own and the user,
// nil when the password is another.
func (x *scram) verify(clientFinal string) (signature []byte, user *Account) {
	withoutProof, proof64, found := strings.Cut(clientFinal, ",p=")
	proof, err := base64.StdEncoding.DecodeString(proof64)
	if !found || err != nil || withoutProof != "c=biws,r="+x.nonce || x.account == nil {
		return nil, nil
	}
	salted, err := pbkdf2.Key(x.newHash, x.account.Password, x.salt, scramRounds, x.newHash().Size())
	if err != nil {
		return nil, nil
	}
	message := x.clientFirst + "," + x.serverFirst + "," + withoutProof
	clientKey := x.mac(salted, "Client Key")
	stored := x.newHash()
	stored.Write(clientKey)
	want := x.mac(stored.Sum(nil), message)
	subtle.XORBytes(want, want, clientKey)
	if !hmac.Equal(want, proof) {
		return nil, nil
	}
	return x.mac(x.mac(salted, "Server Key"), message), x.account
}

func (x *scram) mac(key []byte, message string) []byte {
	m := hmac.New(x.newHash, key)
	m.Write([]byte(message))
	return m.Sum(nil)
}
