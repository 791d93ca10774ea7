// Compares where-used of the graph with the references of TypeScript's
// language service.
//
//	node bench/graph/typescript/compare.js DIR DUMP.json [symbols] [show] [KEPT.json]
//
// With tiers200 for symbols it says what share of each tier is right.
// KEPT.json keeps what the service said, which another run then need not ask.
// DUMP.json is what bench/graph/dump wrote of DIR. The module typescript is
// looked for in the current folder. Half of the symbols have names that are
// declared several times. A use is a file, line and column.
//
// What is declared globally in one package of several is not known in those
// that do not depend on it, but in the one program of all files it is. So where
// the graph and that program differ about a use, the program of the use's own
// package decides, if it knows a declaration there. The last line but one says
// what it were without that.
"use strict";
const fs = require("fs"), path = require("path"), crypto = require("crypto");
let ts;
try {
  ts = require(require.resolve("typescript", { paths: [process.cwd()] }));
} catch {
  console.log("typescript is missing: npm install typescript");
  process.exit(1);
}
const [dir, dump, wanted = "60", show = "30", kept] = process.argv.slice(2);
const said = kept && fs.existsSync(kept) ? JSON.parse(fs.readFileSync(kept, "utf8")) : {};
const root = path.resolve(dir);
const { Symbols: symbols, Uses: uses } = JSON.parse(fs.readFileSync(dump, "utf8"));
const files = [...new Set([...symbols, ...uses].map((s) => s.Path))].filter((p) => /\.[cm]?[jt]sx?$/.test(p)).map((p) => path.join(root, p));

