// What TypeScript's language service says of the uses in some packages of what
// others declare.
//
//	node bench/graph/across/typescript.js OUT.json DIR=REPO_ID DIR=REPO_ID...
//
// The module typescript is looked for in the current folder. Packages are found
// by the names in their package.json and what that exports, what is built taken for
// its source in src.
"use strict";
const fs = require("fs"), path = require("path");
const ts = require(require.resolve("typescript", { paths: [process.cwd()] }));
const [out, ...pairs] = process.argv.slice(2);
const roots = pairs.map((p) => { const [dir, repo] = p.split("="); return { root: path.resolve(dir), repo }; });
const files = roots.flatMap(({ root }) => ts.sys.readDirectory(root, [".ts", ".tsx"], ["**/node_modules", "**/build", "**/dist", "**/.llmc"], ["src/**/*"]));
const resolvers = roots.map(({ root }) => require("../typescript/workspace.js")(ts, root).resolving());
const options = { baseUrl: process.cwd(), jsx: ts.JsxEmit.Preserve, strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, noEmit: true, skipLibCheck: true };
const service = ts.createLanguageService({
  getScriptFileNames: () => files, getScriptVersion: () => "1", getCurrentDirectory: () => process.cwd(), getCompilationSettings: () => options,
  getScriptSnapshot: (f) => (ts.sys.fileExists(f) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(f)) : undefined),
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o), fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory, directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
  resolveModuleNameLiterals: (...args) => resolvers.map((r) => r(...args)).reduce((all, more) => all.map((got, i) => (got.resolvedModule ? got : more[i]))),
});
const program = service.getProgram(), checker = program.getTypeChecker();
const at = (file, pos) => {
  const of = roots.find(({ root }) => file.startsWith(root + "/"));
  if (!of) return undefined;
  const source = program.getSourceFile(file), { line } = source.getLineAndCharacterOfPosition(pos);
  const start = source.getPositionOfLineAndCharacter(line, 0);
  return { repo: of.repo, file: path.relative(of.root, file), line: line + 1, column: Buffer.byteLength(source.text.slice(start, pos)) + 1 };
};
// What an object literal may be, of a union what its literals leave.
function expected(object) {
  const type = checker.getContextualType(object);
  return type?.isUnion() ? type.types.filter((t) => !checker.isTypeInvalidDueToUnionDiscriminant(t, object)) : type ? [type] : [];
}
const found = new Map();
for (const file of files) {
  const source = program.getSourceFile(file);
  const visit = (node) => {
    const of = node.parent, key = ts.isStringLiteralLike(node) && (ts.isElementAccessExpression(of) && of.argumentExpression === node || ts.isLiteralTypeNode(of) && ts.isIndexedAccessTypeNode(of.parent) && of.parent.indexType === of);
    if (ts.isIdentifier(node) || key) {
      let symbol = checker.getSymbolAtLocation(node);
      if (ts.isBindingElement(of) && of.name === node && !of.propertyName && ts.isObjectBindingPattern(of.parent)) { // {name} takes a member
        symbol = checker.getTypeAtLocation(of.parent).getProperty(node.text) ?? symbol;
      }
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      let symbols = symbol ? [symbol] : [];
      if ((ts.isPropertyAssignment(of) || ts.isShorthandPropertyAssignment(of) || ts.isMethodDeclaration(of)) && of.name === node && ts.isObjectLiteralExpression(of.parent)) {
        const members = expected(of.parent).map((t) => t.getProperty(node.text)).filter(Boolean); // as references of the service are
        if (members.length) symbols = members;
      }
      // a member of several types of a union has a declaration in each, which is beside the rest: maybe
      const all = [...new Set(symbols.flatMap((s) => s.declarations ?? []))].filter((d) => d.name && ts.isIdentifier(d.name) && !ts.isParameter(d) && !ts.isTypeParameterDeclaration(d));
      const types = new Set(all.map((d) => d.parent));
      const union = symbols.every((s) => s.flags & ts.SymbolFlags.Property) && types.size > 1, use = at(file, node.getStart() + (key ? 1 : 0));
      for (const d of union ? all : all.slice(0, 1)) {
        const to = at(d.getSourceFile().fileName, d.name.getStart());
        if (!to || to.repo === use.repo) continue;
        const key = JSON.stringify(to);
        if (!found.has(key)) found.set(key, { ...to, name: symbol.name, uses: [], maybe: [] });
        found.get(key)[union ? "maybe" : "uses"].push(use);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
const all = [...found.values()].filter((s) => s.uses.length);
fs.writeFileSync(out, JSON.stringify(all));
console.log(all.length, "symbols", all.reduce((n, s) => n + s.uses.length, 0), "uses");
