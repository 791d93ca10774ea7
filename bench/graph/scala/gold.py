"""What the Scala compilers say of the sources in a folder, from the SemanticDB that they write, for ../java/compare.py:

  scalac -Xplugin:semanticdb-scalac_2.13.18.jar -Yrangepos -P:semanticdb:sourceroot:DIR \\
    -P:semanticdb:targetroot:OUT -P:semanticdb:synthetics:off -Ystop-after:semanticdb-typer -cp JARS FILES   Scala 2
  scalac -Xsemanticdb -sourceroot DIR -semanticdb-target OUT -Ystop-after:extractSemanticDB -cp JARS FILES    Scala 3
  python3 bench/graph/scala/gold.py DIR OUT > GOLD.tsv
  go run ./bench/graph/dump DIR .scala > DUMP.json
  python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]

With -kin it writes what extends or overrides what: path, line and column of both, and the relation.

Calls of a constructor, of apply, copy and unapply that a case class has by itself are uses of that class, as for Java;
assignments of a variable are uses of it, and named arguments of such a class uses of its parameters. Parameters and
type parameters are local; packages, what ends a declaration by its name, and what the text does not write are left out.
"""
import collections
import os
import re
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message: number and value, bytes or a number."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            size = 8 if key & 7 == 1 else 4
            value, at = data[at : at + size], at + size
        yield key >> 3, value


def all_of(data, number):
    return [value for n, value in fields(data) if n == number]


def one(data, number, default):
    return next(iter(all_of(data, number)), default)


def texts(data, number):
    return [value.decode() for value in all_of(data, number)]


def documents(folder):
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".semanticdb"):
                with open(os.path.join(path, name), "rb") as f:
                    yield from all_of(f.read(), 1)


class Lines:
    """Columns in bytes of columns in UTF-16."""

    def __init__(self, path):
        with open(path, encoding="utf8", newline="") as f:
            self.whole = f.read()
        self.lines = self.whole.split("\n")

    def text(self, line, column):
        return self.lines[line].encode("utf-16-le")[2 * column :].decode("utf-16-le", "replace")

    def byte(self, line, column):
        return len(self.lines[line].encode("utf-16-le")[: 2 * column].decode("utf-16-le", "replace").encode())


def owner_of(symbol):
    """The symbol without its last part."""
    symbol = symbol[:-1]
    if symbol.endswith(")"):
        depth = 0
        for i in range(len(symbol) - 1, -1, -1):
            depth += {")": 1, "(": -1}.get(symbol[i], 0)
            if depth == 0:
                break
        symbol = symbol[:i]
    quoted = symbol.endswith("`")
    end = symbol.rindex("`", 0, len(symbol) - 1) if quoted else len(symbol)
    for i in range(end - 1, -1, -1):
        if symbol[i] in "/#.)]":
            return symbol[: i + 1]
    return ""


NAME = re.compile(r"`[^`\n]+`|[^\W\d][\w$]*(?:_[^\w\s()\[\]{}.,;\"'`]+)?|[^\w\s()\[\]{}.,;\"'`]+")


