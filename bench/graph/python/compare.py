"""Compares where-used of the graph with jedi.

    python3 bench/graph/python/compare.py DIR DUMP.json [--symbols 60] [--show 30]

DUMP.json is what bench/graph/dump wrote of DIR. Half of the symbols have names
that are declared several times. A use is a file, line and column.

jedi's own list of references stops after some files, so that it has half of
the uses. What jedi says of a symbol is therefore that list and, of all other
places with the name, those from where its goto leads to the symbol.
"""
import argparse, collections, hashlib, io, json, os, sys, tokenize

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


def tokens(root, paths):
    """The places of each name, also those in f-strings where Python tells them."""
    at = collections.defaultdict(list)
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
            text = f.read()
        try:
            for t in tokenize.generate_tokens(io.StringIO(text).readline):
                if t.type == tokenize.NAME:
                    at[t.string].append((path, t.start[0], t.start[1] + 1))
        except (tokenize.TokenError, SyntaxError, IndentationError):
            pass
    return at


class Oracle:
    def __init__(self, root):
        self.root = root
        self.project = jedi.Project(root, added_sys_path=[os.path.join(root, d) for d in ("src", "lib", "") if os.path.isdir(os.path.join(root, d))])
        self.scripts = {}

    def script(self, path):
        if path not in self.scripts:
            self.scripts[path] = jedi.Script(path=os.path.join(self.root, path), project=self.project)
        return self.scripts[path]

    def place(self, r):
        if not r.module_path or r.line is None:
            return None
        rel = os.path.relpath(str(r.module_path), self.root)
        return None if rel.startswith("..") else (rel, r.line, r.column + 1)

    def goto(self, k):
        try:
            found = self.script(k[0]).goto(k[1], k[2] - 1, follow_imports=True)
        except Exception:  # jedi has bugs of its own
            return set()
        return {p for p in map(self.place, found) if p}

    def references(self, k):
        try:
            found = self.script(k[0]).get_references(k[1], k[2] - 1, include_builtins=False)
        except Exception:
            return set(), set()
        defs = {self.place(r) for r in found if r.is_definition()}
        return {self.place(r) for r in found} - {None} - defs, defs - {None}


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
    at = {(s["Path"], s["Line"], s["Column"]): i for i, s in enumerate(symbols)}
    ours = collections.defaultdict(set)
    for u in uses:
        for t in u["Targets"] or []:
            if u["Tier"] != "F":
                ours[t].add((u["Path"], u["Line"], u["Column"]))
    names = tokens(root, sorted({s["Path"] for s in symbols} | {u["Path"] for u in uses}))
    used = [len(names[s["Name"]]) > 1 for s in symbols]
    oracle = Oracle(root)
    right = found = wanted = done = 0
    wrong, missing = [], []
    for i in pick(symbols, used, a.symbols * 3):
        if done == a.symbols:
            break
        s = symbols[i]
        here = (s["Path"], s["Line"], s["Column"])
        theirs, defs = oracle.references(here)
        same = {here} | oracle.goto(here)
        for k in names[s["Name"]]:
            if k not in at and k not in theirs and oracle.goto(k) & same:
                theirs.add(k)
        theirs -= same
        theirs = {k for k in theirs if k not in at}
        mine = {k for k in ours[i] if k not in at}
        if not mine and not theirs:
            continue
        done += 1
        right += len(mine & theirs)
        found += len(mine)
        wanted += len(theirs)
        label = f"{s['Kind']} {s['Qualified']} {s['Path']}:{s['Line']}"
        wrong += [(label, k) for k in sorted(mine - theirs)]
        missing += [(label, k) for k in sorted(theirs - mine)]
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
