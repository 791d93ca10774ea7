// Package navigation has the commands that follow code.
package navigation

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/scip"
	"github.com/ragnav/ragnav/internal/op"
)

// NewNav is the command "nav", with all of its own.
func NewNav(s *cli.Session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nav",
		Short: "Follow code: text, uses, lineage, with true freshness",
		Long: `Follow code in one repository: an indexed one by its repo_id, or that of any folder
by its path (./NAME where both have the name); in a sub-folder it is the repository
around it, and the reply says so.
Answers are from the repository's graph with changed files read live, or from a
live scan where there is no graph; the reply says which.

Replies are readable on a terminal and JSON when piped, as --json gives it; --text
prints them as agents get them.`,
		Example: `  ragnav nav build-graph -r .
  ragnav nav where-used -r . -s Client.Do --text
  ragnav nav lineage -r golang/go -s ParseTime -d upstream
  ragnav nav search -r . -q 'TODO|FIXME' --regexp
  ragnav nav impact --tests | sh`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newNavSearch(s), newWhereUsed(s), newLineage(s), newDefinition(s), newImplementations(s), newImpact(s),
		newNavStatus(s), newBuildGraph(s), newImportSCIP(s), newExportSCIP(s))
	for _, c := range cmd.Commands() {
		cmd.SuggestFor = append(cmd.SuggestFor, c.Name()) // to who leaves "nav" out
	}
	return cmd
}

func newNavSearch(s *cli.Session) *cobra.Command {
	var req nav.SearchRequest
	cmd := &cobra.Command{
		Use:   "search [QUERY]",
		Short: "Find text or a regular expression in the files of a repository",
		Long: `Find lines with a text, or that match a regular expression (RE2 syntax), in order
of path and line. A query without upper-case letters matches any case. Fields in it
choose files: file:GLOB, lang:NAME, -file:GLOB; "a phrase", /an expression/. Several
of these must all hold of a line; "or", parentheses and a dash combine them. With
-r '*', or -r 'owner/*', all these repositories are searched.`,
		Example: `  ragnav nav search parseTime
  ragnav nav search -r '*' '/TODO|FIXME/ lang:go -file:vendor/**'
  ragnav nav search -r '*' 'retry (lang:go or lang:python) -test'
  ragnav nav search -r '*' --names dockerfile
  ragnav nav search -r golang/go -q 'func \(c \*Client\) \w+' --regexp --path-filter 'net/**' -l 100`,
		Args: cli.Arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := positional(cmd, args, "query", &req.Query); err != nil {
				return err
			}
			return navigate(cmd, s, op.NavSearch, &req, views.NavSearch)
		},
	}
	addRepo(cmd, s)
	flags := cmd.Flags()
	flags.StringVarP(&req.Query, "query", "q", "", "what to look for")
	flags.BoolVar(&req.Regexp, "regexp", false, "the query is a regular expression")
	flags.StringVar(&req.Case, "case", "", "smart (default), sensitive or insensitive")
	flags.BoolVar(&req.Word, "word", false, "whole words only")
	flags.BoolVar(&req.Names, "names", false, "files whose paths match, in place of lines")
	flags.StringVarP(&req.PathFilter, "path-filter", "p", "", "only files that match this glob; ** descends")
	flags.StringVar(&req.Language, "language", "", "only files of this language")
	cli.CompleteLanguages(cmd, s, "language")
	cli.AddInt(cmd, &req.Limit, "limit", "l", "matching lines (1-1000, default 20)")
	cli.AddCursor(cmd, &req.Cursor)
	cli.AddTokens(cmd, &req.MaxTokens)
	cli.Complete(cmd, "case", "smart", "sensitive", "insensitive")
	return cmd
}

