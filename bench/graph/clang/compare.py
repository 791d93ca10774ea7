"""Compares what the graph says of uses in C and C++ with what clang says.

    go run ./bench/graph/dump DIR .c .cc .cpp .h .hpp > DUMP.json
    python3 bench/graph/clang/compare.py DIR TRUTH.json DUMP.json [--show 20] [--seed 1]

TRUTH is of oracle.py. The uses of every declaration, files and lines that clang
read, are counted by kind. A use of ours where clang says nothing, in a template
or a condition, is "unsaid": neither right nor wrong. Candidates (tier F) are
counted apart. "ambiguous" are declarations whose name is that of another one.
"""
import argparse
import collections
import json
import os
import random

ap = argparse.ArgumentParser()
ap.add_argument("dir")
ap.add_argument("truth")
ap.add_argument("dump")
ap.add_argument("--show", type=int, default=0)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--only", help="list those of one kind only")
a = ap.parse_args()
with open(a.truth, encoding="utf-8") as f:
    clang = json.load(f)
with open(a.dump, encoding="utf-8") as f:
    ours = json.load(f)
symbols, skipped = ours["Symbols"], {p: set(lines) for p, lines in clang["skipped"].items()}
declarations = clang["declarations"]
group = {at: g for g, d in declarations.items() for at in d["at"]}
of_symbol = [group.get("%s:%d:%d" % (s["Path"], s["Line"], s["Column"])) for s in symbols]
names = collections.Counter(d["name"] for d in declarations.values() if d["kind"] not in ("local", "constructor"))

want, have, candidates, at_place = (collections.defaultdict(set) for _ in range(4))
for at, ds in clang["uses"].items():
    for d in ds:
        want[d].add(at)
for u in ours["Uses"]:
    at = "%s:%d:%d" % (u["Path"], u["Line"], u["Column"])
    if u["Path"] not in skipped or u["Line"] in skipped[u["Path"]] or at in group:
        continue
    at_place[at].add(json.dumps(u))
    for t in u["Targets"] or []:
        if of_symbol[t]:
            (candidates if u["Tier"] == "F" else have)[of_symbol[t]].add(at)

counts, missed, wrong = collections.defaultdict(collections.Counter), [], []
for d, said in declarations.items():
    kind = said["kind"]
    if kind in ("local", "constructor", "namespace"):
        continue
    rows = [kind, "all", "ambiguous" if names[said["name"]] > 1 else "one of its name"]
    found = collections.Counter({"declared": 1})
    for at in want[d] | have[d]:
        if at in want[d] and at in have[d]:
            found["same"] += 1
        elif at in want[d]:
            found["missed"] += 1
            found["candidate"] += at in candidates[d]
            missed.append((d, at))
        elif d in clang["maybe"].get(at, ()):
            found["maybe"] += 1
        elif at in clang["uses"] or at in clang["maybe"]:
            found["wrong"] += 1
            wrong.append((d, at))
        else:
            found["unsaid"] += 1
    for row in rows:
        counts[row] += found


def share(n, of):
    return "%.3f" % (n / of) if of else "–"


print("%-16s %9s %8s %8s %8s %8s %10s %8s %6s" %
      ("", "declared", "uses", "missed", "wrong", "unsaid", "precision", "recall", "F1"))
for row, c in sorted(counts.items()):
    same, miss, bad = c["same"], c["missed"], c["wrong"]
    print("%-16s %9d %8d %8d %8d %8d %10s %8s %6s" % (
        row, c["declared"], same + miss, miss, bad, c["unsaid"], share(same, same + bad), share(same, same + miss),
        share(2 * same, 2 * same + bad + miss)))
c = counts["all"]
print("candidates: %d of the missed" % c["candidate"])

lines = {}


def line(at):
    path, n, _ = at.rsplit(":", 2)
    if path not in lines:
        with open(os.path.join(a.dir, path), errors="replace", encoding="utf-8") as f:
            lines[path] = f.read().split("\n")
    return lines[path][int(n) - 1].strip()[:110]


def say(at):
    out = []
    for text in at_place[at]:
        u = json.loads(text)
        to = [symbols[t] for t in u["Targets"] or []][:3]
        out.append(" ".join([u["Tier"] or ("outside" if u["External"] else "unknown"), u["Kind"], "of", repr(u["Of"])] +
                            ["-> %s %s %s:%d" % (s["Kind"], s["Qualified"], s["Path"], s["Line"]) for s in to]))
    return out or ["no reference"]


for title, list_ in ("missed", missed), ("wrong", wrong):
    how = collections.Counter()
    for d, at in list_:
        how[declarations[d]["kind"], " ".join(sorted({s.split(" ")[0] for s in say(at)}))] += 1
    if a.show:
        print("==", title, len(list_), dict(how.most_common(14)))
    random.Random(a.seed).shuffle(list_)
    for d, at in [x for x in list_ if a.only in (None, declarations[x[0]]["kind"])][:a.show]:
        print("%s %s %s\n    %s | %s" % (declarations[d]["kind"], declarations[d]["name"], d, at, line(at)))
        for s in say(at):
            print("        ", s)
