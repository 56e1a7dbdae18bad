import { describe, expect, test } from "vitest";
import { sectionTarget } from "../../../pipeline/campus/courses/departments.ts";
import { createWorld } from "../../../pipeline/campus/world.ts";

const clock = () => new Date("2026-11-21T20:00:00Z");
const MAIN = ["Winter", "Spring", "Fall"];

describe("the standard campus", () => {
  const world = createWorld({ size: "standard", seed: 2014, clock });

  test("26 departments, 600–800 sections in a quarter, 60–120 in a summer session (less in its ten weeks), 30,000–40,000 in all", () => {
    expect(world.departments).toHaveLength(26);
    let total = 0;
    for (const { year, quarter } of world.terms()) {
      const { sections } = world.term(year, quarter);
      total += sections.length;
      const [least, most] = MAIN.includes(quarter) ? [600, 800] : quarter === "Summer10wk" ? [45, 120] : [60, 125];
      expect(sections.length, `${year} ${quarter}`).toBeGreaterThanOrEqual(least as number);
      expect(sections.length, `${year} ${quarter}`).toBeLessThanOrEqual(most as number);
    }
    expect(total).toBeGreaterThan(30_000);
    expect(total).toBeLessThan(40_000);
    expect(world.courses.flat().length).toBeGreaterThan(650);
    expect(world.people.flat().filter(({ netid }) => netid !== undefined).length).toBeGreaterThan(230);
  });
});

describe("the full campus", () => {
  const world = createWorld({ size: "full", seed: 2014, clock });
  // A term of every kind, among them the largest.
  const terms = [
    ["2014", "Fall"],
    ["2020", "Fall"],
    ["2025", "Winter"],
    ["2025", "Summer1"],
    ["2025", "Summer10wk"],
    ["2025", "Summer2"],
  ] as const;

  test("about 650,000 sections in all terms", () => {
    const planned = world
      .terms()
      .flatMap((term) => world.departments.map((department) => sectionTarget(department, term)));
    const total = planned.reduce((sum, count) => sum + count, 0);
    // Classes that belong to two departments come on top: about one in thirty.
    expect(total).toBeGreaterThan(620_000);
    expect(total).toBeLessThan(650_000);
    expect(world.term("2025", "Winter").sections.length).toBeGreaterThan(16_000);
  });

  test("codes are unique in their term and inside their department's range, types have the measured shares", () => {
    const types = new Map<string, number>();
    let total = 0;
    for (const [year, quarter] of terms) {
      const { sections, byCode } = world.term(year, quarter);
      expect(byCode.size).toBe(sections.length);
      total += sections.length;
      for (const { code, offering, type } of sections) {
        if (code < 98_000 && (code < offering.department.firstCode || code >= offering.department.endCode))
          throw new Error(`${code} is outside`);
        types.set(type, (types.get(type) ?? 0) + 1);
      }
    }
    // Shares of Fall 2024, in percent.
    for (const [type, percent] of [
      ["Res", 28],
      ["Tut", 19],
      ["Dis", 14],
      ["Lec", 13],
      ["Sem", 12],
      ["Lab", 8],
      ["Fld", 3],
      ["Stu", 2],
    ] as const) {
      const difference = Math.abs(((types.get(type) ?? 0) / total) * 100 - percent);
      expect([type, difference < 4]).toEqual([type, true]);
    }
  });

  test("grade rows that add up to about 60,000, about 6,000 courses, 1,800 people in the directory", () => {
    // 37 quarters and 37 summer sessions of at most 120 rows are out.
    const [fall = 0, , winter = 0, ...summer] = terms.map(([year, quarter]) => world.grades({ year, quarter }).length);
    expect(fall).toBeGreaterThan(1450);
    expect(winter).toBeGreaterThan(1450);
    expect(Math.max(fall, winter)).toBeLessThan(1600);
    for (const count of summer) expect(count).toBeGreaterThan(30);
    expect(Math.abs(world.courses.flat().length - 6000)).toBeLessThan(300);
    expect(Math.abs(world.people.flat().filter(({ netid }) => netid !== undefined).length - 1800)).toBeLessThan(40);
  });
});