func newWhereUsed(s *cli.Session) *cobra.Command {
	var req nav.WhereUsedRequest
	to := asked{&req.Symbol, &req.File, &req.Line, &req.Column}
	cmd := &cobra.Command{
		Use:   "where-used [SYMBOL | FILE:LINE:COLUMN]",
		Short: "Find where a symbol is used",
		Long: `Find where a symbol is used: its name, Type.Method, package.Type.Method, path:name or
the id of a definition. Of several definitions the uses are grouped; --file
and --line pick one. FILE:LINE:COLUMN (bytes, from 1) is what stands there.
With -r '*', or -r 'owner/*', uses in other repositories are found that import it.`,
		Example: `  ragnav nav where-used ParseTime
  ragnav nav where-used -r '*' hclog.Logger
  ragnav nav where-used -r golang/go -s http.Client.Do -l 100 --text
  ragnav nav where-used -s String --file internal/clock/time.go
  ragnav nav where-used main.go:12:7`,
		Args: cli.Arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := symbolOrPlace(cmd, args, to); err != nil {
				return err
			}
			return navigate(cmd, s, op.WhereUsed, &req, views.WhereUsed)
		},
	}
	addRepo(cmd, s)
	flags := cmd.Flags()
	addSymbol(cmd, s, to, "the symbol")
	flags.BoolVar(&req.IncludeText, "include-text", false, "also comments and strings")
	flags.StringVar(&req.Only, "only", "", "tests or code")
	addEdges(cmd, &req.Edges)
	flags.StringVarP(&req.PathFilter, "path-filter", "p", "", "only uses in files that match this glob; ** descends")
	cli.AddInt(cmd, &req.Limit, "limit", "l", "uses (1-1000, default 50)")
	cli.AddCursor(cmd, &req.Cursor)
	cli.AddTokens(cmd, &req.MaxTokens)
	cli.Complete(cmd, "only", "tests", "code")
	return cmd
}

func newLineage(s *cli.Session) *cobra.Command {
	var req nav.LineageRequest
	to := asked{&req.Symbol, &req.File, &req.Line, &req.Column}
	cmd := &cobra.Command{
		Use:   "lineage [SYMBOL | FILE:LINE:COLUMN]",
		Short: "Follow uses from a symbol, over several hops",
		Long: `Follow uses from a symbol: upstream, who reaches it (also callers, incoming,
used_by), or downstream, what it reaches (also callees, outgoing, uses).`,
		Example: `  ragnav nav lineage -s ParseTime -d upstream
  ragnav nav lineage -r golang/go -s http.Client.Do -d downstream --depth 2 --text
  ragnav nav lineage -s ParseTime -d callers --edges calls
  ragnav nav lineage -s ParseTime -d upstream --only code
  ragnav nav lineage -r '*' -s errors.Wrap -d upstream`,
		Args: cli.Arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := symbolOrPlace(cmd, args, to); err != nil {
				return err
			}
			return navigate(cmd, s, op.Lineage, &req, views.Lineage)
		},
	}
	addRepo(cmd, s)
	flags := cmd.Flags()
	flags.StringVarP(&req.Direction, "direction", "d", "upstream", "upstream or downstream")
	addSymbol(cmd, s, to, "the symbol")
	cli.AddInt(cmd, &req.Depth, "depth", "", "hops (1-20, default 3)")
	addEdges(cmd, &req.Edges)
	flags.StringVar(&req.Only, "only", "", "tests or code")
	cli.AddInt(cmd, &req.MaxResults, "max-results", "m", "symbols (1-1000, default 50)")
	cli.AddCursor(cmd, &req.Cursor)
	cli.AddTokens(cmd, &req.MaxTokens)
	cli.Complete(cmd, "direction", "upstream", "downstream")
	cli.Complete(cmd, "only", "tests", "code")
	return cmd
}

func newDefinition(s *cli.Session) *cobra.Command {
	var req nav.DefinitionRequest
	cmd := &cobra.Command{
		Use:   "definition FILE:LINE:COLUMN",
		Short: "Tell what stands at a place of a file",
		Long: `Tell what the name at a place stands for: where it is declared, its signature and
its doc comment, also where another indexed repository declares it. Columns are
bytes, from 1, in a name or at its end. With -r '*' the place is of the repository
that has the file.`,
		Example: `  ragnav nav definition cmd/server/main.go:12:7
  ragnav nav definition -r golang/go net/http/client.go:109:6 --text`,
		Args: cli.Arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readPlace(args[0], &req); err != nil {
				return cli.UsageError(cmd, err)
			}
			return navigate(cmd, s, op.Definition, &req, views.Definition)
		},
	}
	addRepo(cmd, s)
	return cmd
}

