"""Compares where-used of the graph with jedi.

    python3 bench/graph/python/compare.py DIR DUMP.json [--symbols 60] [--show 30] [--cache FILE] [--seed S]

DUMP.json is what bench/graph/dump wrote of DIR. Half of the symbols have names
that are declared several times. A use is a file, line and column; places that
declare a symbol are none.

jedi's own list of references stops after some files, so that it has half of
the uses. What jedi says of a symbol is therefore that list and, of all other
places with the name, those from where its goto leads to the symbol. Two scores
are printed:

  raw      of that, for the one place where the graph has the symbol
  grouped  where a variable or attribute is bound in several places, or a function
           has @overload signatures, a property a setter (ast says which: one name
           in one scope, one attribute of self in one class), they are one symbol,
           and none of them is a use. Neither is where a parameter is declared:
           jedi takes some for a property of that name.
           Of what is in the list only, places whose goto leads to another
           declaration of the name are that one's: the list takes classes that
           one function declares twice for one.

Of uses by the graph only it is counted where jedi knows nothing: its goto finds
no declaration, or ends at an import that it cannot follow.
"""
import argparse, collections, hashlib, json, os, sys

try:
    from oracle import Oracle, bindings, read, tokens
except ImportError:
    sys.exit("jedi is missing: apt-get install python3-jedi, or pip install jedi")

KINDS = ("func", "method", "class", "property", "field", "var", "const")


def pick(symbols, names, n, seed):
    """Symbols in an order that depends on their places only, by turns."""
    def order(s):
        return hashlib.sha256(f"{seed}{s['Path']}:{s['Line']}:{s['Column']}".encode()).hexdigest()

    count = collections.Counter(s["Name"] for s in symbols)
    good = [i for i, s in enumerate(symbols) if len(names[s["Name"]]) > 1 and s["Kind"] in KINDS and not s["Name"].startswith("__")]
    good.sort(key=lambda i: order(symbols[i]))
    single = [i for i in good if count[symbols[i]["Name"]] == 1]
    several = [i for i in good if count[symbols[i]["Name"]] > 1]
    half = several[: n // 2]
    return half + single[: n - len(half)]


class Comparison:
    def __init__(self, root, dump, cache):
        self.root, self.symbols, self.dump = root, dump["Symbols"], dump
        self.at = {(s["Path"], s["Line"], s["Column"]): i for i, s in enumerate(self.symbols)}
        self.ours, self.by = collections.defaultdict(dict), {}
        for u in dump["Uses"]:
            place = (u["Path"], u["Line"], u["Column"])
            self.by[place] = u
            for t in u["Targets"] or []:
                if u["Tier"] != "F":
                    self.ours[t][place] = u["Tier"]
        paths = sorted({s["Path"] for s in self.symbols} | {u["Path"] for u in dump["Uses"]})
        self.names = tokens(root, paths)
        self.groups, self.imports, self.parameters = bindings(root, paths)
        self.oracle = Oracle(root, cache)

    def theirs(self, i, grouped):
        """What jedi has for the uses of a symbol, and the places that are the symbol."""
        s = self.symbols[i]
        here = (s["Path"], s["Line"], s["Column"])
        group = ({here} | self.groups.get(here, set())) if grouped else {here}
        listed = set()
        for place in group:
            listed |= self.oracle.references(place)
        same = set(group) | (set() if grouped else self.oracle.goto(here))
        found = set()
        for k in set(self.names[s["Name"]]) | self.ours[i].keys():
            if k not in self.at and (grouped or k not in listed) and self.oracle.goto(k) & same:
                found.add(k)
        for k in listed:
            elsewhere = (self.oracle.goto(k) - same - {k}) & set(self.at) if grouped else ()
            if k in found or not elsewhere and not (not grouped and k in self.definitions(k)):
                found.add(k)
        return found - same - set(self.at) - (self.parameters if grouped else set()), same

    def definitions(self, k):
        """Whether jedi takes a place for a definition: its goto stays there."""
        return self.oracle.goto(k) & {k}

    def run(self, n, grouped, seed):
        done, score = 0, Score()
        for i in pick(self.symbols, self.names, n * 3, seed):
            if done == n:
                break
            theirs, same = self.theirs(i, grouped)
            mine = {k: t for k, t in self.ours[i].items() if k not in self.at and not (grouped and k in same)}
            if not mine and not theirs:
                continue
            done += 1
            s = self.symbols[i]
            score.add(f"{s['Kind']} {s['Qualified']} {s['Path']}:{s['Line']}", mine, theirs)
            score.silent += sum(not self.oracle.goto(k) - self.imports for k in mine.keys() - theirs)
        score.symbols = done
        return score

    def show(self, title, items, limit):
        print(f"{title}: {len(items)}")
        for label, k in items[:limit]:
            u = self.by.get(k)
            what = "no reference" if u is None else (
                f"{u['Kind']} of {u['Of']!r} tier {u['Tier'] or '-'}{' external' if u['External'] else ''} -> "
                f"{[self.symbols[t]['Qualified'] for t in u['Targets'] or []]}")
            goto = sorted(self.oracle.goto(k))[:3]
            print(f"  {label}\n     {k[0]}:{k[1]}:{k[2]}  {read(self.root, k[0]).splitlines()[k[1] - 1].strip()[:110]}\n     {what}; goto {goto}")


class Score:
    def __init__(self):
        self.right = self.found = self.wanted = self.symbols = self.silent = 0
        self.wrong, self.missing, self.tiers = [], [], collections.defaultdict(lambda: [0, 0])

    def add(self, label, mine, theirs):
        self.right += len(mine.keys() & theirs)
        self.found += len(mine)
        self.wanted += len(theirs)
        for k, tier in mine.items():
            self.tiers[tier][k not in theirs] += 1
        self.wrong += [(label, k) for k in sorted(mine.keys() - theirs)]
        self.missing += [(label, k) for k in sorted(theirs - mine.keys())]

    def __str__(self):
        tiers = ", ".join(f"{t} {a} of {a + b}" for t, (a, b) in sorted(self.tiers.items()))
        return (f"{self.symbols} symbols, {self.wanted} uses by jedi, {self.found} by the graph, {self.right} in both: "
                f"precision {self.right / max(self.found, 1):.3f}, recall {self.right / max(self.wanted, 1):.3f}; "
                f"of {self.found - self.right} by the graph only jedi knows nothing of {self.silent}, "
                f"precision of the rest {self.right / max(self.found - self.silent, 1):.3f}; by tier {tiers}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("dir")
    ap.add_argument("dump")
    ap.add_argument("--symbols", type=int, default=60)
    ap.add_argument("--show", type=int, default=30)
    ap.add_argument("--cache", help="where jedi's answers are kept between runs")
    ap.add_argument("--seed", default="", help="chooses other symbols")
    a = ap.parse_args()
    with open(a.dump) as f:
        c = Comparison(os.path.abspath(a.dir), json.load(f), a.cache)
    raw = c.run(a.symbols, False, a.seed)
    grouped = c.run(a.symbols, True, a.seed)
    c.oracle.save()
    c.show("grouped, ours only", grouped.wrong, a.show)
    c.show("grouped, jedi only", grouped.missing, a.show)
    print("raw    ", raw)
    print("grouped", grouped)


if __name__ == "__main__":
    main()
