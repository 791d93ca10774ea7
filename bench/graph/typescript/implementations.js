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
const files = ts.sys.readDirectory(root, [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"], ["**/node_modules", "**/dist", "**/.llmc", "**/.yarn"]);
const found = ts.findConfigFile(root, ts.sys.fileExists);
const config = found && found.startsWith(root) ? ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, ts.sys, path.dirname(found)).options : {};
const options = { allowJs: true, jsx: ts.JsxEmit.Preserve, strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, baseUrl: config.baseUrl ?? root, paths: config.paths, moduleResolution: ts.ModuleResolutionKind.Bundler, experimentalDecorators: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true };
const host = ts.createCompilerHost(options);
host.resolveModuleNameLiterals = require("./workspace.js")(ts, root).resolving();
const program = ts.createProgram(files, options, host);
const { above, below, kinds, targets, declared } = require("./relations.js")(ts, program, root, files);
const post = (body) => new Promise((done, fail) => {
  const r = http.request(url + "/api/nav/implementations", { method: "POST", headers: { "Content-Type": "application/json" } }, (res) => {
    const parts = [];
    res.on("data", (d) => parts.push(d)).on("end", () => done(JSON.parse(Buffer.concat(parts))));
  });
  r.on("error", fail).end(JSON.stringify(body));
});
const read = new Set(files.map((f) => path.relative(root, f))); // of components the checker knows nothing
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