class Program:
    def __init__(self, root, out):
        self.root, self.places, self.said, self.parents, self.overrides = root, {}, {}, {}, {}
        self.sources = {}
        for document in documents(out):
            self.document(document)

    def document(self, document):
        uri = one(document, 2, b"").decode()
        if uri in self.said or not os.path.exists(os.path.join(self.root, uri)):
            return
        lines = self.sources[uri] = Lines(os.path.join(self.root, uri))
        said = self.said.setdefault(uri, collections.defaultdict(set))
        for occurrence in all_of(document, 6):
            place = dict(fields(one(occurrence, 1, b"")))
            line, column = place.get(1, 0), place.get(2, 0)
            symbol, role = one(occurrence, 2, b"").decode(), one(occurrence, 3, 0)
            if place.get(3, 0) == line and place.get(4, 0) == column:
                continue  # what the text does not write
            if symbol.startswith("local"):
                symbol += " " + uri
            if role == 2:
                self.places.setdefault(symbol, (uri, line + 1, lines.byte(line, column) + 1))
            elif symbol and not symbol.endswith("/"):
                said[line, column].add(symbol)
        for information in all_of(document, 5):
            symbol = one(information, 1, b"").decode()
            self.overrides[symbol] = texts(information, 19)
            for signature in all_of(one(information, 17, b""), 1):
                self.parents[symbol] = [s for t in all_of(signature, 2) for s in type_symbols(t)]

    def declared(self, symbol, word):
        """The place of what a symbol stands for that is written as a word, or why it has none."""
        if symbol.endswith("]"):
            return ("local",)
        if symbol.startswith("local"):
            return self.places.get(symbol, ("local",))
        if symbol.endswith(")"):  # of a parameter
            method, name = symbol[: symbol.rindex("(")], symbol[symbol.rindex("(") + 1 : -1]
            of = owner_of(method)
            for member in [f"{of}{name}.", f"{of}{name}()."] + [f"{of[:-1]}#{name}.", f"{of[:-1]}#{name}()."]:
                own = self.places.get(symbol, self.places.get(member))
                if re.search(r"(`<init>`|apply|copy)\(", method[len(of) :]) and own == self.places.get(member, ()):
                    return self.places[member]
            return ("local",) if method in self.places or symbol in self.places else ("external",)
        for other in self.same(symbol):
            made = re.search(r"(apply|copy|unapply|unapplySeq|fromProduct|tupled|curried)\(", symbol)
            if other in self.places and not (other != symbol and made and made[1] == word):
                return self.places[other]
        return ("external",)

    def same(self, symbol):
        yield symbol
        yield re.sub(r"_=`?\(\)\.$", ".", symbol).replace("`", "")
        yield re.sub(r"_=`?\(\)\.$", "().", symbol).replace("`", "")
        if symbol.endswith("."):
            yield symbol[:-1] + "#"  # the companion that is not written
        if re.search(r"(`<init>`|\.(apply|unapply|unapplySeq|fromProduct|tupled|curried)|#copy)\([+\d]*\)\.$", symbol):
            of = owner_of(symbol)
            yield of
            yield of[:-1] + "#"
            yield of[:-1] + "."


def type_symbols(data):
    """The symbols of a type of a signature: of several at once, all."""
    out = []
    for number, value in fields(data):
        if number == 2:
            out += texts(value, 2)
        elif number in (13, 14, 17, 18):  # structural, annotated, with, intersection
            for _, part in fields(value):
                if isinstance(part, bytes):
                    out += type_symbols(part)
    return out


def main():
    kin = sys.argv[1] == "-kin"
    root, out = sys.argv[-2:]
    program = Program(root, out)
    if kin:
        for symbol in sorted(program.places):
            for relation, of in ("extends", program.parents), ("overrides", program.overrides):
                for base in of.get(symbol, []):
                    if base in program.places and base != symbol:
                        print(*program.places[symbol], relation, *program.places[base], sep="\t")
        return
    defined = set(program.places.values())
    for uri, said in sorted(program.said.items()):
        lines = program.sources[uri]
        for (line, column), symbols in sorted(said.items()):
            word = NAME.match(lines.text(line, column))
            row, start = line + 1, lines.byte(line, column) + 1
            if not word or word[0] in ("this", "super", "new", "=", "_", "<-", "=>") or (uri, row, start) in defined:
                continue
            if re.search(r"^\s*end $", lines.lines[line][:column]):
                continue
            if re.search(rf"(?m)\b{re.escape(word[0])}\s*(:.*)?=>\s*$", lines.whole) and any(
                s.endswith("#") and not s.endswith(f"{word[0]}#") for s in symbols
            ):
                continue  # another name of this
            if lines.lines[line].lstrip().startswith("import "):
                symbols |= {s[:-1] + o for s in symbols for e, o in ("#.", ".#") if s.endswith(e) and s[:-1] + o in program.places}
            places = {program.declared(s, word[0]) for s in symbols}
            # an import names a class with its object, and all overloads
            first, *more = sorted(p for p in places if len(p) > 1) or sorted(places)[:1]
            others = ["and", *(x for place in more for x in place)] if more else []
            print(uri, row, start, word[0].strip("`"), min(symbols)[-1], *first, *others, sep="\t")


main()
