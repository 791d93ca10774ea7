"""What clang says of a folder of C or C++: where each name is declared, and used.

    python3 bench/graph/clang/oracle.py DIR OUT.json [--skip FOLDER]... [-- FLAG...]

It needs libclang and its Python module (clang.cindex), but no build: each source is
parsed with the folder's usual include paths and the flags that are given, and so are
headers that no source includes. A declaration is the set of places that declare it: of
a function its prototypes and its definition, of a struct its typedef too, of a template
its specialisations, of a macro all its definitions. Places are
"path:line:column", 1-indexed, columns in bytes. Where clang says nothing is what
templates decide when they are instantiated, and what conditions left out: the latter
is in OUT as skipped, when all that include it leave it out.
"""
import argparse
import bisect
import ctypes
import json
import os
import re
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind as K

SOURCES, HEADERS = (".c", ".cc", ".cpp", ".cxx"), (".h", ".hh", ".hpp", ".hxx", ".inl")
lib = cindex.conf.lib
lib.clang_getFileLocation.argtypes = lib.clang_getSpellingLocation.argtypes = [
    cindex.SourceLocation, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint),
    ctypes.POINTER(ctypes.c_uint), ctypes.POINTER(ctypes.c_uint)]


class Ranges(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]


lib.clang_getAllSkippedRanges.argtypes = [ctypes.c_void_p]
lib.clang_getAllSkippedRanges.restype = ctypes.POINTER(Ranges)

