package main

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
)

// A file that is piped comes whole, however long it and its lines are; with
// --json one reply says how much it is of how much, and how to go on.
func TestFileIsPipedWhole(t *testing.T) {
	files := maps.Clone(clockRepo)
	long := strings.Repeat("a line of text\n", 20_000) + strings.Repeat("x", 300_000) + "\nlast"
	files["long.txt"] = long
	sh := newShell(t)
	sh.run("index", "--quiet", writeRepo(t, "clock", files))
	if out, errs, _ := sh.try("file", "clock", "long.txt", "--quiet"); out != long || errs != "" {
		t.Errorf("piped: %d bytes and %q, want all %d and nothing", len(out), errs, len(long))
	}
	if out := sh.run("file", "clock", "long.txt:20001-20002"); out != strings.Repeat("x", 300_000)+"\nlast" {
		t.Errorf("piped lines: %d bytes, want %d", len(out), 300_005)
	}
	out := sh.run("file", "clock", "long.txt", "--json")
	if says := fmt.Sprintf("of %d bytes; go on with", len(long)); !strings.Contains(out, says) ||
		!strings.Contains(out, `"next_cursor"`) {
		t.Errorf("--json: no %q in %.300s", says, out)
	}
}

// Nonsense gets no answer: what comes is marked, and that is said first.
func TestNonsenseIsSaid(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", writeRepo(t, "clock", clockRepo))
	out, errs, _ := sh.try("search", "zzzzqqqq")
	if strings.Count(out, "  weak\n") != strings.Count(out, "(file)") ||
		!strings.Contains(errs, `has the word "zzzzqqqq"`) {
		t.Errorf("nonsense: hits without a mark, or no word:\n%s%s", out, errs)
	}
	out, errs, _ = sh.try("search", "--mode", "lexical", "zzzzqqqq")
	if out != "" || !strings.Contains(errs, `has the word "zzzzqqqq"`) {
		t.Errorf("nonsense by words:\n%s%s", out, errs)
	}
	for _, question := range []string{"parse an RFC 3339 timestamp", "retry with exponential backoff", "ParseStamp"} {
		out, errs, _ := sh.try("search", "-l", "1", question)
		if strings.Contains(out, "weak") || strings.Contains(errs, "is like") {
			t.Errorf("%s is weak:\n%s%s", question, out, errs)
		}
	}
}

// Every list that was cut says of how many, and what to add for the rest; quiet
// or not. What is added leads to the end.
func TestCutsAreSaid(t *testing.T) {
	sh := newShell(t)
	for _, id := range []string{"acme/clock", "acme/tools", "other/tools"} {
		sh.run("index", "--quiet", "--repo-id", id, writeRepo(t, "clock", clockRepo))
	}
	next := regexp.MustCompile(`(\d+) of (\d+) shown; add (--cursor \S+) for the next`)
	for _, args := range []string{
		"repos", "structure clock", "coverage clock", "search --level symbol stamp",
		"repos --json", "nav search -r acme/clock func",
		"index --dry-run " + writeRepo(t, "clock", clockRepo),
	} {
		call := append(strings.Fields(args), "--quiet", "-l", "1")
		pages := 0
		for {
			_, errs, exit := sh.try(call...)
			if pages++; exit != 0 || pages > 20 {
				t.Fatalf("%s: page %d: exit %d\n%s", args, pages, exit, errs)
			}
			m := next.FindStringSubmatch(errs)
			if m == nil {
				break
			}
			call = append(append(strings.Fields(args), "--quiet", "-l", "1"), strings.Fields(m[3])...)
			if m[1] != "1" || m[2] == "1" {
				t.Errorf("%s: %s of %s shown", args, m[1], m[2])
			}
		}
		if pages < 2 {
			t.Errorf("%s: nothing says that there is more", args)
		}
	}
}
