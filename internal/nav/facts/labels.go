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

// Of Scala, how a member is named in an expression that is a type, of which a value may have the
// name too, how operators are, and what a pattern takes apart is by the name of what does so.
const (
	typeMark  = `\T`
	termMark  = `\V`
	extracted = `\U`
)

// TypeNamed is the name of a member of Scala that is a type.
func TypeNamed(name string) string { return MemberNamed(name) + typeMark }

// TermNamed is a name in an expression that is a type that stands for no type: what one is taken from.
func TermNamed(name string) string { return MemberNamed(name) + termMark }

// IsTerm reports whether a name was made by TermNamed.
func IsTerm(name string) bool { return strings.HasSuffix(name, termMark) }

// ExtractedBy is the member of an object of Scala, or of what is taken apart, that its parts are.
func ExtractedBy(name string) string { return MemberNamed(name) + extracted }

const operators = `.(){}[]!<>;=:\~^?@#`

// MemberNamed is a name of Scala as it is in expressions: an operator has no letters of their
// grammar.
func MemberNamed(name string) string {
	if !strings.ContainsAny(name, operators) {
		return name
	}
	var b strings.Builder
	for i := range len(name) {
		if at := strings.IndexByte(operators, name[i]); at >= 0 {
			b.WriteByte('\\')
			b.WriteByte('a' + byte(at))
		} else {
			b.WriteByte(name[i])
		}
	}
	return b.String()
}

// Plain is a name as it was given to MemberNamed, TypeNamed or ExtractedBy, with which of them.
func Plain(name string) (plain string, isType, isExtracted bool) {
	if !strings.Contains(name, `\`) {
		return name, false, false
	}
	name, isType = strings.CutSuffix(strings.TrimSuffix(name, termMark), typeMark)
	name, isExtracted = strings.CutSuffix(name, extracted)
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if at := i + 1; name[i] == '\\' && at < len(name) && int(name[at]-'a') < len(operators) {
			b.WriteByte(operators[name[at]-'a'])
			i++
		} else {
			b.WriteByte(name[i])
		}
	}
	return b.String(), isType, isExtracted
}

// The Shapes of declarations of Scala.
const (
	CaseClass       = "case"
	ImplicitClass   = "implicit class"
	ImplicitView    = "implicit def"
	ExtensionMethod = "extension"
	PackageObject   = "package object"
)

// Parameterless is the Signature of a function of Scala that is called by its name alone: its Type is what
// that gives.
const Parameterless = "."

// OuterPackage is the Local of an Import of Scala that binds no name: what a package around has is known.
const OuterPackage = "package"

// Constructs are the Arguments of a type of Scala behind "new".
const Constructs = "new"
