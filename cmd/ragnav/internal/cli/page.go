package cli

import (
	"strconv"

	"github.com/spf13/cobra"
)

// AddPage gives cmd the flags of a list that comes in pages; what is the plural
// of what is listed.
func AddPage(cmd *cobra.Command, limit **int, cursor *string, what string) {
	AddInt(cmd, limit, "limit", "l", "at most so many "+what)
	AddCursor(cmd, cursor)
}

// AddCursor gives cmd the flag that turns pages.
func AddCursor(cmd *cobra.Command, cursor *string) {
	cmd.Flags().StringVar(cursor, "cursor", "", "the next page, as the last reply named it")
}

// AddTokens gives cmd the flag that bounds its reply.
func AddTokens(cmd *cobra.Command, tokens **int) {
	AddInt(cmd, tokens, "max-tokens", "", "cut the reply to so many tokens (200-20000); it names what goes on")
}

// AddInt gives cmd a flag for a number that stays nil until it is given, so that
// the operation's own default holds and a wrong value is its own error.
func AddInt(cmd *cobra.Command, to **int, name, short, usage string) {
	cmd.Flags().VarP(optional{to}, name, short, usage)
}

// optional is the value of a flag: of what points to nil until it is given.
type optional struct{ to **int }

func (o optional) Set(text string) error {
	n, err := strconv.ParseInt(text, 0, strconv.IntSize)
	*o.to = new(int(n))
	return err
}

func (o optional) String() string {
	if o.to == nil || *o.to == nil {
		return ""
	}
	return strconv.Itoa(**o.to)
}

func (optional) Type() string { return "int" }
