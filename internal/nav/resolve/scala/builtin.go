package scala

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// function is a type of functions with a result and parameters.
func function(result resolve.Entity, params ...resolve.Entity) resolve.Entity {
	return resolve.Entity{Kind: resolve.Func, Args: []resolve.Entity{result, {Kind: resolve.Tuple, Args: params}}}
}

// taking is a function with a result whose parameters are those.
func taking(result resolve.Entity, params ...resolve.Entity) resolve.Found {
	e := function(result, params...)
	return resolve.Found{External: true, Entity: &e}
}

// value is something of the library that is read.
func value(e resolve.Entity) resolve.Found { return resolve.Found{External: true, Entity: &e} }

var unknown = resolve.Entity{Kind: resolve.External}

func listOf(e resolve.Entity) resolve.Entity {
	return resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e}}
}

func tupleOf(all ...resolve.Entity) resolve.Entity {
	return resolve.Entity{Kind: resolve.Tuple, Args: all}
}

// builtin are members of collections, options, functions and tuples.
func builtin(e resolve.Entity, name string) resolve.Found {
	plain, types, isExtracted := facts.Plain(name)
	if types || isExtracted {
		return resolve.Found{}
	}
	switch e.Kind {
	case resolve.List:
		return ofList(e, e.Arg(0), plain)
	case resolve.Map:
		return ofMap(e, plain)
	case resolve.Func:
		if plain == "apply" || plain == "applyOrElse" {
			return value(e)
		}
	}
	return resolve.Found{}
}

// givesItself are members of collections that give another one of the same elements, takesToItself those
// that are given something for it.
var (
	givesItself = resolve.Set(`headOption lastOption tail init reverse toList toSeq toVector toArray toSet distinct
iterator sorted toIndexedSeq toBuffer toStream result view reverseIterator toOption`)
	takesToItself = resolve.Set(`take drop takeRight dropRight slice prepended appended concat orElse diff intersect
filterInPlace updated patch +: :+ ++ ::: :: + - -- | &`)
)

// ofList are members of what holds elements: lists, and options.
func ofList(e, elem resolve.Entity, name string) resolve.Found {
	each := function(unknown, elem)
	switch {
	case givesItself[name]:
		return value(e)
	case takesToItself[name]:
		return taking(e, unknown)
	}
	switch name {
	case "map", "collect", "flatMap", "traverse":
		return mapping(each, name)
	case "foreach", "exists", "forall", "count", "sumBy", "indexWhere", "tapEach":
		return taking(unknown, each)
	case "groupBy":
		return taking(resolve.Entity{Kind: resolve.Map, Args: []resolve.Entity{unknown, e}}, each)
	case "maxBy", "minBy":
		return taking(elem, each)
	case "sortBy", "filter", "filterNot", "withFilter", "takeWhile", "dropWhile", "find", "distinctBy":
		return taking(e, each)
	case "partition", "span":
		return taking(tupleOf(e, e), each)
	case "splitAt":
		return taking(tupleOf(e, e), unknown)
	case "sortWith":
		return taking(e, function(unknown, elem, elem))
	case "reduce", "reduceLeft", "reduceRight", "reduceOption":
		return taking(elem, function(elem, elem, elem))
	case "foldRight":
		return taking(unknown, unknown, function(unknown, elem, unknown))
	case "foldLeft", "fold":
		return taking(unknown, unknown, function(unknown, unknown, elem))
	case "head", "last", "get", "next", "min", "max", "sum":
		return value(resolve.Instance(elem))
	case "apply", "getOrElse", "orNull":
		return taking(elem, unknown)
	case "zipWithIndex":
		return value(listOf(tupleOf(elem, unknown)))
	case "grouped", "sliding", "tails", "inits", "combinations", "permutations":
		return taking(listOf(e), unknown)
	case "toMap":
		if elem.Kind == resolve.Tuple {
			return value(resolve.Entity{Kind: resolve.Map, Args: []resolve.Entity{elem.Arg(0), elem.Arg(1)}})
		}
	case "flatten":
		if elem.Kind == resolve.List {
			return value(elem)
		}
	}
	return resolve.Found{}
}

// mapping is a function that gives a list of what the function gives that it is given.
func mapping(each resolve.Entity, name string) resolve.Found {
	e := function(unknown, each)
	if name != "flatMap" && name != "traverse" {
		e.Name = resolve.Maps
	}
	return resolve.Found{External: true, Entity: &e}
}

// ofMap are members of maps.
func ofMap(e resolve.Entity, name string) resolve.Found {
	key, elem := e.Arg(0), e.Arg(1)
	pair := tupleOf(key, elem)
	switch name {
	case "apply":
		return taking(elem, key)
	case "get", "remove":
		return taking(listOf(elem), key)
	case "getOrElse", "getOrElseUpdate":
		return taking(elem, key, elem)
	case "keys", "keySet", "keysIterator":
		return value(listOf(key))
	case "values", "valuesIterator":
		return value(listOf(elem))
	case "mapValues", "transform":
		return mapping(function(unknown, elem), "map")
	case "filter", "filterNot", "withFilter", "updated", "+", "++", "-", "--", "removed":
		return taking(e, function(unknown, pair))
	case "filterKeys":
		return taking(e, function(unknown, key))
	}
	return ofList(listOf(pair), pair, name)
}
