package scip

import "strings"

// kinds are what the kinds of symbols of graphs are in an index.
var kinds = map[string]struct {
	Kind
	Suffix
}{
	"func": {KindFunction, Method}, "function": {KindFunction, Method}, "method": {KindMethod, Method},
	"constructor": {KindConstructor, Method},
	"macro":       {KindMacro, MacroName}, "module": {KindModule, Namespace}, "namespace": {KindNamespace, Namespace},
	"package": {KindNamespace, Namespace},
	"class":   {KindClass, TypeName}, "struct": {KindStruct, TypeName}, "interface": {KindInterface, TypeName},
	"enum":  {KindEnum, TypeName},
	"trait": {KindTrait, TypeName}, "union": {KindUnion, TypeName}, "protocol": {KindProtocol, TypeName},
	"object": {KindObject, TypeName},
	"record": {KindClass, TypeName}, "annotation": {KindInterface, TypeName}, "impl": {KindType, TypeName},
	"concept": {KindType, TypeName},
	"type":    {KindType, TypeName}, "typedef": {KindTypeAlias, TypeName}, "const": {KindConstant, Term},
	"constant": {KindConstant, Term},
	"var":      {KindVariable, Term}, "variable": {KindVariable, Term}, "field": {KindField, Term},
	"property": {KindProperty, Term}, "variant": {KindEnumMember, Term},
}

func kindOf(kind string) Kind { return kinds[kind].Kind }

func suffixOf(kind string) Suffix {
	if k, ok := kinds[kind]; ok {
		return k.Suffix
	}
	return Term
}

// languageID is what the protocol calls a language.
func languageID(language string) string {
	if id, ok := map[string]string{
		"C++": "CPP", "C#": "CSharp", "TSX": "TypeScriptReact",
		"Shell": "ShellScript",
	}[language]; ok {
		return id
	}
	return strings.ReplaceAll(language, " ", "_")
}
