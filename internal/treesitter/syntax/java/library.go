package java

import (
	"strings"

	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Classes of Java's library with type arguments, by what is known of them.
var (
	lists = binder.Words(`java.lang.Class java.lang.Iterable java.util.ArrayDeque java.util.ArrayList java.util.Collection
java.util.Deque java.util.HashSet java.util.Iterator java.util.LinkedHashSet java.util.LinkedList java.util.List
java.util.ListIterator java.util.NavigableSet java.util.Optional java.util.PriorityQueue java.util.Queue java.util.Set
java.util.SortedSet java.util.TreeSet java.util.concurrent.CopyOnWriteArrayList java.util.stream.Stream`)
	maps = binder.Words(`java.util.EnumMap java.util.HashMap java.util.LinkedHashMap java.util.Map java.util.NavigableMap
java.util.SortedMap java.util.TreeMap java.util.WeakHashMap java.util.concurrent.ConcurrentHashMap
java.util.concurrent.ConcurrentMap`)
	// holders have one value, which a method without arguments gives.
	holders = binder.Words(`java.lang.ThreadLocal java.lang.ref.SoftReference java.lang.ref.WeakReference
java.util.concurrent.Callable java.util.concurrent.CompletableFuture java.util.concurrent.Future
java.util.concurrent.atomic.AtomicReference java.util.function.Supplier`)
)

// library is the whole name of one of these classes, "" where a name means something else: repositories
// have a Supplier or List of their own.
func (p *walker) library(n binder.At) string {
	text := p.TextAt(n)
	if strings.Contains(text, ".") {
		return text
	}
	if v, _ := p.ScopeOf(n).Find(text, true); v != nil {
		return ""
	}
	for _, i := range p.Imports {
		if i.Name == text {
			return i.Path + "." + text
		}
	}
	for _, i := range p.Imports {
		if class := i.Path + "." + text; i.Name == "*" && (lists[class] || maps[class] || holders[class]) {
			return class
		}
	}
	return "java.lang." + text
}
