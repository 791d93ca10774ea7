"""What jedi says stands at random names of a folder.

    python3 bench/graph/definition/python.py OUT.json DIR [PLACES [SEED]]

A place is wanted when jedi's goto names a declaration; "" stands for one outside of
DIR. With src there that is on the path, too.
"""
import hashlib
import json
import keyword
import pathlib
import sys
import tokenize

import jedi


def names(root):
    for file in sorted(root.rglob("*.py")):
        try:
            with tokenize.open(file) as f:
                lines = f.read().splitlines(keepends=True)
            tokens = list(tokenize.generate_tokens(iter(lines + [""]).__next__))
        except (SyntaxError, UnicodeDecodeError, tokenize.TokenError, StopIteration):
            continue
        for t in tokens:
            if t.type == tokenize.NAME and not keyword.iskeyword(t.string):
                yield file, t


def main():
    out, root, wanted, seed = (sys.argv[1:] + ["500", "1"][len(sys.argv) - 3:])[:4]
    root = pathlib.Path(root).resolve()
    everything = list(names(root))

    def order(x):
        return hashlib.sha256(f"{seed}{x[0].relative_to(root)}:{x[1].start}".encode()).hexdigest()

    everything.sort(key=order)
    # before what is installed, which may be the same package
    path = [str(root / "src"), str(root)] + jedi.get_default_environment().get_sys_path()
    project = jedi.Project(root, sys_path=path)
    chosen = []
    for file, t in everything:
        if len(chosen) == int(wanted):
            break
        try:
            targets = jedi.Script(path=file, project=project).goto(t.start[0], t.start[1], follow_imports=True)
        except Exception:  # jedi gives up on some
            continue
        if not targets:
            continue
        want = []
        for d in targets:
            inside = d.module_path and root in d.module_path.parents
            if not inside:
                continue
            # bytes from 1
            line = d.get_line_code() if d.line else ""
            column = len(line[:d.column].encode()) + 1 if d.line else 1
            want.append(f"{d.module_path.relative_to(root).as_posix()}:{d.line or 1}:{column}")
        line = t.line.splitlines()[0] if t.line else ""
        chosen.append({"file": file.relative_to(root).as_posix(), "line": t.start[0],
                       "column": len(line[:t.start[1]].encode()) + 1 if "\n" not in t.line[:t.start[1]] else t.start[1] + 1,
                       "what": targets[0].type, "name": t.string, "want": want or [""]})
    with open(out, "w", encoding="utf-8") as f:
        json.dump(chosen, f)
    print(len(everything), "names,", len(chosen), "chosen")


main()
