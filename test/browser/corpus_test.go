//go:build browser

package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// evil does something where text is taken for HTML. What it does is seen.
const evil = `<img src=x onerror=window.hacked=1><script>window.hacked=1</script>"'>`

const (
	longLines = 50_000
	manyRepos = 50
	manyFiles = 50_000 // of one repository, empty
)

// deepFolder is a path that is wider than a window.
var deepFolder = strings.TrimSuffix(strings.Repeat("somefolder/", 20), "/")

// corpus writes the repositories: shop, a program; odd, whatever breaks pages;
// and many small ones.
func corpus(dir string) (targets []string, err error) {
	var long strings.Builder
	long.WriteString("package odd\n\n")
	for n := 3; n <= longLines; n++ {
		fmt.Fprintf(&long, "var v%d = %d // %s\n", n, n, strings.Repeat("x", n%80))
	}
	tall := "package odd\n\n"
	for n := range 60 {
		tall += fmt.Sprintf("func F%d() {\n%s}\n", n, strings.Repeat("\tprintln()\n", 8))
	}
	files := map[string]string{
		"odd/tall.go": tall,
		"shop/go.mod": "module example.org/shop\n\ngo 1.26\n",
		"shop/README.md": "# Shop\n\nSells things. Prices are in [price.go](price/price.go#L3).\n\n| a | b |\n|:--|--:|\n" +
			"| 1 | 2 |\n\n" + evil + "\n\n![logo](https://example.org/logo.png)\n[js](javascript:window.hacked=1)\n",
		"shop/main.go": "package main\n\nimport \"example.org/shop/price\"\n\nfunc main() {\n" +
			"\tprintln(price.WithTax(100))\n}\n",
		"shop/price/price.go": "package price\n\nconst rate = 19\n\n// WithTax adds the value added tax to an amount in " +
			"cents, rounded half up.\nfunc WithTax(cents int) int {\n\treturn cents + tax(cents)\n}\n\n" +
			"// tax is the value added tax of an amount.\nfunc tax(cents int) int { return (cents*rate + 50) / 100 }\n",
		"shop/price/price_test.go": "package price\n\nimport \"testing\"\n\nfunc TestWithTax(t *testing.T) {\n" +
			"\tif WithTax(100) != 119 {\n\t\tt.Error(WithTax(100))\n\t}\n}\n",
		"shop/docs/returns.md": "# Returns\n\nA buyer may send goods back within 14 days.\n",
		"shop/.env":            "TOKEN=x\n",
		"odd/long.go":          long.String(),
		"odd/evil.go":          "package odd\n\n// Evil " + evil + "\nfunc Evil() string { return `" + evil + "` }\n",
		"odd/evil.md": "# Evil " + evil +
			"\n\n<svg onload=window.hacked=1>\n\n[a](data:text/html,x) <javascript:x>\n",
		"odd/evil.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" ` +
			`onload="top.hacked=1"><script>top.hacked=1</script></svg>`,
		"odd/wide.js":            "var a = \"" + strings.Repeat("y", 300_000) + "\"\n",
		"odd/empty.go":           "",
		"odd/short.go":           "package odd\n\nfunc T() {}\n\nfunc useT() {\n" + strings.Repeat("\tT()\n", 12) + "}\n",
		"odd/a b&c#d?e%41.go":    "package odd\n\nfunc Named() {}\n",
		"odd/<img onerror=1>.go": "package odd\n\nfunc Tagged() {}\n",
		"odd/日本.py":              "def 値(x):\n    return x\n",
	}
	targets = []string{filepath.Join(dir, "shop"), filepath.Join(dir, "odd")}
	files["odd/"+deepFolder+"/x.go"] = "package x\n\nfunc Deep() {}\n"
	for n := range manyRepos {
		name := fmt.Sprintf("small%02d", n)
		files[name+"/x.go"] = fmt.Sprintf("package x\n\nfunc Only%d() {}\n", n)
		targets = append(targets, filepath.Join(dir, name))
	}
	files["kept/x.go"] = "package x\n\nfunc Kept() int { return kept }\n\nconst kept = 1\n"
	targets = append(targets, filepath.Join(dir, "kept"))
	files["dashed/x.go"] = "package x\n\nfunc Dashed() {}\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return targets, commit(filepath.Join(dir, "kept"))
}

// commit makes a git repository of a folder, with one commit.
func commit(dir string) error {
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "one"}} {
		git := exec.Command("git", append([]string{"-c", "user.name=Test", "-c", "user.email=test@example.com"}, args...)...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}

// wide writes a repository of many files, and returns its folder.
func wide(dir string) (string, error) {
	const inFolder = 100
	root := filepath.Join(dir, "wide")
	for n := range manyFiles {
		name := filepath.Join(root, fmt.Sprintf("d%03d", n/inFolder), fmt.Sprintf("file%02d.txt", n%inFolder))
		if n%inFolder == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return "", err
			}
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			return "", err
		}
	}
	return root, nil
}
