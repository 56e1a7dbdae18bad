import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCampus } from "../../../pipeline/campus/listening/server.ts";
import { effectiveTime, isListed } from "../../../pipeline/campus/sections/section-state.ts";
import { askXml, codesOf, fieldOf, readSections, search, type ShownSection } from "./schedule-reader.ts";

let campus: Awaited<ReturnType<typeof startCampus>>;
/** Every department's answer for three terms: one in session, one announced, one of the past, and a summer. */
const TERMS = [
  ["2026", "Fall", "2026-92"],
  ["2027", "Winter", "2027-03"],
  ["2019", "Spring", "2019-14"],
  ["2016", "Summer2", "2016-76"],
] as const;
const answers = new Map<string, string[]>();
const shown = new Map<string, ShownSection[]>();
let everything = "";

beforeAll(async () => {
  campus = await startCampus({ size: "standard", clock: () => new Date("2026-11-21T20:00:00Z") });
  for (const [, , code] of TERMS) {
    const texts = [];
    for (const department of campus.world.departments)
      texts.push(await askXml(campus.urls.SCHEDULE_URL, { YearTerm: code, Dept: department.code }));
    answers.set(code, texts);
    shown.set(code, texts.flatMap(readSections));
  }
  everything = [...answers.values()].flat().join("");
});
afterAll(() => campus.close());