KINDS = {
    K.FUNCTION_DECL: "function", K.FUNCTION_TEMPLATE: "function", K.CXX_METHOD: "method", K.FIELD_DECL: "field",
    K.VAR_DECL: "variable", K.ENUM_CONSTANT_DECL: "constant", K.MACRO_DEFINITION: "macro", K.NAMESPACE: "namespace",
    K.STRUCT_DECL: "type", K.UNION_DECL: "type", K.CLASS_DECL: "type", K.ENUM_DECL: "type", K.TYPEDEF_DECL: "type",
    K.TYPE_ALIAS_DECL: "type", K.TYPE_ALIAS_TEMPLATE_DECL: "type", K.CLASS_TEMPLATE: "type", K.CONCEPT_DECL: "type",
    K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION: "type", K.PARM_DECL: "local", K.TEMPLATE_TYPE_PARAMETER: "local",
    K.TEMPLATE_NON_TYPE_PARAMETER: "local", K.TEMPLATE_TEMPLATE_PARAMETER: "local",
    K.CONSTRUCTOR: "constructor",
}
TYPES = {K.STRUCT_DECL, K.CLASS_DECL, K.UNION_DECL, K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
AROUND = {K.NAMESPACE, K.LINKAGE_SPEC, K.UNEXPOSED_DECL}
FUNCTIONS = {K.FUNCTION_DECL, K.FUNCTION_TEMPLATE, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.LAMBDA_EXPR}
WORD = re.compile(r"[A-Za-z_]\w*")


class Folder:
    """All that was said of a folder."""

    def __init__(self, root, skip):
        self.root = os.path.realpath(root)
        listed = subprocess.run(["git", "-C", self.root, "ls-files"], capture_output=True, text=True, check=True).stdout
        self.files = [f for f in listed.splitlines() if f.endswith(SOURCES + HEADERS) and not f.startswith(tuple(skip))]
        self.known, self.paths, self.lines = set(self.files), {}, {}
        self.parents, self.kinds, self.declared = {}, {}, set()
        self.uses, self.maybe, self.overrides, self.derives = {}, {}, set(), set()
        self.walked, self.skipped, self.errors = set(), {}, {}
        self.linked = {}  # by name for linkers: places

    def path(self, file):
        """The path of a file of clang's in the folder, or None."""
        if not file:
            return None
        return self.path_of(cindex.File(ctypes.cast(file, cindex.c_object_p)).name)

    def located(self, location, by):
        f, line, column, offset = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        by(location, ctypes.byref(f), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
        if f.value not in self.paths:
            self.paths[f.value] = self.path(f.value)
        path = self.paths[f.value]
        return path and (path, line.value, column.value)

    def word(self, at):
        if at[0] not in self.lines:
            with open(os.path.join(self.root, at[0]), "rb") as f:
                self.lines[at[0]] = [line.decode("latin-1") for line in f.read().split(b"\n")]
        lines = self.lines[at[0]]
        found = WORD.match(lines[at[1] - 1], at[2] - 1) if at[1] <= len(lines) else None
        return found and found.group()

    def named(self, cursor, name):
        """Where a cursor's name stands, also as an argument or in the body of a macro."""
        for by in lib.clang_getFileLocation, lib.clang_getSpellingLocation:
            at = self.located(cursor.location, by)
            if at and self.word(at) == name:
                return at
        return None

    def group(self, at):
        while self.parents.get(at, at) != at:
            at = self.parents[at]
        return at

    def join(self, a, b):
        a, b = self.group(a), self.group(b)
        if a != b:
            self.parents[a] = b
            self.kinds.setdefault(b, self.kinds.get(a))

    def declaration(self, cursor):
        """The place that stands for what a cursor declares, None outside of the folder."""
        name = cursor.spelling.split("<")[0]
        if cursor.kind == K.TYPE_ALIAS_TEMPLATE_DECL:  # of which the name stands further inside
            cursor = next((c for c in cursor.get_children() if c.kind == K.TYPE_ALIAS_DECL), cursor)
        at = self.named(cursor, name)
        if not at or cursor.kind not in KINDS:
            return None
        kind = KINDS[cursor.kind]
        if kind in ("variable", "type", "function") and local(cursor):
            kind = "local"
        self.kinds.setdefault(at, kind)
        first = cursor.canonical
        if first != cursor:
            to = self.named(first, name)
            if to:
                self.join(at, to)
        if kind in ("function", "variable") and cursor.linkage == cindex.LinkageKind.EXTERNAL:
            self.linked.setdefault(cursor.get_usr(), set()).add(at)
        whole = cursor.get_definition()
        if whole and whole != cursor:
            to = self.named(whole, name)
            if to:
                self.join(at, to)
        general = cursor.kind in TYPES and cursor.specialized_template
        if general:
            to = self.named(general, name)
            if to:
                self.join(at, to)
        if cursor.kind in (K.TYPEDEF_DECL, K.TYPE_ALIAS_DECL):
            under = cursor.underlying_typedef_type.get_declaration()
            if under.spelling == name and under.kind in KINDS:
                to = self.named(under, name)
                if to:
                    self.join(at, to)
        return at

    def visit(self, cursor, top):
        """Notes a cursor; reports whether to look inside of it."""
        if top:
            at = self.located(cursor.location, lib.clang_getFileLocation)
            if not at:
                return False
            if cursor.kind not in AROUND and cursor.kind != K.MACRO_INSTANTIATION:
                key = (at, cursor.extent.end.offset, cursor.kind)
                if key in self.walked and at[0].endswith(HEADERS):
                    return False
                self.walked.add(key)
        if cursor.kind in KINDS:
            at = self.declaration(cursor)
            if at:
                self.declared.add(at)
                if cursor.kind == K.CXX_METHOD:
                    self.overriding(cursor, at)
                elif cursor.kind in TYPES or cursor.kind == K.CLASS_TEMPLATE:
                    self.deriving(cursor, at)
            return True
        to = cursor if cursor.kind == K.OVERLOADED_DECL_REF else cursor.referenced
        if not to or to == cursor and to.kind != K.OVERLOADED_DECL_REF or to.kind == K.DESTRUCTOR:
            return True
        at = self.named(cursor, to.spelling.split("<")[0])
        if to.kind == K.OVERLOADED_DECL_REF:  # templates decide it when they are instantiated
            for i in range(min(lib.clang_getNumOverloadedDecls(to), 64) if at else 0):
                some = lib.clang_getOverloadedDecl(to, i)
                some._tu = cursor._tu
                self.maybe.setdefault(at, set()).add(self.declaration(some) or "")
            return True
        if at and to.kind != K.CONSTRUCTOR:
            self.uses.setdefault(at, set()).add(self.declaration(to) or "")
        return True

    def overriding(self, cursor, at):
        count, all_ = ctypes.c_uint(), ctypes.POINTER(cindex.Cursor)()
        lib.clang_getOverriddenCursors(cursor, ctypes.byref(all_), ctypes.byref(count))
        for i in range(count.value):
            base = all_[i]
            base._tu = cursor._tu
            to = self.declaration(base)
            if to:
                self.overrides.add((at, to))

    def deriving(self, cursor, at):
        for base in cursor.get_children():
            if base.kind == K.CXX_BASE_SPECIFIER:
                named = [c for c in base.get_children() if c.kind in (K.TYPE_REF, K.TEMPLATE_REF)]
                # the arguments of a template are behind it, the types around a type before
                named = [c for c in named if c.kind == K.TEMPLATE_REF][:1] or named[-1:]
                to = named and named[0].referenced and self.declaration(named[0].referenced)
                if to:
                    self.derives.add((at, to))

    def walk(self, cursor, top):
        for c in cursor.get_children():
            if self.visit(c, top):
                self.walk(c, top and c.kind in AROUND)

    def parse(self, path, flags):
        index = cindex.Index.create()
        self.paths = {}  # clang's files are of one parse
        tu = index.parse(os.path.join(self.root, path), flags,
                         options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        wrong = [d for d in tu.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if wrong:
            self.errors[path] = [len(wrong), str(wrong[0])[:200]]
        self.walk(tu.cursor, True)
        self.leave_out(tu, path)

    def leave_out(self, tu, path):
        """Notes the lines that conditions leave out, of each file that was read."""
        read = {path} | {self.path_of(i.include.name) for i in tu.get_includes()}
        out = {p: set() for p in read if p}
        ranges = lib.clang_getAllSkippedRanges(tu)
        for i in range(ranges.contents.count):
            r = ranges.contents.ranges[i]
            p = self.path_of(r.start.file.name) if r.start.file else None
            if p in out:
                out[p].update(range(r.start.line, r.end.line + 1))
        for p, lines in out.items():
            self.skipped[p] = self.skipped[p] & lines if p in self.skipped else lines

    def link(self):
        """Joins what sources declare with what headers do that they don't include, and
        the definitions of each macro, of which conditions choose one."""
        for places in self.linked.values():
            header = next((p for p in sorted(places) if p[0].endswith(HEADERS)), None)
            for at in places if header else ():
                self.join(at, header)
        macros = {}
        for at in [at for at, kind in self.kinds.items() if kind == "macro"]:
            self.join(at, macros.setdefault(self.word(at), at))

    def path_of(self, name):
        rel = os.path.relpath(os.path.realpath(name), self.root)
        return rel if rel in self.known else None


def local(cursor):
    """Whether something is declared in a function."""
    up = cursor.semantic_parent
    while up and up.kind not in (K.TRANSLATION_UNIT, K.NAMESPACE):
        if up.kind in FUNCTIONS:
            return True
        up = up.semantic_parent
    return False


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("dir")
    ap.add_argument("out")
    ap.add_argument("--skip", action="append", default=[])
    argv = sys.argv[1:]
    sys.setrecursionlimit(100_000)
    flags = argv[argv.index("--") + 1:] if "--" in argv else []
    a = ap.parse_args(argv[:argv.index("--")] if "--" in argv else argv)
    folder = Folder(a.dir, a.skip)
    for sub in ("", "include", "src", "lib", "test", "tests"):
        if os.path.isdir(os.path.join(folder.root, sub)):
            flags.append("-I" + os.path.join(folder.root, sub))
    cpp = sum(not f.endswith((".c", ".h")) for f in folder.files) > sum(f.endswith(".c") for f in folder.files)
    for path in sorted(folder.files, key=lambda f: f.endswith(HEADERS)):
        if path.endswith(HEADERS) and path in folder.skipped:
            continue
        language = ["-xc", "-std=gnu17"] if path.endswith(".c") or not cpp else ["-xc++", "-std=c++17"]
        folder.parse(path, language + ["-ferror-limit=0", "-w"] + flags)
    folder.link()
    place = lambda p: "%s:%d:%d" % p  # noqa: E731
    groups = {}
    for at in folder.declared:
        groups.setdefault(folder.group(at), []).append(at)
    of = lambda d: place(folder.group(d)) if d else ""  # noqa: E731
    for d in {d for ds in [*folder.uses.values(), *folder.maybe.values()] for d in ds if d}:
        groups.setdefault(folder.group(d), []).append(d)
    said = {
        "declarations": {place(g): {"kind": folder.kinds.get(g) or folder.kinds[all_[0]], "name": folder.word(all_[0]),
                                    "at": sorted({place(x) for x in all_})} for g, all_ in groups.items()},
        "uses": {place(at): sorted({of(d) for d in ds}) for at, ds in folder.uses.items() if at not in folder.declared},
        "maybe": {place(at): sorted({of(d) for d in ds}) for at, ds in folder.maybe.items()},
        "overrides": sorted({(of(a), of(b)) for a, b in folder.overrides}),
        "derives": sorted({(of(a), of(b)) for a, b in folder.derives}),
        "skipped": {p: sorted(lines) for p, lines in folder.skipped.items()},
        "errors": folder.errors,
    }
    with open(a.out, "w", encoding="utf-8") as f:
        json.dump(said, f)
    print(len(folder.files), "files,", len(folder.errors), "with errors,", len(said["declarations"]), "declarations,",
          len(said["uses"]), "uses")


main()
