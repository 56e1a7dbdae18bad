/** GET /enrollmentHistory (specification §9): every filter, any combination, none; in bounded memory, and nothing is held for a client that is gone. */
import { get } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { terms } from "../../../../pipeline/contract/rows/listing.ts";
import { writePartition } from "../../../../pipeline/publish/partition.ts";
import { readPublished } from "../../../../pipeline/store/published.ts";
import { rowsOf } from "../../../../server/snapshot/loading/loading.ts";
import { readHistories } from "../../../../server/endpoints/history/history-records.ts";
import { createParts } from "../../../../server/snapshot/loading/parts.ts";
import type { Snapshot } from "../../../../server/snapshot/snapshot.ts";
import { historySections } from "../../../../server/snapshot/tables/enrollment-history.ts";
import { createPool } from "../../../../server/duckdb/pool.ts";
import { sql } from "../../../../server/duckdb/sql.ts";
import { jsonArray } from "../../../../server/response/representations/json.ts";
import { EnrollmentHistory } from "../../../../server/response/shapes/shapes.ts";
import { openHistoryDays } from "../../../support/published/history-days.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { MANY, many, openEnrollmentDays } from "../../../support/published/enrollment-days.ts";

type History = z.infer<typeof EnrollmentHistory>[number];

const { server, artifacts, close } = await openEnrollmentDays();
afterAll(close);

const ask = (query: string) => server.json<History[]>(`/enrollmentHistory${query && `?${query}`}`);
const codes = async (query: string) =>
  (await ask(query)).map(({ year, quarter, sectionCode }) => `${year} ${quarter} ${sectionCode}`);
const inFall = (...list: number[]) => list.map((code) => `2022 Fall ${code}`);

test("the record of the specification, key by key", async () => {
  const [record] = await ask("year=2022&quarter=Fall&sectionCode=35730");
  expect(JSON.stringify(record)).toBe(
    JSON.stringify({
      year: "2022",
      quarter: "Fall",
      sectionCode: 35730,
      department: "I&C SCI",
      courseNumber: "46",
      sectionType: "Lec",
      sectionNum: "A",
      units: "4",
      instructors: ["AMBERLEY, R."],
      meetings: [{ days: "MWF", time: "8:00- 8:50", bldg: ["EH 1200"] }],
      finalExam: "Mon, Dec 5, 8:00-10:00am",
      dates: ["2022-05-10", "2022-05-17", "2022-05-18", "2022-05-19"],
      maxCapacityHistory: ["9", "330", "400", "400"],
      totalEnrolledHistory: ["0", "1", "1", "1"],
      waitlistHistory: ["", "n/a", "n/a", "n/a"],
      waitlistCapHistory: ["", "0", "0", "0"],
      requestedHistory: ["", "0", "0", "0"],
      newOnlyReservedHistory: ["", "", "", ""],
      statusHistory: ["", "OPEN", "OPEN", "OPEN"],
    }),
  );
});

