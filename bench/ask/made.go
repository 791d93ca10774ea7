package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	prefix  = regexp.MustCompile(`^(?:[a-z-]+(?:\([^)]*\))?!?|[\w./-]+): +`)
	numbers = regexp.MustCompile(`\s*\(?(?:#|gh-|GH-)\d+\)?`)
	trailer = regexp.MustCompile(
		`(?im)^\s*(?:[\w-]+-by|cc|fixes|closes|refs?|resolves|pr-url|see|link|change-id|bug|related)\b[: ` +
			`].*$|^\s*(?:\*|-)?\s*https?://\S+\s*$|^---+$`)
	link   = regexp.MustCompile(`https?://\S+`)
	chores = regexp.MustCompile(
		`(?i)^(merge branch|revert|bump|release|version|prepare|update ` +
			`(dep|changelog|readme)|upgrade|chore|ci|build|docs?|tests?|style|lint|typo|deps?|changelog|pre-commit)\b|` +
			`\b(typos?|readme|changelog|copyright|lint|flake8|mypy|clippy|rubocop|whitespace|formatting|coverage|CI|javadoc|` +
			`docstrings?)\b`)
	sentence = regexp.MustCompile(`^[^.]*?(?:\w\.\w[^.]*?)*\.(?:\s|$)`)
)

// fromCommits are questions by what commits say of themselves.
func fromCommits(dir string, commits []commit, n int) []question {
	var all []question
	for _, c := range commits {
		said := c.subject
		if strings.HasPrefix(said, "Merge pull request") { // the body's first line is its title
			said, c.body, _ = strings.Cut(strings.TrimSpace(c.body), "\n")
		}
		if chores.MatchString(said) {
			continue
		}
		files, ok := c.answers(dir)
		title := clean(prefix.ReplaceAllString(said, ""))
		if !ok || len(strings.Fields(title)) < 5 {
			continue
		}
		text := strings.TrimSpace(title + "\n" + clean(trailer.ReplaceAllString(c.body, "")))
		all = append(all, question{Kind: "commit", Text: cut(text, 1500), Files: files})
	}
	return first(shuffled(all, "commit"), n)
}

func clean(s string) string {
	return strings.TrimSpace(numbers.ReplaceAllString(link.ReplaceAllString(s, ""), ""))
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

var (
	changelogs = regexp.MustCompile(
		`(?i)^(changelog|changes|history|news|releasenotes|release[_-]notes)(\.(md|rst|txt|markdown))?$`)
	entry   = regexp.MustCompile(`^\s*(?:[-*•]|\d+\.)\s+(.+)$`)
	mention = regexp.MustCompile("[(\\[]?(?:#|:(?:pr|issue|pull):`)(\\d+)`?")
	markup  = regexp.MustCompile("\\[([^\\]]*)\\](?:\\([^)]*\\))?|:\\w+:`~?([^`]*)`|[*_]{2}")
)

// fromChangelog are entries of changelogs that name a pull request which changed
// few files.
func fromChangelog(dir string, commits []commit, n int) ([]question, error) {
	byPull := map[string]commit{}
	for _, c := range commits {
		if c.pull != "" {
			byPull[c.pull] = c
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	var all []question
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || info.IsDir() || !changelogs.MatchString(filepath.Base(name)) {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			m, pulls := entry.FindStringSubmatch(strings.TrimSpace(line)), mention.FindAllStringSubmatch(line, -1)
			if m == nil || len(pulls) == 0 || chores.MatchString(m[1]) {
				continue
			}
			files, ok := byPull[pulls[len(pulls)-1][1]].answers(dir)
			text := clean(markup.ReplaceAllString(mention.ReplaceAllString(prefix.ReplaceAllString(m[1], ""), ""), "$1$2"))
			if text = strings.Trim(text, " ()[],."); ok && len(strings.Fields(text)) >= 5 {
				all = append(all, question{Kind: "changelog", Text: text, Files: files})
			}
		}
	}
	return first(shuffled(all, "changelog"), n), nil
}
