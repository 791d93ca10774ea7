// MCP clients that are not ours hold the conversations of spec 003 with the real
// programs, over both transports, in each way to agree on a revision.
//
// BIN is the folder of the programs. The repository is a part of this project.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { Client as ClientV2, StreamableHTTPClientTransport as HTTPV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HTTPV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const bin = resolve(root, process.env.BIN ?? "bin");
const work = mkdtempSync(join(tmpdir(), "ragnav-clients-"));
const repo = join(work, "example");
const env = { ...process.env, RAGNAV_STORE: `embedded:${join(work, "data")}`, RAGNAV_ADDR: "127.0.0.1:0" };
const stdio = { command: join(bin, "ragnav"), args: ["mcp"], cwd: repo, env, stderr: "ignore" };
const info = { name: "ragnav-clients", version: "1" };
const eras = { legacy: "legacy", auto: "auto", modern: { pin: "2026-07-28" } };

// The three ways to disclose progressively, each a list of calls and what their replies have.
const patterns = {
  "top-down": [
    ["ask_codebase", { query: "What does this repository do?", level: "repo" }, /README\.md/],
    ["search_code", { query: "which files a request means", level: "module" }, /internal\/filter/],
    ["explore_structure", { path: "internal/filter/" }, /glob\.go/],
    ["get_file", { file_path: "internal/filter/glob.go" }, /package filter/],
  ],
  "bottom-up": [
    ["search_code", { query: "Compile glob", level: "symbol" }, /internal\//],
    ["outline", { file_path: "internal/fault/fault.go" }, /Wrap/],
    ["get_file", { file_path: "internal/fault/fault.go", symbol: "Wrap" }, /func Wrap/],
    ["where_used", { symbol: "Wrap" }, /internal\/filter|internal\/pattern|not used/],
    ["explore_structure", { path: "internal/fault" }, /fault\.go/],
  ],
  lateral: [
    ["list_repos", {}, /example/],
    ["nav_search", { query: "func Wrap" }, /fault\.go/],
    ["lineage", { symbol: "Wrap", direction: "upstream" }, /Wrap|nothing/],
    ["search_code", { query: "damage", level: "doc" }, /docs\/adr/],
  ],
};

// converse holds all conversations with one client.
async function converse(client) {
  const { tools } = await client.listTools();
  assert.ok(tools.length >= 9 && tools.every((tool) => /^[a-z_]{1,24}$/.test(tool.name)));
  for (const [pattern, calls] of Object.entries(patterns)) {
    for (const [name, args, want] of calls) {
      const reply = await client.callTool({ name, arguments: args });
      const text = reply.content.map((part) => part.text).join("\n");
      assert.ok(!reply.isError, `${pattern}: ${name}: ${text}`);
      assert.match(text, /^OK /, `${pattern}: ${name}`);
      assert.match(text, want, `${pattern}: ${name}`);
    }
  }
  const wrong = await client.callTool({ name: "search_code", arguments: { query: "x", colour: "red" } });
  assert.ok(wrong.isError);
  assert.match(wrong.content[0].text, /colour/);
  const { prompts } = await client.listPrompts();
  assert.equal(prompts.length, 3);
  const { contents } = await client.readResource({ uri: "ragnav://example/internal/fault/fault.go#Wrap" });
  assert.match(contents[0].text, /func Wrap/);
  assert.match(client.getInstructions(), /search_code/);
  await client.close();
}

describe("MCP clients", { timeout: 600_000 }, () => {
  let server, url;

  before(async () => {
    for (const part of ["go.mod", "README.md", "docs/adr", "internal/fault", "internal/filter", "internal/pattern"]) {
      cpSync(join(root, part), join(repo, part), { recursive: true });
    }
    await run("git", ["init", "-q", repo]);
    await run(join(bin, "ragnav"), ["index", "--quiet", repo], { env });
    server = spawn(join(bin, "api-server"), [], { env, stdio: ["ignore", "ignore", "pipe"] });
    url = await new Promise((found, failed) => {
      server.once("exit", (code) => failed(new Error(`api-server ended with ${code}`)));
      createInterface({ input: server.stderr }).on("line", (line) => {
        const m = /"addr":"(127\.0\.0\.1:\d+)"/.exec(line);
        if (m) found(new URL(`http://${m[1]}/mcp`));
      });
    });
  });

  after(async () => {
    if (server?.exitCode === null) {
      server.kill();
      await once(server, "exit");
    }
    rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  describe("TypeScript SDK 1", () => {
    test("stdio", async () => {
      const client = new ClientV1(info);
      await client.connect(new StdioV1(stdio));
      await converse(client);
    });
    test("http", async () => {
      const client = new ClientV1(info);
      await client.connect(new HTTPV1(url));
      await converse(client);
    });
  });

  describe("TypeScript client 2", () => {
    for (const [era, mode] of Object.entries(eras)) {
      test(`stdio ${era}`, async () => {
        const client = new ClientV2(info, { versionNegotiation: { mode } });
        await client.connect(new StdioV2(stdio));
        await converse(client);
      });
      test(`http ${era}`, async () => {
        const client = new ClientV2(info, { versionNegotiation: { mode } });
        await client.connect(new HTTPV2(url));
        await converse(client);
      });
    }
  });

  describe("inspector", () => {
    const inspector = join(import.meta.dirname, "node_modules/.bin/mcp-inspector");
    for (const era of Object.keys(eras)) {
      for (const transport of ["stdio", "http"]) {
        test(`${transport} ${era}`, async () => {
          const target = transport === "stdio" ? [stdio.command, ...stdio.args, "-e", `RAGNAV_STORE=${env.RAGNAV_STORE}`] : [url.href];
          const call = async (...args) => {
            const common = ["--cli", ...target, "--quiet", "--format", "json", "--protocol-era", era];
            const { stdout } = await run(inspector, [...common, ...args], { cwd: repo, env });
            const reply = JSON.parse(stdout);
            return reply.result ?? reply;
          };
          const { tools } = await call("--method", "tools/list", "--strict");
          assert.ok(tools.length >= 9);
          const [name, args, want] = patterns["bottom-up"][2];
          const reply = await call("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args));
          assert.match(reply.content[0].text, want);
        });
      }
    }
  });
});