describe("each filter has a match and a near miss", () => {
  test.each([
    ["year=2022", inFall(2000, 2001, 1999, 35730, 35740, 35741)],
    ["year=2021", []],
    ["quarter=Winter", ["2023 Winter 35730"]],
    ["quarter=Summer1", []],
    // "instructor: shortened name equals, ignoring case": R. K. is somebody else; the second of two counts as well.
    ["instructor=amberley, r.&year=2022", inFall(1999, 2001, 35730, 35740).toSorted()],
    ["instructor=AMBERLEY", []],
    ["instructor=Muller, e.", inFall(35740)],
    ["instructor=Mu%CC%88ller, E.", inFall(35740)],
    // ART never returns ART HIS.
    ["department=art", inFall(2000, 2001)],
    ["department=I%26Csci&year=2022", inFall(35730, 35740, 35741)],
    ["department=AR", []],
    ["department=AR,art", inFall(2000, 2001)],
    ["department=ALL,AR&year=2022&courseNumber=46h,4", inFall(35741)],
    // 46 is not 46H, whatever the case.
    ["courseNumber=46h", inFall(35741)],
    ["courseNumber=4", []],
    ["sectionCode=35740", inFall(35740)],
    ["sectionCode=35742", []],
    ["sectionType=Dis", inFall(35741)],
    ["sectionType=Tut", []],
    // It is where it is now, not where it was.
    ["department=MOVED", ["2024 Summer2 35730"]],
    ["department=ZOOLOGY", []],
    ["department=ALL&quarter=Winter&sectionType=ANY", ["2023 Winter 35730"]],
  ])("%s", async (query, expected) => {
    const found = await codes(query);
    expect(query.startsWith("instructor=amb") ? found.toSorted() : found).toEqual(expected);
  });

  test("all at once", async () => {
    const all =
      "year=2022&quarter=Fall&instructor=BRISTOW, T.&department=I%26C SCI&courseNumber=46&sectionCode=35740&sectionType=Lec";
    expect(await codes(all)).toEqual(inFall(35740));
    for (const near of ["2022=2023", "Fall=Winter", "BRISTOW=BRISTOL", "C SCI=C", "46=45", "35740=35730", "Lec=Dis"]) {
      const [from = "", to = ""] = near.split("=");
      expect(await codes(all.replace(from, to))).toEqual([]);
    }
  });

  test.each(["year=22", "quarter=fall", "sectionCode=4000", "sectionType=lec", "year=2022&year=2023"])(
    "400: %s",
    async (query) => {
      const response = await server.get(`/enrollmentHistory?${query}`);
      expect(response.status).toBe(400);
      expect(((await response.json()) as { message: string }).message).toContain(query.split("=")[0]);
    },
  );
});

test("no filter: everything, by year, quarter in calendar order, department, course number by digits, section code", async () => {
  const all = await ask("");
  expect(EnrollmentHistory.safeParse(all).error).toBeUndefined();
  expect(all.map(({ sectionCode }) => sectionCode)).toEqual([
    ...[2000, 2001, 1999, 35730, 35740, 35741],
    35730,
    ...many.map(({ sectionCode }) => Number(sectionCode)),
    35730,
  ]);
  for (const { dates, ...record } of all) {
    expect(dates.toSorted()).toEqual(dates);
    expect(new Set(dates).size).toBe(dates.length);
    const lengths = Object.entries(record).flatMap(([key, list]) =>
      key.endsWith("History") ? [(list as string[]).length] : [],
    );
    expect(lengths).toEqual(Array(7).fill(dates.length));
  }
  expect(all[1]?.statusHistory[0]).toBe('so "called"');
});

test("a file has a row for each day of a record, with the values of that day", async () => {
  for (const query of ["year=2022&quarter=Fall", "department=moved", "sectionCode=35730"]) {
    const days = (await ask(query)).flatMap(({ dates, sectionCode, statusHistory, totalEnrolledHistory }) =>
      dates.map((date, i) => [sectionCode, date, totalEnrolledHistory[i], statusHistory[i]]),
    );
    const lines = (await (await server.get(`/enrollmentHistory?${query}&format=ndjson`)).text()).trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(rows.map((row) => [row["sectionCode"], row["date"], row["totalEnrolled"], row["status"]])).toEqual(days);
  }
});

test("a section that changed its department has its whole history", async () => {
  const [record] = await ask("department=moved");
  expect(record).toMatchObject({ department: "MOVED", dates: ["2022-05-22", "2022-06-30", "2022-07-01"] });
});

test("an answer of several pieces is the sum of its sections, filtered and not, compressed and not", async () => {
  const whole = await server.get("/enrollmentHistory?department=MANY", { headers: { "Accept-Encoding": "identity" } });
  const text = await whole.text();
  expect(JSON.parse(text)).toHaveLength(MANY);
  const zipped = await server.get("/enrollmentHistory?quarter=Spring", { headers: { "Accept-Encoding": "gzip" } });
  expect(zipped.headers.get("content-encoding")).toBe("gzip");
  expect(await zipped.text()).toBe(text);
  expect(await ask("quarter=Spring&sectionCode=43999")).toEqual([(JSON.parse(text) as History[]).at(-1)]);
});

test("an answer has its tag and its snapshot; requested again with the tag it is 304", async () => {
  for (const query of ["sectionCode=35740", "department=MANY"]) {
    const first = await server.get(`/enrollmentHistory?${query}`);
    await first.text();
    const tag = first.headers.get("etag") ?? "";
    expect(tag).not.toBe("");
    expect(first.headers.get("x-data-snapshot")).toMatch(/^[0-9a-f]{16}$/);
    const again = await server.get(`/enrollmentHistory?${query}`, { headers: { "If-None-Match": tag } });
    expect(again.status).toBe(304);
  }
});

