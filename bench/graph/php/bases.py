"""Compares what the graph says that types of PHP are made from with what PHP says: see bases.php."""
import collections
import json
import sys

symbols = json.load(open(sys.argv[1]))["Symbols"]
gold, loaded = set(), set()
for line in open(sys.argv[2], encoding="utf8"):
    if "\t" in line:
        typ, base = line.rstrip("\n").split("\t")
        loaded.add(typ)
        if base:
            gold.add((typ, base))


def name(i):
    """The place of a type as the other program writes it, but for its namespace."""
    return symbols[i]["Path"] + ":" + symbols[i]["Name"]


def plain(place):
    path, whole = place.rsplit(":", 1)
    return path + ":" + whole.rsplit("\\", 1)[-1]


gold = {(plain(a), plain(b)) for a, b in gold}
loaded = {plain(a) for a in loaded}
said = set()
for i, s in enumerate(symbols):
    if s["Kind"] in ("class", "interface", "trait", "enum") and name(i) in loaded:
        seen, todo = set(), list(s["Bases"] or [])
        while todo:
            b = todo.pop()
            if b not in seen:
                seen.add(b)
                # what a trait uses is no base of what uses that, as PHP tells it
                todo += symbols[b]["Bases"] or [] if symbols[b]["Kind"] != "trait" else []
        said |= {(name(i), name(b)) for b in seen}
right = said & gold
print(f"{len(loaded)} types, {len(gold)} bases: precision {len(right) / max(len(said), 1):.4f} recall {len(right) / max(len(gold), 1):.4f}")
for pair in sorted(said - gold)[:8]:
    print("  wrong:", *pair)
for pair in sorted(gold - said)[:8]:
    print("  missing:", *pair)
