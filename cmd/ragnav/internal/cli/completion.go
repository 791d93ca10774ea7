package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// completionLimit bounds how long a shell waits for names, unless its context says
// that; mostNames how many it gets.
const (
	completionLimit = 4 * time.Second
	mostNames       = 100
)

type completer = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

// Complete offers fixed values for a flag.
func Complete(cmd *cobra.Command, flag string, values ...string) {
	register(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteRepos offers the ids of indexed repositories for a flag.
func CompleteRepos(cmd *cobra.Command, s *Session, flag string) { register(cmd, flag, RepoIDs(s)) }

// register panics for a flag that doesn't exist, which is a mistake in this program.
func register(cmd *cobra.Command, flag string, f completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// FirstRepo offers repository ids for the first argument only.
func FirstRepo(s *Session) completer {
	return func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return RepoIDs(s)(cmd, args, prefix)
	}
}

// offer asks the store for completions, and keeps them: names of a moment ago do
// for the next key, and those of some time ago where the store is too busy.
func offer(s *Session, what string, ask func(context.Context, op.Caller, string) ([]string, error)) completer {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx := cmd.Context()
		if _, limited := ctx.Deadline(); !limited {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, completionLimit)
			defer cancel()
		}
		if err := s.Configure(cmd); err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		known := namesOf(s, what)
		if found, ok := known.get(prefix, namesHold); ok {
			return found, cobra.ShellCompDirectiveNoFileComp
		}
		b, err := s.Open(ctx)
		if err == nil {
			var found []string
			if found, err = ask(ctx, b, prefix); err == nil {
				known.put(prefix, found)
				return found, cobra.ShellCompDirectiveNoFileComp
			}
		}
		if found, ok := known.get(prefix, namesLast); ok {
			return found, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveError
	}
}

// How long names are taken for those of now, and how long they are better than none.
const (
	namesHold = 20 * time.Second
	namesLast = 24 * time.Hour
)

// A nameCache is completions that were found before, in a file of the user's cache.
// Without such a place there are none.
type nameCache struct {
	file string
	of   map[string]kept // by what was typed, in lower case
}

type kept struct {
	At    time.Time `json:"at"`
	Names []string  `json:"names"`
}

func namesOf(s *Session, what string) nameCache {
	dir := s.Getenv("XDG_CACHE_HOME")
	if home := s.Getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, ".cache")
	}
	if dir == "" {
		return nameCache{}
	}
	store := sha256.Sum256([]byte(what + "\x00" + s.Server + "\x00" + s.Config.Store))
	n := nameCache{filepath.Join(dir, "ragnav", fmt.Sprintf("names-%x.json", store[:8])), map[string]kept{}}
	if text, err := os.ReadFile(n.file); err == nil {
		_ = json.Unmarshal(text, &n.of) // it is a cache
	}
	return n
}

// get are the names for what is typed, or for its beginning when these were all,
// not older than age.
func (n nameCache) get(typed string, age time.Duration) ([]string, bool) {
	typed = strings.ToLower(typed)
	for end := len(typed); end >= 0; end-- {
		k, ok := n.of[typed[:end]]
		if !ok || time.Since(k.At) > age || end < len(typed) && (len(k.Names) >= mostNames || len(k.Names) == 0) {
			continue
		}
		return slices.DeleteFunc(slices.Clone(k.Names),
			func(name string) bool { return !strings.HasPrefix(strings.ToLower(name), typed) }), true
	}
	return nil, false
}

// put keeps names. What is too old goes.
func (n nameCache) put(typed string, found []string) {
	if n.file == "" {
		return
	}
	maps.DeleteFunc(n.of, func(_ string, k kept) bool { return time.Since(k.At) > namesLast })
	n.of[strings.ToLower(typed)] = kept{time.Now(), found}
	if text, err := json.Marshal(n.of); err == nil && os.MkdirAll(filepath.Dir(n.file), 0o700) == nil {
		_ = os.WriteFile(n.file, text, 0o600) // without it the store is asked again
	}
}

// RepoIDs offers the ids of indexed repositories, and behind the first letters
// their last segments, too, where no other one has the same.
func RepoIDs(s *Session) completer {
	all := offer(s, "repositories", func(ctx context.Context, c op.Caller, _ string) (names []string, err error) {
		resp, err := op.Repos.By(ctx, c, repos.Request{Limit: new(1000)})
		for _, r := range resp.Items {
			names = append(names, string(r.RepoID))
		}
		return append(names, shortNames(names)...), err
	})
	return func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		found, directive := all(cmd, args, prefix)
		return slices.DeleteFunc(slices.Clone(found), func(name string) bool {
			return prefix == "" && strings.Contains(name, described) ||
				!strings.HasPrefix(strings.ToLower(name), strings.ToLower(prefix))
		}), directive
	}
}

// described separates a completion from its description.
const described = "\t"

// shortNames are the last segments of ids that mean one of them, each with that.
func shortNames(ids []string) (short []string) {
	times := map[string]int{}
	for _, id := range ids {
		times[path.Base(id)]++
	}
	for _, id := range ids {
		if name := path.Base(id); name != id && times[name] == 1 {
			short = append(short, name+described+id)
		}
	}
	return short
}

// CompleteLanguages offers the languages that are indexed for a flag.
func CompleteLanguages(cmd *cobra.Command, s *Session, flag string) {
	register(cmd, flag, offer(s, "languages",
		func(ctx context.Context, c op.Caller, _ string) (names []string, err error) {
			resp, err := op.Repos.By(ctx, c, repos.Request{Limit: new(1000)})
			for _, r := range resp.Items {
				names = append(names, r.Languages...)
			}
			slices.Sort(names)
			return slices.Compact(names), err
		}))
}

// symbols offers names of indexed symbols that begin as what is typed.
func symbols(s *Session) completer {
	return offer(s, "symbols", func(ctx context.Context, c op.Caller, prefix string) (names []string, err error) {
		if prefix == "" {
			return nil, nil
		}
		req := search.Request{
			Query: "sym:" + prefix + "*", Level: models.LevelSymbol, Mode: search.ModeLexical,
			Limit: new(mostNames), Preview: true,
		}
		resp, err := op.Search.By(ctx, c, req)
		for _, hit := range resp.Items {
			names = append(names, term.Text(hit.SymbolName))
		}
		slices.Sort(names)
		return slices.Compact(names), err
	})
}

// CompleteSymbol offers symbols for the argument and for the flag.
func CompleteSymbol(cmd *cobra.Command, s *Session) {
	cmd.ValidArgsFunction = symbols(s)
	register(cmd, "symbol", symbols(s))
}