describe("the XML of all departments of a term", () => {
  test("is well-formed and holds exactly the term's sections, once each", () => {
    for (const [year, quarter, code] of TERMS) {
      const { term, sections } = campus.world.term(year, quarter);
      const day = effectiveTime(term, campus.world.hour());
      const expected = sections
        .filter((section) => section.code < 98_000 && isListed(section, term, day))
        .map(({ codeText }) => codeText);
      const codes = codesOf(shown.get(code) as ShownSection[]);
      expect(new Set(codes).size).toBe(codes.length);
      expect(codes.toSorted()).toEqual(expected.toSorted());
    }
  });

  test("keeps a department's codes together, with leading zeros", () => {
    for (const [, , code] of TERMS) {
      for (const section of shown.get(code) as ShownSection[]) {
        const department = campus.world.departments.find((d) => d.code === section.department);
        const number = Number(fieldOf(section, "course_code"));
        expect(fieldOf(section, "course_code")).toMatch(/^\d{5}$/);
        expect(number >= (department?.firstCode ?? 0) && number < (department?.endCode ?? 0)).toBe(true);
      }
    }
    expect(codesOf(shown.get("2026-92") as ShownSection[]).some((code) => code.startsWith("0"))).toBe(true);
  });

  test("says 'does not apply' with the section's own code, for every summer section", () => {
    for (const section of shown.get("2016-76") as ShownSection[]) {
      const code = fieldOf(section, "course_code");
      expect([
        fieldOf(section, "sec_waitlist"),
        fieldOf(section, "sec_wait_cap"),
        fieldOf(section, "sec_new_only_reserved"),
      ]).toEqual([code, code, code]);
    }
  });

  test("has the quirks of the real system", () => {
    const sections = [...shown.values()].flat();
    const texts = (field: string) => new Set(sections.flatMap((section) => section.fields.get(field) ?? []));
    expect(sections.some(({ departmentName }) => departmentName.includes("&amp;"))).toBe(true); // escaped twice
    expect(sections.some(({ departmentName }) => departmentName.endsWith("*"))).toBe(true);
    expect(everything).toMatch(/<!\[CDATA\[/);
    expect(everything).toMatch(/<sec_comment>[^<]*&lt;p&gt;/);
    expect([...texts("sec_waitlist")].some((text) => /^off\(\d+\)$/.test(text))).toBe(true);
    expect(texts("sec_waitlist").has("n/a")).toBe(true);
    expect(texts("sec_status")).toEqual(new Set(["OPEN", "FULL", "Waitl", "NewOnly"]));
    expect(sections.some(({ fields }) => !fields.has("sec_status"))).toBe(true);
    expect([...texts("sec_final_time")].some((text) => / @ \w+ \w+/.test(text))).toBe(true);
    expect([...texts("sec_final_time")].some((text) => /@ .*, /.test(text))).toBe(true);
    expect(texts("sec_final_date").has("TBA")).toBe(true);
    expect(sections.some(({ fields }) => fields.has("sec_xlist_subenrolled"))).toBe(true);
    expect(
      new Set([...texts("sec_comment")].map((text) => /\*+\s*CANCELL?ED\s*\*+/.exec(text)?.[0]).filter(Boolean)).size,
    ).toBeGreaterThan(1);
    expect([...texts("sec_comment")].some((text) => text.startsWith("\n\t\t\t    <p>"))).toBe(true);
    expect(texts("instructor").has("STAFF")).toBe(true);
    expect([...texts("sec_units")].some((text) => text.includes("-"))).toBe(true);
    const unknown = sections.filter((section) => fieldOf(section, "sec_time") === "TBA");
    expect(new Set(unknown.map((section) => fieldOf(section, "sec_days")))).toEqual(new Set(["TBA", ""]));
  });

  test("repeats a meeting for each of its rooms, and a course or department that comes in parts", () => {
    const sections = [...shown.values()].flat();
    const repeated = sections.filter(({ fields }) => {
      const times = (fields.get("sec_days") ?? []).map((days, i) => `${days} ${fields.get("sec_time")?.[i]}`);
      return new Set(times).size < times.length;
    });
    expect(repeated.length).toBeGreaterThan(0);
    const courses = everything.match(/<course course_number="[^"]*" course_title="[^"]*">/g) ?? [];
    const offerings = new Set(
      [...shown].flatMap(([term, list]) =>
        list.map((s) => [term, s.department, s.courseNumber, s.courseTitle].join("|")),
      ),
    );
    expect(courses.length).toBeGreaterThan(offerings.size);
  });

  test("gives special topics one number and several titles", () => {
    const titles = new Map<string, Set<string>>();
    for (const [term, list] of shown) {
      for (const s of list)
        titles.set(
          `${term}|${s.department}|${s.courseNumber}`,
          (titles.get(`${term}|${s.department}|${s.courseNumber}`) ?? new Set()).add(s.courseTitle),
        );
    }
    expect([...titles.values()].some(({ size }) => size > 1)).toBe(true);
  });

  test("names each of two cross-listed sections in the other's comment, and divides their students", () => {
    const sections = shown.get("2026-92") as ShownSection[];
    const byCode = new Map(sections.map((section) => [fieldOf(section, "course_code"), section]));
    const listed = sections.filter((section) => section.fields.has("sec_xlist_subenrolled"));
    expect(listed.length).toBeGreaterThan(10);
    for (const section of listed) {
      const other = /Same as (\d{5}) \(([^)]*)\)/.exec(fieldOf(section, "sec_comment")) as RegExpExecArray;
      const partner = byCode.get(other[1] as string) as ShownSection;
      expect(other[2]).toContain(
        `${partner.department.replace("&", "&amp;")} ${partner.courseNumber}, ${fieldOf(partner, "sec_type")}`,
      );
      expect(fieldOf(partner, "sec_comment")).toContain(fieldOf(section, "course_code"));
      expect(
        Number(fieldOf(section, "sec_xlist_subenrolled")) + Number(fieldOf(partner, "sec_xlist_subenrolled")),
      ).toBe(Number(fieldOf(section, "sec_enrolled")));
    }
  });

  test("prints times with padded hours and a suffix at the end only, finals inside the term's finals", () => {
    const sections = [...shown.values()].flat();
    for (const time of new Set(sections.flatMap((s) => s.fields.get("sec_time") ?? [])))
      expect(time).toMatch(/^(TBA|[ 1]\d:\d\d-[ 1]\d:\d\dp?)$/);
    for (const time of new Set(sections.flatMap((s) => s.fields.get("sec_final_time") ?? [])))
      expect(time).toMatch(/^$|^ ?\d{1,2}:\d\d- ?\d{1,2}:\d\d[ap]m( @ .+)?$/);
    expect(
      (shown.get("2027-03") as ShownSection[]).every((s) => ["", "TBA"].includes(fieldOf(s, "sec_final_date"))),
    ).toBe(true);
  });
});

test("sections coded 98000 and above are found by code only", async () => {
  const url = campus.urls.SCHEDULE_URL;
  expect(codesOf(await search(url, { YearTerm: "2026-92", CourseCodes: "98000-99999" }))).toEqual([
    "98010",
    "98020",
    "99100",
  ]);
  expect(
    codesOf(await search(url, { YearTerm: "2026-92", Dept: "HISTORY" })).some((code) => Number(code) >= 98_000),
  ).toBe(false);
});
