// Compares implementations and callers of the graph with TypeScript's language service.
//
//	node bench/graph/typescript/service.js DIR KEPT.json [places] [seed]
//	node bench/graph/typescript/service.js DIR KEPT.json URL REPO [show]
//
// The first asks the service and keeps what it says, the second compares that with a server at
// URL that has DIR indexed as REPO. Of random interfaces, classes and
// their members: what getImplementationAtPosition says, of classes that it names again. What
// only the graph has is asked of relations.js, too. Of random functions and methods: the calls
// that the call hierarchy names (its "incoming calls"), by place;
// those of what they override count as theirs. The module typescript is looked for in the current folder.
"use strict";
const fs = require("fs"), path = require("path"), crypto = require("crypto"), http = require("http");
const [dir, kept, ...more] = process.argv.slice(2);
const root = path.resolve(dir);
if (/^http/.test(more[0] ?? "")) compare(JSON.parse(fs.readFileSync(kept, "utf8")), ...more);
else fs.writeFileSync(kept, JSON.stringify(gold(...more)));
function gold(wanted = "200", seed = "") {
  const ts = require(require.resolve("typescript", { paths: [process.cwd()] }));
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
  const { place, inside, above, below } = require("./relations.js")(ts, program, root, files);
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
        const keyword = () => type.getChildren().find((c) => c.kind === ts.SyntaxKind.ClassKeyword) ?? type;
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
  const order = (n) => crypto.createHash("sha256").update(seed + place(n)).digest("hex");
  const random = (list) => list.map((n) => [order(n), n]).sort((a, b) => (a[0] < b[0] ? -1 : 1)).map((x) => x[1]);
  // The places that call a function, by the service. It says the calls of all that override the
  // same member, too: those are apart that mean neither the function itself nor what it overrides.
  // What extends is no call, and neither is what only reads or writes it.
  const isTarget = (n) => {
    const callee = ts.isPropertyAccessExpression(n.parent) && n.parent.name === n ? n.parent : n;
    return (ts.isCallExpression(callee.parent) || ts.isNewExpression(callee.parent)) && callee.parent.expression === callee;
  };
  const aliased = (n) => Boolean((checker.getSymbolAtLocation(n)?.flags ?? 0) & ts.SymbolFlags.Alias);
  function incoming(name) {
    const sites = new Set(), others = new Set(), meant = new Set([place(name), ...(above.get(place(name)) ?? [])]);
    const overridden = (n) => (checker.getSymbolAtLocation(n)?.declarations ?? []).some((d) => meant.has(place(ts.getNameOfDeclaration(d) ?? d)) || (ts.isConstructorDeclaration(name.parent) || ts.isClassLike(name.parent)) && d === name.parent);
    for (const item of [service.prepareCallHierarchy(name.getSourceFile().fileName, name.getStart()) ?? []].flat()) {
      for (const c of service.provideCallHierarchyIncomingCalls(item.file, item.selectionSpan.start)) {
        const source = program.getSourceFile(c.from.file);
        if (!source || c.from.file.includes("/node_modules/") || !c.from.file.startsWith(root + path.sep)) continue;
        for (const s of c.fromSpans) {
          const n = ts.getTouchingPropertyName(source, s.start);
          if (isTarget(n)) (aliased(n) && !ts.isPropertyAccessExpression(n.parent) || overridden(n) ? sites : others).add(place(n));
        }
      }
    }
    return { sites: [...sites], others: [...others] };
  }
  const out = { read: files.map((f) => path.relative(root, f)), implementations: [], callers: [] };
  let none = 0;
  for (const name of random(targets)) {
    if (out.implementations.length >= wanted) break;
    const theirs = implementations(name), at = place(name);
    if (!theirs.size && none++ > wanted / 2) continue;
    out.implementations.push({ at, theirs: [...theirs], checker: [...(below.get(at) ?? [])] });
  }
  for (const name of random(functions)) {
    if (out.callers.length >= wanted) break;
    const { sites, others } = incoming(name);
    if (sites.length) out.callers.push({ at: place(name), kind: ts.SyntaxKind[name.parent.kind], sites, others });
  }
  return out;
}
async function compare(gold, url, repo, show = "0") {
  const post = (what, body) => new Promise((done, fail) => {
    const r = http.request(url + "/api/nav/" + what, { method: "POST", headers: { "Content-Type": "application/json" } }, (res) => {
      const parts = [];
      res.on("data", (d) => parts.push(d)).on("end", () => done(JSON.parse(Buffer.concat(parts))));
    });
    r.on("error", fail).end(JSON.stringify({ repo_id: repo, ...body }));
  });
  const where = (at) => { const [file, line, column] = at.split(":"); return { file, line: +line, column: +column }; };
  const read = new Set(gold.read);
  async function all(what, body) {
    const items = [];
    for (let cursor; ; ) {
      const r = await post(what, { ...body, ...(cursor && { cursor }) });
      items.push(...(r.items ?? []));
      if (!(cursor = r.meta.next_cursor)) return items.filter((i) => read.has(i.file_path));
    }
  }
  const table = {}, shown = {};
  function count(kind, what, at, k) {
    (table[kind] ??= { right: 0, missing: 0, extra: 0, checker: 0 })[what]++;
    if (["missing", "extra"].includes(what) && (shown[kind + what] = (shown[kind + what] ?? 0) + 1) <= show) console.log(what, kind, at, k);
  }
  const spot = (i) => `${i.file_path}:${i.line}:${i.column}`;
  for (const { at, theirs, checker } of gold.implementations) {
    const mine = new Map((await all("implementations", { ...where(at), direction: "down", limit: 1000 })).map((i) => [spot(i), i.kind]));
    const known = new Map(theirs), also = new Set(checker);
    for (const [k, kind] of known) count(kind, mine.has(k) ? "right" : "missing", at, k);
    for (const [k, kind] of mine) known.has(k) || count("only ours, " + kind, also.has(k) ? "checker" : "extra", at, k);
  }
  for (const { at, kind, sites, others } of gold.callers) {
    const cut = new Set(); // files of callers of which only the first places are named
    const mine = new Set(), near = new Set(), up = await all("implementations", { ...where(at), direction: "up", limit: 1000 });
    for (const start of [at, ...up.map(spot)]) {
      const items = await all("lineage", { ...where(start), direction: "upstream", depth: 1, edges: ["calls"], max_results: 1000 });
      for (const i of items) (i.sites ?? []).length >= 20 && cut.add(i.file_path);
      for (const i of items) for (const s of i.sites ?? [i]) (start === at ? near : mine).add(spot({ file_path: i.file_path, ...s }));
    }
    for (const k of sites) if (near.has(k) || mine.has(k)) count("calls of a " + kind, "right", at, k); else if (!cut.has(where(k).file)) count("calls of a " + kind, "missing", at, k);
    for (const k of near) sites.includes(k) || others.includes(k) || count("calls of a " + kind, "extra", at, k);
  }
  const sum = { implementations: [0, 0, 0], calls: [0, 0, 0] };
  for (const [k, { right, missing, extra, checker }] of Object.entries(table).sort()) {
    const of = sum[k.startsWith("calls") ? "calls" : "implementations"];
    of[0] += right + checker, of[1] += missing, of[2] += extra;
    console.log(`${k}: ${right} right, ${missing} missing, ${extra} extra${checker ? `, ${checker} by the checker only` : ""}`);
  }
  for (const [k, [right, missing, extra]] of Object.entries(sum)) {
    const p = right / Math.max(right + extra, 1), r = right / Math.max(right + missing, 1);
    console.log(`${k}: precision ${p.toFixed(3)}, recall ${r.toFixed(3)} of ${right + missing}, F1 ${((2 * p * r) / Math.max(p + r, 1e-9)).toFixed(3)}`);
  }
}