test("clients that hang up, or read nothing at all, hold no connection to the database", async () => {
  // More of them than there are connections in the pool.
  const idle = await Promise.all(
    Array.from(
      { length: 12 },
      (_, i) =>
        new Promise<() => void>((resolve, reject) => {
          const request = get(`${server.url}/v1/rest/enrollmentHistory`, (response) => {
            response.pause();
            if (i % 2 === 0) request.destroy();
            resolve(() => request.destroy());
          });
          request.on("error", (error) => (request.destroyed ? undefined : reject(error)));
        }),
    ),
  );
  expect(await codes("sectionCode=35741")).toEqual(inFall(35741));
  for (const hangUp of idle) hangUp();
  expect(await codes("department=ART")).toEqual(inFall(2000, 2001));
});

test("an aborted stream reads no further batch", async () => {
  const pool = await createPool({ artifactsDir: artifacts, connections: 1 });
  try {
    const published = await readPublished(artifacts);
    const sections = await historySections.make(pool, (table) => rowsOf(published, table));
    const [terms = [], rows = [], codes = []] = await pool.integers(
      sql`SELECT term, row, code FROM ${sections.from} ORDER BY number`,
    );
    const places = Array.from(terms, (term, i) => ({ term, row: rows[i] as number, code: codes[i] as number }));
    let statements = 0;
    const counting: typeof pool = { ...pool, columns: (...given) => (statements++, pool.columns(...given)) };
    const parts = createParts(pool, 1);
    const snapshot = { parts, published } as unknown as Snapshot;
    const read = (some: typeof places) => jsonArray(some.length, readHistories({ pool: counting, snapshot }, some));
    const body = await read(places);
    expect(statements).toBe(0);
    for await (const piece of body) if (piece.length > 0) break;
    const first = statements;
    // A part reads no more than itself: its sections and their periods.
    const texts: Buffer[] = [];
    for await (const piece of await read(places.slice(-5, -2))) texts.push(piece);
    const records = JSON.parse(Buffer.concat(texts).toString()) as History[];
    expect([records.length, statements - first]).toEqual([3, 2]);
    for await (const piece of await read(places)) expect(piece.length).toBeGreaterThan(0);
    expect(statements - first - 2).toBeGreaterThan(first);
    await sections.drop();
    expect((await pool.columns(sql`SELECT count(*)::INTEGER FROM duckdb_tables()`))[0]).toEqual([0]);
  } finally {
    await pool.close();
  }
});

test("the histories of all terms are those of each term, one after another", async () => {
  const text = async (query: string) => (await server.get(`/enrollmentHistory?${query}`)).text();
  for (const filter of ["department=I%26C SCI", "instructor=AMBERLEY, R.", "sectionCode=35730", "sectionType=Lec"]) {
    const all = await text(filter);
    const terms = ["2022&quarter=Fall", "2023&quarter=Winter", "2023&quarter=Spring", "2024&quarter=Summer2"];
    const parts = await Promise.all(terms.map((term) => text(`${filter}&year=${term}`)));
    const records = parts.map((part) => part.slice(1, -1)).filter((part) => part !== "");
    expect(records.length).toBeGreaterThan(0);
    expect(all).toBe(`[${records.join(",")}]`);
  }
});

test("without any file the answer is an empty list", async () => {
  const bare = await openFolder();
  const nothing = await openHistoryDays(bare);
  try {
    await nothing.runStaged("2022-05-17", [], async (staging) => {
      const select = "SELECT '2022' AS year, 'Fall' AS quarter, '2022 Fall Quarter' AS longName, 20226 AS ordinal";
      staging.put(await writePartition(nothing.database.connection, staging, { table: terms, partition: {}, select }));
    });
    const empty = await serve(bare.env);
    expect(await empty.json("/enrollmentHistory")).toEqual([]);
    expect(await empty.json("/enrollmentHistory?department=ART")).toEqual([]);
    await empty.close();
  } finally {
    nothing.close();
    await bare.remove();
  }
});
