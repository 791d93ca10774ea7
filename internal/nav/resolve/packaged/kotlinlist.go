package packaged

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Members of lists, sequences, flows and maps of Kotlin, by what they give.
var (
	givesList = resolve.Set(`asSequence asIterable asFlow asReversed asStateFlow asSharedFlow distinct drop dropLast
		filterNotNull iterator minus orEmpty plus requireNoNulls reversed shuffled slice sorted sortedDescending
		sortedWith subList take takeLast toList toMutableList toMutableSet toSet toSortedSet toTypedArray union intersect
		subtract toCollection copyOf copyOfRange listIterator stream distinctUntilChanged flowOn conflate buffer`)
	givesListTaking = resolve.Set(`distinctBy dropLastWhile dropWhile filter filterNot filterTo onEach sortedBy
		sortedByDescending takeLastWhile takeWhile ifEmpty filterNotTo`)
	givesElement = resolve.Set(`elementAt elementAtOrNull get getOrNull maxOrNull minOrNull next previous poll peek pop
		random randomOrNull removeAt removeFirst removeLast removeFirstOrNull removeLastOrNull value element`)
	givesElementTaking = resolve.Set(`first firstOrNull last lastOrNull single singleOrNull find findLast maxBy minBy
		maxByOrNull minByOrNull getOrElse`)
	takesElement = resolve.Set(`forEach all any none count indexOfFirst indexOfLast removeAll removeIf retainAll sumBy sumOf
		maxOf minOf maxOfOrNull minOfOrNull joinToString sortBy sortByDescending collect collectLatest launchIn`)
	mapsElement  = resolve.Set("map mapNotNull mapLatest mapTo")
	givesMap     = resolve.Set("toMap toMutableMap toSortedMap filterValues filterKeys filter filterNot plus minus")
	givesOfMap   = resolve.Set("get getValue getOrDefault remove put getOrPut getOrElse computeIfAbsent putIfAbsent")
	takesOfMap   = resolve.Set("forEach all any none count map mapNotNull flatMap mapValues mapKeys sortedBy firstOrNull")
	indexedByTwo = "Indexed"
)

// Builtin implements Language: members of lists and maps.
func (kotlinLanguage) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	if n, ok := strings.CutPrefix(name, ":"); ok {
		return javaGiven(e, n)
	}
	switch e.Kind {
	case resolve.List:
		return ofKotlinList(e, name)
	case resolve.Map:
		return ofKotlinMap(e, name)
	case resolve.Tuple: // an entry of a map, or a pair
		switch name {
		case "key", "first", "component1", "index":
			return is(e.Arg(0))
		case "value", "second", "component2":
			return is(e.Arg(1))
		}
	}
	return resolve.Found{}
}

func ofKotlinList(e resolve.Entity, name string) resolve.Found {
	element := e.Arg(0)
	external := resolve.Entity{Kind: resolve.External}
	switch {
	case name == "value":
		return is(element)
	case givesList[name]:
		return resolve.Gives(e)
	case givesElement[name]:
		return resolve.Gives(element)
	case givesListTaking[name]:
		return kotlinTaking(e, element)
	case givesElementTaking[name]:
		return kotlinTaking(element, element)
	case takesElement[name]:
		return kotlinTaking(external, element)
	case mapsElement[name]:
		found := kotlinTaking(external, element)
		found.Entity.Name = resolve.Maps
		return found
	case name == "associateBy":
		return kotlinTaking(mapOf(external, element), element)
	case name == "groupBy":
		return kotlinTaking(mapOf(external, e), element)
	case name == "associateWith":
		return kotlinTaking(mapOf(element, external), element)
	case name == "partition":
		return kotlinTaking(resolve.Entity{Kind: resolve.Tuple, Args: []resolve.Entity{e, e}}, element)
	case name == "chunked" || name == "windowed":
		return resolve.Gives(listOf(e))
	case name == "withIndex":
		return resolve.Gives(listOf(resolve.Entity{Kind: resolve.Tuple, Args: []resolve.Entity{external, element}}))
	case name == "flatMap" || name == "associate" || name == "flatMapLatest" || name == "fold":
		return kotlinTaking(external, element)
	case strings.HasSuffix(name, indexedByTwo):
		return kotlinTaking(external, external, element)
	}
	return resolve.Found{}
}

func ofKotlinMap(e resolve.Entity, name string) resolve.Found {
	external := resolve.Entity{Kind: resolve.External}
	entry := resolve.Entity{Kind: resolve.Tuple, Args: []resolve.Entity{e.Arg(0), e.Arg(1)}}
	switch {
	case name == "values":
		return is(listOf(e.Arg(1)))
	case name == "keys":
		return is(listOf(e.Arg(0)))
	case name == "entries":
		return is(listOf(entry))
	case givesOfMap[name]:
		return resolve.Gives(e.Arg(1))
	case name == "toList" || name == "asSequence" || name == "asIterable":
		return resolve.Gives(listOf(entry))
	case givesMap[name]:
		return kotlinTaking(e, entry)
	case takesOfMap[name]:
		return kotlinTaking(external, entry)
	}
	return resolve.Found{}
}

func listOf(element resolve.Entity) resolve.Entity {
	return resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{element}}
}

func mapOf(key, value resolve.Entity) resolve.Entity {
	return resolve.Entity{Kind: resolve.Map, Args: []resolve.Entity{key, value}}
}

// is is a property of a type.
func is(t resolve.Entity) resolve.Found {
	t = resolve.Instance(t)
	return resolve.Found{External: true, Entity: &t}
}

// kotlinTaking is a function with a result whose last parameter is a function of others.
func kotlinTaking(result resolve.Entity, params ...resolve.Entity) resolve.Found {
	external := resolve.Entity{Kind: resolve.External}
	function := func(result resolve.Entity, params ...resolve.Entity) resolve.Entity {
		return resolve.Entity{Kind: resolve.Func, Args: []resolve.Entity{
			result, external, {Kind: resolve.Tuple, Args: params},
		}}
	}
	f := function(result, function(external, params...))
	return resolve.Found{External: true, Entity: &f}
}
