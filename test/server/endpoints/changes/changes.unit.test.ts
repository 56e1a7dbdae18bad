/** The list of changes over files in memory, as plain loops over the changes find it. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changesEndpoint } from "../../../../server/endpoints/changes/changes.ts";
import type { ChangeValues } from "../../../../server/endpoints/changes/change-filters.ts";
import { statementText } from "../../../../server/duckdb/sql.ts";
import type { EndpointContext, Page } from "../../../../server/response/endpoint.ts";
import { answerOf, idOf, type MemoryChange, shown, textOf, world } from "./memory-changes.ts";

const MONTHS = ["2024-10", "2024-12", "2025-01"];
const KINDS = ["status", "added"] as const;
const LISTS = [["LEE, J."], ["LEE, J.", "MÜLLER, E."], []];
/** So many changes an hour, each hour from the middle of a month's first day on; a publication has those of an hour. */
const draft = fc.record({
  month: fc.nat(MONTHS.length - 1),
  hour: fc.nat(3),
  changes: fc.array(
    fc.record({
      year: fc.constantFrom("2024", "2025"),
      quarter: fc.constantFrom("Fall", "Winter"),
      kind: fc.constantFrom(...KINDS),
      instructors: fc.constantFrom(...LISTS),
    }),
    { minLength: 2, maxLength: 8 },
  ),
});
const history = fc.array(draft, { maxLength: 6, size: "max" }).map((drafts) => {
  const inOrder = drafts.toSorted((a, b) => a.month - b.month || a.hour - b.hour);
  return inOrder.map(({ month, hour, changes }, publication) =>
    changes.map((change, i): MemoryChange => ({
      ...(change as Pick<MemoryChange, "year" | "quarter" | "kind" | "instructors">),
      at: new Date(Date.parse(`${MONTHS[month]}-01T1${hour}:00:00Z`) + 10_000 * publication + i).toISOString(),
      snapshot: idOf(publication),
      sectionCode: String(i),
    })),
  );
});

/** Texts of moments, and the times that they mean. */
const MOMENTS: Readonly<Record<string, string>> = {
  "2024-11-30": "2024-12-01T07:59:59.999Z",
  "2024-12-01": "2024-12-02T07:59:59.999Z",
  "2024-12-01T03:00:00-08:00": "2024-12-01T11:00:00.000Z",
  "2024-12-01T12:00:10.001Z": "2024-12-01T12:00:10.001Z",
};
const moment = fc.oneof(fc.constantFrom(...Object.keys(MOMENTS)), fc.nat(5).map(idOf));
const every = fc.record({
  year: fc.constantFrom("2024", "2025"),
  quarter: fc.constantFrom("Fall", "Winter"),
  kind: fc.subarray([...KINDS], { minLength: 1 }),
  instructorName: fc.constantFrom("lee", "muller, e", "nobody"),
  since: moment,
  until: moment,
});
/** One or two of them leave some changes. */
const NAMES = ["year", "quarter", "kind", "instructorName", "since", "until"] as const;
const asked = fc
  .tuple(every, fc.subarray([...NAMES], { maxLength: 2 }))
  .map(([values, names]) => Object.fromEntries(names.map((name) => [name, values[name]])) as ChangeValues);

const isAfter = ({ at, snapshot }: MemoryChange, bound: string): boolean =>
  bound in MOMENTS ? at > (MOMENTS[bound] as string) : snapshot > bound;
const plainly = (
  changes: readonly MemoryChange[],
  { year, quarter, kind, instructorName, since, until }: ChangeValues,
) =>
  changes.filter(
    (one) =>
      (year ?? one.year) === one.year &&
      (quarter ?? one.quarter) === one.quarter &&
      (kind ?? KINDS).includes(one.kind as "status") &&
      (instructorName === undefined ||
        one.instructors.some((name) => name.toLowerCase().replace("ü", "u").startsWith(instructorName))) &&
      (since === undefined || isAfter(one, since)) &&
      (until === undefined || !isAfter(one, until)),
  );

const page = fc.option(
  fc.record({ offset: fc.nat(8), limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }) }),
  { nil: undefined },
);

