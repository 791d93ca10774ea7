"""What a guess is worth: the share of each of the tiers D to F that is right.

    python3 bench/graph/python/guesses.py DUMP.json UNTYPED.json

Both are what bench/graph/dump wrote of one folder, the second with -untyped.
Where the first knows what a member belongs to, a guess is compared with that;
what is known to be outside of the repository makes it wrong, which is the worst
that can be, as guesses are made only where nothing is known. A candidate of
tier F counts by itself, and fN says how often the right one is among them.
"""
import collections, json, sys


def main():
    typed, untyped = (json.load(open(p)) for p in sys.argv[1:3])
    truth = {(u["Path"], u["Line"], u["Column"]): u for u in typed["Uses"]}
    right, total = collections.Counter(), collections.Counter()
    for u in untyped["Uses"]:
        t = truth[u["Path"], u["Line"], u["Column"]]
        if u["Tier"] not in ("D", "E", "F") or not t["Of"] or not (t["External"] or t["Tier"] in ("A", "B", "C")):
            continue
        known = set(t["Targets"] or [])
        for outside in ("", " inside"):
            if outside and t["External"]:
                continue
            for x in u["Targets"]:
                total[u["Tier"] + outside] += 1
                right[u["Tier"] + outside] += x in known
            if u["Tier"] == "F":
                total["FN" + outside] += 1
                right["FN" + outside] += bool(known & set(u["Targets"]))
    print(json.dumps({k: [right[k], n, round(right[k] / n, 3)] for k, n in sorted(total.items())}))


main()