func newImplementations(s *cli.Session) *cobra.Command {
	var req nav.ImplementationsRequest
	to := asked{&req.Symbol, &req.File, &req.Line, &req.Column}
	cmd := &cobra.Command{
		Use:   "implementations [SYMBOL | FILE:LINE:COLUMN]",
		Short: "Find what implements, extends or overrides a type or method",
		Long: `Find what implements, extends or overrides a type or method, or with --direction up
what it implements, extends and overrides. Of Go also where only the methods say so.
With -r '*', or -r 'owner/*', also in repositories that import it.`,
		Example: `  ragnav nav implementations io.Reader -r golang/go
  ragnav nav implementations -s Client.Do -d up --text`,
		Args: cli.Arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := symbolOrPlace(cmd, args, to); err != nil {
				return err
			}
			return navigate(cmd, s, op.Implementations, &req, views.Implementations)
		},
	}
	addRepo(cmd, s)
	flags := cmd.Flags()
	flags.StringVarP(&req.Direction, "direction", "d", "", "down (default) to what implements it, or up")
	addSymbol(cmd, s, to, "the type or method")
	cli.AddInt(cmd, &req.Limit, "limit", "l", "symbols (1-1000, default 50)")
	cli.AddCursor(cmd, &req.Cursor)
	cli.AddTokens(cmd, &req.MaxTokens)
	cli.Complete(cmd, "direction", "down", "up")
	return cmd
}

// addSymbol adds the flags that name a symbol and pick a definition, or tell a place instead.
func addSymbol(cmd *cobra.Command, s *cli.Session, to asked, what string) {
	cmd.Flags().StringVarP(to.symbol, "symbol", "s", "", what)
	cli.CompleteSymbol(cmd, s)
	cmd.Flags().StringVar(to.file, "file", "", "the definition in this file")
	cli.AddInt(cmd, to.line, "line", "",
		"the definition at this line of the file: its own, one inside of it, one that uses it")
	cli.AddInt(cmd, to.column, "column", "", "without a symbol: what stands at this column (bytes, from 1) of the line")
}

// addEdges adds the flag for kinds of edges.
func addEdges(cmd *cobra.Command, edges *[]string) {
	cmd.Flags().StringSliceVar(edges, "edges", nil,
		"only these kinds: calls, uses_type, imports, extends, implements, reads, writes")
	cli.Complete(cmd, "edges", "calls", "uses_type", "imports", "extends", "implements", "reads", "writes")
}

// readPlace takes FILE:LINE:COLUMN apart.
func readPlace(arg string, req *nav.DefinitionRequest) error {
	file, line, column, ok := splitPlace(arg)
	if !ok {
		return fault.New(fault.InvalidRequest, "%q is no place; write FILE:LINE:COLUMN, as main.go:12:7", arg)
	}
	req.FilePath, req.Line, req.Column = file, line, column
	return nil
}

func splitPlace(arg string) (file string, line, column int, ok bool) {
	parts := strings.Split(arg, ":")
	n := len(parts)
	if n < 3 {
		return "", 0, 0, false
	}
	line, err1 := strconv.Atoi(parts[n-2])
	column, err2 := strconv.Atoi(parts[n-1])
	return strings.Join(parts[:n-2], ":"), line, column, err1 == nil && err2 == nil
}

// symbolOrPlace takes the argument of a command: a symbol, or FILE:LINE:COLUMN,
// where one stands.
func symbolOrPlace(cmd *cobra.Command, args []string, to asked) error {
	if err := positional(cmd, args, "symbol", to.symbol); err != nil || len(args) == 0 {
		return err
	}
	if file, line, column, ok := splitPlace(args[0]); ok && *to.file == "" {
		*to.symbol, *to.file, *to.line, *to.column = "", file, &line, &column
	}
	return nil
}

// An asked is where a request has what is asked for.
type asked struct {
	symbol, file *string
	line, column **int
}

func newNavStatus(s *cli.Session) *cobra.Command {
	var req nav.StatusRequest
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell how fresh the graph of a repository is",
		Long: `Tell how fresh the graph of a repository is. With --modules also which modules it
provides, and which indexed repositories take modules of each other.`,
		Example: `  ragnav nav status -r golang/go --text
  ragnav nav status -r hashicorp/go-hclog --modules`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return navigate(cmd, s, op.NavStatus, &req, views.NavStatus)
		},
	}
	addRepo(cmd, s)
	cmd.Flags().BoolVar(&req.Modules, "modules", false, "also which repositories take modules of each other")
	return cmd
}

func newBuildGraph(s *cli.Session) *cobra.Command {
	var req nav.BuildRequest
	cmd := &cobra.Command{
		Use:   "build-graph",
		Short: "Build the graph of a repository",
		Long: `Build the graph of a repository, in its folder .llmc, which git does not see. Only
files that changed since the last time are read again.`,
		Example: `  ragnav nav build-graph
  ragnav nav build-graph -r golang/go --full --text`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.Allow(cmd, cli.BuildTimeout)
			s.Collect(cli.GraphCollector)
			return navigate(cmd, s, op.BuildGraph, &req, views.Built)
		},
	}
	addRepo(cmd, s)
	flags := cmd.Flags()
	flags.BoolVar(&req.Full, "full", false, "read all files again")
	flags.BoolVar(&req.Precise, "precise", false, "resolve Go by its type checker (needs the go command)")
	return cmd
}