// The options of the project as far as they decide what imports mean.
function options(of = root) {
  const found = ts.findConfigFile(of, ts.sys.fileExists);
  let o = {};
  if (found && found.startsWith(root)) {
    o = ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, ts.sys, path.dirname(found)).options;
  }
  const keep = { baseUrl: o.baseUrl, paths: o.paths, pathsBasePath: o.pathsBasePath, jsx: o.jsx, experimentalDecorators: true };
  return { ...keep, allowJs: true, strict: true, target: ts.ScriptTarget.ES2022, module: o.module ?? ts.ModuleKind.ESNext, moduleResolution: o.moduleResolution ?? ts.ModuleResolutionKind.Bundler, noEmit: true, skipLibCheck: true };
}
const compilerOptions = options();
const host = {
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot: (f) => (ts.sys.fileExists(f) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(f)) : undefined),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => compilerOptions,
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
  fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory, directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
};
const { packages, resolving } = require("./workspace.js")(ts, root);
host.resolveModuleNameLiterals = resolving();
// The folder of the package that a file is of.
const packageOf = new Map();
function folderOf(dir) {
  if (!packageOf.has(dir)) packageOf.set(dir, dir === root || ts.sys.fileExists(path.join(dir, "package.json")) ? dir : folderOf(path.dirname(dir)));
  return packageOf.get(dir);
}
// The names of packages that those of a folder say they depend on, or that the whole does.
function dependencies(dir) {
  const names = new Set();
  for (const { dir: d, json } of packages.values()) {
    if (d !== dir && d !== root) continue;
    for (const list of [json.dependencies, json.devDependencies, json.peerDependencies, json.optionalDependencies, { [json.name]: 1 }]) for (const n of Object.keys(list || {})) names.add(n);
  }
  return names;
}
const owns = new Map(), registry = ts.createDocumentRegistry();
// What the program of the package of a file says; undefined if there is but one.
function own(file) {
  const dir = folderOf(path.dirname(file));
  if (!owns.has(dir)) {
    const mine = files.filter((f) => folderOf(path.dirname(f)) === dir), names = new Map();
    const o = options(dir);
    const known = (from) => {
      const d = folderOf(path.dirname(from));
      if (!names.has(d)) names.set(d, dependencies(d));
      return names.get(d);
    };
    owns.set(dir, mine.length === files.length ? undefined
      : ts.createLanguageService({ ...host, getScriptFileNames: () => mine, getCompilationSettings: () => o, resolveModuleNameLiterals: resolving(known) }, registry));
  }
  return owns.get(dir);
}
let service, program;
function start() {
  if (service) return;
  service = ts.createLanguageService(host);
  program = service.getProgram();
}
const key = (p, l, c) => `${p}:${l}:${c}`;
// Columns of the graph are bytes, those of the service UTF-16 units.
function place(file, offset) {
  const source = program.getSourceFile(file);
  const { line } = source.getLineAndCharacterOfPosition(offset);
  const start = source.getPositionOfLineAndCharacter(line, 0);
  let text = source.text.slice(start, offset);
  if (line === 0 && source.text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  return key(path.relative(root, file), line + 1, Buffer.byteLength(text) + 1);
}
function offsetOf(file, line, column) {
  const source = program.getSourceFile(file);
  const start = source.getPositionOfLineAndCharacter(line - 1, 0);
  const rest = Buffer.from(source.text.slice(start, start + 2000));
  return start + rest.subarray(0, column - 1).toString().length;
}
const at = new Map(symbols.map((s, i) => [key(s.Path, s.Line, s.Column), i]));
const ours = new Map(), byPlace = new Map();
for (const u of uses) {
  const k = key(u.Path, u.Line, u.Column);
  if (!byPlace.has(k) || (u.Targets || []).length) byPlace.set(k, u);
  if (u.Tier === "F") {
    if (!(u.Targets || []).every((t) => symbols[t].Path === symbols[u.Targets[0]].Path && symbols[t].Qualified === symbols[u.Targets[0]].Qualified)) continue;
  }
  for (const t of u.Targets || []) ours.set(t, (ours.get(t) || new Set()).add(k));
}
// The share of each tier that is right: random references, and where the service says that they are declared.
function tiersOf(most) {
  start();
  const byTier = {}, order = (u) => crypto.createHash("sha256").update(key(u.Path, u.Line, u.Column)).digest("hex");
  for (const u of uses) if ((u.Targets || []).length) (byTier[u.Tier] ??= []).push([order(u), u]);
  const named = (u) => {
    const file = path.join(root, u.Path);
    const found = (program.getSourceFile(file) && service.getDefinitionAtPosition(file, offsetOf(file, u.Line, u.Column))) || [];
    const places = new Set(found.filter((d) => d.fileName.startsWith(root + path.sep)).map((d) => place(d.fileName, d.textSpan.start)));
    return [found, places, u.Targets.filter((i) => places.has(key(symbols[i].Path, symbols[i].Line, symbols[i].Column))).length];
  };
  for (const t of Object.keys(byTier).sort()) {
    let right = 0, wrong = 0, unknown = 0;
    // uses with targets of several names, how many of these the service names, and all
    let choices = 0, chosen = 0, candidates = 0;
    for (const [, u] of byTier[t].filter(([, u]) => new Set(u.Targets.map((i) => symbols[i].Path + symbols[i].Qualified)).size > 1).slice(0, most)) {
      const [found, , n] = named(u);
      if (found.length) [choices, chosen, candidates] = [choices + 1, chosen + n, candidates + u.Targets.length];
    }
    for (const [, u] of byTier[t].sort((a, b) => (a[0] < b[0] ? -1 : 1)).slice(0, most)) {
      const [found, places, n] = named(u);
      if (!found.length) unknown++;
      else if (n) right++;
      else {
        wrong++;
        if (wrong <= Number(show)) console.log(`  ${t} ${u.Kind} ${u.Name} of '${u.Of}' ${key(u.Path, u.Line, u.Column)} -> ${u.Targets.map((i) => symbols[i].Qualified)}, not ${[...places]}`);
      }
    }
    console.log(`${t} of ${byTier[t].length}: right ${right}, wrong ${wrong}, not known to the service ${unknown}: ${(right / Math.max(right + wrong, 1)).toFixed(3)}`);
    if (choices) console.log(`  of ${choices} with targets of several names the service says ${chosen} of these ${candidates}: ${(chosen / candidates).toFixed(3)}`);
  }
}
if (wanted.startsWith("tiers")) {
  tiersOf(Number(wanted.slice(5)) || 200);
  process.exit(0);
}
const count = new Map(), named = new Map();
for (const s of symbols) count.set(s.Name, (count.get(s.Name) || 0) + 1);
for (const u of uses) named.set(u.Name, (named.get(u.Name) || 0) + 1);
const kinds = new Set(["func", "method", "class", "interface", "type", "enum", "property", "field", "const", "var"]);
const order = (i) => crypto.createHash("sha256").update(key(symbols[i].Path, symbols[i].Line, symbols[i].Column)).digest("hex");
const good = symbols.map((_, i) => i).filter((i) => kinds.has(symbols[i].Kind) && named.get(symbols[i].Name) && symbols[i].Name !== "default" && symbols[i].Name !== "exports" && symbols[i].Name !== "constructor")
  .map((i) => [order(i), i]).sort().map((x) => x[1]);
const n = Number(wanted);
const single = good.filter((i) => count.get(symbols[i].Name) === 1), several = good.filter((i) => count.get(symbols[i].Name) > 1);
let right = 0, found = 0, expected = 0, done = 0;
const tiers = {}; // letter: right, all
const wrong = [], missing = [];
let unknown = 0; // uses by the graph of which the service knows nothing
const whole = [0, 0, 0], moved = [0, 0]; // by the graph, by the service, both; right and no uses in the package's own program
// Whether the program of a use's own package takes one of some symbols for its
// declaration; undefined if it knows none.
function decided(k, same) {
  const [p, l, c] = k.split(":"), file = path.join(root, p);
  const saved = "own " + k;
  if (!said[saved]) {
    start();
    const service = own(file);
    const found = (service && program.getSourceFile(file) && service.getDefinitionAtPosition(file, offsetOf(file, Number(l), Number(c)))) || [];
    said[saved] = found.filter((d) => program.getSourceFile(d.fileName) && d.fileName.startsWith(root + path.sep)).map((d) => place(d.fileName, d.textSpan.start));
  }
  const declared = said[saved].filter((d) => d !== k);
  return declared.length ? declared.some((d) => same.has(at.get(d))) : undefined;
}
// What the service says that is declared for what stands at a place, "" for what is not of
// the folder: of what comes from packages that are not installed it knows nothing. Its
// references leave out some places that its definitions do not, as of what is required.
function declaredFor(k) {
  const [p, l, c] = k.split(":"), file = path.join(root, p), saved = "declared " + k;
  if (said[saved]) return said[saved];
  start();
  const found = (program.getSourceFile(file) && service.getDefinitionAtPosition(file, offsetOf(file, Number(l), Number(c)))) || [];
  return (said[saved] = found.map((d) => (program.getSourceFile(d.fileName) && d.fileName.startsWith(root + path.sep) ? place(d.fileName, d.textSpan.start) : "")).filter((d) => d !== k));
}
// Whether the service says itself that something else is declared for a place that is
// among its references: those of f it takes "export default f()" for, too.
function contradicted(k, same) {
  const declared = declaredFor(k);
  return declared.length > 0 && declared.every((d) => d !== "" && !same.has(at.get(d)));
}
// The places that the service takes for the symbol at a place; none if it does not know the file.
function references(file, s) {
  const k = key(s.Path, s.Line, s.Column);
  if (said[k]) return said[k];
  start();
  if (!program.getSourceFile(file)) return [];
  const groups = service.findReferences(file, offsetOf(file, s.Line, s.Column)) || [];
  const places = groups.flatMap((g) => g.references).filter((r) => r.fileName.startsWith(root + path.sep) && !r.fileName.includes("node_modules"));
  return (said[k] = places.map((r) => place(r.fileName, r.textSpan.start)));
}
function ask(i) {
  const s = symbols[i];
  const theirs = new Set(), same = new Set([i]);
  for (const k of references(path.join(root, s.Path), s)) {
    if (at.has(k)) same.add(at.get(k)); else theirs.add(k);
  }
  // Declarations that the service takes for one: overloads, members of bases that are overridden.
  const mine = new Set();
  for (const j of same) if (symbols[j].Name === s.Name) for (const k of ours.get(j) || []) if (!at.has(k)) mine.add(k);
  if (!mine.size && !theirs.size) return false;
  const label = `${s.Kind} ${s.Qualified} ${s.Path}:${s.Line}`;
  for (const [n, set] of [[0, mine], [1, theirs]]) whole[n] += set.size;
  for (const k of mine) {
    if (theirs.has(k)) whole[2]++;
    else if (decided(k, same) || declaredFor(k).some((d) => same.has(at.get(d)))) { theirs.add(k); moved[0]++; }
  }
  for (const k of [...theirs]) {
    if (mine.has(k)) continue;
    if (decided(k, same) === false || contradicted(k, same)) { theirs.delete(k); moved[1]++; }
  }
  for (const k of mine) {
    theirs.has(k) ? right++ : wrong.push([label, k]);
    if (!theirs.has(k) && !declaredFor(k).length) unknown++;
    const t = (tiers[byPlace.get(k).Tier] ??= [0, 0]);
    t[0] += theirs.has(k); t[1]++;
  }
  for (const k of theirs) mine.has(k) || missing.push([label, k]);
  found += mine.size; expected += theirs.size;
  return true;
}
for (const [list, most] of [[several, Math.floor(n / 2)], [single, n]]) for (const i of list) if (done < most && ask(i)) done++;
if (kept) fs.writeFileSync(kept, JSON.stringify(said));
const line = (k) => { const [p, l] = k.split(":"); return fs.readFileSync(path.join(root, p), "utf8").split("\n")[l - 1].trim().slice(0, 110); };
for (const [title, list] of [["ours only", wrong], ["language service only", missing]]) {
  console.log(`${title}: ${list.length}`);
  for (const [label, k] of list.slice(0, Number(show))) {
    const u = byPlace.get(k);
    console.log(`  ${label}\n     ${k}  ${line(k)}\n     ${u ? `${u.Kind} of '${u.Of}' tier ${u.Tier || "-"}${u.External ? " external" : ""} -> ${(u.Targets || []).map((t) => symbols[t].Qualified)}` : "no reference"}`);
  }
}
console.log(Object.keys(tiers).sort().map((t) => `${t} ${tiers[t][0]}/${tiers[t][1]}`).join(", "));
console.log(`one program of all files: ${whole[1]} uses by the language service, ${whole[2]} in both: precision ${(whole[2] / Math.max(whole[0], 1)).toFixed(3)}, recall ${(whole[2] / Math.max(whole[1], 1)).toFixed(3)}; by the package's own and by definitions: ${moved[0]} more are uses, ${moved[1]} are not`);
console.log(`${unknown} by the graph only are not known to the service: precision without these ${(right / Math.max(found - unknown, 1)).toFixed(3)}`);
console.log(`${done} symbols, ${expected} uses by the language service, ${found} by the graph, ${right} in both: precision ${(right / Math.max(found, 1)).toFixed(3)}, recall ${(right / Math.max(expected, 1)).toFixed(3)}`);
