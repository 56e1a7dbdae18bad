import { describe, expect, test } from "vitest";
import type { TermDates } from "../../../pipeline/contract/rows/calendar.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import { weekOf } from "../../../server/endpoints/week.ts";

const term = (
  name: string,
  instructionStart: string,
  instructionEnd: string,
  finalsStart: string,
  finalsEnd: string,
): TermDates => {
  const [year = "", quarter = ""] = name.split(" ");
  return { year, quarter: quarter as Quarter, instructionStart, instructionEnd, finalsStart, finalsEnd };
};

/** 2023 as the registrar printed it. */
const CALENDAR_2023 = [
  term("2023 Fall", "2023-09-28", "2023-12-08", "2023-12-09", "2023-12-15"),
  term("2023 Winter", "2023-01-09", "2023-03-17", "2023-03-18", "2023-03-24"),
  term("2023 Summer2", "2023-08-07", "2023-09-11", "2023-09-12", "2023-09-13"),
  term("2023 Summer10wk", "2023-06-26", "2023-08-31", "2023-09-01", "2023-09-01"),
  term("2023 Spring", "2023-04-03", "2023-06-09", "2023-06-10", "2023-06-15"),
  term("2023 Summer1", "2023-06-26", "2023-07-31", "2023-08-01", "2023-08-02"),
];
const on = (date: string, calendar: readonly TermDates[] = CALENDAR_2023) => weekOf(date, calendar);

describe("days whose week is known", () => {
  test("2023-03-25: \"weeks is [-1] and quarters is ['N/A'], and display is a friendly break message\"", () => {
    expect(on("2023-03-25")).toEqual({ weeks: [-1], quarters: ["N/A"], display: "Enjoy your break! 😎" });
  });
  test("2023-05-01", () => {
    expect(on("2023-05-01")).toEqual({
      weeks: [5],
      quarters: ["Spring Quarter 2023"],
      display: "Week 5 • Spring Quarter 2023",
    });
  });
  test("2023-06-15, the last day of finals", () => {
    expect(on("2023-06-15")).toEqual({
      weeks: [-1],
      quarters: ["Spring Quarter 2023"],
      display: "Finals Week • Spring Quarter 2023. Good luck! 🤞",
    });
  });
  test("2023-06-26: two in session with the same week share it", () => {
    expect(on("2023-06-26")).toEqual({
      weeks: [1, 1],
      quarters: ["Summer Session I 2023", "Summer Session 10WK 2023"],
      display: "Week 1 • Summer Session I 2023 | Summer Session 10WK 2023",
    });
  });
  test("2023-08-07: two in session in calendar order", () => {
    expect(on("2023-08-07")).toEqual({
      weeks: [7, 1],
      quarters: ["Summer Session 10WK 2023", "Summer Session II 2023"],
      display: "Week 7 • Summer Session 10WK 2023 | Week 1 • Summer Session II 2023",
    });
  });
  test('2023-09-01: "the finals term is written first in display, whatever its position in the arrays"', () => {
    expect(on("2023-09-01")).toEqual({
      weeks: [4, -1],
      quarters: ["Summer Session II 2023", "Summer Session 10WK 2023"],
      display: "Finals • Summer Session 10WK 2023. Good luck! 🤞 | Week 4 • Summer Session II 2023",
    });
  });
  test('2023-09-28 to 10-01: "never below 1, so the first Thursday–Sunday of Fall is week 1"', () => {
    for (const day of ["2023-09-28", "2023-09-29", "2023-09-30", "2023-10-01", "2023-10-02", "2023-10-08"])
      expect(on(day)).toEqual({ weeks: [1], quarters: ["Fall Quarter 2023"], display: "Week 1 • Fall Quarter 2023" });
    expect(on("2023-10-09").weeks).toEqual([2]);
  });
  test("2023-12-08 is week 10, the day after is finals", () => {
    expect(on("2023-12-08").weeks).toEqual([10]);
    expect(on("2023-12-09").display).toBe("Finals Week • Fall Quarter 2023. Good luck! 🤞");
  });
});

