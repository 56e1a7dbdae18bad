/** The process of a statement opens nothing for writing: the system calls of whole processes. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TableFiles, tableFiles } from "../../../pipeline/store/published.ts";
import { statementProcess } from "../../../server/mcp/sql/run-statement.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";
import { sectionRow } from "../../support/worlds/section-rows.ts";

/** Containers without the right to trace have the program too. */
const canTrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;
const WRITING =
  /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|\b(?:mkdir|mkdirat|creat|rename\w*|unlink\w*|rmdir|truncate|symlink\w*|link|linkat|mknod\w*|chmod|fchmodat)\(/;

let folder: Awaited<ReturnType<typeof openFolder>>;
let tables: TableFiles;
beforeAll(async () => {
  folder = await openFolder();
  const { published } = await publishRows(folder.artifacts, { sections: [sectionRow()] });
  tables = tableFiles(published);
});
afterAll(() => folder?.remove());

it.skipIf(!canTrace).each([
  ["PIVOT sections ON quarter USING count(*) GROUP BY year", '{"total":1,"rows":[{"year":"2024","Fall":1}]}'],
  [
    "SELECT json_serialize_plan('export database ''x''')",
    '{"problem":"the function json_serialize_plan is not allowed"}',
  ],
])("%s", (sql, answer) => {
  const traced = join(folder.artifacts, "..", "calls");
  const output = execFileSync(
    "strace",
    ["-f", "-qq", "-e", "trace=%file", "-o", traced, process.execPath, ...statementProcess()],
    {
      env: {},
      input: `${JSON.stringify(tables)}\n${sql}`,
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  expect(output.toString()).toBe(answer);
  const calls = readFileSync(traced, "utf8").split("\n");
  expect(calls.filter((call) => call.includes(".parquet")).length).toBeGreaterThan(0);
  expect(calls.filter((call) => WRITING.test(call))).toEqual([]);
});
