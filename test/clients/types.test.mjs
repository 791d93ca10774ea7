// Types that openapi-typescript makes of the API document, without flags, take
// every request that the document gives as an example.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { parse } from "yaml";

const run = promisify(execFile);
const document = resolve(import.meta.dirname, "../../api/openapi.yaml");
const bin = (name) => join(import.meta.dirname, "node_modules/.bin", name);
const work = mkdtempSync(join(tmpdir(), "ragnav-types-"));
after(() => rmSync(work, { recursive: true, force: true }));

// requests are declarations of all examples.
function requests() {
  const { paths } = parse(readFileSync(document, "utf8"));
  const lines = ['import type { paths } from "./api";'];
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const type = `paths["${path}"]["${method}"]`;
      const add = (of, value) => lines.push(`export const r${lines.length}: ${of} = ${JSON.stringify(value)};`);
      const body = operation.requestBody?.content["application/json"];
      for (const value of body ? [body.example, ...Object.values(body.examples ?? {}).map((e) => e.value)] : []) {
        if (value !== undefined) add(`${type}["requestBody"]["content"]["application/json"]`, value);
      }
      const given = (operation.parameters ?? []).filter((p) => p.in === "query" && p.example !== undefined);
      if (given.length > 0) add(`NonNullable<${type}["parameters"]["query"]>`, Object.fromEntries(given.map((p) => [p.name, p.example])));
    }
  }
  return lines;
}

test("generated types take the example requests", { timeout: 120_000 }, async () => {
  await run(bin("openapi-typescript"), [document, "-o", join(work, "api.ts")]);
  const lines = requests();
  assert.ok(lines.length > 20);
  const check = async (source) => {
    writeFileSync(join(work, "requests.ts"), source);
    const { stdout } = await run(bin("tsc"), ["--noEmit", "--strict", "--skipLibCheck", "requests.ts"], { cwd: work }).catch((e) => e);
    return stdout;
  };
  assert.equal(await check(lines.join("\n")), "");
  assert.match(await check([...lines, lines[1].replace("= {", '= {"colour": 1, ')].join("\n")), /colour/);
});