describe("bounds and any number of terms", () => {
  test("all bounds are inclusive", () => {
    expect(
      ["2023-01-08", "2023-01-09", "2023-03-17", "2023-03-18", "2023-03-24", "2023-03-25"].map((day) => on(day).weeks),
    ).toEqual([[-1], [1], [10], [-1], [-1], [-1]]);
    expect(on("2023-01-08").quarters).toEqual(["N/A"]);
    expect(on("2023-03-24").quarters).toEqual(["Winter Quarter 2023"]);
  });
  test('"finals win where both hold": the term is listed once', () => {
    const calendar = [term("2024 Summer10wk", "2024-06-24", "2024-08-30", "2024-08-30", "2024-08-30")];
    expect(on("2024-08-30", calendar)).toEqual({
      weeks: [-1],
      quarters: ["Summer Session 10WK 2024"],
      display: "Finals Week • Summer Session 10WK 2024. Good luck! 🤞",
    });
  });
  test("three in session, two of them in the same week; two in finals", () => {
    const late = (quarter: string, start: string) =>
      term(`2024 ${quarter}`, start, "2024-08-30", "2024-08-31", "2024-09-01");
    const calendar = [late("Summer2", "2024-08-05"), late("Summer1", "2024-06-24"), late("Summer10wk", "2024-06-24")];
    expect(on("2024-08-05", calendar).display).toBe(
      "Week 7 • Summer Session I 2024 | Summer Session 10WK 2024 | Week 1 • Summer Session II 2024",
    );
    expect(on("2024-08-31", calendar)).toEqual({
      weeks: [-1, -1, -1],
      quarters: ["Summer Session I 2024", "Summer Session 10WK 2024", "Summer Session II 2024"],
      display: ["I", "10WK", "II"].map((name) => `Finals • Summer Session ${name} 2024. Good luck! 🤞`).join(" | "),
    });
  });
  test("a date outside the known calendars is the break answer; an empty calendar too", () => {
    for (const day of ["0001-01-01", "1999-05-05", "9999-12-31"]) expect(on(day).quarters).toEqual(["N/A"]);
    expect(on("2023-05-01", []).weeks).toEqual([-1]);
  });
  test("answers do not share arrays", () => {
    on("2023-03-25").weeks.push(99);
    expect(on("2023-03-25").weeks).toEqual([-1]);
  });
});

/* A calendar of 2014 to 2027 by the registrar's habits, and a walk that counts days one by one and never divides. */

