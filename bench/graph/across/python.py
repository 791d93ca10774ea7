"""What jedi says of the uses in one package of what others declare.

    python3 bench/graph/across/python.py OUT.json DIR=REPO_ID DIR=REPO_ID...

Each name in each file of the first folder is followed to its declaration, with
all folders on the path. A name is a use when it leads to a declaration in another
one. Of a folder with src only that is read.
"""
import json
import pathlib
import sys

import jedi


def main():
    out, *pairs = sys.argv[1:]
    roots = {pathlib.Path(d).resolve(): r for d, r in (p.split("=") for p in pairs)}
    paths = [str(p) for root in roots for p in (root / "src", root) if p.is_dir()]
    found = {}

    def at(path):
        for root, repo in roots.items():
            if path and root in path.parents:
                return repo, path.relative_to(root).as_posix()
        return None, None

    for root, repo in list(roots.items())[:1]:
        project = jedi.Project(root, sys_path=paths + sys.path, smart_sys_path=False)
        source = root / "src"
        for file in sorted((source if source.is_dir() else root).rglob("*.py")):
            script = jedi.Script(path=file, project=project)
            for name in script.get_names(all_scopes=True, definitions=True, references=True):
                try:
                    targets = name.goto(follow_imports=True)
                except Exception:  # jedi gives up on some
                    continue
                for t in targets:
                    to, path = at(t.module_path)
                    if to in (None, repo) or t.type in ("module", "param") or t.line is None:
                        continue
                    key = (to, path, t.line, t.column + 1)
                    s = found.setdefault(key, {"repo": to, "file": path, "line": t.line, "column": t.column + 1, "name": t.name, "uses": []})
                    use = {"repo": repo, "file": file.relative_to(root).as_posix(), "line": name.line, "column": name.column + 1}
                    if use not in s["uses"]:
                        s["uses"].append(use)
    with open(out, "w", encoding="utf-8") as f:
        json.dump(list(found.values()), f)
    print(len(found), "symbols", sum(len(s["uses"]) for s in found.values()), "uses")


main()
