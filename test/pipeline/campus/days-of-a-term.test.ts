import { describe, expect, test } from "vitest";
import { campusDay, isoDay, toDay } from "../../../pipeline/campus/days.ts";
import { offeredTerms } from "../../../pipeline/campus/courses/offered-terms.ts";
import { startCampus } from "../../../pipeline/campus/listening/server.ts";
import { campusTerm } from "../../../pipeline/campus/sections/term-calendar.ts";
import { askXml, fieldOf, search, type ShownSection } from "./schedule-reader.ts";

const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;

describe("the registrar's calendar", () => {
  // Known real first days of instruction and of finals.
  test.each([
    ["2014", "Summer1", "2014-06-23", "2014-07-29"],
    ["2014", "Fall", "2014-10-02", "2014-12-13"],
    ["2016", "Winter", "2016-01-04", "2016-03-12"],
    ["2017", "Summer1", "2017-06-26", "2017-08-02"],
    ["2020", "Fall", "2020-10-01", "2020-12-12"],
    ["2021", "Spring", "2021-03-29", "2021-06-05"],
    ["2022", "Fall", "2022-09-22", "2022-12-03"],
    ["2023", "Summer10wk", "2023-06-26", "2023-09-01"],
    ["2024", "Summer1", "2024-06-24", "2024-07-31"],
    ["2024", "Summer2", "2024-08-05", "2024-09-10"],
    ["2025", "Winter", "2025-01-06", "2025-03-15"],
  ] as const)("%s %s begins on %s, its finals on %s", (year, quarter, start, finals) => {
    const term = campusTerm({ year, quarter });
    expect([isoDay(term.instructionStart), isoDay(term.finalsStart)]).toEqual([start, finals]);
  });

  test("the campus day does not depend on the server's zone", () => {
    expect(isoDay(campusDay(new Date("2026-11-22T07:59:00Z")))).toBe("2026-11-21");
    expect(isoDay(campusDay(new Date("2026-11-22T08:00:00Z")))).toBe("2026-11-22");
    expect(isoDay(campusDay(new Date("2026-07-01T07:00:00Z")))).toBe("2026-07-01");
  });
});

describe("terms on offer", () => {
  test("from 2014 Summer 1, twenty weeks ahead, in order, and always one that lies ahead", () => {
    for (let today = toDay(2016, 1, 1); today < toDay(2030, 1, 1); today += 13) {
      const terms = offeredTerms(today);
      expect(terms[0]?.code).toBe("2014-25");
      const future = terms.filter((term) => term.instructionStart > today);
      expect(future.length).toBeGreaterThan(0);
      expect(future.slice(0, -1).every((term) => term.announcedOn <= today)).toBe(true);
      expect(new Set(terms.map(({ code }) => code)).size).toBe(terms.length);
    }
  });
});

const countCancelled = (list: Iterable<ShownSection>) =>
  [...list].filter((s) => /CANCELL?ED\s*\*/.test(fieldOf(s, "sec_comment"))).length;

