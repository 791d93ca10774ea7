// What Intelephense says of the PHP in a folder, for ../java/compare.py.
const { spawn, execFileSync } = require("child_process");
const fs = require("fs"), path = require("path"), os = require("os"), url = require("url");

const [server, dir, count = "1500", seed = "1", variables = ""] = process.argv.slice(2);
const root = fs.realpathSync(dir);
const storage = fs.mkdtempSync(path.join(os.tmpdir(), "intelephense-"));
const child = spawn(process.execPath, ["--max-old-space-size=4096", server, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
const waiting = new Map(), heard = [];
let rest = Buffer.alloc(0), last = 0;

child.stdout.on("data", (more) => {
  rest = Buffer.concat([rest, more]);
  for (;;) {
    const head = rest.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = +/Content-Length: (\d+)/i.exec(rest.toString("latin1", 0, head))[1];
    if (rest.length < head + 4 + length) return;
    const m = JSON.parse(rest.toString("utf8", head + 4, head + 4 + length));
    rest = rest.subarray(head + 4 + length);
    if (m.id !== undefined && !m.method) waiting.get(m.id)?.(m.result), waiting.delete(m.id);
    else if (m.id !== undefined) send({ id: m.id, result: m.method === "workspace/configuration" ? m.params.items.map(settings) : null });
    else for (const f of heard) f(m);
  }
});
const settings = () => ({ files: { maxSize: 8e6, exclude: ["**/.git/**"] } });
const send = (m) => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...m });
  child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
};
const ask = (method, params) => new Promise((done) => { waiting.set(++last, done); send({ id: last, method, params }); });
const tell = (method, params) => send({ method, params });
const uri = (file) => url.pathToFileURL(file).href;

// Each file's names, by PHP's own scanner: [path, line, column in UTF-16, column in bytes, name, what is before].
const names = execFileSync("php", ["-d", "memory_limit=4G", path.join(__dirname, "names.php"), root, variables], { maxBuffer: 1 << 30 })
  .toString().trimEnd().split("\n").map((l) => l.split("\t"));
let state = +seed;
const random = () => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32);
for (let i = names.length - 1; i > 0; i--) { // a shuffle that every run does alike
  const j = Math.floor(random() * (i + 1));
  [names[i], names[j]] = [names[j], names[i]];
}
const sample = names.slice(0, +count).sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1] || a[3] - b[3]));

const texts = new Map();
const lines = (file) => {
  if (!texts.has(file)) texts.set(file, fs.readFileSync(file, "utf8").split("\n"));
  return texts.get(file);
};

// A place of the reply as ours: 1-based, columns in bytes, of the name itself.
function place(l, name) {
  const target = l.targetUri ?? l.uri;
  if (!target?.startsWith("file:")) return null;
  const file = url.fileURLToPath(target);
  if (!file.startsWith(root + path.sep)) return null;
  const at = (l.targetSelectionRange ?? l.range).start, line = lines(file)[at.line] ?? "";
  let column = at.character;
  if (line[column] === "&") column++;
  if (line[column] === "$" && !name.startsWith("$")) column++; // a property: its name begins behind that
  return [path.relative(root, file), at.line + 1, Buffer.byteLength(line.slice(0, column)) + 1];
}

(async () => {
  await new Promise(async (done) => {
    heard.push((m) => { if (m.method === "indexingEnded") done(); });
    await ask("initialize", {
      processId: process.pid, rootUri: uri(root), workspaceFolders: [{ uri: uri(root), name: "it" }],
      capabilities: { workspace: { configuration: true, workspaceFolders: true }, textDocument: { definition: { linkSupport: true } } },
      initializationOptions: { storagePath: storage, globalStoragePath: storage, clearCache: true },
    });
    tell("initialized", {});
  });
  console.error("indexed");
  let open = "";
  for (const [file, line, column, bytes, name, how] of sample) {
    const whole = path.join(root, file);
    if (open !== whole) {
      if (open) tell("textDocument/didClose", { textDocument: { uri: uri(open) } });
      tell("textDocument/didOpen", { textDocument: { uri: uri(whole), languageId: "php", version: 1, text: fs.readFileSync(whole, "utf8") } });
      open = whole;
    }
    const said = (await ask("textDocument/definition", { textDocument: { uri: uri(whole) }, position: { line: line - 1, character: +column - 1 } })) ?? [];
    const list = Array.isArray(said) ? said : [said];
    const own = list.map((l) => place(l, name)).filter(Boolean);
    const decl = own.length ? own.map((p, i) => (i ? p.join("\t") : p.join("\t") + "\tit")).join("\t") : list.length ? "external" : "unknown";
    if (own.some((p) => p[0] === file && p[1] === +line && p[2] === +bytes)) continue; // its declaration
    console.log([file, line, bytes, name, how, decl].join("\t"));
  }
  child.kill();
  fs.rmSync(storage, { recursive: true, force: true });
})();
