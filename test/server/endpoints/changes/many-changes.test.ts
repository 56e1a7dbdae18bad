/** More changes than are put in order at once: every format and page has the rows of one plain statement, in its order. */
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { changes } from "../../../../pipeline/contract/rows/change.ts";
import { readParquet } from "../../../../pipeline/contract/sql-text.ts";
import { readBase } from "../../../../pipeline/store/open.ts";
import { writePartition } from "../../../../pipeline/publish/partition.ts";
import { createStaging } from "../../../../pipeline/publish/staging.ts";
import { SERVED_COLUMNS } from "../../../../server/endpoints/changes/change-rows.ts";
import { CHANGE_ORDER } from "../../../../server/endpoints/changes/change-range.ts";
import { statementText } from "../../../../server/duckdb/sql.ts";
import { scratchDatabase } from "../../../pipeline/publish/scratch.ts";
import { openApp } from "../../../support/published/opened-app.ts";
import { someOf } from "../../../support/extent.ts";
import { openFolder } from "../../../support/whole-run.ts";

const folder = await openFolder();
const database = await scratchDatabase(1);
const staging = createStaging(folder.artifacts, await readBase(folder.artifacts));
for (const year of ["2024", "2025"])
  for (const month of ["2024-11", "2024-12", "2025-01"])
    staging.put(
      await writePartition(database.connection, staging, {
        table: changes,
        partition: { year, quarter: "Winter", month },
        select: `SELECT '${year}' AS year, 'Winter' AS quarter, '${month}' AS month, crawl AS "at", crawl - INTERVAL 1 HOUR AS since,
          left(md5(concat('${month}', i // 90)), 16) AS snapshot, (10000 + i % 90)::VARCHAR AS sectionCode,
          if(i % 7 = 0, 'DANCE', 'I&C SCI') AS department, '1' AS courseNumber, ['AMBERLEY, R.'] AS instructors,
          'waitlist' AS kind, 'numOnWaitlist' AS field, i::VARCHAR AS before, NULL AS after
        FROM (SELECT i, DATE '${month}-01'::TIMESTAMPTZ + to_minutes(80 * (i // 90)) AS crawl FROM range(24_000) r(i))`,
      }),
    );
await staging.publish({ source: { schedule: "a test" }, now: new Date("2025-02-01T00:00:00Z") });
await staging.discard();
const app = await openApp(folder.artifacts, () => new Date("2025-02-01T01:00:00Z"), { judgedEvery: 100 });
afterAll(async () => {
  await app.close();
  await folder.remove();
});

const { folder: published, manifest } = (await app.store.current())?.published ?? { folder: "", manifest: undefined };
const files = manifest?.files.map(({ path }) => join(published, path)) ?? [];
async function plainly(condition: string): Promise<string[]> {
  const read = await database.connection.runAndReadAll(
    `SELECT to_json(r)::VARCHAR FROM (SELECT ${statementText(SERVED_COLUMNS)} FROM (FROM ${readParquet(files)} WHERE ${condition} ORDER BY ${CHANGE_ORDER})) r`,
  );
  return read.getRowsJson().map(([text]) => String(text));
}
const get = async (query: string) => (await app.get(`/changes?${query}`)).text();

/** The first and the second are more than one piece, the third is one. */
const ASKED = [
  ["since=2024-11-20T00:00:00Z", `"at" > '2024-11-20T00:00:00Z'`],
  ["", "true"],
  ["department=DANCE", "department = 'DANCE'"],
] as const;
it.each(someOf(ASKED, 2))("of %o", async (query, condition) => {
  const rows = await plainly(condition);
  expect(rows.length).toBeGreaterThan(20_000);
  expect((await get(query)) === `[${rows.join(",")}]`).toBe(true);
  expect((await get(`${query}&format=ndjson`)) === rows.map((row) => `${row}\n`).join("")).toBe(true);
  const lines = (await get(`${query}&format=csv`)).split("\r\n");
  expect(lines).toHaveLength(rows.length + 2);
  expect(lines.slice(1, -1).map((line) => line.slice(0, 24))).toEqual(rows.map((row) => row.slice(7, 31)));
  const offsets = [0, 89, rows.length - 1001, 179_999].filter((one) => one < rows.length);
  for (const offset of someOf(offsets, 2)) {
    const page = rows.slice(offset, offset + 1000);
    expect((await get(`${query}&limit=1000&offset=${offset}`)) === `[${page.join(",")}]`).toBe(true);
    const text = await get(`${query}&limit=1000&offset=${offset}&format=ndjson`);
    expect(text === page.map((row) => `${row}\n`).join("")).toBe(true);
  }
});