func newImportSCIP(s *cli.Session) *cobra.Command {
	var forget bool
	cmd := &cobra.Command{
		Use:   "import-scip [FILE]",
		Short: "Take exact edges from a SCIP index",
		Long: `Build the graph of a repository with exact edges from a SCIP index, as scip-typescript,
scip-python, scip-java and other indexers write it, in place of those of the index before.
They hold for files that are as they are now; a file that is edited falls back to its
text at once. An index.scip that an indexer leaves in the repository is found by
build-graph itself. With -r OWNER/NAME the file is in that repository.`,
		Example: `  ragnav nav import-scip index.scip
  ragnav nav import-scip -r ~/src/app build/app.scip --text
  ragnav nav import-scip --forget`,
		Args: cli.Arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if forget == (len(args) == 1) {
				return cli.UsageError(cmd, fault.New(fault.InvalidRequest, "give the FILE of an index, or --forget"))
			}
			req := nav.BuildRequest{SCIP: nav.NoIndex}
			if !forget {
				if err := readIndex(cli.IsPath(cmd.Context(), s), args[0], &req); err != nil {
					return err
				}
			}
			s.Allow(cmd, cli.BuildTimeout)
			return navigate(cmd, s, op.BuildGraph, &req, views.Built)
		},
	}
	addRepo(cmd, s)
	cmd.Flags().BoolVar(&forget, "forget", false, "build without the index that was imported")
	return cmd
}

func newExportSCIP(s *cli.Session) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "export-scip",
		Short: "Write the graph of a repository as a SCIP index",
		Long: `Write the graph of a repository as a SCIP index, for tools that read those: into
.llmc/index.scip, or where --output says. Uses that may be of one of several symbols
are left out.`,
		Example: `  ragnav nav export-scip
  ragnav nav export-scip -r ~/src/app --output app.scip`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output != "" && !cli.IsPath(cmd.Context(), s) {
				return cli.UsageError(cmd, fault.New(fault.InvalidRequest, "--output needs the folder of the repository: -r PATH"))
			}
			s.Allow(cmd, cli.BuildTimeout)
			var req nav.ExportRequest
			view := func(s *term.Screen, resp nav.ExportResponse) { views.Exported(s, resp, output) }
			if err := navigate(cmd, s, op.ExportSCIP, &req, view); err != nil || output == "" {
				return err
			}
			return copyExported(cmd, s, output)
		},
	}
	addRepo(cmd, s)
	cmd.Flags().StringVarP(&output, "output", "o", "", "copy the index to this file")
	return cmd
}

// copyExported copies the index that was written into a repository.
func copyExported(cmd *cobra.Command, s *cli.Session, output string) error {
	f, err := app.OpenFolder(cmd.Context(), s.Config, s.Repo)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	root, _ := f.Where()
	in, err := os.Open(filepath.Join(root, filepath.FromSlash(nav.Exported)))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(output)
	if err != nil {
		return fault.Wrap(fault.InvalidRequest, err, "%s can't be written: %s", output, err)
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// readIndex reads the file of an index, unless it is in a repository that
// another process may have: one that is no folder here.
func readIndex(isFolder bool, file string, req *nav.BuildRequest) error {
	if !isFolder {
		req.SCIP = file
		return nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return fault.Wrap(fault.PathNotFound, err, "there is no file %s", file)
	}
	if !info.Mode().IsRegular() {
		return fault.New(fault.InvalidRequest, "%s is no file; name a SCIP index", file)
	}
	if info.Size() > scip.MaxBytes {
		return fault.New(fault.InvalidRequest, "%s is larger than %d MB", file, scip.MaxBytes>>20)
	}
	if req.Index, err = os.ReadFile(file); err != nil {
		return fault.Wrap(fault.InvalidRequest, err, "%s can't be read: %s", file, err)
	}
	req.SCIP = ""
	return nil
}

// positional takes an argument for the value of a flag, which may not be given too.
func positional(cmd *cobra.Command, args []string, flag string, value *string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.Flags().Changed(flag) {
		return cli.UsageError(cmd, fault.New(fault.InvalidRequest, "the %s is given twice: %q and --%s", flag, args[0], flag))
	}
	*value = args[0]
	return nil
}
