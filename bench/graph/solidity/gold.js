// What solc says of the names in the Solidity of a folder, for ../java/compare.py.
//
//	npm install solc@0.8
//	node bench/graph/solidity/gold.js DIR FOLDER > GOLD.tsv      the sources are below DIR/FOLDER
//	go run ./bench/graph/dump DIR .sol > DUMP.json
//	python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]
//
// The module solc is looked for in the current folder. Its syntax trees name the declaration of
// each identifier; locals and parameters are "local", what the language has is "external".
"use strict";
const fs = require("fs"), path = require("path");
let solc;
try {
  solc = require(require.resolve("solc", { paths: [process.cwd()] }));
} catch {
  console.log("solc is missing: npm install solc@0.8");
  process.exit(1);
}
const [root, folder] = process.argv.slice(2);

const sources = {};
(function read(dir) {
  for (const e of fs.readdirSync(path.join(root, dir), { withFileTypes: true })) {
    const name = `${dir}/${e.name}`;
    if (e.isDirectory()) read(name);
    else if (name.endsWith(".sol")) sources[name] = { content: fs.readFileSync(path.join(root, name), "utf8") };
  }
})(folder);

const input = { language: "Solidity", sources, settings: { outputSelection: { "*": { "": ["ast"] } } } };
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: (p) => ({ error: `no ${p}` }) }));
const failed = (output.errors || []).filter((e) => e.severity === "error");
if (failed.length > 0) console.error(`${failed.length} errors, the first: ${failed[0].formattedMessage}`);

const texts = {}, fileOf = {}, trees = [];
for (const [name, source] of Object.entries(output.sources)) {
  texts[name] = Buffer.from(sources[name].content);
  fileOf[source.id] = name;
  if (source.ast) trees.push([name, source.ast]);
}

// visit calls f with every node of a tree.
function visit(node, f) {
  if (node === null || typeof node !== "object") return;
  if (node.nodeType) f(node);
  for (const child of Object.values(node)) visit(child, f);
}

// place is the line and column of an offset in bytes.
function place(file, offset) {
  const before = texts[file].subarray(0, offset);
  let line = 1;
  for (const c of before) if (c === 10) line++;
  return [line, offset - before.lastIndexOf(10)];
}

const declared = {}, structs = new Set();
for (const [, tree] of trees) {
  visit(tree, (n) => {
    if (n.nodeType === "StructDefinition") structs.add(n.id);
    if (n.nameLocation === undefined) return;
    const [offset, , file] = n.nameLocation.split(":").map(Number);
    const local = n.nodeType === "VariableDeclaration" && !n.stateVariable && !structs.has(n.scope);
    declared[n.id] = { file: fileOf[file], offset, name: n.name, kind: n.nodeType, local };
  });
}

const said = new Set();
// say prints what a name at an offset stands for.
function say(file, offset, name, id) {
  const d = declared[id];
  const use = [file, ...place(file, offset), name];
  if (d && d.name !== name) return; // an alias of an import
  if (!d) use.push("_", "external");
  else if (d.local) use.push("_", "local");
  else use.push(d.kind, d.file, ...place(d.file, d.offset));
  said.add(use.join("\t"));
}
for (const [file, tree] of trees) {
  visit(tree, (n) => {
    const id = n.referencedDeclaration;
    if (id === undefined || id === null) return;
    if (n.nodeType === "Identifier") say(file, Number(n.src.split(":")[0]), n.name, id);
    else if (n.nodeType === "MemberAccess") say(file, Number(n.memberLocation.split(":")[0]), n.memberName, id);
    else if (n.nodeType === "IdentifierPath")
      say(file, Number(n.nameLocations.at(-1).split(":")[0]), n.name.split(".").at(-1), id);
  });
}
for (const line of said) console.log(line);
