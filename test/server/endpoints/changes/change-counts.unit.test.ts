/** How many changes a request has: what is looked through to know it. */
import { describe, expect, it } from "vitest";
import type { ChangeValues } from "../../../../server/endpoints/changes/change-filters.ts";
import { answerOf, idOf, type MemoryChange, rowsRead, world } from "./memory-changes.ts";

describe("the rows of a file are counted", () => {
  const month = (publication: number, name: string): MemoryChange => ({
    ...{ year: "2024", quarter: "Fall", kind: "status", instructors: ["LEE, J."], sectionCode: "1" },
    ...{ at: `${name}-15T10:00:00.000Z`, snapshot: idOf(publication) },
  });
  const months = ["2024-08", "2024-09", "2024-10", "2024-11", "2024-12"].map((name, i) => [month(i, name)]);
  async function counting(times: number, values: ChangeValues, again: ChangeValues = values) {
    const { context, published, statements } = world(months, times);
    const { total } = await answerOf(values, context);
    const first = statements.length;
    await answerOf(again, context);
    const read = (texts: readonly string[]) =>
      texts.filter((one) => one.endsWith("GROUP BY ALL")).map((one) => rowsRead(one, published));
    return { total, read: read(statements.slice(0, first)), again: read(statements.slice(first)) };
  }

  it("by the manifest where all of them are asked for, and one by one where a moment divides them", async () => {
    expect(await counting(1000, {})).toEqual({ total: 5000, read: [], again: [] });
    expect(await counting(1000, { year: "2024" })).toEqual({ total: 5000, read: [], again: [] });
    expect(await counting(1000, { since: "2024-09-20", until: "2024-11-10T00:00:00Z" })).toEqual({
      total: 1000,
      // 2024-09 and 2024-11 are divided; of 2024-10 all is asked for.
      read: [[1000], [1000]],
      again: [],
    });
  });
  it("once for equal filters, as the rows of a file never change", async () => {
    const kind = ["status"] as const;
    expect(await counting(1000, { kind })).toEqual({ total: 5, read: months.map(() => [1000]), again: [] });
    expect((await counting(1000, { kind }, { kind: ["added"] })).again).toHaveLength(5);
  });
  it("by the lists of instructors where only a name is asked for", async () => {
    expect(await counting(1000, { instructorName: "lee" })).toEqual({ total: 5, read: [], again: [] });
    expect((await counting(1000, { instructorName: "lee", kind: ["status"] })).read).toHaveLength(5);
    expect((await counting(1000, { instructorName: "lee", since: "2024-10-10" })).read).toEqual([[1000]]);
    expect(await counting(1000, { instructorName: "nobody", kind: ["status"] })).toEqual({
      total: 0,
      read: [],
      again: [],
    });
  });
});
