"""Compares implementations of the graph with what clang says.

    python3 bench/graph/clang/implementations.py TRUTH.json URL REPO [PLACES [SHOW]]

TRUTH is of oracle.py, URL is that of a server that has the folder indexed as REPO. PLACES
are classes and methods, as many in each direction, and half have something there. Below a class is what derives from it, below a method what
overrides it, at any depth.
"""
import collections
import hashlib
import json
import sys
import urllib.error
import urllib.request

truth, url, repo, wanted, show = (sys.argv[1:] + ["400", "0"][len(sys.argv) - 4:])[:5]
with open(truth, encoding="utf-8") as f:
    clang = json.load(f)
declarations = clang["declarations"]
group = {at: g for g, d in declarations.items() for at in d["at"]}
related = {"up": collections.defaultdict(set), "down": collections.defaultdict(set)}
for below, above in clang["derives"] + clang["overrides"]:
    if below != above:
        related["up"][below].add(above)
        related["down"][above].add(below)


def reached(direction, at):
    """All that is above or below a place."""
    seen, todo = set(), [at]
    while todo:
        for to in related[direction].get(todo.pop(), ()):
            if to not in seen and to != at:
                seen.add(to)
                todo.append(to)
    return seen


def ask(at, direction):
    path, line, column = at.rsplit(":", 2)
    request = {"repo_id": repo, "file": path, "line": int(line), "column": int(column), "direction": direction,
               "limit": 1000}
    r = urllib.request.Request(url + "/api/nav/implementations", json.dumps(request).encode(),
                               {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(r) as reply:
            items = json.load(reply)["items"]
    except urllib.error.HTTPError as e:
        if json.load(e)["meta"]["error_code"] not in ("INVALID_REQUEST", "SYMBOL_NOT_FOUND"):
            raise
        items = []  # what stands there is no symbol, or of another kind
    return {group.get(p, p) for p in ("%s:%d:%d" % (i["file_path"], i["line"], i["column"]) for i in items)} - {at}


def order(at):
    return hashlib.sha256(at.encode()).hexdigest()


counts, shown = collections.defaultdict(collections.Counter), 0
for direction, table in related.items():
    for kind in "type", "method":
        all_ = sorted((g for g, d in declarations.items() if d["kind"] == kind), key=order)
        some = [g for g in all_ if table.get(g)][:int(wanted) // 8]
        for at in some + [g for g in all_ if not table.get(g)][:int(wanted) // 8]:
            want, have = reached(direction, at), ask(at, direction)
            for row in (direction, kind), ("", "all"):
                counts[row].update(both=len(want & have), missing=len(want - have), extra=len(have - want), places=1)
            for what, list_ in ("missing", want - have), ("extra", have - want):
                for other in sorted(list_):
                    shown += 1
                    if shown <= int(show):
                        print(what, direction, kind, declarations[at]["name"], at, other)
for row, c in counts.items():
    print("%-4s %-6s %4d places, %5d right, %4d missing, %4d extra: precision %.3f, recall %.3f" % (
        *row, c["places"], c["both"], c["missing"], c["extra"], c["both"] / max(c["both"] + c["extra"], 1),
        c["both"] / max(c["both"] + c["missing"], 1)))