describe("from day to day", () => {
  test("a term in enrolment changes, one that is over does not, and nothing changes within an hour", async () => {
    let now = new Date("2026-11-20T18:00:00Z");
    const campus = await startCampus({ size: "standard", clock: () => now });
    const ask = (term: string) =>
      askXml(campus.urls.SCHEDULE_URL, { YearTerm: term, CourseCodes: "00001-97999" }).then((text) =>
        text.replace(/generated="[^"]*"/, ""),
      );
    try {
      const [winter, spring, past] = [await ask("2027-03"), await ask("2027-14"), await ask("2026-14")];
      now = new Date("2026-11-20T18:59:00Z");
      expect(await ask("2027-03")).toBe(winter);
      now = new Date("2026-11-20T19:00:00Z");
      expect(await ask("2027-03")).not.toBe(winter);
      expect(await ask("2026-14")).toBe(past);
      now = new Date("2027-03-01T18:00:00Z");
      expect(await ask("2027-14")).not.toBe(spring);
      expect(await ask("2026-14")).toBe(past);
    } finally {
      await campus.close();
    }
  });

  // In the first days of August, hardly any section is still open for enrolment.
  test.each(["2026-07-31T06:00:00Z", "2026-11-25T06:00:00Z"])(
    "from %s on every hour changes something",
    async (from) => {
      let now = new Date(from);
      const campus = await startCampus({ size: "standard", clock: () => now });
      const today = campus.world.today();
      const alive = campus.world.terms().filter((term) => term.enrolmentOpens <= today && term.finalsEnd > today);
      const ask = async () => {
        const terms = alive.map(({ code }) =>
          askXml(campus.urls.SCHEDULE_URL, { YearTerm: code, CourseCodes: "00001-97999" }),
        );
        return (await Promise.all(terms)).join("").replace(/generated="[^"]*"/g, "");
      };
      try {
        const same: string[] = [];
        let before = await ask();
        for (let hour = 0; hour < 36; hour++) {
          now = new Date(now.getTime() + 3_600_000);
          const after = await ask();
          if (after === before) same.push(now.toISOString());
          before = after;
        }
        expect(same).toEqual([]);
      } finally {
        await campus.close();
      }
    },
  );

  test("students enrol, sections are added, cancelled, named and moved while a term comes near", async () => {
    let now = new Date("2026-08-20T18:00:00Z");
    const campus = await startCampus({ size: "standard", clock: () => now });
    const ask = async () =>
      new Map(
        (await search(campus.urls.SCHEDULE_URL, { YearTerm: "2027-03", CourseCodes: "00001-97999" })).map(
          (s) => [fieldOf(s, "course_code"), s] as const,
        ),
      );
    try {
      const early = await ask();
      now = new Date("2027-01-12T18:00:00Z");
      const late = await ask();
      const both = [...early].map(([code, before]) => [before, late.get(code) as ShownSection] as const);
      const differing = (field: string) =>
        both.filter(([before, after]) => before.fields.get(field)?.join() !== after.fields.get(field)?.join()).length;
      expect([...early.values()].every((s) => fieldOf(s, "sec_enrolled") === "0")).toBe(true);
      expect(differing("sec_enrolled")).toBeGreaterThan(early.size / 4);
      expect(late.size).toBeGreaterThan(early.size);
      expect(differing("instructor")).toBeGreaterThan(early.size / 20);
      expect(differing("sec_max_enroll")).toBeGreaterThan(0);
      expect(differing("sec_status")).toBeGreaterThan(0);
      expect(differing("sec_final_date")).toBeGreaterThan(0);
      expect(countCancelled(late.values())).toBeGreaterThan(countCancelled(early.values()));
      expect(["sec_type", "sec_num", "sec_units", "sec_time", "sec_bldg"].map(differing)).toEqual([0, 0, 0, 0, 0]);
    } finally {
      await campus.close();
    }
  });

  test("every day of a term in session changes something", async () => {
    let now = new Date("2026-09-20T18:00:00Z");
    const campus = await startCampus({ size: "standard", clock: () => now });
    try {
      let before = "";
      const same: string[] = [];
      for (let i = 0; i < 80; i++, now = new Date(now.getTime() + 86_400_000)) {
        const text = (await askXml(campus.urls.SCHEDULE_URL, { YearTerm: "2026-92", Dept: "CHEM" })).replace(
          /generated="[^"]*"/,
          "",
        );
        if (text === before) same.push(now.toISOString());
        before = text;
      }
      expect(same).toEqual([]);
    } finally {
      await campus.close();
    }
  });

  test("a term's grades appear five weeks after its last final", async () => {
    let now = new Date("2026-01-15T18:00:00Z");
    const campus = await startCampus({ size: "standard", clock: () => now });
    const fall = campus.world.terms().find(({ code }) => code === "2025-92");
    const names = async () =>
      (await (await fetch(campus.urls.RECORDS_URL)).text()).match(/UG_Grades_[\w-]+\.\w+/g) ?? ([] as string[]);
    try {
      expect(isoDay(fall?.gradesOutOn ?? 0)).toBe(isoDay(day("2025-12-12") + 35));
      const before = await names();
      expect(before.some((name) => name.includes("2025_Fall"))).toBe(false);
      now = new Date("2026-01-16T18:00:00Z");
      const after = await names();
      expect(after.filter((name) => !before.includes(name))).toEqual([after[0]]);
      expect(after[0]).toContain("2025_Fall");
    } finally {
      await campus.close();
    }
  });
});
