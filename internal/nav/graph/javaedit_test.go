//go:build cgo

package graph_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

var (
	javaType   = regexp.MustCompile(`\b(class|interface|enum|record) (\w+)([^{]*)\{`)
	javaMethod = regexp.MustCompile(`\b(\w+)\((\w+) (\w+)`)
	javaField  = regexp.MustCompile(`(?m)^    (\w+) (\w+);$`)
)

// javaApart are classes in files of their own, on which a call in another one depends.
var javaApart = map[string]string{
	"apart/Shape.java":  "package apart;\ninterface Shape {}\n",
	"apart/Square.java": "package apart;\nclass Square implements Shape {\n    Shape label() { return null; }\n}\n",
	"apart/Field.java": "package apart;\nclass Field {\n    Square square;\n    String text;\n" +
		"    Shape shape;\n}\n",
	"apart/Paint.java": "package apart;\nclass Paint {\n    void p(Object o) {}\n    void p(Shape s) {}\n" +
		"    void p(String s) {}\n}\n",
	"apart/Use.java": "package apart;\nclass Use {\n    void use(Paint p, Square q, Field f) {\n" +
		"        p.p(q); p.p(f.square); p.p(f.text); p.p(f.shape); p.p(q.label()); p.p(new Square());\n    }\n}\n",
}

// editJava changes a file somewhere: mostly what decides which overload a call means.
func editJava(r *rand.Rand, texts map[string]string) {
	paths := slices.Sorted(maps.Keys(texts))
	p := paths[r.IntN(len(paths))]
	if apart := slices.Sorted(maps.Keys(javaApart)); r.IntN(3) > 0 {
		if some := apart[r.IntN(len(apart))]; texts[some] != "" {
			p = some
		}
	}
	text := texts[p]
	types := []string{"Object", "String", "int", "Shape", "Square", "Other", "Mode", "T[]"}
	some := types[r.IntN(len(types))]
	one := func(re *regexp.Regexp, change func(m []string) string) {
		if all := re.FindAllStringSubmatch(text, -1); len(all) > 0 {
			m := all[r.IntN(len(all))]
			text = strings.Replace(text, m[0], change(m), 1)
		}
	}
	switch r.IntN(8) {
	case 0:
		delete(texts, p)
		return
	case 1: // made from something else
		one(javaType, func(m []string) string { return m[1] + " " + m[2] + " extends Square {" })
	case 2: // made from nothing
		one(javaType, func(m []string) string { return m[1] + " " + m[2] + " {" })
	case 3: // another parameter
		one(javaMethod, func(m []string) string { return m[1] + "(" + some + " " + m[3] })
	case 4: // another field, of which arguments are
		one(javaField, func(m []string) string { return "    " + some + " " + m[2] + ";" })
	case 5: // a type of another name
		one(javaType, func(m []string) string { return m[1] + " " + m[2] + "2" + m[3] + "{" })
	case 6: // what a method gives
		text = strings.Replace(text, "String label()", some+" label()", 1)
	case 7: // lines move
		text = strings.Replace(text, "{\n", "{\n\n", 1)
	}
	texts[p] = text
}

// As TestOverlayIsARebuild, with Java files.
func TestEditedJavaIsARebuild(t *testing.T) {
	before := examples(t, ".java", "java", "java_cases", "java_overloads")
	maps.Copy(before, javaApart)
	old := grammarGraph(t, before, nil)
	if old.Stats().Edges < 100 {
		t.Fatalf("%d edges", old.Stats().Edges)
	}
	for seed := range uint64(40) {
		if testing.Short() && seed > 8 {
			break
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			after := maps.Clone(before)
			for range 1 + seed%3 {
				editJava(r, after)
			}
			clean := grammarGraph(t, after, nil)
			if again := grammarGraph(t, after, old); again.ID() != clean.ID() {
				t.Errorf("incremental build %s, clean build %s", again.ID(), clean.ID())
			}
			got := overlay.Lay(old, overlayOf(t, grammars{}, before, after), goResolver)
			checkAll(t, overlay.Lay(clean, overlay.Changes{}, goResolver), got)
		})
	}
}
