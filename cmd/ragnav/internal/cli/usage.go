package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
)

// UsageError is an error of the command line itself: exit code 2, with what to
// write instead, or the command whose help explains it.
func UsageError(cmd *cobra.Command, err error) error {
	said, hint := firstLine(err.Error()), fmt.Sprintf("see `%s --help`", cmd.CommandPath())
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		said = badValue(cmd, e)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		said = fmt.Sprintf("--%s wants %s", e.GetFlag().Name, wanted(e.GetFlag()))
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		switch near := nearFlags(cmd, e); {
		case len(near) > 0:
			hint = fmt.Sprintf("did you mean %s?", strings.Join(near, ", "))
		case e.GetSpecifiedShortnames() != "":
			said += "; put -- before what begins with a dash and is no flag"
		}
	}
	return fault.Wrap(fault.InvalidRequest, err, "%s; %s", said, hint)
}

// badValue says what a flag takes. Who gave a letter may have meant the same one in
// the other case.
func badValue(cmd *cobra.Command, e *pflag.InvalidValueError) string {
	f := e.GetFlag()
	said := fmt.Sprintf("--%s wants %s, not %q", f.Name, wanted(f), e.GetValue())
	if f.Shorthand == "" {
		return said
	}
	letter := rune(f.Shorthand[0])
	other := unicode.ToUpper(letter)
	if unicode.IsUpper(letter) {
		other = unicode.ToLower(letter)
	}
	if o := cmd.Flags().ShorthandLookup(string(other)); o != nil && o != f {
		said += fmt.Sprintf(" (-%c is --%s, -%c is --%s)", letter, f.Name, other, o.Name)
	}
	return said
}

// wanted is what the values of a flag look like.
func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int32", "int64", "uint", "uint16", "count":
		return "a whole number"
	case "duration":
		return "a time such as 30s or 2m"
	case "bool":
		return "true or false"
	case "float64":
		return "a number"
	}
	return "a value"
}

// nearFlags are the flags that may have been meant.
func nearFlags(cmd *cobra.Command, e *pflag.NotExistError) []string {
	if e.GetSpecifiedShortnames() != "" {
		return nil
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := filter.Nearest(e.GetSpecifiedName(), names)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return near
}

// Arguments wraps a check of positional arguments so that its error is a
// usageError that says which are wanted, unless the check says itself what is wrong.
func Arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil {
			return nil
		}
		if fault.CodeOf(err) == fault.InvalidRequest {
			return UsageError(cmd, err)
		}
		if i := slices.IndexFunc(args, func(a string) bool { return !slices.Contains(cmd.ValidArgs, a) }); i >= 0 &&
			len(cmd.ValidArgs) > 0 {
			return UsageError(cmd, fault.New(fault.InvalidRequest, "%s takes %s, not %q", cmd.CommandPath(),
				strings.Join(cmd.ValidArgs, ", "), args[i]))
		}
		if _, want, _ := strings.Cut(cmd.Use, " "); want != "" {
			return UsageError(cmd, fault.New(fault.InvalidRequest, "%s wants %s", cmd.CommandPath(), want))
		}
		cmd.SuggestionsMinimumDistance = 2
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return UsageError(cmd,
				fault.New(fault.InvalidRequest, "%s has no command %q; did you mean %s?", cmd.CommandPath(), args[0],
					strings.Join(near, ", ")))
		}
		return UsageError(cmd, fault.New(fault.InvalidRequest, "%s takes no argument %q", cmd.CommandPath(), args[0]))
	}
}

// oneOf is how a rule lists the values that a field may have.
const oneOf = "must be one of "

// nearest names, for fields that must be one of some values, what was given and the
// nearest of those.
func nearest(err error, flags *pflag.FlagSet) string {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || flags == nil {
		return ""
	}
	for field, rule := range e.Fields {
		values, isOneOf := strings.CutPrefix(rule, oneOf)
		flag := flags.Lookup(strings.ReplaceAll(field, "_", "-"))
		if !isOneOf || flag == nil || len(e.Fields) > 1 {
			continue
		}
		said := fmt.Sprintf(", not %q", flag.Value)
		if near := filter.Nearest(flag.Value.String(), strings.Split(values, ", ")); len(near) > 0 {
			said += fmt.Sprintf("; did you mean %s?", strings.Join(near, ", "))
		}
		return said
	}
	return ""
}

// Strict makes the commands that the library adds as strict as the others: an unknown
// topic of help and an unknown shell are errors.
func Strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Run, cmd.RunE = nil, help
		case "completion":
			cmd.Args = Arguments(cobra.NoArgs)
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

func help(cmd *cobra.Command, args []string) error {
	root := cmd.Root()
	about, rest, err := root.Find(args)
	if err == nil && len(rest) == 0 {
		about.InitDefaultHelpFlag()
		return about.Help()
	}
	if err == nil {
		root = about
	} else {
		rest = args
	}
	root.SuggestionsMinimumDistance = 2
	said := fmt.Sprintf("there is no command %q", strings.Join(args, " "))
	if near := root.SuggestionsFor(rest[0]); len(near) > 0 {
		said += fmt.Sprintf("; did you mean %s?", strings.Join(near, ", "))
	}
	return UsageError(root, fault.New(fault.InvalidRequest, "%s", said))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
