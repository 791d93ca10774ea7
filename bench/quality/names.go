package main

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// maxOfName is how many declarations a name may have to be asked for: of the
// names that everything has, none is meant.
const maxOfName = 8

// names ask for what is declared by its name: as it is, in the wrong case, by
// some of its words, and misspelt.
func names(declared []declaration) []question {
	byName, folded := map[string][]declaration{}, map[string][]declaration{}
	for _, d := range declared {
		byName[d.name] = append(byName[d.name], d)
		folded[strings.ToLower(d.name)] = append(folded[strings.ToLower(d.name)], d)
	}
	all := make([]string, 0, len(byName))
	for n, of := range byName {
		if len(n) >= 4 && len(of) <= maxOfName {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	ask := func(task, text string, of []declaration) question {
		return question{Task: task, Level: "symbol", Text: text, Relevant: byKind(of)}
	}
	var qs []question
	for _, kind := range []string{kindType, kindCode, kindValue} {
		some := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return byName[n][0].kind != kind })
		for _, n := range chosen(some, perExact/3, func(n string) string { return "exact" + n }) {
			qs = append(qs, ask("exact", n, byName[n]))
		}
	}
	for _, n := range chosen(all, perCase, func(n string) string { return "case" + n }) {
		other := strings.ToLower(n)
		if other == n {
			other = strings.ToUpper(n)
		}
		if byName[other] == nil && len(folded[strings.ToLower(n)]) <= maxOfName {
			qs = append(qs, ask("case", other, folded[strings.ToLower(n)]))
		}
	}
	qs = append(qs, parts(all, byName)...)
	for _, n := range chosen(all, 3*perMisspelt, func(n string) string { return "misspelt" + n }) {
		if wrong := misspelt(n); len(n) >= 8 && folded[strings.ToLower(wrong)] == nil && len(qs) > 0 {
			qs = append(qs, ask("misspelt", wrong, byName[n]))
		}
	}
	return limited(qs, "misspelt", perMisspelt)
}

func limited(qs []question, task string, n int) []question {
	return slices.DeleteFunc(qs, func(q question) bool {
		if q.Task == task {
			n--
		}
		return q.Task == task && n < 0
	})
}

// byKind grades declarations of one name: those of the first kind there is 3,
// others 2.
func byKind(of []declaration) []judgment {
	order := []string{kindType, kindCode, kindValue}
	of = slices.Clone(of)
	slices.SortStableFunc(of, func(a, b declaration) int {
		return cmp.Compare(slices.Index(order, a.kind), slices.Index(order, b.kind))
	})
	var all []judgment
	for _, d := range of {
		grade := 2
		if d.kind == of[0].kind {
			grade = 3
		}
		all = append(all, judgment{d.path, d.name, d.line, grade})
	}
	return all
}

var nameWord = regexp.MustCompile(`[A-Z]+(?:[a-z0-9]+|\b|$)|[a-z]+|[0-9]+|[A-Z]+`)

// parts ask for names of three words or more by all but the first or the last,
// written as the name is.
func parts(all []string, byName map[string][]declaration) []question {
	long := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return len(nameWord.FindAllString(n, -1)) < 3 })
	var qs []question
	for _, n := range chosen(long, 3*perPart, func(n string) string { return "part" + n }) {
		at := nameWord.FindAllStringIndex(n, -1)
		part := n[at[1][0]:]
		if len(n)%2 == 0 {
			part = strings.TrimRight(n[:at[len(at)-1][0]], "_")
		}
		var of []declaration
		for _, other := range all {
			if strings.Contains(strings.ToLower(other), strings.ToLower(part)) {
				of = append(of, byName[other]...)
			}
		}
		if byName[part] == nil && len(of) <= maxOfName && len(qs) < perPart && len(part) >= 6 {
			qs = append(qs, question{Task: "part", Level: "symbol", Text: part, Relevant: byKind(of)})
		}
	}
	return qs
}

// misspelt is a name with two letters in the wrong order, one left out, or one
// twice, somewhere behind the first.
func misspelt(name string) string {
	b := []byte(name)
	at := 2 + (len(name)*7)%(len(name)-3)
	for i := at; i+1 < len(b); i++ {
		if !unicode.IsLower(rune(b[i])) || !unicode.IsLower(rune(b[i+1])) || b[i] == b[i+1] {
			continue
		}
		switch len(name) % 3 {
		case 0:
			b[i], b[i+1] = b[i+1], b[i]
			return string(b)
		case 1:
			return string(slices.Delete(b, i, i+1))
		}
		return string(slices.Insert(b, i, b[i]))
	}
	return strings.ToLower(name[:len(name)-1])
}
