/** Which files of changes are read, and what is asked of their rows, for streams of events: only what is new. */
import { describe, expect, it } from "vitest";
import { statementText } from "../../../../server/duckdb/sql.ts";
import {
  type ChangeRange,
  changesBehind,
  newChanges,
  rangeOf,
} from "../../../../server/endpoints/changes/change-range.ts";
import {
  EVENT_AND_FILTERED,
  readMonth,
  snapshotEvent,
  toNewChanges,
} from "../../../../server/endpoints/changes/change-rows.ts";
import { readEventId } from "../../../../server/endpoints/changes/change-range.ts";
import type { PublishedSnapshot } from "../../../../server/snapshot/generation.ts";
import { generationOf, idOf, type MemoryChange, memoryPool } from "./memory-changes.ts";

const change = (month: string, publication: number, quarter: MemoryChange["quarter"] = "Fall"): MemoryChange => ({
  ...{ year: "2024", quarter, kind: "status", instructors: [], sectionCode: String(publication) },
  ...{ at: `${month}-15T10:00:00.000Z`, snapshot: idOf(publication) },
});
const before = generationOf(["2023-12", "2024-01", "2024-02", "2024-11", "2024-12"].map((month) => change(month, 1)));
const after = (...changes: readonly MemoryChange[]): PublishedSnapshot => {
  const all = ["2023-12", "2024-01", "2024-02", "2024-11", "2024-12"].map((month) => change(month, 1));
  return generationOf(
    [...all, ...changes].toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))),
    before,
  );
};
const pathsOf = ({ months }: ChangeRange) => months.flatMap(({ files }) => files.map(({ path }) => path));
const monthsOf = (range: ChangeRange) => pathsOf(range).map((path) => path.split("-").slice(2, 4).join("-"));
const conditionsOf = ({ months }: ChangeRange) =>
  months.map(({ conditions }) => conditions.map(statementText).join(" AND "));
/** The months of the files of `before` that a condition searches for snapshots. */
const monthsSearched = (text: string) =>
  before.manifest.files
    .filter(({ path }) => text.includes(`'/${path}'`))
    .map(({ partition }) => partition.month)
    .toSorted();

