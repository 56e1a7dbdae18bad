/** All combinations of courses, against trying each one. */
import { describe, expect, it } from "vitest";
import { combinationsOf, MAX_SHOWN } from "../../../../server/site/app/plan/combinations/combinations.ts";
import { type Candidate, type Option, optionsOf } from "../../../../server/site/app/plan/combinations/options.ts";
import {
  costsOf,
  gapCost,
  together,
  totalOf,
  type Wishes,
} from "../../../../server/site/app/plan/combinations/wishes.ts";
import { clashesOf, finalBlocks, finalClashesOf, weekBlocks } from "../../../../server/site/app/plan/clashes.ts";
import { meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";

const NO_WISHES: Wishes = { freeDays: [], seats: false, average: false, fewGaps: false };

/** Numbers from 0 to 1 that are the same in every run. */
function randomFrom(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Random = ReturnType<typeof randomFrom>;
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

let code = 10_000;
function randomSection(random: Random, course: string, change: Partial<ReturnType<typeof sectionRow>>): Candidate {
  const hour = 8 + Math.floor(random() * 10);
  const minute = pick(random, ["00", "30"]);
  const final = 8 + Math.floor(random() * 5) * 2;
  const row = sectionRow({
    deptCode: "MATH",
    courseNumber: course,
    sectionCode: String(code++),
    meetings:
      random() < 0.1
        ? [tba()]
        : [meeting(pick(random, ["MWF", "TuTh", "M", "F", "Sa"]), `${hour}:${minute}`, `${hour + 1}:${minute}`)],
    ...(random() < 0.5
      ? {}
      : {
          finalExam: {
            ...{
              examStatus: "SCHEDULED_FINAL",
              dayOfWeek: "Mon",
              month: 11,
              day: 7 + Math.floor(random() * 3),
              bldg: null,
            },
            ...{ startTime: { hour: final, minute: 0 }, endTime: { hour: final + 2, minute: 0 } },
          },
        }),
    ...change,
  });
  return {
    ...row,
    seats: random() < 0.2 ? undefined : Math.floor(random() * 15),
    average: random() < 0.3 ? undefined : 2 + random() * 2,
  };
}

/** Lectures with the discussions of their letter. */
const randomCourse = (random: Random, course: string, lectures: number, discussions: number): Candidate[] =>
  Array.from({ length: lectures }, (_, i) => String.fromCodePoint(65 + i)).flatMap((letter) => [
    randomSection(random, course, { sectionNum: letter }),
    ...Array.from({ length: discussions }, (_, i) =>
      randomSection(random, course, { sectionType: "Dis", sectionNum: `${letter}${i + 1}`, units: "0" }),
    ),
  ]);

/** Every combination, and what it costs. */
function bruteForce(courses: readonly (readonly Option[])[], wishes: Wishes) {
  let all: Option[][] = [[]];
  for (const options of courses) all = all.flatMap((before) => options.map((option) => [...before, option]));
  return all
    .filter((options) => {
      const sections = options.flat();
      return clashesOf(weekBlocks(sections)).length + finalClashesOf(finalBlocks(sections, "2026")).length === 0;
    })
    .map((options) => {
      const costs = options.map((option) => costsOf(option, wishes)).reduce(together);
      const cost = totalOf(costs) + (wishes.fewGaps ? gapCost(weekBlocks(options.flat())) : 0);
      return {
        codes: options
          .flat()
          .map(({ sectionCode }) => sectionCode)
          .toSorted()
          .join(),
        cost,
      };
    });
}

const randomWishes = (random: Random): Wishes => ({
  notBefore: random() < 0.5 ? 600 : undefined,
  freeDays: random() < 0.5 ? [5] : [],
  seats: random() < 0.5,
  average: random() < 0.5,
  fewGaps: random() < 0.5,
});

it("200 random sets of courses have the combinations that trying all of them finds, the best ones first", () => {
  let [fitting, none] = [0, 0];
  for (let seed = 1; seed <= 200; seed++) {
    const random = randomFrom(seed);
    const courses = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) =>
      optionsOf(randomCourse(random, String(i), 1 + Math.floor(random() * 3), Math.floor(random() * 3)), () => true),
    );
    const wishes = randomWishes(random);
    const expected = bruteForce(courses, wishes);
    const { total, isCounted, best, isRanked } = combinationsOf(courses, wishes, "2026");
    expect([seed, total, isCounted, isRanked]).toEqual([seed, expected.length, true, true]);
    const costs = expected.map(({ cost }) => cost).toSorted((a, b) => a - b);
    expect(best.length).toBe(Math.min(MAX_SHOWN, total));
    best.forEach(({ cost }, i) => expect(cost).toBeCloseTo(costs[i] ?? NaN, 9));
    const byCodes = new Map(expected.map(({ codes, cost }) => [codes, cost]));
    const found = best.map(({ codes }) => codes.toSorted().join());
    expect(new Set(found).size).toBe(found.length);
    best.forEach(({ cost }, i) => expect(cost).toBeCloseTo(byCodes.get(found[i] ?? "") ?? NaN, 9));
    if (total > 0) fitting++;
    else none++;
  }
  expect([fitting > 100, none > 3]).toEqual([true, true]);
});

