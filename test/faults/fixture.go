package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The repositories of a world. Of delta there are two versions, the first of
// which is indexed; epsilon is not.
const (
	alpha, beta, gamma, delta, epsilon = "alpha", "beta", "gamma", "delta", "epsilon"
)

var indexed = []string{alpha, beta, gamma, delta}

// A language is how the fixture writes a file in it.
type language struct{ ext, declaration string }

var (
	golang = language{
		"go",
		"\n// %[1]s %[2]s the walrus before it %[3]s.\nfunc %[1]s(depth int) int {\n\treturn depth*%[4]d + %[5]d\n}\n",
	}
	python = language{
		"py",
		"\ndef %[1]s(depth):\n    \"\"\"%[2]s the walrus before it %[3]s.\"\"\"\n    return depth * %[4]d + %[5]d\n",
	}
	javascript = language{
		"js",
		"\n/** %[1]s %[2]s the walrus before it %[3]s. */\nexport function %[1]s(depth) {\n" +
			"  return depth * %[4]d + %[5]d;\n}\n",
	}
	markdown = language{"md", "\n## %[1]s\n\nThe keeper %[2]s the walrus before it %[3]s, %[4]d times in %[5]d days.\n"}
)

var languages = map[string][]language{
	alpha:   {golang, golang, markdown},
	beta:    {python, python, markdown},
	gamma:   {javascript, markdown},
	delta:   {golang, python, markdown},
	epsilon: {python, javascript, golang},
}

var (
	verbs = strings.Fields(
		"parses decodes merges flushes retries schedules verifies compresses hashes locks drains splits renders signs " +
			"routes caches")
	nouns = strings.Fields(
		"Frame Token Ledger Queue Segment Header Cursor Budget Lease Shard Window Packet Digest Journal Beacon Tunnel " +
			"Anchor Harbor")
)

// writeTree writes a repository of so many files, the same for the same name.
func writeTree(root, name string, files int) error {
	random := rand.New(rand.NewPCG(1, uint64(len(name))<<8|uint64(name[0])))
	for i := range files {
		kinds := languages[name]
		if err := writeSource(root, random, i, kinds[i%len(kinds)]); err != nil {
			return err
		}
	}
	readme := fmt.Sprintf("# %s\n\nWhat %s knows of the walrus.\n", name, name)
	return writeAged(filepath.Join(root, "README.md"), readme, 0)
}

func writeSource(root string, random *rand.Rand, i int, lang language) error {
	dir := []string{"", "dive", "dive/deep", "feed"}[i%4]
	var text strings.Builder
	text.WriteString(map[string]string{"go": "package walrus\n"}[lang.ext])
	for range 6 + random.IntN(12) {
		verb := verbs[random.IntN(len(verbs))]
		name := nouns[random.IntN(len(nouns))] + nouns[random.IntN(len(nouns))] + fmt.Sprint(random.IntN(1000))
		_, _ = fmt.Fprintf(&text, lang.declaration, name, verb, verbs[random.IntN(len(verbs))], random.IntN(100),
			random.IntN(100))
	}
	return writeAged(filepath.Join(root, dir, fmt.Sprintf("f%02d.%s", i, lang.ext)), text.String(), i)
}

// writeAged writes a file that was changed long ago, so that no run takes it
// for one that may just be changing.
func writeAged(file, text string, age int) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	at := time.Unix(1_700_000_000+int64(age), 0)
	return os.Chtimes(file, at, at)
}

// edit changes some files of a tree, adds two and deletes one; the same edit
// for the same version.
func edit(root string, version int) error {
	random := rand.New(rand.NewPCG(2, uint64(version)))
	for _, i := range []int{0, 3, 4, 7, 100 + version, 200 + version} {
		if err := writeSource(root, random, i, []language{golang, python, markdown}[i%3]); err != nil {
			return err
		}
	}
	err := os.Remove(filepath.Join(root, "dive",
		fmt.Sprintf("f%02d.%s", 1+4*version, []string{"go", "py", "md"}[(1+4*version)%3])))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
