/** Search: what a hit holds, when the index is made anew, and what nobody types. */
import { searchIndex } from "../../../server/search/search-index.ts";
import { afterAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { createPool } from "../../../server/duckdb/pool.ts";
import { openStore } from "../../../server/snapshot/store.ts";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { openFolder } from "../../support/whole-run.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";
import { publishRows } from "../../support/published/published.ts";
import { openSearch, rows } from "./search-campus.ts";

const { app, get, search, close } = await openSearch();
afterAll(close);

describe("a hit", () => {
  it("has names for people and addresses that answer", async () => {
    const [course] = await search("ics 46");
    expect(course).toEqual({
      kind: "course",
      id: "I&CSCI46",
      title: "I&C SCI 46",
      subtitle: "Data Structure Implementation",
      department: "I&C SCI",
      score: expect.any(Number),
      links: {
        self: "/v1/rest/courses/I%26CSCI46",
        grades: "/v1/rest/grades/raw?department=I%26C+SCI&courseNumber=46",
        sections: "/v1/rest/schedule?year=2024&quarter=Fall&department=I%26C+SCI&courseNumber=46",
        enrollmentHistory: "/v1/rest/enrollmentHistory?department=I%26C+SCI&courseNumber=46",
      },
    });
    const [person] = await search("qosterwi");
    expect(person).toMatchObject({ kind: "instructor", title: "Quillon Osterwick", subtitle: "Lecturer, Mathematics" });
    expect(person?.department).toBe("MATH");
    expect(person?.links).toMatchObject({
      grades: "/v1/rest/grades/raw?instructor=OSTERWICK%2C+Q.",
      sections: "/v1/rest/schedule?year=2024&quarter=Fall&instructorName=OSTERWICK%2C+Q.",
    });
    const [department] = await search("physics");
    expect(department).toMatchObject({ kind: "department", title: "PHYSICS", subtitle: "Physics" });
    for (const hit of [course, person, department])
      for (const link of Object.values(hit?.links ?? {}))
        expect([link, (await app.get(link.replace("/v1/rest", ""))).status]).toEqual([link, 200]);
    const schedule = (await (await app.get((course?.links["sections"] ?? "").replace("/v1/rest", ""))).json()) as {
      schools: unknown[];
    };
    expect(schedule.schools).toHaveLength(1);
  });

  it("of a section code is that section in the newest terms, newest first", async () => {
    expect((await search("34250")).map(({ kind, id, title }) => [kind, id, title])).toEqual([
      ["section", "2024 Fall 34250", "I&C SCI 46"],
    ]);
    const older = await search("34240");
    // 2023 Fall is no new term any more.
    expect(older.map(({ id }) => id)).toEqual(["2024 Spring 34240", "2024 Winter 34240"]);
    for (const link of Object.values(older[0]?.links ?? {}))
      expect([link, (await app.get(link.replace("/v1/rest", ""))).status]).toEqual([link, 200]);
    expect(await search("99999")).toEqual([]);
  });
});

describe("a word that no result has", () => {
  it.each([
    ["ics 46 heindrustru", ["heindrustru"]],
    ["qqqqqq heindrustru", ["qqqqqq", "heindrustru"]],
    ["ics 9999", ["9999"]],
    ...["ics 46", "data structures", "osterwik", "physics", "34250", "99999"].map((q): [string, string[]] => [q, []]),
  ])("%s is named in a warning: %j", async (q, words) => {
    const { headers } = await app.get(`/search?${new URLSearchParams({ q })}`);
    const warning = headers.get("warning") ?? "";
    expect([...warning.matchAll(/no result has the word (\w+)/g)].map(([, word]) => word)).toEqual(words);
  });
});

describe("the index", () => {
  it("is shared by snapshots in which nothing changed that it is made from, and made anew when something did", async () => {
    const other = await openFolder();
    await publishRows(other.artifacts, rows);
    const pool = await createPool({ artifactsDir: other.artifacts });
    const store = await openStore({
      artifactsDir: other.artifacts,
      pool,
      log: silentLog,
      pollMs: 2_000_000_000,
    });
    const first = store.current();
    // The same courses: the index does not depend on anything else in grades and sections.
    await publishRows(other.artifacts, { grades: [gradeRow()] });
    await store.checkForUpdate();
    const second = store.current();
    expect(second?.id).not.toBe(first?.id);
    expect(await second?.derive(searchIndex)).toBe(await first?.derive(searchIndex));
    await publishRows(other.artifacts, {
      courses: [courseRow({ department: "MATH", courseNumber: "9", title: "Knots" })],
    });
    await store.checkForUpdate();
    const found = (await store.current()?.derive(searchIndex))?.find("knots") ?? [];
    expect(found.map(({ entry }) => entry.id)).toEqual(["MATH9"]);
    expect((await second?.derive(searchIndex))?.find("knots")).toEqual([]);
    await store.close();
    await pool.close();
    await other.remove();
  });
});

describe("limits and refusals", () => {
  it("gives as many as limit says", async () => {
    expect(await search("cs 16", "&limit=2")).toHaveLength(2);
    expect((await search("s", "&limit=50")).length).toBeLessThanOrEqual(50);
    // As many as of every array (server/RULES.md, HTTP).
    for (const limit of ["0", "10001", "-1", "1.5", "ten"]) {
      const response = await get("cs", `&limit=${limit}`);
      expect([limit, response.status]).toEqual([limit, 400]);
      expect(((await response.json()) as { message: string }).message).toMatch(/limit .*from 1 to 10000/);
    }
  });

  it.each(["", "?q=", "?q=%20%20", "?limit=3"])("%j is a 400 that names q", async (query) => {
    const response = await app.get(`/search${query}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain('"q" not provided');
  });

  it("refuses a question that nobody types", async () => {
    expect((await get("a".repeat(200))).status).toBe(200);
    const response = await get("a".repeat(201));
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toMatch(/q .*200 characters/);
  });

  it.each([
    "???",
    "&&&///",
    "🙂",
    "🙂🙂🙂".repeat(20),
    ".*",
    "(((((a+)+)+)+$",
    "[a-z]{1000}",
    "\\d+\\",
    "%",
    "'; DROP TABLE courses; --",
    "<script>alert(1)</script>",
    "__proto__",
    "constructor 1",
    "toString",
    "\u202e\u200b",
    "مرحبا 161",
    "数学",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "1".repeat(200),
    "a1".repeat(100),
    "and of the",
  ])("%j is answered", async (q) => {
    const hits = await search(q);
    expect(Array.isArray(hits)).toBe(true);
    for (const { score } of hits) expect(score > 0 && score <= 1).toBe(true);
  });

  it("finds nothing where nothing is like it", async () => {
    for (const q of ["???", "🙂", "xqzzvw", "数学"]) expect([q, await search(q)]).toEqual([q, []]);
  });
});
