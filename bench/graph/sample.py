"""Prints random edges of a dump, to be checked by hand.

    python3 bench/graph/sample.py DIR DUMP.json [--edges 30] [--seed 1]
"""
import argparse, json, os, random

ap = argparse.ArgumentParser()
ap.add_argument("dir")
ap.add_argument("dump")
ap.add_argument("--edges", type=int, default=30)
ap.add_argument("--seed", type=int, default=1)
a = ap.parse_args()
with open(a.dump) as f:
    d = json.load(f)
edges = [u for u in d["Uses"] if u["Targets"] and u["Tier"] != "F"]
random.Random(a.seed).shuffle(edges)
for u in edges[: a.edges]:
    with open(os.path.join(a.dir, u["Path"]), errors="replace") as f:
        line = f.readlines()[u["Line"] - 1].strip()[:100]
    to = ", ".join(f"{d['Symbols'][t]['Kind']} {d['Symbols'][t]['Qualified']} {d['Symbols'][t]['Path']}:{d['Symbols'][t]['Line']}" for t in u["Targets"])
    print(f"{u['Tier']} {u['Kind']} {u['Name']} of {u['Of'][:60]!r} {u['Path']}:{u['Line']}:{u['Column']}\n    {line}\n    -> {to}")
