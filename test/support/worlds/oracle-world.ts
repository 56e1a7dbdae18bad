/**
 * A world of three snapshots, drawn by a seed and published; the service over it in both modes; and the comparison of a
 * response with the oracle's.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { expect } from "vitest";
import { TABLES, type TableName } from "../../../pipeline/contract/tables.ts";
import { openDatabase } from "../../../pipeline/store/database.ts";
import { fieldsOf } from "./drawn-requests.ts";
import { type Asked, expectedOf, type History } from "../oracle/oracle.ts";
import type { Row, Tables } from "../oracle/rows.ts";
import type { Found } from "../oracle/search.ts";
import { openApp } from "../published/opened-app.ts";
import { publishChanges } from "../published/published-changes.ts";
import { publishRows } from "../published/published.ts";
import { openFolder } from "../whole-run.ts";
import { crawlOf, drawPublication } from "./drawn-changes.ts";
import { drawTables } from "./drawn-tables.ts";
import { headingsOf } from "./section-rows.ts";

/** The tables of a snapshot with these rows: their partitions replace the previous ones. */
function over(before: Tables, rows: Partial<Tables>): Tables {
  const keyOf = (name: TableName, row: object) =>
    JSON.stringify(TABLES[name].partitionedBy.map((column) => (row as Row)[column]));
  const merged = Object.entries(rows).map(([name, own]) => {
    const keys = new Set((own as object[]).map((row) => keyOf(name as TableName, row)));
    const old = before[name as keyof Tables].filter((row) => !keys.has(keyOf(name as TableName, row)));
    return [name, [...old, ...(own as object[])]];
  });
  return { ...before, ...(Object.fromEntries(merged) as Partial<Tables>) };
}

export const addressOf = ({ path, id, query }: Asked): string =>
  `${path.replace(":id", encodeURIComponent(id))}?${query}`;
/** CSV writes a whole number of a column of fractions as `4.0`. */
const toNumberText = (field: string): string => field.replace(/^(-?\d+)\.0$/, "$1");
/**
 * A row as CSV shows it: parts of objects under dotted names; texts, and JSON for lists and for objects of any keys.
 */
function asCsv(row: Row, above = ""): [name: string, text: string][] {
  return Object.entries(row).flatMap(([name, value]): [string, string][] => {
    if (value === null) return [[above + name, ""]];
    const isMap = ["prerequisiteTree", "courseHistory", "links"].includes(name);
    if (typeof value === "object" && !Array.isArray(value) && !isMap) return asCsv(value as Row, `${above}${name}.`);
    return [[above + name, typeof value === "object" ? JSON.stringify(value) : String(value)]];
  });
}

