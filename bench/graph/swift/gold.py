"""What the Swift compiler says of the packages in a folder, from the index that a build leaves, for ../java/compare.py:

  swift build --build-tests                            in DIR
  python3 bench/graph/swift/gold.py DIR > GOLD.tsv
  go run ./bench/graph/dump DIR .swift > DUMP.json
  python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]

It needs libIndexStore.so of a Swift toolchain, which INDEXSTORE names where it is not that of Debian's swiftlang, and
has to run on that system. With -kin it writes what conforms to, inherits from or overrides what: path, line and column
of both, and the relation.

Calls of an initializer by the name of its type are uses of that type, as for Java. What the text does not write
(accessors, synthesized members) is left out, and so are operators.
"""
import ctypes
import glob
import os
import sys

STORE = os.environ.get("INDEXSTORE", "/usr/libexec/swift/lib/libIndexStore.so")
DECLARES, DEFINES, REFERS, IMPLICIT = 1 << 0, 1 << 1, 1 << 2, 1 << 8
BASE_OF, OVERRIDE_OF, EXTENDED_BY = 1 << 10, 1 << 11, 1 << 14  # of relations
MODULE, EXTENSION, PARAMETER = 1, 9, 25  # kinds of symbols


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


lib = ctypes.CDLL(STORE)
EACH = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
EACH_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


def function(name, result, *arguments):
    f = getattr(lib, "indexstore_" + name)
    f.restype, f.argtypes = result, arguments
    return f


pointer, text, number = ctypes.c_void_p, Text, ctypes.c_uint
open_store = function("store_create", pointer, ctypes.c_char_p, pointer)
each_unit = function("store_units_apply_f", ctypes.c_bool, pointer, ctypes.c_uint, pointer, EACH_TEXT)
open_unit = function("unit_reader_create", pointer, pointer, ctypes.c_char_p, pointer)
close_unit = function("unit_reader_dispose", None, pointer)
each_dependency = function("unit_reader_dependencies_apply_f", ctypes.c_bool, pointer, pointer, EACH)
dependency_kind = function("unit_dependency_get_kind", ctypes.c_int, pointer)
dependency_name = function("unit_dependency_get_name", text, pointer)
dependency_path = function("unit_dependency_get_filepath", text, pointer)
open_record = function("record_reader_create", pointer, pointer, ctypes.c_char_p, pointer)
close_record = function("record_reader_dispose", None, pointer)
each_occurrence = function("record_reader_occurrences_apply_f", ctypes.c_bool, pointer, pointer, EACH)
symbol_of = function("occurrence_get_symbol", pointer, pointer)
roles_of = function("occurrence_get_roles", ctypes.c_uint64, pointer)
place_of = function("occurrence_get_line_col", None, pointer, ctypes.POINTER(number), ctypes.POINTER(number))
each_relation = function("occurrence_relations_apply_f", ctypes.c_bool, pointer, pointer, EACH)
related_symbol = function("symbol_relation_get_symbol", pointer, pointer)
related_roles = function("symbol_relation_get_roles", ctypes.c_uint64, pointer)
kind_of = function("symbol_get_kind", ctypes.c_int, pointer)
name_of = function("symbol_get_name", text, pointer)
usr_of = function("symbol_get_usr", text, pointer)


def records(store, root):
    """The records of files below root: their names, each with its path."""
    units = []
    each_unit(store, 0, None, EACH_TEXT(lambda _, name: units.append(str(name)) or True))
    found = {}
    for unit in units:
        reader = open_unit(store, unit.encode(), None)

        def dependency(_, d):
            path = str(dependency_path(d))
            if dependency_kind(d) == 2 and path.startswith(root) and path.endswith(".swift") and "/.build/" not in path:
                found[str(dependency_name(d))] = path[len(root) :].lstrip("/")
            return True

        each_dependency(reader, None, EACH(dependency))
        close_unit(reader)
    return found


def occurrences(store, record):
    out = []

    def occurrence(_, o):
        line, column = number(), number()
        place_of(o, line, column)
        s = symbol_of(o)
        relations = []

        def relation(_, r):
            relations.append((related_roles(r), str(usr_of(related_symbol(r)))))
            return True

        each_relation(o, None, EACH(relation))
        out.append((line.value, column.value, roles_of(o), kind_of(s), str(name_of(s)), str(usr_of(s)), relations))
        return True

    reader = open_record(store, record.encode(), None)
    each_occurrence(reader, None, EACH(occurrence))
    close_record(reader)
    return out


def main():
    kin = sys.argv[1] == "-kin"
    root = os.path.realpath(sys.argv[-1])
    store = open_store(glob.glob(os.path.join(root, ".build/*-*/debug/index/store"))[0].encode(), None)
    every = {}
    for record, path in records(store, root).items():
        every.setdefault(path, []).extend(occurrences(store, record))
    places = {}
    for path, all_ in every.items():
        for line, column, roles, kind, _, usr, _ in all_:
            if roles & (DEFINES | DECLARES) and not roles & IMPLICIT and kind != EXTENSION:
                places[usr] = (path, line, column)
    if kin:
        return relations(every, places)
    for path, all_ in sorted(every.items()):
        lines = [""] + open(os.path.join(root, path), "rb").read().split(b"\n")
        at = {}
        for line, column, roles, kind, name, usr, _ in all_:
            if roles & REFERS and not roles & (IMPLICIT | DEFINES) and kind not in (EXTENSION, MODULE, PARAMETER):
                at.setdefault((line, column), set()).add((kind, name, usr))
        for (line, column), said in sorted(at.items()):
            rest = lines[line][column - 1 :].decode("utf8", "replace").lstrip("`")
            word = rest[: next((i for i, c in enumerate(rest) if not (c.isalnum() or c == "_")), len(rest))]
            if not word:
                continue  # an operator, or a subscript
            named = {(kind, places.get(usr, ("external",))) for kind, name, usr in said if name.split("(")[0] == word}
            if len(named) == 1:
                (kind, declared), = named
                print(path, line, column, word, kind, *declared, sep="\t")
            elif named:
                print(f"{path}:{line}:{column}: {word} is several: {named}", file=sys.stderr)


def relations(every, places):
    extended = {}
    for all_ in every.values():
        for _, _, _, _, _, usr, related in all_:
            for roles, other in related:
                if roles & EXTENDED_BY:
                    extended[other] = usr
    for all_ in every.values():
        for _, _, _, _, _, usr, related in all_:
            for roles, other in related:
                if roles & BASE_OF:
                    said, below, above = "base", extended.get(other, other), usr
                elif roles & OVERRIDE_OF:
                    said, below, above = "override", usr, other
                else:
                    continue
                if below in places and above in places:
                    print(said, *places[below], *places[above], sep="\t")


main()
