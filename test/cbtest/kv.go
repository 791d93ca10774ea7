package cbtest

import (
	"bufio"
	"context"
	"io"
	"net"

	"github.com/couchbase/gocbcore/v10/memd"
)

// A session is one key-value connection.
type session struct {
	*services
	ctx      context.Context // ends with the connection
	net      net.Conn
	conn     *memd.Conn
	scram    *scram   // between the two steps of an authentication
	user     *Account // nil until it has authenticated
	bucket   string   // selected, "" for none
	pushes   bool     // the client wants to be told of new configurations
	watching bool     // and is
}

// A command answers one request; what it leaves zero is success.
type command func(*session, *memd.Packet) memd.Packet

// commands are all that a client may send. The second table needs a user.
var (
	openCommands = map[memd.CmdCode]command{
		memd.CmdHello:         (*session).hello,
		memd.CmdGetErrorMap:   (*session).errorMap,
		memd.CmdSASLListMechs: (*session).mechanisms,
		memd.CmdSASLAuth:      (*session).auth,
		memd.CmdSASLStep:      (*session).authStep,
	}
	userCommands = map[memd.CmdCode]command{
		memd.CmdSelectBucket:     (*session).selectBucket,
		memd.CmdGetClusterConfig: (*session).clusterConfig,
		memd.CmdNoop:             func(*session, *memd.Packet) memd.Packet { return memd.Packet{} },
		memd.CmdCollectionsGetID: (*session).collectionID,
		memd.CmdGet:              inCollection(get),
		memd.CmdGetMeta:          inCollection(getMeta),
		memd.CmdSet:              inCollection(store),
		memd.CmdAdd:              inCollection(store),
		memd.CmdReplace:          inCollection(store),
		memd.CmdDelete:           inCollection(remove),
	}
)

func newSession(s *services, c net.Conn) *session {
	stream := struct {
		io.Reader
		io.Writer
	}{bufio.NewReaderSize(c, 64<<10), c}
	return &session{services: s, net: c, conn: memd.NewConn(stream)}
}

// run answers commands until the connection ends.
func (s *session) run() {
	var cancel context.CancelFunc
	s.ctx, cancel = context.WithCancel(s.services.ctx)
	defer cancel()
	for {
		p, _, err := s.conn.ReadPacket()
		if err != nil {
			return
		}
		s.node.calls.add(Call{Service: "kv", Op: p.Command.Name(), Body: s.describe(p)})
		f := s.node.faults.take(ofCommand(p.Command))
		if f.Cut {
			return
		}
		if !s.answer(p, f) {
			return
		}
	}
}

// answer carries p out, unless f says what to reply, and sends the reply. It
// reports whether the connection is still usable.
func (s *session) answer(p *memd.Packet, f Fault) bool {
	r := memd.Packet{Status: f.KVStatus}
	if f.KVStatus == memd.StatusSuccess {
		r = s.execute(p)
	}
	r.Magic, r.Command, r.Opaque = memd.CmdMagicRes, p.Command, p.Opaque
	if f.Delay == 0 {
		return s.conn.WritePacket(&r) == nil
	}
	// Others may overtake it, as on the server.
	s.wg.Go(func() {
		if wait(s.ctx, f.Delay) {
			_ = s.conn.WritePacket(&r) // the client may have gone meanwhile
		}
	})
	return true
}

func (s *session) execute(p *memd.Packet) memd.Packet {
	if c, ok := openCommands[p.Command]; ok {
		return c(s, p)
	}
	c, ok := userCommands[p.Command]
	switch {
	case !ok:
		return memd.Packet{Status: memd.StatusUnknownCommand}
	case s.user == nil, !s.user.may(needsOfCommand(p.Command)...):
		return memd.Packet{Status: memd.StatusAccessError}
	}
	return c(s, p)
}

// describe says what p is about, for Calls.
func (s *session) describe(p *memd.Packet) string {
	if !memd.IsCommandCollectionEncoded(p.Command) {
		if p.Command == memd.CmdCollectionsGetID {
			return s.bucket + "." + string(p.Value)
		}
		return s.bucket
	}
	d := s.bucket + "." + s.node.data.collectionPath(s.bucket, p.CollectionID) + "/" + string(p.Key)
	if p.DurabilityLevelFrame != nil {
		d += " durability=" + durabilityName(p.DurabilityLevelFrame.DurabilityLevel)
	}
	return d
}

func durabilityName(l memd.DurabilityLevel) string {
	switch l {
	case memd.DurabilityLevelMajority:
		return "majority"
	case memd.DurabilityLevelMajorityAndPersistOnMaster:
		return "majorityAndPersistToActive"
	case memd.DurabilityLevelPersistToMajority:
		return "persistToMajority"
	}
	return "unknown"
}
