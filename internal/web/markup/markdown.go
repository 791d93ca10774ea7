package markup

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/web/address"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extended "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// renderer makes HTML of Markdown. It is not told to let raw HTML pass.
var renderer = goldmark.New(goldmark.WithExtensions(
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough,
	extension.Linkify,
))

// A Document is Markdown as HTML.
type Document struct {
	HTML template.HTML
	Left int // pieces of raw HTML that were left out
}

// Render makes HTML of a document of a repository. Links lead within the site
// or to the web, and pictures are links to them, since a page loads nothing
// from elsewhere. Those to other files lead to them in a commit, if that isn't "".
func Render(id models.RepoID, file, source, commit string) (Document, error) {
	r := relinker{
		id: id, dir: path.Dir(file), source: []byte(frontMatter(source)), slugs: map[string]int{}, commit: commit,
	}
	return r.render()
}

// RenderAnswer is Render for text that is of no file: its links lead to its
// sources, or nowhere.
func RenderAnswer(source string) (Document, error) {
	r := relinker{source: []byte(source), slugs: map[string]int{}}
	return r.render()
}

func (r *relinker) render() (Document, error) {
	root := renderer.Parser().Parse(text.NewReader(r.source))
	r.walk(root)
	if bytes.ContainsFunc(r.source, rightToLeft) {
		direct(root)
	}
	var b bytes.Buffer
	err := renderer.Renderer().Render(&b, r.source, root)
	return Document{template.HTML(b.String()), r.left}, err
}

// rightToLeft reports whether a letter is of a script that is written from right to left.
func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// direct has each paragraph, heading, list and table of a document run as its first letter
// does, which a page can't know in advance. Code runs from left to right.
func direct(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.(type) {
		case *ast.Paragraph, *ast.Heading, *ast.List, *ast.ListItem, *ast.Blockquote, *extended.Table,
			*extended.TableCell:
			c.SetAttributeString("dir", []byte("auto"))
		}
		direct(c)
	}
}

// frontMatter shows the YAML at the head of a document as code.
func frontMatter(source string) string {
	rest, ok := strings.CutPrefix(source, "---\n")
	if !ok {
		return source
	}
	head, rest, ok := strings.Cut(rest, "\n---\n")
	if !ok || strings.Contains(head, "```") {
		return source
	}
	return "```yaml\n" + head + "\n```\n" + rest
}

// A relinker makes a parsed document fit into a page.
type relinker struct {
	id     models.RepoID
	dir    string
	source []byte
	slugs  map[string]int
	commit string
	left   int
}

func (r *relinker) walk(n ast.Node) {
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		r.walk(c)
		switch c := c.(type) {
		case *ast.RawHTML, *ast.HTMLBlock:
			r.left++
			n.RemoveChild(n, c)
		case *ast.Heading:
			c.SetAttributeString("id", []byte(r.heading(c)))
		case *ast.Image:
			r.picture(n, c)
		case *ast.AutoLink:
			if address := string(c.URL(r.source)); c.AutoLinkType == ast.AutoLinkURL && r.address(address) == "" {
				n.ReplaceChild(n, c, ast.NewString(c.Label(r.source)))
			}
		case *ast.Link:
			if c.Destination = []byte(r.address(string(c.Destination))); len(c.Destination) == 0 {
				unwrap(n, c)
			}
		}
		c = next
	}
}

// unwrap puts what is in a link in its place.
func unwrap(parent, link ast.Node) {
	for c := link.FirstChild(); c != nil; c = link.FirstChild() {
		parent.InsertBefore(parent, link, c)
	}
	parent.RemoveChild(parent, link)
}

// heading is the id of a heading among others of its words.
func (r *relinker) heading(h *ast.Heading) string {
	id := HeadingID(slug(string(textOf(h, r.source))))
	r.slugs[id]++
	if n := r.slugs[id]; n > 1 {
		id = fmt.Sprintf("%s-%d", id, n-1)
	}
	return id
}

// HeadingID is the id of a heading, apart from those of the page.
func HeadingID(slug string) string { return "doc-" + slug }

// slug is the part of an address that stands for a heading.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
			return r
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(heading)))
}

// picture puts a link in the place of a picture, or its words where that would
// be a link in a link.
func (r *relinker) picture(parent ast.Node, img *ast.Image) {
	words := string(textOf(img, r.source))
	if words == "" {
		words = path.Base(string(img.Destination))
	}
	shown := ast.NewString([]byte("[" + words + "]"))
	_, inLink := parent.(*ast.Link)
	address := r.address(string(img.Destination))
	if inLink || address == "" {
		parent.ReplaceChild(parent, img, shown)
		return
	}
	link := ast.NewLink()
	link.Destination = []byte(address)
	link.AppendChild(link, shown)
	parent.ReplaceChild(parent, img, link)
}

// address is where a link of the document leads: another of the repository's
// files, a heading, or the web. Others lead nowhere.
func (r *relinker) address(to string) string {
	u, err := url.Parse(to)
	switch {
	case err != nil, r.id == "" && (u.Path != "" || u.Scheme != "" || u.Host != ""):
		return ""
	case u.Scheme == "http", u.Scheme == "https", u.Scheme == "mailto":
		return u.String()
	case u.Scheme != "", u.Host != "", u.Opaque != "":
		return ""
	case u.Path == "" && u.Fragment != "":
		return "#" + HeadingID(url.PathEscape(strings.ToLower(u.Fragment)))
	}
	file := path.Join(r.dir, u.Path)
	if strings.HasPrefix(u.Path, "/") {
		file = path.Clean(u.Path)
	}
	file = strings.TrimPrefix(file, "/")
	if file == ".." || strings.HasPrefix(file, "../") {
		return ""
	}
	if file == "." {
		return address.Repo(r.id)
	}
	to = address.AtCommit(address.File(r.id, file), r.commit)
	if u.Fragment != "" && address.IsMarkdown(file) {
		to += "#" + HeadingID(url.PathEscape(strings.ToLower(u.Fragment)))
	} else if u.Fragment != "" {
		to += "#" + url.PathEscape(u.Fragment)
	}
	return to
}

// textOf is the words of a node.
func textOf(n ast.Node, source []byte) []byte {
	var b []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b = append(b, c.Value(source)...)
			if c.SoftLineBreak() {
				b = append(b, ' ')
			}
		case *ast.String:
			b = append(b, c.Value...)
		default:
			b = append(b, textOf(c, source)...)
		}
	}
	return b
}
