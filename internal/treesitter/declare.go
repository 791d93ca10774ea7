//go:build cgo

package treesitter

import "strings"

// sets are what may be called, or inherited, where that makes a declaration:
// those of @by.
var sets = map[string]map[string]bool{
	"accessor": {
		"attr_accessor": true, "attr_reader": true, "attr_writer": true, "attr": true,
		"cattr_accessor": true, "cattr_reader": true, "cattr_writer": true,
		"mattr_accessor": true, "mattr_reader": true, "mattr_writer": true, "thread_mattr_accessor": true,
		"class_attribute": true, "attr_internal": true, "attr_internal_reader": true, "attr_internal_accessor": true,
	},
	"generator": {
		"belongs_to": true, "has_one": true, "has_many": true, "has_and_belongs_to_many": true, "scope": true,
		"attribute": true, "alias_attribute": true, "has_one_attached": true, "has_many_attached": true,
		"has_rich_text": true, "def_node_matcher": true, "def_node_search": true,
	},
	"delegator": {"delegate": true},
	"forwarder": {"def_delegators": true, "def_instance_delegators": true, "store_accessor": true},
	"forward":   {"def_delegator": true, "def_instance_delegator": true},
	"states":    {"enum": true},
	"record":    {"Struct": true, "Data": true},
	"method":    {"alias_method": true, "define_method": true, "define_singleton_method": true},
	"class":     {"Class": true, "Struct": true, "Data": true, "Module": true, "DelegateClass": true},
	"define":    {"define": true},
	"module":    {"defmodule": true, "defimpl": true},
	"protocol":  {"defprotocol": true},
	"struct":    {"defstruct": true, "defexception": true},
	"type":      {"type": true, "typep": true, "opaque": true},
	"callback":  {"callback": true, "macrocallback": true},
	"def": {
		"def": true, "defp": true, "defmacro": true, "defmacrop": true, "defguard": true, "defguardp": true,
		"defdelegate": true,
	},
	"enum": {
		"Enum": true, "IntEnum": true, "StrEnum": true, "Flag": true, "IntFlag": true,
		"enum.Enum": true, "enum.IntEnum": true, "enum.StrEnum": true, "enum.Flag": true, "enum.IntFlag": true,
		"TextChoices": true, "IntegerChoices": true, "models.TextChoices": true, "models.IntegerChoices": true,
	},
}

// declaredBy reports whether a call of a function, or a base of that name,
// makes a declaration. For the set "import" that is all that imports nothing, for "own" arguments by which what is
// declared is called as it is written.
func declaredBy(set, name string) bool {
	switch set {
	case "import":
		return !requires[name]
	case "own": // of Rails: an option gives the methods other names
		return !strings.Contains(name, "prefix") && !strings.Contains(name, "suffix")
	}
	return sets[set][name]
}

// exportsObject are the objects whose members are what the file exports.
var exportsObject = map[string]bool{"module.exports": true, "exports": true}
