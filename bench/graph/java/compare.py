"""Compares what the graph says of Java with what javac says, or of Kotlin, C# and PHP with what their tools do.

  javac OPENED -d OUT bench/graph/java/Gold.java
  java OPENED -cp OUT Gold DIR FOLDER... [-cp JARS] > GOLD.tsv    the folders of sources in DIR
  go run ./bench/graph/dump DIR .java > DUMP.json
  python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]

OPENED is --add-exports jdk.compiler/com.sun.tools.javac.P=ALL-UNNAMED for each P of tree,
code, util and api. JARS are what the sources need; mvn dependency:build-classpath tells.

Of the names that javac gives a declaration of DIR: same are those with this declaration
alone, among those with several of which it is one. Calls of a constructor count as uses
of its class. decided precision is of names with one declaration, recall of all.
"""
import collections
import json
import random
import sys

with open(sys.argv[1]) as f:
    dump = json.load(f)
show = int(sys.argv[3]) if len(sys.argv) > 3 else 0
symbols = dump["Symbols"]
at = {(s["Path"], s["Line"], s["Column"]): i for i, s in enumerate(symbols)}
uses = {}
for u in dump["Uses"]:
    key = (u["Path"], u["Line"], u["Column"])
    if key not in uses or u.get("Targets"):
        uses[key] = u


def places(decl):
    """The symbols that are declared there: of a type in parts, each part is behind the first and its kind."""
    each = [decl[:3]] + [decl[i : i + 3] for i in range(4, len(decl), 3)]
    return {at[p, int(row), int(column)] for p, row, column in each if (p, int(row), int(column)) in at}


count, shown = collections.Counter(), collections.defaultdict(list)
for line in open(sys.argv[2], encoding="utf8"):
    path, row, column, name, _, *decl = line.rstrip("\n").split("\t")
    use = uses.get((path, int(row), int(column)), {})
    targets = use.get("Targets") or []
    if len(decl) == 1:  # external, local or unknown
        kind = f"{decl[0]}, but of the repository here" if targets and use["Tier"] != "F" and decl[0] != "unknown" else ""
    elif not (said := places(decl)):
        kind = "declaration is no symbol"
    else:
        kind = "missing"
        if said & set(targets):
            kind = "same" if said >= set(targets) else "among"
        elif targets:
            kind = "wrong" if len(targets) == 1 else "wrong candidates"
        count["all"] += 1
    if kind:
        count[kind] += 1
        if kind != "same":
            told = [symbols[t]["Qualified"] for t in targets][:4]
            shown[kind].append(f"{path}:{row}:{column} {name} -> {decl}, here {told} by {use.get('Arguments')}")
random.seed(1)
for kind, list_ in shown.items():
    print(f"{kind}: {count[kind]}")
    for text in random.sample(list_, min(show, len(list_))):
        print("  ", text)
decided = count["same"] + count["wrong"] + sum(n for kind, n in count.items() if "here" in kind)
print(f"{count['all']} uses: same {count['same'] / count['all']:.4f}, among {count['among'] / count['all']:.4f}, "
      f"decided precision {count['same'] / max(decided, 1):.4f}")