/** Weekday by Zeller's rule: 0 = Saturday. */
function zeller(year: number, month: number, day: number): number {
  const [m, y] = month < 3 ? [month + 12, year - 1] : [month, year];
  return (day + Math.floor((13 * (m + 1)) / 5) + y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)) % 7;
}
const pad = (n: number) => String(n).padStart(2, "0");
const lengths = (year: number) => [
  31,
  (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28,
  31,
  30,
  31,
  30,
  31,
  31,
  30,
  31,
  30,
  31,
];

function* everyDay(from: number, to: number): Generator<{ day: string; isMonday: boolean }> {
  for (let year = from; year <= to; year++) {
    for (const [i, length] of lengths(year).entries()) {
      for (let d = 1; d <= length; d++)
        yield { day: `${year}-${pad(i + 1)}-${pad(d)}`, isMonday: zeller(year, i + 1, d) === 2 };
    }
  }
}
const days = [...everyDay(2014, 2027)];
const at = new Map(days.map(({ day }, i) => [day, i]));
const after = (day: string, n: number) => days[(at.get(day) ?? 0) + n]?.day ?? "2027-12-31";
const mondayFrom = (day: string) => days.slice(at.get(day)).find(({ isMonday }) => isMonday)?.day ?? "";

const calendar: TermDates[] = [];
for (let year = 2014; year <= 2027; year++) {
  const regular = (quarter: string, start: string, teaching: number, finals: number) =>
    calendar.push(
      term(
        `${year} ${quarter}`,
        start,
        after(start, teaching),
        after(start, teaching + 1),
        after(start, teaching + finals),
      ),
    );
  regular("Winter", mondayFrom(`${year}-01-03`), 67, 7);
  regular("Spring", mondayFrom(`${year}-03-28`), 67, 6);
  const summer = mondayFrom(`${year}-06-20`);
  // In odd years a summer session teaches on the first day of its finals.
  calendar.push(term(`${year} Summer1`, summer, after(summer, 35 + (year % 2)), after(summer, 36), after(summer, 37)));
  calendar.push(
    term(`${year} Summer10wk`, summer, after(summer, 66 + (year % 2)), after(summer, 67), after(summer, 67)),
  );
  const second = after(summer, 42);
  calendar.push(term(`${year} Summer2`, second, after(second, 35), after(second, 36), after(second, 37)));
  regular("Fall", after(mondayFrom(`${year}-09-19`), 3), 71, 7);
}

describe("every day from 2014 to 2027 against a walk that counts Mondays", () => {
  const ORDER = ["Winter", "Spring", "Summer1", "Summer10wk", "Summer2", "Fall"];
  const titles: Record<string, string> = {
    Summer1: "Summer Session I",
    Summer10wk: "Summer Session 10WK",
    Summer2: "Summer Session II",
  };
  const states = new Map<TermDates, { isOn: boolean; inFinals: boolean; week: number }>();
  for (const t of calendar) states.set(t, { isOn: false, inFinals: false, week: 0 });
  const inOrder = [...calendar].sort((a, b) => ORDER.indexOf(a.quarter) - ORDER.indexOf(b.quarter));

  const overlaps = new Set<string>();
  const wrong: unknown[] = [];
  let counted = 0;
  for (const { day, isMonday } of days) {
    const session: { week: number; name: string }[] = [];
    const finals: string[] = [];
    for (const t of inOrder) {
      const state = states.get(t);
      if (!state) continue;
      if (day === t.instructionStart) Object.assign(state, { isOn: true, week: isMonday ? 0 : 1 });
      // Fall begins on a Thursday, in week 1; its first Monday begins week 1 once more.
      if (state.isOn && isMonday) state.week += t.quarter === "Fall" && day === after(t.instructionStart, 4) ? 0 : 1;
      if (day === t.finalsStart) state.inFinals = true;
      const name = `${titles[t.quarter] ?? `${t.quarter} Quarter`} ${t.year}`;
      if (state.inFinals) finals.push(name);
      else if (state.isOn) session.push({ week: state.week, name });
      if (day === t.instructionEnd) state.isOn = false;
      if (day === t.finalsEnd) state.inFinals = false;
    }
    const none = session.length + finals.length === 0;
    const weeks = none ? [-1] : [...session.map(({ week }) => week), ...finals.map(() => -1)];
    const quarters = none ? ["N/A"] : [...session.map(({ name }) => name), ...finals];
    const answer = weekOf(day, calendar);
    counted++;
    if (quarters.length > 1) overlaps.add(`${session.length}+${finals.length}`);
    const isShown = none
      ? answer.display === "Enjoy your break! 😎"
      : session.every(
          ({ week, name }) => answer.display.includes(name) && answer.display.includes(`Week ${week} • `),
        ) &&
        finals.every((name) => answer.display.includes(` • ${name}. Good luck! 🤞`)) &&
        (finals.length === 0 || answer.display.startsWith("Finals"));
    if (JSON.stringify([answer.weeks, answer.quarters]) !== JSON.stringify([weeks, quarters]) || !isShown)
      wrong.push({ day, answer, weeks, quarters });
  }

  test("no gap, no overlap error", () => {
    expect(wrong).toEqual([]);
    expect(counted).toBe(14 * 365 + 3);
    expect(days.map(({ day }) => day)).toContain("2024-02-29");
  });
  test("the walk met the summer's overlaps", () => {
    expect([...overlaps].sort()).toEqual(["1+1", "2+0"]);
  });
  test("ten weeks in a regular quarter, no week 0 and no week 12", () => {
    const regular = days.flatMap(({ day }) => {
      const { weeks, quarters } = weekOf(day, calendar);
      return quarters[0]?.includes("Quarter") ? weeks : [];
    });
    expect([...new Set(regular)].sort((a, b) => a - b)).toEqual([-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

test("two terms with finals while a third is in session", () => {
  const calendar = [
    term("2023 Summer1", "2023-06-26", "2023-07-31", "2023-08-01", "2023-08-02"),
    term("2023 Summer2", "2023-06-26", "2023-07-31", "2023-08-01", "2023-08-02"),
    term("2023 Summer10wk", "2023-06-26", "2023-08-31", "2023-09-01", "2023-09-01"),
  ];
  expect(on("2023-08-01", calendar).display).not.toContain("Finals Week");
  expect(on("2023-08-01", calendar).display).toMatch(/^Finals • .* \| Finals • .* \| Week \d/);
});
