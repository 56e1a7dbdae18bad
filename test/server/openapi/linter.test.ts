/** The OpenAPI document, judged by a linter with its recommended rules. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { modeOf } from "../../support/published/app-of.ts";
import { toDocument } from "../../../server/docs/pages.ts";

const run = promisify(execFile);
const linter = new URL("../../../node_modules/.bin/redocly", import.meta.url).pathname;

interface Report {
  totals: { errors: number; warnings: number };
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
}

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "linted-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** In a folder of its own, where nothing configures it; it talks to nobody. */
async function lint(document: string): Promise<Report> {
  await writeFile(join(folder, "openapi.json"), document);
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await run(linter, ["lint", "openapi.json", "--format=json"], options).catch(
    (failed: { stdout: string }) => failed,
  );
  return JSON.parse(stdout.slice(stdout.indexOf("{"))) as Report;
}

const told = ({ totals: { errors, warnings }, problems }: Report) => ({
  errors,
  warnings,
  problems: problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`),
});

it.each([false, true])("has no errors and no warnings (COMPAT: %s)", async (compat) => {
  expect(told(await lint(JSON.stringify(toDocument(modeOf(compat)))))).toEqual({
    errors: 0,
    warnings: 0,
    problems: [],
  });
});

it("the linter can say no", async () => {
  const report = await lint(
    JSON.stringify({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths: { "/a": {} } }),
  );
  expect(report.totals.errors + report.totals.warnings).toBeGreaterThan(0);
});
