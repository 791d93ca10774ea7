// What TypeScript's language service says stands at random names of a folder.
//
//	node bench/graph/definition/typescript.js OUT.json DIR [PLACES [SEED]]
//
// The module typescript is looked for in the current folder. A place is wanted when
// the service knows a definition; "" stands for one outside of DIR or in
// node_modules. Packages of the folder are found by the names in their package.json.
// Files with lines of more than 5,000 bytes are left out.
"use strict";
const fs = require("fs"), path = require("path"), crypto = require("crypto");
const ts = require(require.resolve("typescript", { paths: [process.cwd()] }));
const [out, dir, wanted = "500", seed = "1"] = process.argv.slice(2);
const root = path.resolve(dir);
const skip = ["**/node_modules", "**/dist", "**/.llmc", "**/.yarn"];
const built = (f) => ts.sys.readFile(f).split("\n").some((l) => l.length > 5000); // nobody wrote it
const files = ts.sys.readDirectory(root, [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"], skip).filter((f) => !built(f));
const found = ts.findConfigFile(root, ts.sys.fileExists);
const config = found && found.startsWith(root) ? ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, ts.sys, path.dirname(found)).options : {};
const options = {
  allowJs: true, jsx: ts.JsxEmit.Preserve, strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, baseUrl: config.baseUrl ?? root,
  moduleResolution: ts.ModuleResolutionKind.Bundler, experimentalDecorators: true, noEmit: true, skipLibCheck: true, paths: config.paths, allowImportingTsExtensions: true,
};
const service = ts.createLanguageService({
  getScriptFileNames: () => files, getScriptVersion: () => "1", getCurrentDirectory: () => root, getCompilationSettings: () => options,
  getScriptSnapshot: (f) => (ts.sys.fileExists(f) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(f)) : undefined),
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o), fileExists: ts.sys.fileExists, readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory, directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
  resolveModuleNameLiterals: require("../typescript/workspace.js")(ts, root).resolving(),
});
const program = service.getProgram();
// Columns are bytes from 1, those of the service UTF-16 units.
function place(file, pos) {
  const source = program.getSourceFile(file), { line } = source.getLineAndCharacterOfPosition(pos);
  const start = source.getPositionOfLineAndCharacter(line, 0);
  return { file: path.relative(root, file), line: line + 1, column: Buffer.byteLength(source.text.slice(start, pos)) + 1 };
}
// A definition as a place: of a module where its file begins. Of a name that is imported
// the service may say the import, also if nothing was found.
function placeOf(d) {
  if (d.kind === "module" && [0, program.getSourceFile(d.fileName).getStart()].includes(d.textSpan.start)) return moduleAt(d.fileName); // or behind comments
  if (d.kind === "alias") {
    const checker = program.getTypeChecker(), symbol = checker.getSymbolAtLocation(ts.getTouchingPropertyName(program.getSourceFile(d.fileName), d.textSpan.start));
    const of = symbol && symbol.flags & ts.SymbolFlags.Alias && checker.getAliasedSymbol(symbol).declarations?.[0];
    if (!of || ts.isSourceFile(of)) return of && moduleAt(of.fileName);
    const p = place(of.getSourceFile().fileName, (ts.getNameOfDeclaration(of) ?? of).getStart());
    return p.file.startsWith("..") ? "" : `${p.file}:${p.line}:${p.column}`;
  }
  const { file, line, column } = place(d.fileName, d.textSpan.start);
  return `${file}:${line}:${column}`;
}
const moduleAt = (file) => path.relative(root, file) + ":1:1";
// The places of a declaration: where the service says a function or class that is the
// value of a name, or what is exported without one, the name or the keyword counts as well.
function placesOf(d) {
  if (d.kind === "alias") return [placeOf(d)];
  const all = [placeOf(d)], source = program.getSourceFile(d.fileName), from = d.textSpan.start;
  const spot = (file, pos) => { const p = place(file, pos); return `${p.file}:${p.line}:${p.column}`; };
  const add = (pos) => all.push(spot(d.fileName, pos));
  if (d.kind === "module") { // module.exports = … is what the module is
    for (const s of source.statements) {
      const e = ts.isExpressionStatement(s) && s.expression;
      if (e && ts.isBinaryExpression(e) && e.left.getText() === "module.exports") add(e.left.name.getStart());
    }
  }
  let node = ts.getTouchingPropertyName(source, from);
  if (node.parent?.name === node && ts.isFunctionExpression(node.parent)) node = node.parent;
  else while (node.parent && !ts.isSourceFile(node.parent) && node.parent.getStart() === from && !value(node)) node = node.parent;
  let up = node.parent;
  while (up && (ts.isParenthesizedExpression(up) || ts.isAsExpression(up) || ts.isSatisfiesExpression(up))) up = up.parent;
  const assigned = (n) => ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isPropertyAccessExpression(n.left);
  // {name} is the key and the variable that it is given
  const shorthand = ts.isShorthandPropertyAssignment(node) && program.getTypeChecker().getShorthandAssignmentValueSymbol(node)?.valueDeclaration;
  if (shorthand && !shorthand.getSourceFile().fileName.includes("/node_modules/")) all.push(spot(shorthand.getSourceFile().fileName, (shorthand.name ?? shorthand).getStart()));
  if (up && value(node) && up.initializer && up.name) add(up.name.getStart());
  if (up && value(node) && assigned(up)) add(up.left.name.getStart());
  for (let n = ts.getTouchingPropertyName(source, from); n && n.getStart() === from; n = n.parent) {
    if (assigned(n) && n.left.getText() === "module.exports") add(n.left.name.getStart()), all.push(moduleAt(d.fileName));
  }
  const exported = ts.findAncestor(node, (n) => ts.isExportAssignment(n) || ((ts.isFunctionDeclaration(n) || ts.isClassDeclaration(n)) && !n.name));
  if (exported && exported.getStart() === from) {
    const keyword = exported.getChildren().flatMap((c) => [c, ...c.getChildren()]).filter((c) => [ts.SyntaxKind.DefaultKeyword, ts.SyntaxKind.FunctionKeyword, ts.SyntaxKind.AsyncKeyword, ts.SyntaxKind.ClassKeyword].includes(c.kind));
    for (const k of keyword) add(k.getStart());
    if (exported.expression) add(exported.expression.getStart());
  }
  return all;
}
const value = (n) => ts.isFunctionExpression(n) || ts.isArrowFunction(n) || ts.isClassExpression(n);
const order = (p) => crypto.createHash("sha256").update(seed + p.file + ":" + p.line + ":" + p.column).digest("hex");
const all = [];
for (const file of files) {
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const p = place(file, node.getStart());
      all.push([order(p), p, file, node.getStart(), ts.SyntaxKind[node.parent.kind], node.text]);
    }
    ts.forEachChild(node, visit);
  };
  visit(program.getSourceFile(file));
}
all.sort((a, b) => (a[0] < b[0] ? -1 : 1));
const chosen = [];
for (const [, p, file, pos, what, name] of all) {
  if (chosen.length === Number(wanted)) break;
  const found = service.getDefinitionAtPosition(file, pos) ?? [];
  if (!found.length) continue;
  const want = found.filter((d) => d.fileName.startsWith(root + path.sep) && !d.fileName.includes("/node_modules/")).flatMap(placesOf).filter(Boolean);
  chosen.push({ ...p, what, name, want: want.length ? want : [""] });
}
fs.writeFileSync(out, JSON.stringify(chosen));
console.log(all.length, "names,", chosen.length, "chosen");