export async function openOracleWorld(seed: number) {
  const folder = await openFolder();
  const scratch = await mkdtemp(join(tmpdir(), "oracle-"));
  const at = (publication: number) => ({
    now: new Date(crawlOf(publication).getTime() + 60_000),
    source: { schedule: "a test" },
  });
  const snapshots: History["snapshots"][number][] = [];
  const add = (id: string, publication: number, tables: Tables) =>
    void snapshots.push({ id, createdAt: at(publication).now.toISOString(), tables });
  const first = { ...drawTables(seed + 1, 50), changes: [] };
  add((await publishRows(folder.artifacts, first, at(0))).id, 0, first);
  const second = drawTables(seed);
  let last: Tables = first;
  for (const [publication, rows] of [
    [1, second],
    [2, { sections: second.sections.filter((_, i) => i % 9 > 0) }],
  ] as const) {
    const [drafts = []] = fc.sample(drawPublication(publication), { numRuns: 1, seed: seed + publication });
    const more = { ...rows, headings: "headings" in rows ? rows.headings : headingsOf(rows.sections) };
    const { id, all } = await publishChanges(folder.artifacts, last.changes, drafts, at(publication), more);
    add(id, publication, (last = { ...over(last, more), changes: all }));
  }
  const now = crawlOf(3);
  const history: History = { snapshots, now };
  const [plain, compat] = await Promise.all(
    [false, true].map((isCompat) => openApp(folder.artifacts, () => now, { judgedEvery: 20, compat: isCompat })),
  );
  const database = await openDatabase({ memoryLimit: "500MB", threads: 1, tempFolder: scratch });
  const appOf = ({ isCompat }: Asked) => (isCompat ? compat : plain) as NonNullable<typeof plain>;
  const getPath = (path: string) => (plain as NonNullable<typeof plain>).get(path);
  const get = (asked: Asked) => appOf(asked).get(addressOf(asked));

  async function readParquet(bytes: ArrayBuffer): Promise<Row[]> {
    // DuckDB may remember what a path had within one tick of the clock.
    const file = join(scratch, `${randomUUID()}.parquet`);
    await writeFile(file, Buffer.from(bytes));
    const read = await database.connection.runAndReadAll("SELECT to_json(t)::VARCHAR FROM read_parquet($1) t", [file]);
    await rm(file);
    return read.getRowsJS().map(([text]) => {
      const row = JSON.parse(text as string) as Row;
      const tree = row["prerequisiteTree"];
      return typeof tree === "string" ? { ...row, prerequisiteTree: JSON.parse(tree) as unknown } : row;
    });
  }

  /** The rows of a response in another format than JSON; those of CSV as texts. */
  async function rowsIn(format: string, response: Response): Promise<Row[]> {
    if (format === "parquet") return readParquet(await response.arrayBuffer());
    const text = await response.text();
    if (format === "csv") expect(text.endsWith("\r\n"), "a CSV ends with a line").toBe(true);
    if (format === "csv") return parse(text, { columns: true, record_delimiter: "\r\n" });
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Row);
  }

  function expectRows(format: string, actual: readonly Row[], rows: readonly Row[], address: string): void {
    if (format !== "csv") {
      if (!isDeepStrictEqual(actual, rows)) expect(actual, address).toEqual(rows);
      return;
    }
    expect(actual.length, address).toBe(rows.length);
    for (const [i, row] of actual.entries()) {
      const wanted = new Map(asCsv(rows[i] as Row));
      // The parts of an object that is null are empty.
      for (const [name, text] of Object.entries(row))
        expect(toNumberText(text as string), `${name} of ${address}`).toBe(toNumberText(wanted.get(name) ?? ""));
      for (const [name, text] of wanted) if (!(name in row)) expect(text, `${name} of ${address}`).toBe("");
    }
  }

  /** The hits of the index of words: kind, id and score, of all of them. */
  async function foundBy(asked: Asked): Promise<Found[]> {
    const query = new URLSearchParams([...asked.query].filter(([name]) => name === "q" || name === "asOf"));
    query.set("limit", "10000");
    const response = await get({ ...asked, query, isCompat: false });
    return response.status === 200 ? ((await response.json()) as Found[]) : [];
  }

  /** Compares the response to a request with the oracle's. @returns how many rows it has */
  async function check(asked: Asked): Promise<number> {
    const address = `${asked.isCompat ? "COMPAT=1 " : ""}${addressOf(asked)}`;
    const expected = expectedOf(
      history,
      asked,
      fieldsOf(asked.path),
      asked.path === "/search" ? await foundBy(asked) : [],
    );
    const response = await get(asked);
    if (response.status !== expected.status)
      expect([response.status, await response.text()], address).toEqual([expected.status, "…"]);
    if (expected.status !== 200) {
      const { message } = (await response.json()) as { message: string };
      for (const name of expected.wrong) expect(message, address).toContain(name);
      return 0;
    }
    expect(response.headers.get("x-total-count"), address).toBe(
      expected.total === undefined ? null : String(expected.total),
    );
    const { rows = [], format = "json", body } = expected;
    if (format !== "json") expectRows(format, await rowsIn(format, response), rows, address);
    else {
      const sent: unknown = await response.json();
      const payload = asked.isCompat ? (sent as { payload: unknown }).payload : sent;
      if (asked.isCompat) expect(sent, address).toMatchObject({ statusCode: 200, success: true });
      // The order of fields counts too.
      if (JSON.stringify(payload) !== JSON.stringify(body)) {
        expect(payload, address).toEqual(body);
        expect(JSON.stringify(payload), address).toBe(JSON.stringify(body));
      }
    }
    return rows.length;
  }

  /** The parameters that the oracle reads of a request to an endpoint. */
  function knownOf(path: string): string[] {
    const query = new URLSearchParams({
      year: "2024",
      quarter: "Fall",
      cacheOnly: "true",
      q: "dance",
      building: "ALP",
    });
    const id = path.startsWith("/courses") ? second.courses[0]?.id : second.instructors[0]?.netid;
    return [...expectedOf(history, { path, id: id ?? "", query, isCompat: false }, fieldsOf(path)).known];
  }

  /** The columns of a response as Parquet, by name. */
  async function typesOf(path: string): Promise<Record<string, string>> {
    const file = join(scratch, "typed.parquet");
    await writeFile(file, Buffer.from(await (await getPath(`${path}&format=parquet`)).arrayBuffer()));
    const read = await database.connection.runAndReadAll("DESCRIBE SELECT * FROM read_parquet($1)", [file]);
    return Object.fromEntries(read.getRowsJS().map(([name, type]) => [name as string, type as string]));
  }

  return {
    seed,
    history,
    knownOf,
    typesOf,
    artifacts: folder.artifacts,
    scratch,
    check,
    get,
    getPath,
    rowsIn,
    expectRows,
    async close() {
      await plain?.close();
      await compat?.close();
      database.close();
      await folder.remove();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
export type OracleWorld = Awaited<ReturnType<typeof openOracleWorld>>;
