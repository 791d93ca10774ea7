"""What jedi says of a tree of Python files, kept in a file between runs.

A place is (path, line, column), 1-indexed, the column in characters.
"""
import ast, collections, io, json, os, tokenize, warnings

import jedi

warnings.simplefilter("ignore", SyntaxWarning)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def tokens(root, paths):
    """The places of each name, also those in f-strings where Python tells them."""
    at = collections.defaultdict(list)
    for path in paths:
        try:
            for t in tokenize.generate_tokens(io.StringIO(read(root, path)).readline):
                if t.type == tokenize.NAME:
                    at[t.string].append((path, t.start[0], t.start[1] + 1))
        except (tokenize.TokenError, SyntaxError, IndentationError):
            pass
    return at


class Bindings(ast.NodeVisitor):
    """Groups the places of a file that declare the same thing: assignments to a
    name in one scope and imports of it, in a class assignments to an attribute
    of its self, a function with its @overload signatures, a property with its
    setter. They are one for
    whoever asks, of which jedi takes each for its own."""

    def __init__(self, path, text):
        self.path, self.lines = path, text.splitlines()
        self.scope, self.groups = ("file",), collections.defaultdict(set)
        self.outer, self.overloaded, self.functions = {}, set(), collections.defaultdict(set)
        self.imports, self.parameters = set(), set()
        try:
            self.visit(ast.parse(text))
            for key in self.overloaded:
                self.groups[key] |= self.functions[key]
        except (SyntaxError, ValueError, RecursionError):
            pass

    def at(self, line, offset):
        return self.path, line, len(self.lines[line - 1].encode()[:offset].decode(errors="replace")) + 1

    def inside(self, node, scope, self_of=None):
        before, self.scope = self.scope, scope
        outer, self.outer = self.outer, dict(self.outer)
        if self_of:
            self.outer[self_of[0]] = self_of[1]
        for child in node.body:
            self.visit(child)
        self.scope, self.outer = before, outer

    def visit_ClassDef(self, node):
        self.inside(node, self.scope + ((node.name, node.lineno, "class"),))

    def visit_FunctionDef(self, node):
        args = node.args.posonlyargs + node.args.args
        in_class = self.scope[-1][-1] == "class"
        column = self.lines[node.lineno - 1].index("def", node.col_offset) + 3
        column = self.lines[node.lineno - 1].find(node.name, column)
        self.functions[self.scope, node.name].add((self.path, node.lineno, column + 1))
        for a in args + node.args.kwonlyargs + [x for x in (node.args.vararg, node.args.kwarg) if x]:
            self.parameters.add(self.at(a.lineno, a.col_offset))
        if any(ast.unparse(d).endswith(("overload", ".setter", ".deleter")) for d in node.decorator_list):
            self.overloaded.add((self.scope, node.name))
        self.inside(node, self.scope + ((node.name, node.lineno, "def"),), (args[0].arg, self.scope) if args and in_class else None)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            self.groups[self.scope, node.id].add(self.at(node.lineno, node.col_offset))

    def visit_Import(self, node):
        for name in node.names:
            bound = name.asname or name.name
            place = self.at(name.end_lineno, name.end_col_offset - len(bound.encode()))
            self.imports |= {place, self.at(name.lineno, name.col_offset)}
            if "." not in bound:
                self.groups[self.scope, bound].add(place)

    visit_ImportFrom = visit_Import

    def visit_Attribute(self, node):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id in self.outer:
            place = self.at(node.end_lineno, node.end_col_offset - len(node.attr.encode()))
            self.groups[self.outer[node.value.id], node.attr].add(place)
        self.generic_visit(node)


def bindings(root, paths):
    """The group that each binding place is in, all places in imports, and those
    of parameters."""
    of, imports, parameters = {}, set(), set()
    for path in paths:
        found = Bindings(path, read(root, path))
        imports |= found.imports
        parameters |= found.parameters
        for group in found.groups.values():
            of.update((place, group) for place in group)
    return of, imports, parameters


class Oracle:
    """Asks jedi, or the file of an earlier run."""

    def __init__(self, root, cache):
        self.root, self.cache = root, cache
        self.project = jedi.Project(root, added_sys_path=[os.path.join(root, d) for d in ("src", "lib", "") if os.path.isdir(os.path.join(root, d))])
        self.scripts, self.known = {}, {"goto": {}, "references": {}}
        if cache and os.path.exists(cache):
            with open(cache) as f:
                self.known = json.load(f)

    def save(self):
        if self.cache:
            with open(self.cache, "w") as f:
                json.dump(self.known, f)

    def ask(self, what, k, do):
        key = f"{k[0]}:{k[1]}:{k[2]}"
        if key not in self.known[what]:
            if k[0] not in self.scripts:
                self.scripts[k[0]] = jedi.Script(path=os.path.join(self.root, k[0]), project=self.project)
            try:
                found = do(self.scripts[k[0]])
            except Exception:  # jedi has bugs of its own
                found = []
            self.known[what][key] = [p for p in map(self.place, found) if p]
        return {tuple(p) for p in self.known[what][key]}

    def place(self, r):
        if not r.module_path or r.line is None:
            return None
        rel = os.path.relpath(str(r.module_path), self.root)
        return None if rel.startswith("..") else (rel, r.line, r.column + 1)

    def goto(self, k):
        return self.ask("goto", k, lambda s: s.goto(k[1], k[2] - 1, follow_imports=True))

    def references(self, k):
        return self.ask("references", k, lambda s: s.get_references(k[1], k[2] - 1, include_builtins=False))


class Plain(Oracle):
    """Asks jedi as whoever has only read its manual: a script by its path, and
    the project that jedi finds for it. A reference is (path, line, column,
    whether jedi calls it a definition)."""

    def __init__(self, root, cache):
        super().__init__(root, cache)
        self.project = jedi.Project(root)

    def place(self, r):
        found = super().place(r)
        return found and (*found, r.is_definition())

    def goto(self, k):
        return {p[:3] for p in super().goto(k)}
