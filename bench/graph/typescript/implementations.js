// Compares implementations of the graph with what TypeScript's checker says.
//
//	node bench/graph/typescript/implementations.js DIR URL REPO [places] [show]
//
// URL is that of a server that has DIR indexed as REPO. Half of the places are
// interfaces, classes and members of these (down), half what implements
// some: as many classes, methods, properties, keys of object literals (up). What implements a
// type: classes that say so, themselves or by what they extend, and object
// literals that stand where one is wanted. What implements a member: members
// of such classes, keys of such literals. Interfaces that extend others are left out.
// The module typescript is looked for in the current folder.
"use strict";
const path = require("path"), crypto = require("crypto"), http = require("http");
const ts = require(require.resolve("typescript", { paths: [process.cwd()] }));
const [dir, url, repo, wanted = "300", show = "0"] = process.argv.slice(2);
const root = path.resolve(dir);
const files = ts.sys.readDirectory(root, [".ts", ".tsx", ".mts", ".cts"], ["**/node_modules", "**/dist", "**/.llmc", "**/.yarn"]);
const found = ts.findConfigFile(root, ts.sys.fileExists);
const config = found && found.startsWith(root) ? ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, ts.sys, path.dirname(found)).options : {};
const options = { allowJs: true, jsx: ts.JsxEmit.Preserve, strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, baseUrl: config.baseUrl ?? root, paths: config.paths, moduleResolution: ts.ModuleResolutionKind.Bundler, experimentalDecorators: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true };
const host = ts.createCompilerHost(options);
host.resolveModuleNameLiterals = require("./workspace.js")(ts, root).resolving();
const program = ts.createProgram(files, options, host), checker = program.getTypeChecker();
const inside = (d) => d.getSourceFile().fileName.startsWith(root + path.sep) && !d.getSourceFile().fileName.includes("node_modules");
// A place is a file, line and column, in bytes.
const place = (n) => {
  const s = n.getSourceFile(), pos = n.getStart(), { line } = s.getLineAndCharacterOfPosition(pos);
  const text = s.text.slice(s.getPositionOfLineAndCharacter(line, 0), pos);
  return `${path.relative(root, s.fileName)}:${line + 1}:${Buffer.byteLength(line ? text : text.replace("\ufeff", "")) + 1}`;
};
const nameOf = (d) => ts.getNameOfDeclaration(d) ?? d;
const isOwner = (d) => ts.isInterfaceDeclaration(d) || ts.isClassLike(d) || ts.isTypeAliasDeclaration(d);
const above = new Map(), below = new Map(), kinds = new Map(), abstract = new Set();
function relate(from, to, kind) {
  if (from === to) return;
  kinds.set(from, kind);
  above.set(from, (above.get(from) ?? new Set()).add(to));
  below.set(to, (below.get(to) ?? new Set()).add(from));
}
// The types of the folder that a type is, of unions and intersections all, with all bases.
function lineOf(type, seen = new Set()) {
  if (!type || seen.has(type)) return seen;
  if (type.isUnionOrIntersection()) {
    for (const t of type.types) lineOf(t, seen);
    return seen;
  }
  seen.add(type);
  const { aliasSymbol: a, aliasTypeArguments: args } = type;
  if (a && ["Partial", "Required", "Readonly"].includes(a.name)) for (const t of args) lineOf(t, seen);
  const target = type.target ?? type;
  for (const d of type.symbol?.declarations ?? []) {
    for (const c of d.heritageClauses ?? []) for (const t of c.types) lineOf(checker.getTypeAtLocation(t), seen);
  }
  if (target !== type) lineOf(target, seen);
  return seen;
}
const declarationsOf = (s) => (s?.declarations ?? []).filter(inside);
const typesIn = (line) => [...new Set([...line].flatMap((t) => [...declarationsOf(t.symbol), ...declarationsOf(t.aliasSymbol)]))].filter((d) => isOwner(d) && d.name);
function membersIn(line, name) {
  return [...new Set([...line].flatMap((t) => declarationsOf(checker.getPropertyOfType(t, name))))].filter((d) => d.parent && (ts.isTypeLiteralNode(d.parent) || isOwner(d.parent) || ts.isParameter(d)));
}
function classLike(c) {
  const line = new Set();
  for (const h of c.heritageClauses ?? []) for (const t of h.types) lineOf(checker.getTypeAtLocation(t), line);
  if (c.name) for (const d of typesIn(line)) relate(place(c.name), place(d.name), "class");
  for (const m of c.members) {
    if (!m.name || !ts.isIdentifier(m.name) || ts.getCombinedModifierFlags(m) & ts.ModifierFlags.Static) continue;
    if (ts.getCombinedModifierFlags(m) & ts.ModifierFlags.Private) continue;
    for (const d of membersIn(line, m.name.text)) relate(place(m.name), place(nameOf(d)), ts.isMethodDeclaration(m) ? "method" : "property of a class");
  }
}
function literal(o) {
  let type = checker.getContextualType(o);
  if (!type) return;
  type = checker.getNonNullableType(type);
  if (type.flags & ts.TypeFlags.Any) return;
  const line = lineOf(type);
  if (o.properties.length) for (const d of typesIn(line)) relate(place(o), place(d.name), "object");
  for (const m of o.properties) {
    if (!m.name || !ts.isIdentifier(m.name)) continue;
    for (const d of membersIn(line, m.name.text)) relate(place(m.name), place(nameOf(d)), "key of an object");
  }
}
const targets = [], declared = new Set();
for (const f of files) {
  const visit = (n) => {
    if (ts.isClassLike(n)) classLike(n);
    if (ts.isObjectLiteralExpression(n)) literal(n);
    const member = (ts.isMethodSignature(n) || ts.isMethodDeclaration(n) || ts.isPropertySignature(n) || ts.isPropertyDeclaration(n) || ts.isGetAccessor(n)) && (ts.isInterfaceDeclaration(n.parent) || ts.isClassLike(n.parent));
    if ((member || ts.isInterfaceDeclaration(n) || ts.isClassDeclaration(n)) && n.name && ts.isIdentifier(n.name)) targets.push(place(n.name));
    if (n.name && (ts.isInterfaceDeclaration(n) || ts.isTypeAliasDeclaration(n) || ts.isTypeElement(n))) declared.add(place(n.name));
    ts.forEachChild(n, visit);
  };
  visit(program.getSourceFile(f));
}
const post = (body) => new Promise((done, fail) => {
  const r = http.request(url + "/api/nav/implementations", { method: "POST", headers: { "Content-Type": "application/json" } }, (res) => {
    const parts = [];
    res.on("data", (d) => parts.push(d)).on("end", () => done(JSON.parse(Buffer.concat(parts))));
  });
  r.on("error", fail).end(JSON.stringify(body));
});
const read = new Set(files.map((f) => path.relative(root, f))); // of JavaScript and components the checker knows nothing
async function ask(at, direction) {
  const [file, line, column] = at.split(":"), items = [];
  for (let cursor; ; ) {
    const r = await post({ repo_id: repo, file, line: +line, column: +column, direction, limit: 1000, ...(cursor && { cursor }) });
    items.push(...(r.items ?? []));
    if (!(cursor = r.meta.next_cursor)) return items.filter((i) => read.has(i.file_path));
  }
}
const order = (p) => crypto.createHash("sha256").update(p).digest("hex");
const random = (list) => [...new Set(list)].sort((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, wanted / 2);
const table = {};
async function compare(places, direction, relation) {
  let shown = 0;
  for (const p of places) {
    const theirs = relation.get(p) ?? new Set();
    const mine = new Set((await ask(p, direction)).map((i) => `${i.file_path}:${i.line}:${i.column}`));
    const kindOf = (k) => direction + " " + (direction === "up" ? kinds.get(p) : kinds.get(k) ?? "none");
    const row = (k) => (table[kindOf(k)] ??= [0, 0, 0]);
    for (const k of theirs) {
      row(k)[mine.has(k) ? 0 : 1]++;
      if (!mine.has(k) && shown++ < show) console.log("missing", direction, p, k, kindOf(k));
    }
    for (const k of mine) {
      if (theirs.has(k) || (direction === "down" && declared.has(k))) continue;
      row(k)[2]++;
      if (shown++ < show) console.log("extra", direction, p, k, kindOf(k));
    }
  }
}
(async () => {
  const half = random(targets.filter((p) => below.has(p))).slice(0, wanted / 4);
  const others = random(targets.filter((p) => !below.has(p))).slice(0, wanted / 4);
  await compare([...half, ...others], "down", below);
  const rising = [...new Set(kinds.values())].filter((k) => k !== "object"); // which has no name to ask at
  for (const k of rising) await compare(random([...above.keys()].filter((p) => kinds.get(p) === k)).slice(0, wanted / 2 / rising.length), "up", above);
  const all = [0, 0, 0];
  for (const [k, row] of [...Object.entries(table).sort(), ["all", all]]) {
    if (k !== "all") row.forEach((n, i) => (all[i] += n));
    const [both, missing, extra] = row;
    console.log(`${k}: ${both} right, ${missing} missing, ${extra} extra: precision ${(both / Math.max(both + extra, 1)).toFixed(3)}, recall ${(both / Math.max(both + missing, 1)).toFixed(3)}`);
  }
})();