describe("very many", () => {
  const six = (change: (i: number) => Partial<ReturnType<typeof sectionRow>>) =>
    Array.from({ length: 6 }, (_, course) =>
      optionsOf(
        Array.from({ length: 30 }, (_section, i) =>
          randomSection(randomFrom(course * 100 + i), String(course), {
            sectionNum: `${i}`,
            ...change(course * 30 + i),
          }),
        ),
        () => true,
      ),
    );

  it("are counted in full where they can be, and 200 are shown", () => {
    const { total, isCounted, best } = combinationsOf(
      six(() => ({ meetings: [tba()], finalExam: sectionRow().finalExam })),
      NO_WISHES,
      "2026",
    );
    expect([total, isCounted, best.length]).toEqual([30 ** 6, true, MAX_SHOWN]);
  });

  it("are said to be more where counting would take too long", () => {
    const { total, isCounted, best } = combinationsOf(
      six(() => ({})),
      { ...NO_WISHES, fewGaps: true },
      "2026",
    );
    expect(total).toBeGreaterThan(10_000);
    expect(best.length).toBe(MAX_SHOWN);
    if (isCounted) expect(total).toBeLessThan(30 ** 6);
  });
});

describe("the ways to take a course", () => {
  const row = (sectionType: string, sectionNum: string, change: Partial<Candidate> = {}): Candidate => ({
    ...sectionRow({
      sectionType,
      sectionNum,
      sectionCode: `${sectionType}${sectionNum}`,
      units: sectionType === "Lec" ? "4" : "0",
      meetings: [tba()],
    }),
    ...{ seats: 5, average: undefined },
    ...change,
  });
  const ways = (sections: readonly Candidate[], isAllowed: (one: Candidate) => boolean = () => true) =>
    optionsOf(sections, isAllowed).map((option) => option.map(({ sectionCode }) => sectionCode).join(" "));

  it("are a lecture with one of each kind that belongs to it", () => {
    const sections = [
      row("Lec", "A"),
      row("Dis", "A1"),
      row("Dis", "A2"),
      row("Lab", "A3"),
      row("Lec", "B"),
      row("Dis", "B1"),
    ];
    expect(ways(sections)).toEqual(["LecA DisA1 LabA3", "LecA DisA2 LabA3", "LecB DisB1"]);
    expect(ways(sections, ({ sectionCode }) => sectionCode !== "DisB1")).toEqual([
      "LecA DisA1 LabA3",
      "LecA DisA2 LabA3",
    ]);
  });

  it("go with any section of which nothing says where it belongs", () => {
    expect(ways([row("Lec", "A"), row("Lec", "B"), row("Dis", "1"), row("Dis", "2")])).toHaveLength(4);
  });

  it("with locked sections are those of all ways that have them, allowed or not", () => {
    let [some, none] = [0, 0];
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomFrom(seed);
      const sections = randomCourse(random, "1", 1 + Math.floor(random() * 3), Math.floor(random() * 3));
      const refused = new Set(sections.filter(() => random() < 0.3).map(({ sectionCode }) => sectionCode));
      const locked = new Set(sections.filter(() => random() < 0.2).map(({ sectionCode }) => sectionCode));
      const isAllowed = ({ sectionCode }: Candidate) => !refused.has(sectionCode);
      const codesOf = (options: readonly Option[]) =>
        options.map((option) => option.map(({ sectionCode }) => sectionCode).join()).toSorted();
      const withThem = optionsOf(sections, (section) => isAllowed(section) || locked.has(section.sectionCode)).filter(
        (option) => [...locked].every((code) => option.some(({ sectionCode }) => sectionCode === code)),
      );
      expect([seed, ...codesOf(optionsOf(sections, isAllowed, locked))]).toEqual([seed, ...codesOf(withThem)]);
      if (locked.size > 0 && withThem.length > 0) some++;
      else none++;
    }
    expect([some > 20, none > 20]).toEqual([true, true]);
  });

  it("are single sections without lectures, and never sections that clash among themselves", () => {
    expect(ways([row("Lab", "1"), row("Lab", "2")])).toEqual(["Lab1", "Lab2"]);
    const meetings = [meeting("M", "9:00", "9:50")];
    expect(ways([row("Lec", "A", { meetings }), row("Dis", "A1", { meetings })])).toEqual([]);
  });
});

it("gaps count between all classes of a day, and on each day", () => {
  const block = (day: number, start: number, end: number) => ({ day, start: start * 60, end: end * 60 });
  const blocks = [block(1, 9, 10), block(1, 14, 15), block(1, 11, 12), block(2, 8, 9), block(2, 9, 10), block(3, 8, 9)];
  expect(gapCost(blocks as unknown as Parameters<typeof gapCost>[0])).toBe(3);
});
