"""What share of each tier is right by jedi.

    python3 bench/graph/python/tiers.py DIR DUMP.json [--sample 150] [--show 20] [--cache FILE]

Of each tier a sample of the references, chosen by a hash of their places, is
asked of jedi's goto (three times as many of D to F). A reference agrees if one of its targets is where goto
leads (or a place that ast says declares the same thing, see oracle.py), it
differs if goto leads to something else, and jedi may know nothing of it. Of a
tier F each candidate counts by itself.
"""
import argparse, collections, hashlib, json, os

from compare import Comparison


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("dir")
    ap.add_argument("dump")
    ap.add_argument("--sample", type=int, default=150)
    ap.add_argument("--show", type=int, default=20)
    ap.add_argument("--cache")
    a = ap.parse_args()
    with open(a.dump) as f:
        c = Comparison(os.path.abspath(a.dir), json.load(f), a.cache)
    places = [(s["Path"], s["Line"], s["Column"]) for s in c.symbols]
    by_tier = collections.defaultdict(list)
    for place, u in c.by.items():
        if u["Targets"]:
            by_tier[u["Tier"]].append((hashlib.sha256(repr(place).encode()).hexdigest(), place, u))
    for tier, refs in sorted(by_tier.items()):
        count, differ = collections.Counter(), []
        for _, place, u in sorted(refs, key=lambda r: r[0])[: a.sample * (3 if tier in "DEF" else 1)]:
            there = c.oracle.goto(place) - c.imports
            for t in u["Targets"] if tier == "F" else [None]:
                meant = [places[t]] if t is not None else [places[x] for x in u["Targets"]]
                same = set(meant).union(*(c.groups.get(m, set()) for m in meant))
                kind = "agree" if there & same else "differ" if there else "nothing"
                count[kind] += 1
                if kind == "differ":
                    differ.append((place, u, sorted(there)))
        print(f"tier {tier}: {len(refs)} references, {dict(count)}, right {count['agree'] / max(count['agree'] + count['differ'], 1):.3f}")
        for place, u, there in differ[: a.show]:
            c.show("differ", [(f"jedi {there[:2]}", place)], 1)
    c.oracle.save()


if __name__ == "__main__":
    main()
