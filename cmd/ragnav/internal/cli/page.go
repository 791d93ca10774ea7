package cli

import (
	"strconv"

	"github.com/spf13/cobra"
)

// PageFlags are the flags of a list that comes in pages.
type PageFlags struct {
	limit  int
	Cursor string
}

// Add gives cmd the flags; what is the plural of what is listed.
func (p *PageFlags) Add(cmd *cobra.Command, what string) {
	cmd.Flags().IntVarP(&p.limit, "limit", "l", 0, "at most so many "+what)
	AddCursor(cmd, &p.Cursor)
}

// AddCursor gives cmd the flag that turns pages.
func AddCursor(cmd *cobra.Command, cursor *string) {
	cmd.Flags().StringVar(cursor, "cursor", "", "the next page, as the last reply named it")
}

// AddTokens gives cmd the flag that bounds its reply.
func AddTokens(cmd *cobra.Command, tokens **int) {
	cmd.Flags().Var(optional{tokens}, "max-tokens", "cut the reply to so many tokens (200-20000); it names what goes on")
}

// LimitOf is nil unless the flag was given, so that the operation's own
// default holds and a wrong value is its own error.
func (p *PageFlags) LimitOf(cmd *cobra.Command) *int { return Given(cmd, "limit", p.limit) }

// Given is a pointer to v when that flag was given.
func Given(cmd *cobra.Command, flag string, v int) *int {
	if !cmd.Flags().Changed(flag) {
		return nil
	}
	return &v
}

// optional is the value of a flag: of what points to nil until it is given.
type optional struct{ to **int }

func (o optional) Set(text string) error {
	n, err := strconv.Atoi(text)
	*o.to = &n
	return err
}

func (o optional) String() string {
	if o.to == nil || *o.to == nil {
		return ""
	}
	return strconv.Itoa(**o.to)
}

func (optional) Type() string { return "int" }
