package facts

import "strings"

// Labelled is the name of a function of Swift that is called with arguments of some
// labels, as it is in expressions: "_" for one without a label, and "&" before that of a
// closure behind the brackets, which is called "&" if it has none.
func Labelled(name string, labels []string) string {
	return name + `\` + strings.Join(labels, `\`)
}

// Labels are the name and the labels that Labelled joined. called reports whether it is
// such a name.
func Labels(name string) (plain string, labels []string, called bool) {
	plain, rest, called := strings.Cut(name, `\`)
	if rest == "" {
		return plain, nil, called
	}
	return plain, strings.Split(rest, `\`), called
}

// Extension is the Local of an Import of Swift that binds no name: the type Name, which is
// declared elsewhere, is extended to be the Path, too.
const Extension = "extension"

// Target is what the Local of an Import of a manifest of Swift begins with, which is of the
// target Path; its folder is behind, if it is written.
const Target = "target:"

// Memberwise are the arguments of a reference to a property of Swift by the label of an argument:
// it is one if the struct has no initializer of its own.
const Memberwise = "memberwise"

// Disfavored is the Shape of a function of Swift that is meant only where no other one is.
const Disfavored = "disfavored"
