/**
 * A value of a list that vanishes from a term while its column stays filled: the search of one category finds nothing,
 * a kind or a status is gone.
 */
import { describe, expect, it } from "vitest";
import { someOf } from "../../support/extent.ts";
import { openDriftingCampus } from "../../support/upstream/drifting-campus.ts";
import { product } from "../../support/upstream/guarded-campus.ts";
import { FALL } from "../../support/worlds/small-world.ts";
import { isOf, type World } from "../../support/worlds/world.ts";

type Row = World["sections"][number];

describe("values of lists", () => {
  const { world, drift } = openDriftingCampus();

  const inFall = (change: (row: Row) => Partial<Row>): World => ({
    ...world(),
    sections: world().sections.map((row) => (isOf(FALL)(row) ? { ...row, ...change(row) } : row)),
  });
  const withoutCategories = (...categories: string[]) =>
    inFall(({ geCategories }) => ({
      geCategories: geCategories.filter((geCategory) => !categories.includes(geCategory)),
    }));
  const asIs = { system: "schedule", rewrite: (body: string) => body };
  const rowsWith = (category: string) =>
    world().sections.filter((row) => isOf(FALL)(row) && (row.geCategories as string[]).includes(category)).length;

  it("the searches of three categories find nothing: the term is withheld", async () => {
    const gone = ["GE-3", "GE-7", "GE-8"];
    const next = withoutCategories(...gone);
    const { report, before, after, recorded } = await drift({ ...asIs, world: next });
    expect(after).toEqual(before);
    expect([report.failed, recorded]).toEqual([true, []]);
    const words = product(report, "schedule")?.damaged.join("\n") ?? "";
    for (const category of gone.filter((name) => rowsWith(name) >= 10))
      expect(words).toContain(
        `\`geCategories\` of 2019 Fall, in sections, no longer has \`${category}\` (in ${rowsWith(category)} rows before)`,
      );
    const [, ids = ""] = /ALLOW_SHRINK=([\w,]+) accepts it/.exec(words) ?? [];
    const accepted = await drift({ ...asIs, world: next, env: { ALLOW_SHRINK: ids } });
    expect([accepted.report.failed, accepted.lost]).toEqual([false, ["sections.geCategories"]]);
  });

  it("a category of a few sections is gone: noted", async () => {
    expect(rowsWith("GE-8")).toBeLessThan(10);
    const { report } = await drift({ ...asIs, world: withoutCategories("GE-8") });
    expect(report.failed).toBe(false);
    const noted = product(report, "schedule")?.noted.find(({ reason }) => reason === "a value that vanished");
    expect(noted?.names).toContainEqual(expect.stringContaining("no longer has `GE-8`"));
  });

  it("a kind of section is called otherwise: withheld", async () => {
    const next = inFall(({ sectionType }) => ({ sectionType: sectionType === "Stu" ? "Act" : sectionType }));
    const { report, before, after } = await drift({ ...asIs, world: next });
    expect([report.failed, after]).toEqual([true, before]);
    expect(product(report, "schedule")?.damaged.join("\n")).toContain(
      "`sectionType` of 2019 Fall, in sections, no longer has `Stu`",
    );
  });

  it.each(someOf(["Waitl", "NewOnly"], 1))(
    "the status %s vanishes: withheld where the seats stay, noted where they change",
    async (status) => {
      const opened = (seats: Partial<Row>) =>
        inFall((row) => (row.status === status ? { status: "OPEN", ...seats } : {}));
      const unexplained = await drift({ ...asIs, world: opened({}) });
      expect([unexplained.report.failed, unexplained.after]).toEqual([true, unexplained.before]);
      const text = `\`status\` of 2019 Fall, in sections, no longer has \`${status}\``;
      expect(product(unexplained.report, "schedule")?.damaged.join("\n")).toContain(text);
      const { report } = await drift({ ...asIs, world: opened({ numNewOnlyReserved: "", totalEnrolled: "1" }) });
      expect(report.failed).toBe(false);
      const noted = product(report, "schedule")?.noted.find(({ reason }) => reason === "a value that vanished");
      expect(noted?.names).toContainEqual(expect.stringContaining(text));
    },
  );
});
