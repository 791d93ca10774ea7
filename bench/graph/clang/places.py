"""Chooses random names of a folder, and where clang says they are declared.

    python3 bench/graph/clang/places.py DIR TRUTH.json OUT.json [PLACES [SEED]]
    go run ./bench/graph/definition -truth OUT.json DIR

TRUTH is of oracle.py. Names are those that are declared in DIR ("declared" whatever they
are) or used. Any place that declares one is right, of macros those too that conditions
leave out. Nothing is asked of what is outside of DIR or in folders that were skipped.
"""
import collections
import hashlib
import json
import os
import re
import sys

root, truth, out, wanted, seed = (sys.argv[1:] + ["1000", "1"][len(sys.argv) - 4:])[:5]
with open(truth, encoding="utf-8") as f:
    clang = json.load(f)
declarations = clang["declarations"]
declared = {at: [g] for g, d in declarations.items() if d["kind"] != "namespace" for at in d["at"]}
everything = {at: ds for at, ds in {**clang["uses"], **declared}.items() if "" not in ds}
defined = collections.defaultdict(set)
for path in clang["skipped"]:
    with open(os.path.join(root, path), encoding="latin-1") as f:
        for number, line in enumerate(f, 1):
            if m := re.match(r"\s*#\s*define\s+(\w+)", line):
                defined[m[1]].add("%s:%d:%d" % (path, number, m.start(1) + 1))


def order(at):
    return hashlib.sha256((seed + at).encode()).hexdigest()


chosen = []
for place in sorted(everything, key=order)[:int(wanted)]:
    groups = [declarations[g] for g in everything[place]]
    path, line, column = place.rsplit(":", 2)
    want = {at for d in groups for at in d["at"]}.union(*(defined[d["name"]] for d in groups if d["kind"] == "macro"))
    chosen.append({"file": path, "line": int(line), "column": int(column), "name": groups[0]["name"],
                   "what": "declared" if place in declared else groups[0]["kind"], "want": sorted(want)})
with open(out, "w", encoding="utf-8") as f:
    json.dump(chosen, f)
print(len(everything), "names,", dict(collections.Counter(q["what"] for q in chosen)))
