// Packages of a folder itself, found by name as if they were installed and built:
// what is built is taken for its source.
"use strict";
const fs = require("fs"), path = require("path");
module.exports = (ts, root) => {
  const packages = new Map();
  for (const p of ts.sys.readDirectory(root, [".json"], ["**/node_modules"], ["**/package.json"])) {
    try {
      const json = JSON.parse(fs.readFileSync(p, "utf8"));
      if (json.name && !packages.has(json.name)) packages.set(json.name, { dir: path.dirname(p), json });
    } catch {} // what is no package
  }
  const strings = (v) => (typeof v === "string" ? [v] : v && typeof v === "object" ? Object.values(v).flatMap(strings) : []);
  function fromWorkspace(name, known) {
    const parts = name.split("/"), n = name.startsWith("@") ? 2 : 1;
    const found = packages.get(parts.slice(0, n).join("/"));
    if (!found || (known && !known.has(found.json.name))) return undefined;
    const { dir, json } = found, sub = parts.slice(n).join("/");
    let targets = [];
    for (const [key, value] of Object.entries(typeof json.exports === "object" && json.exports ? json.exports : {})) {
      const [before, after] = key.split("*");
      const whole = "./" + sub;
      if (key === (sub ? whole : ".")) targets.push(...strings(value));
      else if (after !== undefined && sub && whole.startsWith(before) && whole.endsWith(after)) targets.push(...strings(value).map((t) => t.replaceAll("*", whole.slice(before.length, whole.length - after.length))));
    }
    if (!sub) targets.push(...strings([json.source, json.types, json.typings, json.module, json.main]), "src/index", "index");
    else targets.push(sub, "src/" + sub);
    for (let t of targets) {
      t = path.normalize(t).replace(/\.d\.[cm]?ts$|\.[cm]?[jt]sx?$/, "");
      for (const base of [t, "src/" + t.replace(/^(dist|lib|build|out|es|esm|cjs|types)\//, ""), "src/" + t.replace(/^[^/]+\/[^/]+\//, "")])
        for (const end of [".ts", ".tsx", ".mts", "/index.ts", "/index.tsx", ".js", ".mjs", ".d.ts"])
          if (ts.sys.fileExists(path.join(dir, base + end))) return path.join(dir, base + end);
    }
  }
  // What a package calls "#name" for itself, under any condition.
  function ownName(name, from) {
    for (let dir = path.dirname(from); dir.startsWith(root); dir = path.dirname(dir)) {
      const p = path.join(dir, "package.json");
      if (!fs.existsSync(p)) continue;
      for (const [key, value] of Object.entries(JSON.parse(fs.readFileSync(p, "utf8")).imports ?? {})) {
        const [before, after] = key.split("*");
        if (after === undefined ? key !== name : !name.startsWith(before) || !name.endsWith(after)) continue;
        const rest = after === undefined ? "" : name.slice(before.length, name.length - after.length);
        const found = strings(value).map((t) => path.join(dir, t.replaceAll("*", rest))).find(ts.sys.fileExists);
        if (found) return found;
      }
      return undefined;
    }
  }
  // What the configuration closest to a folder says of paths, which may not be that of the root.
  const closest = new Map();
  function paths(dir) {
    if (closest.has(dir)) return closest.get(dir);
    const found = ["tsconfig.json", "jsconfig.json"].map((n) => path.join(dir, n)).find(ts.sys.fileExists);
    const o = found && ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, { ...ts.sys, readDirectory: () => [] }, dir).options;
    const said = o && (o.paths || o.baseUrl) ? { paths: o.paths, baseUrl: o.baseUrl, pathsBasePath: o.pathsBasePath } : dir.startsWith(root + path.sep) ? paths(path.dirname(dir)) : undefined;
    closest.set(dir, said);
    return said;
  }
  const resolving = (known) => (literals, from, redirected, o) => literals.map((l) => {
    let got = ts.resolveModuleName(l.text, from, o, ts.sys);
    if (!got.resolvedModule && !l.text.startsWith(".")) got = ts.resolveModuleName(l.text, from, { ...o, ...paths(path.dirname(from)) }, ts.sys);
    if (got.resolvedModule || l.text.startsWith(".")) return got;
    const file = l.text.startsWith("#") ? ownName(l.text, from) : fromWorkspace(l.text, known && known(from));
    return file ? { resolvedModule: { resolvedFileName: file, extension: path.extname(file), isExternalLibraryImport: false } } : got;
  });
  return { packages, resolving };
};
