/** A plan without a browser: what belongs together, what is chosen and missing, the verdict, stored plans, and pasted codes. */
import { describe, expect, it } from "vitest";
import { groupsOf } from "../../../../server/site/app/data/lecture-groups.ts";
import { alternativesOf, ghostsOf } from "../../../../server/site/app/plan/alternatives.ts";
import { companionsOf, firstFitting, incompleteOf, swapped } from "../../../../server/site/app/plan/course-choice.ts";
import { readCodes } from "../../../../server/site/app/plan/import-text.ts";
import {
  NO_PLANS,
  readTermPlans,
  shownPlan,
  withNew,
  withoutShown,
  withShown,
} from "../../../../server/site/app/plan/term-plans.ts";
import { store } from "../../../../server/site/app/data/storage.ts";
import { noteVisit } from "../../../../server/site/app/plan/last-visit.ts";
import { verdictOf } from "../../../../server/site/app/plan/verdict.ts";
import type { SectionLine } from "../../../../server/site/app/data/sections.ts";
import { meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";

type Row = ReturnType<typeof sectionRow>;

/** `Lec A`, `Dis A1`: their code is their name, what is no lecture has no units. */
function row(name: string, change: Partial<Row> = {}): Row {
  const [sectionType = "", sectionNum = ""] = name.split(" ");
  return sectionRow({
    ...{ sectionCode: name, sectionType, sectionNum, units: sectionType === "Lec" ? "4" : "0" },
    ...{ meetings: [meeting("MWF", "10:00", "10:50")] },
    ...change,
  });
}
const at = (name: string, days: string, start: string, end: string, change: Partial<Row> = {}) =>
  row(name, { meetings: [meeting(days, start, end)], ...change });
const names = (sections: readonly Row[]) => sections.map(({ sectionCode }) => sectionCode).join(", ");

describe("what belongs together", () => {
  it.each([
    [
      "letters name the lecture",
      ["Lec A", "Dis A1", "Dis A2", "Lec B", "Dis B1"],
      "Lec A: Dis A1, Dis A2; Lec B: Dis B1",
      "",
    ],
    ["what is numbered belongs to the only lecture", ["Lec A", "Dis 1", "Lab 2"], "Lec A: Dis 1, Lab 2", ""],
    ["but not to one of several", ["Lec A", "Lec B", "Dis 1", "Dis 2"], "Lec A: ; Lec B: ", "Dis 1, Dis 2"],
    ["one that only one lecture has", ["Lec A", "Lec B", "Lec D", "Dis D1"], "Lec A: ; Lec B: ; Lec D: Dis D1", ""],
    [
      "all have the first letter: it says nothing",
      ["Lec A", "Lec B", "Dis A1", "Dis A2"],
      "Lec A: ; Lec B: ",
      "Dis A1, Dis A2",
    ],
    ["another letter than the only lecture's", ["Lec A", "Dis B1"], "Lec A: ", "Dis B1"],
    ["no lecture", ["Lab 1", "Lab 2"], "", "Lab 1, Lab 2"],
  ])("%s", (_name, sections, groups, loose) => {
    const found = groupsOf(sections.map((name) => row(name)));
    expect(found.groups.map(({ lecture, others }) => `${lecture.sectionCode}: ${names(others)}`).join("; ")).toBe(
      groups,
    );
    expect(names(found.loose)).toBe(loose);
  });

  it("nothing is said where two lectures have the letter", () => {
    const lectures = [row("Lec A"), row("Lec A", { sectionCode: "another" })];
    expect(names(groupsOf([...lectures, row("Dis A1"), row("Dis B1")]).loose)).toBe("Dis A1, Dis B1");
  });
});

describe("what is chosen of a course", () => {
  const course = [
    at("Lec A", "MWF", "10:00", "10:50", { status: "FULL" }),
    at("Dis A1", "Tu", "9:00", "9:50"),
    at("Dis A2", "Tu", "11:00", "11:50"),
    at("Lab A3", "Th", "9:00", "9:50"),
    at("Lec B", "TuTh", "14:00", "15:20"),
    at("Dis B1", "F", "9:00", "9:50"),
  ];
  const of = (...codes: string[]) => course.filter(({ sectionCode }) => codes.includes(sectionCode));
  const [lectureA] = course as [Row];
  const other = at("other", "Tu", "9:30", "10:20", { courseNumber: "11" });
  const beside = { others: [other], year: "2024" };
  const alone = { others: [], year: "2024" };

  it("a lecture brings the first of each kind that fits, where none is chosen", () => {
    expect(names(companionsOf(lectureA, course, [], alone))).toBe("Dis A1, Lab A3");
    expect(names(companionsOf(lectureA, course, [], beside))).toBe("Dis A2, Lab A3");
    expect(names(companionsOf(lectureA, course, of("Dis A2"), alone))).toBe("Lab A3");
    const full = at("full", "TuTh", "8:00", "20:00", { courseNumber: "12" });
    expect(names(companionsOf(lectureA, course, [], { ...alone, others: [full] }))).toBe("");
  });

  it("a course begins with its first lecture that fits, one with seats before a full one; without lectures with a section", () => {
    expect(names(firstFitting(course, alone))).toBe("Lec B, Dis B1");
    const taken = at("taken", "TuTh", "14:00", "15:20", { courseNumber: "12" });
    expect(names(firstFitting(course, { ...alone, others: [taken] }))).toBe("Lec A, Dis A1, Lab A3");
    expect(names(firstFitting([row("Lab 1"), row("Lab 2")], alone))).toBe("Lab 1");
    expect(
      firstFitting(course, { ...alone, others: [at("all", "MTuWThF", "8:00", "20:00", { courseNumber: "12" })] }),
    ).toEqual([]);
  });

  it("seats for new students come before a waitlist for them only", () => {
    const lectures = [
      at("Lec N", "MWF", "10:00", "10:50", { status: "NewOnly" }),
      at("Lec W", "MWF", "10:00", "10:50", { status: "Waitl" }),
    ];
    expect(names(firstFitting(lectures, alone))).toBe("Lec W");
    store("new-student", "1");
    expect(names(firstFitting(lectures, alone))).toBe("Lec N");
    store("new-student", "0");
  });

  it.each([
    ["Dis A2", "Lec A, Lab A3, Dis A2"],
    ["Lec B", "Lec B, Dis B1"],
    ["Dis B1", "Lec B, Dis B1"],
  ])("a swap to %s leaves what belongs together", (code, after) => {
    const [to] = of(code) as [Row];
    expect(names(swapped(to, course, of("Lec A", "Dis A1", "Lab A3"), alone))).toBe(after);
  });

  it.each([
    [["Lec A", "Dis A1", "Lab A3"], "", ""],
    [["Lec A", "Dis A1"], "a laboratory of Lec A", ""],
    [["Lec B"], "a discussion of Lec B", ""],
    [["Dis A1"], "a lecture for Dis A1", ""],
    [[], "a lecture", ""],
    [["Lec A", "Dis B1", "Lab A3"], "", "Dis B1 belongs to Lec B, not to Lec A"],
    [["Lec A", "Lec B", "Dis A1", "Lab A3", "Dis B1"], "", ""],
  ])("%j", (codes, missing, mismatched) => {
    const said = incompleteOf(course, of(...codes));
    expect([said.missing.join(), said.mismatched.join()]).toEqual([missing, mismatched]);
  });

  it("nothing is missing of what the schedule does not group", () => {
    const loose = [row("Lec A"), row("Lec B"), row("Dis 1"), row("Dis 2")];
    expect(incompleteOf(loose, loose.slice(0, 1))).toEqual({ missing: [], mismatched: [] });
    expect(incompleteOf([], [])).toEqual({ missing: [], mismatched: [] });
  });

  it("alternatives say with what they clash; a large course shows those of the chosen lecture in the week", () => {
    const lines = course as unknown as SectionLine[];
    const chosen = lines.filter(({ sectionCode }) => ["Lec A", "Dis A2", "Lab A3"].includes(sectionCode));
    const all = alternativesOf(lines, chosen, { others: [other as unknown as SectionLine], year: "2024" });
    expect(
      all.map(({ section, isChosen, isBelow, clashes }) => [section.sectionCode, isChosen, isBelow, clashes.length]),
    ).toEqual([
      ["Lec A", true, false, 0],
      ["Dis A1", false, true, 1],
      ["Dis A2", true, true, 0],
      ["Lab A3", true, true, 0],
      ["Lec B", false, false, 0],
      ["Dis B1", false, true, 0],
    ]);
    expect(all[1]?.clashes).toEqual(["overlaps DANCE 11 other  by 20 minutes (Tu)"]);
    const codes = (ghosts: ReturnType<typeof ghostsOf>) => ghosts.map(({ section }) => section.sectionCode).join();
    expect(codes(ghostsOf(all, undefined))).toBe("Dis A1,Lec B,Dis B1");
    const many = [
      ...all,
      ...Array.from({ length: 50 }, (_, i) => ({ ...all[5], section: { ...lines[5], sectionCode: `${i}` } })),
    ];
    expect(codes(ghostsOf(many as typeof all, "7"))).toBe("Dis A1,7");
  });
});

describe("the verdict", () => {
  const final = (day: number | null): Row["finalExam"] => ({
    examStatus: day === null ? "TBA_FINAL" : "SCHEDULED_FINAL",
    ...{ dayOfWeek: null, month: day === null ? null : 11, day, bldg: null },
    ...{
      startTime: day === null ? null : { hour: 8, minute: 0 },
      endTime: day === null ? null : { hour: 10, minute: 0 },
    },
  });
  const all = 0;
  const timed = { meetings: [meeting("M", "9:00", "9:50")] };
  it.each([
    [[], 0, all, undefined],
    [[row("Lec A", { finalExam: final(9) })], 0, all, "no clashes, finals included"],
    [[row("Lec A")], 0, all, "no clashes, finals included"],
    [[row("Lec A", { finalExam: final(null) })], 0, all, "no clashes so far: 1 final not scheduled"],
    [[row("Lec A", { meetings: [tba()] })], 0, all, "no clashes so far: 1 class without a time"],
    [[row("Lec A", { meetings: [] })], 0, all, "no clashes so far: 1 class without a time"],
    [[row("Lec A", { meetings: [...timed.meetings, tba()] })], 0, all, "no clashes so far: 1 class without a time"],
    [
      [row("Lec A", { meetings: [meeting(null, "9:00", "9:50")] })],
      0,
      all,
      "no clashes so far: 1 class without a time",
    ],
    [
      [row("Lec A", { finalExam: final(null), meetings: [tba()] }), row("Lec B", { finalExam: final(null) })],
      0,
      2,
      "no clashes so far: 2 finals not scheduled, 1 class without a time, 2 sections no longer in the schedule",
    ],
    [
      [row("Lec A", { finalExam: final(9) }), row("Dis A1", { finalExam: final(null) })],
      0,
      all,
      "no clashes, finals included",
    ],
    [
      [row("Dis A1", { finalExam: final(null) }), row("Dis A2", { finalExam: final(null) })],
      0,
      all,
      "no clashes so far: 1 final not scheduled",
    ],
    [[row("Lec A")], 2, all, "2 clashes"],
    [[row("Lec A", { finalExam: final(null) })], 1, all, "1 clash so far: 1 final not scheduled"],
  ])("%#: of what is known, and counting what is not", (held, clashes, counts, words) => {
    expect(verdictOf(held, clashes, counts)).toBe(words);
  });
});

it("a visit ends half an hour after the plan was last open; its end is that of the previous one", () => {
  const visit = (time: string, term = "2026 Fall") => noteVisit(term, new Date(`2026-11-20T${time}:00Z`));
  expect(visit("10:00")).toBeUndefined();
  expect(visit("10:20")).toBeUndefined();
  expect(visit("12:00")).toBe("2026-11-20T10:20:00.000Z");
  expect(visit("12:29")).toBe("2026-11-20T10:20:00.000Z");
  expect(visit("12:30", "2027 Winter")).toBeUndefined();
  expect(visit("13:00")).toBe("2026-11-20T12:29:00.000Z");
});

describe("stored plans", () => {
  it("a list of codes is one plan, as this site stored it before; anything else that is no plan is none", () => {
    expect(readTermPlans(["34130", "34130", 5, "x"])).toEqual({
      shown: 0,
      plans: [{ name: "Plan A", courses: [], codes: ["34130"], locked: [] }],
    });
    for (const other of [undefined, null, "34130", 5, {}, { plans: [] }, { plans: "x" }, { plans: [null, 5] }])
      expect(readTermPlans(other)).toEqual(NO_PLANS);
    expect(readTermPlans({ shown: 7, plans: [{ name: " ", codes: "34130", courses: ["MATH 2B", "", 5] }] })).toEqual({
      shown: 0,
      plans: [{ name: "Plan A", courses: ["MATH 2B"], codes: [], locked: [] }],
    });
  });

  it("what is written is read again; plans are added, named, changed and deleted", () => {
    const first = withShown(NO_PLANS, { codes: ["34130", "34130"], courses: ["MATH 2B"], name: " Mine " });
    const second = withNew(first, { codes: ["04204"] });
    expect(second.plans.map(({ name, codes }) => [name, codes.join()])).toEqual([
      ["Mine", "34130"],
      ["Plan A", "04204"],
    ]);
    expect(shownPlan(second).codes).toEqual(["04204"]);
    expect(readTermPlans(JSON.parse(JSON.stringify(second)))).toEqual(second);
    const locked = withShown(first, { locked: ["34130", "99999"] });
    expect(shownPlan(locked).locked).toEqual(["34130"]);
    expect(readTermPlans(JSON.parse(JSON.stringify(locked)))).toEqual(locked);
    expect(shownPlan(withShown(locked, { codes: ["04204"] })).locked).toEqual([]);
    expect(withShown(first, { name: "  " }).plans[0]?.name).toBe("Mine");
    expect(withoutShown(second)).toEqual(first);
    expect(withoutShown(first)).toEqual(NO_PLANS);
    let many = NO_PLANS;
    for (let i = 0; i < 40; i++) many = withNew(many);
    expect(new Set(many.plans.map(({ name }) => name)).size).toBe(26);
    expect(shownPlan(many)).toBe(many.plans.at(-1));
  });
});

describe("pasted codes", () => {
  it.each([
    ["35130, 35131", "35130,35131", ""],
    ["COMPSCI 161 Lec A 34130\n  Dis A1: 34131 \r\n\nMath 2B", "34130,34131", "Math 2B"],
    ["34130;34130\t34131", "34130,34131", ""],
    ["5000\n 420, ", "05000,00420", ""],
    [
      "phone 949-824-5011, id 123456789, 12345.50, 34130-34139",
      "",
      "phone 949-824-5011, id 123456789, 12345.50, 34130-34139",
    ],
    ["34130-Lec A (04204)", "34130,04204", ""],
    ["", "", ""],
  ])("%j", (text, codes, unread) => {
    const read = readCodes(text);
    expect([read.codes.join(), read.unread.join("|")]).toEqual([codes, unread]);
  });
});
