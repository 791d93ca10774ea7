"""Compares where-used of the graph with jedi's references.

    python3 bench/graph/python/compare.py DIR DUMP.json [--symbols 60] [--show 30]

DUMP.json is what bench/graph/dump wrote of DIR. Half of the symbols have names
that are declared several times. A use is a file, line and column.
"""
import argparse, collections, hashlib, json, os, sys

try:
    import jedi
except ImportError:
    sys.exit("jedi is missing: apt-get install python3-jedi, or pip install jedi")


def order(s):
    return hashlib.sha256(f"{s['Path']}:{s['Line']}:{s['Column']}".encode()).hexdigest()


def pick(symbols, used, n):
    count = collections.Counter(s["Name"] for s in symbols)
    good = [i for i, s in enumerate(symbols) if used[i] and s["Kind"] in ("func", "method", "class", "property", "field", "var", "const")
            and not s["Name"].startswith("__")]
    good.sort(key=lambda i: order(symbols[i]))
    single = [i for i in good if count[symbols[i]["Name"]] == 1]
    several = [i for i in good if count[symbols[i]["Name"]] > 1]
    half = n // 2
    several = several[:half]
    return several + single[: n - len(several)]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("dir")
    ap.add_argument("dump")
    ap.add_argument("--symbols", type=int, default=60)
    ap.add_argument("--show", type=int, default=30)
    a = ap.parse_args()
    with open(a.dump) as f:
        d = json.load(f)
    symbols, uses = d["Symbols"], d["Uses"]
    root = os.path.abspath(a.dir)
    at = {}
    for i, s in enumerate(symbols):
        at[(s["Path"], s["Line"], s["Column"])] = i
    ours = collections.defaultdict(set)
    named = collections.Counter()
    for u in uses:
        named[u["Name"]] += 1
        for t in u["Targets"] or []:
            if u["Tier"] != "F":
                ours[t].add((u["Path"], u["Line"], u["Column"]))
    # by name, not by what was found, so that what was not found counts
    used = [named[s["Name"]] > 0 for s in symbols]
    project = jedi.Project(root, sys_path=None, smart_sys_path=True)
    right = found = wanted = 0
    wrong, missing = [], []
    done = 0
    for i in pick(symbols, used, a.symbols * 2):
        if done == a.symbols:
            break
        s = symbols[i]
        script = jedi.Script(path=os.path.join(root, s["Path"]), project=project)
        try:
            refs = script.get_references(s["Line"], s["Column"] - 1, include_builtins=False)
        except Exception as e:  # jedi has bugs of its own
            print("jedi:", type(e).__name__, s["Path"], s["Line"])
            continue
        theirs = set()
        for r in refs:
            if not r.module_path:
                continue
            rel = os.path.relpath(str(r.module_path), root)
            if rel.startswith(".."):
                continue
            if not r.is_definition():
                theirs.add((rel, r.line, r.column + 1))
            elif (rel, r.line, r.column + 1) not in at:
                theirs.add((rel, r.line, r.column + 1))
        # definitions that jedi takes for the same name count as one with it
        same = {i} | {at[(os.path.relpath(str(r.module_path), root), r.line, r.column + 1)] for r in refs
                      if r.module_path and (os.path.relpath(str(r.module_path), root), r.line, r.column + 1) in at}
        mine = set(ours[i])
        mine -= {k for k in mine if k in at}
        if not mine and not theirs:
            continue
        done += 1
        right += len(mine & theirs)
        found += len(mine)
        wanted += len(theirs)
        label = f"{s['Kind']} {s['Qualified']} {s['Path']}:{s['Line']}"
        wrong += [(label, k) for k in sorted(mine - theirs)]
        missing += [(label, k) for k in sorted(theirs - mine)]
        _ = same
    by = {(u["Path"], u["Line"], u["Column"]): u for u in uses}

    def line(k):
        with open(os.path.join(root, k[0])) as f:
            return f.readlines()[k[1] - 1].strip()[:110]

    def show(title, items):
        print(f"{title}: {len(items)}")
        for label, k in items[: a.show]:
            u = by.get(k)
            what = "no reference" if u is None else f"{u['Kind']} of {u['Of']!r} tier {u['Tier'] or '-'}{' external' if u['External'] else ''} -> {[symbols[t]['Qualified'] for t in u['Targets'] or []]}"
            print(f"  {label}\n     {k[0]}:{k[1]}:{k[2]}  {line(k)}\n     {what}")

    show("ours only", wrong)
    show("jedi only", missing)
    print(f"{done} symbols, {wanted} uses by jedi, {found} by the graph, {right} in both: "
          f"precision {right / max(found, 1):.3f}, recall {right / max(wanted, 1):.3f}")


main()