describe("the list of changes", () => {
  const cases = fc
    .tuple(history, asked, page, fc.boolean())
    .filter(([publications, { since, until }]) =>
      [since, until].every((bound = "2024-11-30") => bound in MOMENTS || Number(bound) < publications.length),
    );
  /** Where every row has to be counted, the files seem to be so large that they are read one after another. */
  const timesOf = ({ kind, instructorName }: ChangeValues) => ((kind ?? instructorName) ? 200_000 : 1);

  it("has the changes that the filters and the moments leave, in parts, as a feed and for other formats", () =>
    fc.assert(
      fc.asyncProperty(cases, async ([publications, values, part, isRepublished]) => {
        const { context, pool } = world(publications, timesOf(values), isRepublished);
        const expected = plainly(publications.flat(), values);
        const { total, part: partOf, feed } = await answerOf(values, context);
        expect(total).toBe(expected.length);
        const from = Math.min(part?.offset ?? 0, total);
        const to = Math.min(from + (part?.limit ?? total), total);
        expect(await textOf(await partOf(from, to))).toBe(`[${expected.slice(from, to).map(shown).join(",")}]`);

        const { statements = [], rows } = (await changesEndpoint.inParts?.(values, context, part)) ?? {};
        const texts: unknown[] = [];
        for (const statement of statements) texts.push(...((await pool.columns(statement))[0] ?? []));
        expect([rows, texts]).toEqual([to - from, expected.slice(from, to).map(shown)]);
        expect(statements.length).toBeGreaterThan(0);

        const newest = expected.toReversed();
        const { body, rows: entries } = await feed(part, "/v1/rest/changes");
        const xml = await textOf(body);
        const limit = part?.limit ?? total;
        const found = Array.from(
          xml.matchAll(/<title>\d+ \w+ (\d+) .*\n<updated>(.*)<\/updated>/g),
          ([, code, at]) => `${at} ${code}`,
        );
        expect(found).toEqual(newest.slice(from, from + limit).map(({ at, sectionCode }) => `${at} ${sectionCode}`));
        expect([entries, xml.includes('rel="first"'), xml.includes('rel="next"')]).toEqual([
          found.length,
          from > 0,
          to < total,
        ]);
      }),
      { numRuns: 40 },
    ));

  it("of a person has those of every list of instructors with the name", async () => {
    const lists = [["LEE, J."], [], ["MÜLLER, E.", "LEE, J."], ["LEES, J."], ["LEE, J."]];
    const changes = lists.map((instructors, i): MemoryChange => ({
      ...{ year: "2024", quarter: "Fall", kind: i === 0 ? "added" : "status", instructors, sectionCode: String(i) },
      ...{ at: `2024-10-01T10:00:00.00${i}Z`, snapshot: idOf(0) },
    }));
    const { context } = world([changes], 1);
    const codesOf = async (values: ChangeValues) => {
      const { total, part } = await answerOf(values, context);
      return (JSON.parse(await textOf(await part(0, total))) as MemoryChange[])
        .map(({ sectionCode }) => sectionCode)
        .join("");
    };
    expect(await codesOf({ instructorName: "lee" })).toBe("0234");
    expect(await codesOf({ instructorName: "lee," })).toBe("024");
    expect(await codesOf({ instructorName: "lee", kind: ["status"] })).toBe("234");
    expect(await codesOf({ instructorName: "nobody" })).toBe("");
  });

  /** So many changes, one in each of `apart` milliseconds from a time on, published by one snapshot. */
  const many = (count: number, from: string, apart: number, publication = 0): MemoryChange[] =>
    Array.from({ length: count }, (_, i) => ({
      ...{ year: "2024", quarter: "Fall", kind: "status", instructors: [], sectionCode: String(i) },
      ...{ at: new Date(Date.parse(from) + apart * i).toISOString(), snapshot: idOf(publication) },
    }));

  it("in other formats is written month by month, but for pages", async () => {
    const months = ["2024-10", "2024-11"].map((month) => many(1, `${month}-01T10:00:00Z`, 1)).flat();
    const { context } = world([months], 70_000);
    const textsOf = async (part?: Page) =>
      (await changesEndpoint.inParts?.({}, context, part))?.statements.map((one) => statementText(one)) ?? [];
    const limitsOf = (texts: readonly string[]) => texts.map((text) => / LIMIT \d+ OFFSET \d+/.exec(text)?.[0]);
    expect(limitsOf(await textsOf())).toEqual([undefined, undefined]);
    expect(limitsOf(await textsOf({ offset: 1, limit: undefined }))).toEqual([" LIMIT 69999 OFFSET 1", undefined]);
    expect(limitsOf(await textsOf({ offset: 0, limit: 70_001 }))).toEqual([undefined, " LIMIT 1 OFFSET 0"]);
    expect(limitsOf(await textsOf({ offset: 70_000, limit: 3 }))).toEqual([" LIMIT 3 OFFSET 0"]);
  });

  it("is read some thousand rows at a time, each behind the cursor of the last, and nothing before it is asked for", async () => {
    const changes = many(5000, "2024-10-01T10:00:00Z", 1000);
    const { context, statements } = world([changes], 1);
    const { total, part } = await answerOf({}, context);
    expect([total, statements.length]).toEqual([5000, 0]);
    const text = await textOf(await part(100, 5000));
    expect(text).toBe(`[${changes.slice(100).map(shown).join(",")}]`);
    const [first = "", second = "", ...more] = statements;
    expect(more).toEqual([]);
    expect(first).toMatch(/ LIMIT 4096 OFFSET 100\)$/);
    expect(first).not.toContain('"at" >=');
    expect(second).toMatch(/ LIMIT 804 OFFSET 0\)$/);
    expect(second).toContain(`"at" >= '${changes[4195]?.at}'::TIMESTAMPTZ`);
    // Few are kept in memory, so that the response can be cached.
    expect(Array.isArray(await part(1500, 2100))).toBe(true);
    expect(Array.isArray(await part(0, 2001))).toBe(false);
  });

  describe("as a feed", () => {
    const pageOf = async (context: EndpointContext, part?: Page, values: ChangeValues = {}) => {
      const { rows, body } = await (await answerOf(values, context)).feed(part, "/v1/rest/changes?format=atom");
      return { rows, next: /rel="next" .*offset=(\d+)/.exec(await textOf(body))?.[1] };
    };
    it("has a hundred entries, or all of the newest publication; further pages have a hundred, and a limit is what it says", async () => {
      const old = many(300, "2024-10-01T10:00:00Z", 1000);
      const few = world([old, many(20, "2024-10-02T10:00:00Z", 1, 1)], 1).context;
      expect(await pageOf(few)).toEqual({ rows: 100, next: "100" });
      const much = world([old, many(230, "2024-10-02T10:00:00Z", 1, 1)], 1).context;
      expect(await pageOf(much)).toEqual({ rows: 230, next: "230" });
      expect(await pageOf(much, { offset: 230, limit: undefined })).toEqual({ rows: 100, next: "330" });
      expect(await pageOf(much, { offset: 0, limit: 7 })).toEqual({ rows: 7, next: "7" });
      // What another run recorded in between belongs to the page too.
      const [first, ...rest] = many(150, "2024-10-01T09:00:00Z", 1000, 1);
      const between = world(
        [[first as MemoryChange, ...old, ...rest.map((one) => ({ ...one, at: `2024-10-03${one.at.slice(10)}` }))]],
        1,
      ).context;
      expect(await pageOf(between)).toEqual({ rows: 450, next: undefined });
    });
    it("has the newest publication across files, up to where one has nothing of it", async () => {
      const monthly = ["2024-09", "2024-10", "2024-11", "2024-12"].flatMap((month, i) =>
        many(80, `${month}-01T10:00:00Z`, 1, i < 2 ? 0 : 1),
      );
      expect(await pageOf(world([monthly], 1).context)).toEqual({ rows: 160, next: "160" });
      // Also where each of them is put in order for itself.
      const values: ChangeValues = { kind: ["status"] };
      expect(await pageOf(world([monthly], 5000).context, undefined, values)).toEqual({ rows: 160, next: "160" });
    });
  });
});

describe("the statement of the list", () => {
  it("is over the published table, and counts without putting in order", async () => {
    const { context } = world([], 1);
    const originOf = async (values: ChangeValues, part?: Page) =>
      await changesEndpoint.statement(values, context, part);
    const values: ChangeValues = { year: "2024", quarter: "Fall", kind: ["status"], since: "2024-11-30" };
    const { reads, select: statement, counted } = await originOf(values);
    expect(reads).toEqual([{ table: "changes", term: { year: "2024", quarter: "Fall" } }]);
    const condition =
      /FROM changes (WHERE .*'2024'.*'Fall'.*status.*2024-12-01T07:59:59\.999Z.*?) ORDER BY "at", year, /;
    const [, where = ""] = condition.exec(statementText(statement)) ?? [];
    expect(counted && statementText(counted)).toBe(`FROM changes ${where}`);
    const part = await originOf({}, { limit: 3, offset: 4 });
    expect(statementText(part.select)).toMatch(/ field LIMIT 3 OFFSET 4\)$/);
    expect(part.counted).toBeUndefined();
  });
});
