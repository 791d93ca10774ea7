// Compares implementations and callers of the graph with TypeScript's language service.
//
//	node bench/graph/typescript/service.js DIR URL REPO [places] [show] [seed]
//
// URL is that of a server that has DIR indexed as REPO. Of random interfaces, classes and
// their members: what getImplementationAtPosition says, of classes that it names again. What
// only the graph has is asked of relations.js, too. Of random functions and methods: the calls
// that the call hierarchy names (its "incoming calls"), by place;
// those of what they override count as theirs. The module typescript is looked for in the current folder.
"use strict";
const path = require("path"), crypto = require("crypto"), http = require("http");
const ts = require(require.resolve("typescript", { paths: [process.cwd()] }));
const [dir, url, repo, wanted = "200", show = "0", seed = ""] = process.argv.slice(2);
const root = path.resolve(dir);
const built = (f) => ts.sys.readFile(f).split("\n").some((l) => l.length > 5000); // nobody wrote it
const files = ts.sys.readDirectory(root, [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"], ["**/node_modules", "**/dist", "**/.llmc", "**/.yarn"]).filter((f) => !built(f));
const found = ts.findConfigFile(root, ts.sys.fileExists);
const config = found && found.startsWith(root) ? ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, ts.sys, path.dirname(found)).options : {};
const options = { allowJs: true, jsx: ts.JsxEmit.Preserve, strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, baseUrl: config.baseUrl ?? root, paths: config.paths, moduleResolution: ts.ModuleResolutionKind.Bundler, experimentalDecorators: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true };
const service = ts.createLanguageService({
  getScriptFileNames: () => files, getScriptVersion: () => "1", getCurrentDirectory: () => root, getCompilationSettings: () => options,
  getScriptSnapshot: (f) => (ts.sys.fileExists(f) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(f)) : undefined),
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o), fileExists: ts.sys.fileExists, readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory, directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
  resolveModuleNameLiterals: require("./workspace.js")(ts, root).resolving(),
});
const program = service.getProgram(), checker = program.getTypeChecker();
const { place, inside, below } = require("./relations.js")(ts, program, root, files);
const names = new Map(); // by place
const targets = [], functions = [];
const ownerKinds = (n) => ts.isInterfaceDeclaration(n) || ts.isClassLike(n);
for (const f of files) {
  const visit = (n) => {
    if (ts.isIdentifier(n) || ts.isPrivateIdentifier(n)) names.set(place(n), n);
    const member = (ts.isClassElement(n) || ts.isTypeElement(n)) && ownerKinds(n.parent) && !(ts.getCombinedModifierFlags(n) & ts.ModifierFlags.Static);
    if (n.name && ts.isIdentifier(n.name)) {
      if (member || ownerKinds(n)) targets.push(n.name);
      if ((ts.isFunctionDeclaration(n) || ts.isMethodDeclaration(n) || ts.isMethodSignature(n) || ts.isClassDeclaration(n)) && inside(n)) functions.push(n.name);
    }
    ts.forEachChild(n, visit);
  };
  visit(program.getSourceFile(f));
}
const nodeAt = (file, span) => {
  const source = program.getSourceFile(file);
  let best;
  const visit = (n) => {
    if (n.getStart() <= span.start && span.start + span.length <= n.end) { if (n.getStart() === span.start && n.end === span.start + span.length) best ??= n; ts.forEachChild(n, visit); }
  };
  visit(source);
  return best;
};
// What implements the name at a node, by the service: places, by what they are.
function implementations(name, seen = new Set(), out = new Map()) {
  const at = place(name);
  if (seen.has(at)) return out;
  seen.add(at);
  const own = checker.getSymbolAtLocation(name)?.declarations ?? [];
  for (const i of service.getImplementationAtPosition(name.getSourceFile().fileName, name.getStart()) ?? []) {
    if (!i.fileName.startsWith(root + path.sep) || i.fileName.includes("/node_modules/")) continue;
    const n = nodeAt(i.fileName, i.textSpan);
    if (!n) continue;
    const type = ownerKinds(n) ? n : ownerKinds(n.parent) && n.parent.name === n ? n.parent : undefined;
    if (type) {
      if (own.includes(type)) continue;
      const named = ts.isClassExpression(type) && ts.isVariableDeclaration(type.parent) ? type.parent.name : type.name;
      const keyword = () => type.getChildren().find((c) => c.kind === (type.modifiers?.length ? ts.SyntaxKind.DefaultKeyword : ts.SyntaxKind.ClassKeyword)) ?? type;
      out.set(place(named ?? keyword()), ts.isInterfaceDeclaration(type) ? "interface" : "class");
      if (named) implementations(named, seen, out);
    } else if (ts.isObjectLiteralExpression(n)) {
      if (n.properties.length && ts.isVariableDeclaration(n.parent) && ts.isTypeReferenceNode(n.parent.type ?? n) && !n.parent.type.typeArguments) out.set(place(n), "object");
    } else if (ts.isIdentifier(n) && !own.includes(n.parent)) {
      const p = n.parent;
      if (ts.isClassElement(p) && ts.isClassLike(p.parent)) out.set(place(n), "member");
      else if (ts.isObjectLiteralElement(p)) out.set(place(n), "key");
    }
  }
  return out;
}
const post = (what, body) => new Promise((done, fail) => {
  const r = http.request(url + "/api/nav/" + what, { method: "POST", headers: { "Content-Type": "application/json" } }, (res) => {
    const parts = [];
    res.on("data", (d) => parts.push(d)).on("end", () => done(JSON.parse(Buffer.concat(parts))));
  });
  r.on("error", fail).end(JSON.stringify({ repo_id: repo, ...body }));
});
const where = (at) => { const [file, line, column] = at.split(":"); return { file, line: +line, column: +column }; };
const read = new Set(files.map((f) => path.relative(root, f)));
async function all(what, body) {
  const items = [];
  for (let cursor; ; ) {
    const r = await post(what, { ...body, ...(cursor && { cursor }) });
    items.push(...(r.items ?? []));
    if (!(cursor = r.meta.next_cursor)) return items.filter((i) => read.has(i.file_path));
  }
}
const order = (n) => crypto.createHash("sha256").update(seed + place(n)).digest("hex");
const random = (list) => list.map((n) => [order(n), n]).sort((a, b) => (a[0] < b[0] ? -1 : 1)).map((x) => x[1]);
const table = {};
let shown = {};
function count(kind, what, at, k) {
  (table[kind] ??= { right: 0, missing: 0, extra: 0, other: 0 })[what]++;
  if (what !== "right" && what !== "other" && (shown[kind + what] = (shown[kind + what] ?? 0) + 1) <= show) console.log(what, kind, at, k);
}
async function compareImplementations() {
  let asked = 0, some = 0;
  for (const name of random(targets)) {
    if (asked >= wanted) break;
    const theirs = implementations(name), at = place(name);
    if (!theirs.size && some++ > wanted / 2) continue;
    asked++;
    const mine = new Map((await all("implementations", { ...where(at), direction: "down", limit: 1000 })).map((i) => [`${i.file_path}:${i.line}:${i.column}`, i]));
    for (const [k, kind] of theirs) count(kind, mine.has(k) ? "right" : "missing", at, k);
    for (const [k, i] of mine) if (!theirs.has(k)) count("only ours, " + i.kind, below.get(at)?.has(k) ? "other" : "extra", at, k);
  }
}
// Who calls a function, by the service: places of calls, and the functions around them.
function incoming(name) {
  const sites = new Map(), callers = new Map();
  const items = service.prepareCallHierarchy(name.getSourceFile().fileName, name.getStart());
  for (const item of [items ?? []].flat()) {
    for (const c of service.provideCallHierarchyIncomingCalls(item.file, item.selectionSpan.start)) {
      const source = program.getSourceFile(c.from.file);
      if (!source || c.from.file.includes("/node_modules/") || !c.from.file.startsWith(root + path.sep)) continue;
      const from = ts.getTouchingPropertyName(source, c.from.selectionSpan.start);
      const top = c.from.kind === "module" || c.from.kind === "script" ? path.relative(root, c.from.file) : place(from);
      callers.set(top, from);
      for (const s of c.fromSpans) if (isCall(ts.getTouchingPropertyName(source, s.start))) sites.set(placeAt(source, s.start), top);
    }
  }
  return { sites, callers };
}
// What extends is no call, and super.name() is one of what is above only.
const isCall = (n) => !ts.findAncestor(n, ts.isHeritageClause) && !(ts.isPropertyAccessExpression(n.parent) && n.parent.expression.kind === ts.SyntaxKind.SuperKeyword);
function placeAt(s, pos) {
  const { line } = s.getLineAndCharacterOfPosition(pos);
  const text = s.text.slice(s.getPositionOfLineAndCharacter(line, 0), pos);
  return `${path.relative(root, s.fileName)}:${line + 1}:${Buffer.byteLength(line ? text : text.replace("\ufeff", "")) + 1}`;
}
async function compareCallers() {
  let asked = 0;
  for (const name of random(functions)) {
    if (asked >= wanted) break;
    const { sites } = incoming(name), at = place(name);
    if (!sites.size) continue;
    asked++;
    const mine = new Set(), near = new Set(), up = await all("implementations", { ...where(at), direction: "up", limit: 1000 });
    for (const start of [at, ...up.map((i) => `${i.file_path}:${i.line}:${i.column}`)]) {
      const items = await all("lineage", { ...where(start), direction: "upstream", depth: 1, edges: ["calls"], max_results: 1000 });
      for (const i of items) for (const s of i.sites ?? [i]) (start === at ? near : mine).add(`${s.file_path ?? i.file_path}:${s.line}:${s.column}`);
    }
    const kind = "calls of a " + ts.SyntaxKind[name.parent.kind];
    for (const k of sites.keys()) count(kind, near.has(k) || mine.has(k) ? "right" : "missing", at, k);
    for (const k of near) if (!sites.has(k)) count(kind, "extra", at, k);
  }
}
(async () => {
  await compareImplementations();
  await compareCallers();
  for (const [k, { right, missing, extra, other }] of Object.entries(table).sort()) console.log(`${k}: ${right} right, ${missing} missing, ${extra} extra${other ? `, ${other} by the checker only` : ""}`);
})();
