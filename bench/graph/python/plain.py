"""Compares the reply of where-used with jedi's list of references, line by line.

    python3 bench/graph/python/plain.py DIR RAGNAV [--symbols 60] [--seed S] [--show 20] [--cache FILE]

The plainest comparison that there is: a definition is picked by file and line,
jedi is asked at the same place for its references (scope project, no builtins),
the line of the definition is dropped, and what is left is compared as (file,
line). Nothing is grouped, nothing else is asked of jedi.

Symbols are functions, classes and methods, then as many again variables of
modules and attributes of classes; half of each have names that are declared
several times. Printed are, for each kind:

  all        every item of the reply
  certain    without those that name candidates
  -defs      certain, without places that jedi calls definitions (imports, other bindings)
  known      certain, without lines where jedi's own goto finds nothing

Differences are listed with what jedi's goto says of the place.
"""
import argparse, ast, collections, hashlib, json, os, subprocess, sys

from oracle import Plain, read, tokens

CODE, DATA = ("function", "class", "method"), ("variable", "attribute")


class Definitions(ast.NodeVisitor):
    """The definitions of a file: (kind, name, line, column of the name)."""

    def __init__(self, path, text):
        self.path, self.lines, self.found, self.scope = path, text.splitlines(), [], "module"
        try:
            self.visit(ast.parse(text))
        except (SyntaxError, ValueError, RecursionError):
            pass

    def add(self, kind, name, line, offset):
        column = len(self.lines[line - 1].encode()[:offset].decode(errors="replace"))
        self.found.append((kind, name, self.path, line, column + 1))

    def inside(self, node, scope):
        before, self.scope = self.scope, scope
        for child in node.body:
            self.visit(child)
        self.scope = before

    def visit_ClassDef(self, node):
        line = self.lines[node.lineno - 1]
        self.add("class", node.name, node.lineno, len(line[: line.index(node.name, line.index("class") + 5)].encode()))
        self.inside(node, "class")

    def visit_FunctionDef(self, node):
        line = self.lines[node.lineno - 1]
        if self.scope != "function":
            kind = "method" if self.scope == "class" else "function"
            self.add(kind, node.name, node.lineno, len(line[: line.index(node.name, line.index("def") + 3)].encode()))
        self.inside(node, "function")

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Name(self, node):
        kind = {"module": "variable", "class": "attribute"}.get(self.scope)
        if isinstance(node.ctx, ast.Store) and kind:
            self.add(kind, node.id, node.lineno, node.col_offset)

    def visit_Attribute(self, node):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self":
            self.add("attribute", node.attr, node.end_lineno, node.end_col_offset - len(node.attr.encode()))
        self.generic_visit(node)

    def visit_ListComp(self, node):
        pass

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda = visit_ListComp


def pick(all_of, names, n, seed):
    """Half of them have names that are declared several times."""
    count = collections.Counter(d[1] for d in all_of)
    order = sorted(all_of, key=lambda d: hashlib.sha256(f"{seed}{d[2]}:{d[3]}:{d[4]}".encode()).hexdigest())
    good = [d for d in order if len(names[d[1]]) > 1 and not d[1].startswith("__")]
    return [d for d in good if count[d[1]] > 1], [d for d in good if count[d[1]] == 1]


class Replies:
    """What the program answers."""

    def __init__(self, root, ragnav):
        self.root, self.ragnav = root, ragnav
        subprocess.run([ragnav, "nav", "build-graph", "-r", root], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, d):
        out = subprocess.run(
            [self.ragnav, "nav", "where-used", "-r", self.root, "--json", "-l", "1000", "-s", d[1], "--file", d[2], "--line", str(d[3])],
            capture_output=True, text=True)
        if out.returncode != 0:
            return None
        return json.loads(out.stdout)["items"]


class Count:
    def __init__(self):
        self.right = self.ours = self.theirs = 0

    def add(self, ours, theirs):
        self.right += len(ours & theirs)
        self.ours += len(ours)
        self.theirs += len(theirs)

    def __str__(self):
        return f"{self.right / max(self.ours, 1):.3f} / {self.right / max(self.theirs, 1):.3f}"


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("dir")
    ap.add_argument("ragnav")
    ap.add_argument("--symbols", type=int, default=60)
    ap.add_argument("--seed", default="")
    ap.add_argument("--show", type=int, default=20)
    ap.add_argument("--cache")
    a = ap.parse_args()
    root = os.path.abspath(a.dir)
    listed = subprocess.run(["git", "-C", root, "ls-files", "*.py"], capture_output=True, text=True).stdout.split("\n")
    paths = [p for p in listed if p and os.path.isfile(os.path.join(root, p))]
    names = tokens(root, paths)
    definitions = [d for p in paths for d in Definitions(p, read(root, p)).found]
    replies, oracle = Replies(root, a.ragnav), Plain(root, a.cache)
    counts = collections.defaultdict(lambda: collections.defaultdict(Count))
    wrong, missing, refused = [], [], []
    for kinds in (CODE, DATA):
        several, single = pick([d for d in definitions if d[0] in kinds], names, a.symbols, a.seed)
        for group, n in ((several, a.symbols // 2), (single, a.symbols - a.symbols // 2)):
            done = 0
            for d in group:
                if done == n:
                    break
                theirs = oracle.references(d[2:])
                items = replies.ask(d)
                if items is None:
                    refused.append(d)
                here = (d[2], d[3])
                lines = {(r[0], r[1]) for r in theirs} - {here}
                ours = {(i["file_path"], i["line"]) for i in items or []} - {here}
                if not lines and not ours:
                    continue
                done += 1
                certain = {(i["file_path"], i["line"]) for i in items or [] if not i.get("candidates") or i.get("tier") != "F"} - {here}
                bound = {(r[0], r[1]) for r in theirs if r[3]}
                goto = {k: oracle.goto(place_of(names, d[1], k)) for k in certain - lines}
                for kind in (d[0], "all code" if kinds == CODE else "all data"):
                    c = counts[kind]
                    c["all"].add(ours, lines)
                    c["certain"].add(certain, lines)
                    c["-defs"].add(certain - bound, lines - bound)
                    c["known"].add({k for k in certain if k in lines or goto[k]}, lines)
                wrong += [(d, k, goto[k]) for k in sorted(certain - lines)]
                missing += [(d, k, oracle.goto(place_of(names, d[1], k))) for k in sorted(lines - ours)]
    oracle.save()
    for title, items in (("ours only", wrong), ("jedi only", missing)):
        print(f"{title}: {len(items)}")
        for d, k, goto in items[: a.show]:
            text = read(root, k[0]).splitlines()
            print(f"  {d[0]} {d[1]} {d[2]}:{d[3]}   {k[0]}:{k[1]}: {text[k[1] - 1].strip()[:100]}\n       goto {sorted(goto)[:2]}")
    for d in refused:
        print("refused", d)
    for kind, c in counts.items():
        print(f"{kind:9} jedi {c['all'].theirs:4} ours {c['all'].ours:4}  " + "  ".join(f"{n} {c[n]}" for n in ("all", "certain", "-defs", "known")))


def place_of(names, name, line):
    for p in names[name]:
        if p[:2] == line:
            return p
    return (line[0], line[1], 1)


if __name__ == "__main__":
    main()