describe("new changes", () => {
  it("are in new files, and their snapshots are not in the previous versions of these", () => {
    const inJanuary = newChanges(after(change("2024-01", 2)), before);
    expect(monthsOf(inJanuary)).toEqual(["2024-01"]);
    expect(conditionsOf(inJanuary)[0]).toMatch(/^snapshot NOT IN \(SELECT snapshot FROM read_parquet\(/);
    expect(monthsSearched(conditionsOf(inJanuary)[0] ?? "")).toEqual(["2024-01"]);
    const inAutumn = newChanges(after(change("2024-11", 2), change("2024-12", 2, "Winter")), before);
    expect(monthsOf(inAutumn)).toEqual(["2024-11", "2024-12"]);
    expect(monthsSearched(conditionsOf(inAutumn)[1] ?? "")).toEqual(["2024-11"]);
    // A file without a previous version is new as a whole.
    expect(monthsSearched(conditionsOf(newChanges(after(change("2024-06", 2)), before))[0] ?? "")).toEqual([]);
    expect(monthsOf(newChanges(after(), before))).toEqual([]);
  });
  it("match the filters: a term has files, other filters are conditions", () => {
    const published = after(change("2024-10", 2), change("2024-10", 2, "Winter"));
    const range = newChanges(published, before, { quarter: "Winter", kind: ["status"] });
    expect(pathsOf(range).map((path) => path.split("-")[1])).toEqual(["Winter"]);
    expect(conditionsOf(range)[0]).toMatch(/^list_contains\(\['status'\]::VARCHAR\[\], kind\) AND snapshot NOT IN/);
    expect(range.conditions).toHaveLength(3);
    expect(newChanges(published, before, { year: "2025" }).months).toEqual([]);
  });
});

describe("the changes behind an event", () => {
  const position = { cursor: "2024-11-15T10:00:00.000Z_2024-6_00001_status", snapshot: idOf(1) };
  const published = after(change("2024-01", 2), change("2024-12", 2));
  it("are those whose ids come later, in its month or a later one", () => {
    const behind = changesBehind(published, position, undefined, {});
    expect(monthsOf(behind)).toEqual(["2024-11", "2024-12"]);
    for (const condition of conditionsOf(behind))
      expect(condition).toMatch(
        /^\("at" >= '2024-11-15T10:00:00\.000Z'::TIMESTAMPTZ AND .* > '2024-11-15T10:00:00\.000Z_2024-6_00001_status'\)$/,
      );
    expect(
      monthsOf(changesBehind(published, { ...position, cursor: "2025-01-01T00:00:00.000Z" }, undefined, {})),
    ).toEqual([]);
  });
  it("include those of an earlier crawl that were published later, where that snapshot is retained", () => {
    const behind = changesBehind(published, position, before, {});
    expect(monthsOf(behind)).toEqual(["2024-01", "2024-11", "2024-12"]);
    for (const condition of conditionsOf(behind)) {
      expect(condition).toMatch(/^\("at" >= .*\) OR \(snapshot NOT IN \(/);
      expect(monthsSearched(condition)).toEqual(["2024-01", "2024-11", "2024-12"]);
    }
  });
});

describe("a moment", () => {
  const published = after(change("2024-12", 2));
  const { pool, statements } = memoryPool();
  const retained = [before, published].map(({ manifest }, i) => ({
    id: manifest.id,
    generation: i,
    servedFrom: manifest.createdAt,
    servedUntil: null,
  }));
  const history = {
    retained: async () => retained,
    readComplete: async ({ id }: { id: string }) => (id === idOf(1) ? before : published),
  };
  const range = (values: Parameters<typeof rangeOf>[1]) => rangeOf(published, values, { pool, history } as never);

  it("that is not given is no condition", async () => expect((await range({})).conditions).toEqual([]));
  it("divides the file of its month, and leaves the others whole or out", async () => {
    const later = await range({ since: "2024-01-20" });
    expect([monthsOf(later), conditionsOf(later)]).toEqual([
      ["2024-01", "2024-02", "2024-11", "2024-12"],
      [`"at" > '2024-01-21T07:59:59.999Z'::TIMESTAMPTZ`, "", "", ""],
    ]);
    const earlier = await range({ until: "2024-01-20T12:00:00Z" });
    expect([monthsOf(earlier), conditionsOf(earlier)]).toEqual([
      ["2023-12", "2024-01"],
      ["", `NOT ("at" > '2024-01-20T12:00:00.000Z'::TIMESTAMPTZ)`],
    ]);
    expect(statements).toEqual([]);
  });
  it("that is a snapshot divides the files that came later, by the snapshots that published their rows", async () => {
    const condition = `list_contains(['${idOf(2)}']::VARCHAR[], snapshot)`;
    const later = await range({ since: idOf(1) });
    expect([monthsOf(later), conditionsOf(later)]).toEqual([["2024-12"], [condition]]);
    expect(statements.at(-1)).toMatch(/^SELECT DISTINCT snapshot .* ORDER BY 1$/);
    const earlier = await range({ until: idOf(1) });
    expect(monthsOf(earlier)).toHaveLength(5);
    expect(conditionsOf(earlier)).toEqual(["", "", "", "", `NOT (${condition})`]);
    await expect(range({ since: idOf(7) })).rejects.toMatchObject({ status: 404 });
  });
});

describe("an event", () => {
  it("is read with what the streams filter by, file after file", async () => {
    const { pool, statements } = memoryPool();
    const read: unknown[] = [];
    for (const month of newChanges(after(change("2024-10", 2)), before).months)
      for await (const [, column = []] of readMonth(pool, month, EVENT_AND_FILTERED)) read.push(...column);
    expect(read).toHaveLength(1);
    expect(statements.at(-1)).toMatch(
      /^SELECT \(strftime.*\), 'id: ' \|\| .* \|\| '@' \|\| snapshot \|\| chr\(10\) \|\| 'data: ' \|\| /,
    );
  });
  it("comes with its filtered values by name", () => {
    const columns = [["id: 1\n\n"], ["2024"], ["Fall"], ["MATH"], ["2a"], [10_000], [["lee, j."]], ["status"]];
    expect(toNewChanges(columns)).toEqual([
      {
        ...{
          event: Buffer.from("id: 1\n\n"),
          year: "2024",
          quarter: "Fall",
          departmentKey: "MATH",
          courseNumberKey: "2a",
        },
        ...{ sectionCode: 10_000, instructorKeys: ["lee, j."], kind: "status" },
      },
    ]);
  });
  it("of a snapshot has its id as JSON, and is where a stream stands that has all of its changes", () => {
    const manifest = { id: idOf(2), createdAt: "2024-12-15T10:00:00.000Z" };
    const textOf = (isComplete: boolean) =>
      snapshotEvent({ folder: "", manifest } as PublishedSnapshot, isComplete).toString();
    expect(textOf(false)).toBe(`event: snapshot\ndata: "${manifest.id}"\n\n`);
    const [, id = ""] = /^event: snapshot\nid: (.*)\ndata: .*\n\n$/.exec(textOf(true)) ?? [];
    expect(readEventId(id)).toEqual({ cursor: manifest.createdAt, snapshot: manifest.id });
  });
});
