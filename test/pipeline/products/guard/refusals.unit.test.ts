/**
 * A refusal has an id by which it is accepted once; until then the part is withheld. Which departments may end, which
 * tables may shrink.
 */
import { describe, expect, it } from "vitest";
import { createTally } from "../../../../pipeline/contract/documents/tally.ts";
import { GuardError } from "../../../../pipeline/errors.ts";
import type { RefusedPart, RunContext } from "../../../../pipeline/products/context.ts";
import type { PublishedPart } from "../../../../pipeline/products/guard/references.ts";
import { isRefused, type Reason, reasonId, refuse } from "../../../../pipeline/products/guard/refusals.ts";
import { lostDepartments, shrinks, shrinkText } from "../../../../pipeline/products/guard/shrink.ts";

const FALL: PublishedPart = { table: "sections", partition: { year: "2026", quarter: "Fall" } };
const GRADES: PublishedPart = { table: "grades", partition: { year: "2025" } };
const reason = (column: string, part = FALL): Reason => ({ part, column, text: `${column} is wrong` });

function openContext(allowed: { readonly allowShrink?: boolean; readonly acceptedIds?: readonly string[] } = {}) {
  const withheld = new Map<string, RefusedPart>();
  const accepted = new Set<string>();
  const { allowShrink = false, acceptedIds = [] } = allowed;
  const config = { allowShrink, acceptedIds: new Set(acceptedIds) };
  const tally = createTally("schedule");
  const report = () => tally.report("published", 0);
  return { context: { accepted, config, withheld } as unknown as RunContext, accepted, withheld, tally, report };
}
const messageOf = (reasons: readonly Reason[], { context, tally } = openContext()): string => {
  try {
    refuse(context, reasons, tally);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(GuardError);
    return (error as Error).message;
  }
};

describe("a reason", () => {
  it("has an id of part and column, whatever it says", () => {
    expect(reasonId(reason("units"))).toMatch(/^[0-9a-f]{6}$/);
    expect(reasonId({ ...reason("units"), text: "other" })).toBe(reasonId(reason("units")));
    const others = [reason("days"), reason("units", GRADES), reason("units", { ...FALL, table: "headings" })];
    expect(new Set([reason("units"), ...others].map(reasonId)).size).toBe(4);
    // An operator may have noted it.
    expect(reasonId(reason("units"))).toBe("d34728");
  });

  it("is told with its id, six of several by their text", () => {
    const ids = (...columns: string[]) => columns.map((column) => reasonId(reason(column))).join(",");
    expect(messageOf([reason("a"), reason("b"), reason("a")])).toBe(
      `a is wrong; b is wrong; a is wrong: refused, what is published stays (ALLOW_SHRINK=${ids("a", "b")} accepts it)`,
    );
    const six = ["a", "b", "c", "d", "e", "f"];
    expect(messageOf(six.map((column) => reason(column)))).toMatch(/e is wrong; f is wrong: refused/);
    expect(messageOf([...six, "g", "h"].map((column) => reason(column)))).toMatch(/f is wrong; and 2 more: refused/);
  });

  it("withholds its part, with what else is refused of it", () => {
    const { context, report, tally, withheld } = openContext();
    expect(isRefused(context, [reason("a"), reason("b", GRADES), reason("d")], tally)).toBe(true);
    expect(isRefused(context, [reason("c")], tally)).toBe(true);
    const idAndText = (reason: Reason) => ({ id: reasonId(reason), text: reason.text });
    expect([...withheld]).toEqual([
      [
        "sections 2026 Fall",
        { title: "sections 2026 Fall", ...FALL, reasons: [reason("a"), reason("d"), reason("c")].map(idAndText) },
      ],
      ["grades 2025", { title: "grades 2025", ...GRADES, reasons: [reason("b", GRADES)].map(idAndText) }],
    ]);
    expect(report().damaged).toEqual([
      expect.stringMatching(/^a is wrong; b is wrong; d is wrong: refused/),
      expect.stringMatching(/^c is wrong: refused/),
    ]);
  });

  it("that there is none refuses nothing", () => {
    const { context, report, tally, withheld } = openContext();
    expect([isRefused(context, [], tally), withheld.size, report().damaged]).toEqual([false, 0, []]);
    expect(messageOf([])).toBe("");
  });

  it("that is accepted by its id, or with all, is noted, and its part is not compared with what was before", () => {
    const both = [reason("a"), reason("b", GRADES)];
    const byId = openContext({ acceptedIds: [reasonId(reason("a"))] });
    expect(isRefused(byId.context, both, byId.tally)).toBe(true);
    expect([[...byId.accepted], [...byId.withheld.keys()]]).toEqual([["sections 2026 Fall"], ["grades 2025"]]);
    expect(byId.report().damaged).toEqual([expect.stringMatching(/^b is wrong: refused/)]);
    const all = openContext({ allowShrink: true });
    expect(isRefused(all.context, both, all.tally)).toBe(false);
    expect([[...all.accepted], all.withheld.size]).toEqual([["sections 2026 Fall", "grades 2025"], 0]);
    expect(all.report().noted).toEqual([
      { reason: "accepted by ALLOW_SHRINK", count: 2, names: ["a is wrong", "b is wrong"] },
    ]);
  });
});

it.each([
  [100, 95, false],
  [100, 94, true],
  [20, 19, false],
  [19, 18, true],
  [0, 0, false],
  [5, 9, false],
])("%d rows that become %d shrink: %s", (before, now, expected) => {
  expect(shrinks(before, now)).toBe(expected);
  expect(shrinkText("grades", before, now)).toBe(`grades would shrink from ${before} to ${now}`);
});

it("departments with fewer than three sections may end, and are noted; others are a reason", () => {
  const { report, tally } = openContext();
  const before = new Map(Object.entries({ ART: 2, DANCE: 3, HISTORY: 9, MATH: 9 }));
  const now = new Map(Object.entries({ MATH: 1, CHEM: 4 }));
  const text = "2026 Fall would lose the department DANCE, HISTORY";
  expect(lostDepartments(FALL, "2026 Fall", before, now, tally)).toEqual([{ part: FALL, column: "departments", text }]);
  expect(report().noted).toEqual([
    { reason: "a department no longer has sections", count: 1, names: ["2026 Fall: ART, which had 2"] },
  ]);
  expect(lostDepartments(FALL, "2026 Fall", now, now, tally)).toEqual([]);
});
