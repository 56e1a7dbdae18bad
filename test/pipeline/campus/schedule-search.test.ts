import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCampus } from "../../../pipeline/campus/listening/server.ts";
import { askXml, codesOf, fieldOf, search, type Search, type ShownSection } from "./schedule-reader.ts";

const TERM = "2026-92";
let campus: Awaited<ReturnType<typeof startCampus>>;
let url = "";
let all: ShownSection[] = [];

beforeAll(async () => {
  campus = await startCampus({ size: "standard", clock: () => new Date("2026-09-10T20:00:00Z") });
  url = campus.urls.SCHEDULE_URL;
  all = await search(url, { YearTerm: TERM, CourseCodes: "00001-97999" });
});
afterAll(() => campus.close());

const RANGE: Search = { YearTerm: TERM, CourseCodes: "00001-97999" };
const digits = (text: string): number => Number(text.replace(/\D/g, "") || 0);
const number = (section: ShownSection, field: string): number => Number(fieldOf(section, field));

/** Minutes after midnight, by the rule that only a range's end says whether it is afternoon. */
function readTimes(section: ShownSection): [number, number][] | undefined {
  const times = section.fields.get("sec_time") as string[];
  if (times.some((time) => time === "TBA")) return undefined;
  return times.map((time) => {
    const [start, end] = time
      .split("-")
      .map((part) => (digits(part.split(":")[0] as string) % 12) * 60 + digits(part.split(":")[1] as string)) as [
      number,
      number,
    ];
    const late = time.endsWith("p") ? 720 : 0;
    return start + late > end + late ? [start + late - 720, end + late] : [start + late, end + late];
  });
}

const timed = (section: ShownSection) =>
  new Set(
    (section.fields.get("sec_days") ?? [])
      .filter((days, i) => section.fields.get("sec_time")?.[i] !== "TBA" && days !== "TBA")
      .flatMap((days) => days.match(/Su|Sa|Tu|Th|M|W|F/g) ?? []),
  );
const placed = (section: ShownSection) =>
  (section.fields.get("sec_bldg") ?? []).map((building, i) => `${building} ${section.fields.get("sec_room")?.[i]}`);
const isCancelled = (section: ShownSection) => /\*\s*CANCELL?ED\s*\*/.test(fieldOf(section, "sec_comment"));
const status = (section: ShownSection) =>
  fieldOf(section, "sec_status") ||
  (number(section, "sec_enrolled") >= number(section, "sec_max_enroll") ? "FULL" : "OPEN");

/** A search, and what it must find among all sections of the term: each has matches and near misses. */
const cases: [name: string, fields: Search, expected: (section: ShownSection) => boolean][] = [
  ["Dept", { Dept: "CRM/LAW", CourseCodes: "" }, (s) => s.department === "CRM/LAW"],
  ["Dept with an ampersand", { Dept: "I&C SCI", CourseCodes: "" }, (s) => s.department === "I&C SCI"],
  ["CourseNum, one", { CourseNum: "39a" }, (s) => s.courseNumber === "39A"],
  [
    "CourseNum, list and range",
    { CourseNum: "199, 30-60" },
    (s) => s.courseNumber === "199" || (digits(s.courseNumber) >= 30 && digits(s.courseNumber) <= 60),
  ],
  ["Division 0xx", { Division: "0xx" }, (s) => digits(s.courseNumber) < 100],
  ["Division 1xx", { Division: "1xx" }, (s) => digits(s.courseNumber) >= 100 && digits(s.courseNumber) < 200],
  ["Division 2xx", { Division: "2xx" }, (s) => digits(s.courseNumber) >= 200],
  ["CourseTitle", { CourseTitle: "intro" }, (s) => s.courseTitle.includes("INTRO")],
  [
    "CourseCodes, list and range",
    { CourseCodes: "34010 40000-40999,05010" },
    (s) => ["34010", "05010"].includes(fieldOf(s, "course_code")) || fieldOf(s, "course_code").startsWith("40"),
  ],
  ["ClassType", { ClassType: "DIS" }, (s) => fieldOf(s, "sec_type") === "Dis"],
  ["ClassType in mixed case", { ClassType: "Lec" }, (s) => fieldOf(s, "sec_type") === "Lec"],
  ["Units", { Units: "4" }, (s) => fieldOf(s, "sec_units") === "4"],
  ["Units VAR", { Units: "VAR" }, (s) => fieldOf(s, "sec_units").includes("-")],
  ["Days, one", { Days: "W" }, (s) => timed(s).has("W")],
  ["Days, all of several", { Days: "TuTh" }, (s) => timed(s).has("Tu") && timed(s).has("Th")],
  ["Days, T alone", { Days: "T" }, (s) => timed(s).has("Tu")],
  ["StartTime", { StartTime: "2:00pm" }, (s) => readTimes(s)?.every(([start]) => start >= 840) ?? false],
  ["EndTime", { EndTime: "12:00PM" }, (s) => readTimes(s)?.every(([, end]) => end <= 720) ?? false],
  ["MaxCap above", { MaxCap: ">100" }, (s) => number(s, "sec_max_enroll") > 100],
  ["MaxCap below", { MaxCap: "<19" }, (s) => number(s, "sec_max_enroll") < 19],
  ["MaxCap exactly", { MaxCap: "30" }, (s) => number(s, "sec_max_enroll") === 30],
  ["FullCourses SkipFull", { FullCourses: "SkipFull" }, (s) => !["FULL", "Waitl"].includes(status(s))],
  ["FullCourses SkipFullWaitlist", { FullCourses: "SkipFullWaitlist" }, (s) => status(s) !== "FULL"],
  ["FullCourses FullOnly", { FullCourses: "FullOnly" }, (s) => ["FULL", "Waitl"].includes(status(s))],
  [
    "FullCourses Overenrolled",
    { FullCourses: "Overenrolled" },
    (s) => number(s, "sec_enrolled") > number(s, "sec_max_enroll"),
  ],
  ["CancelledCourses Exclude", { CancelledCourses: "Exclude" }, (s) => !isCancelled(s)],
  ["CancelledCourses blank means Exclude", { CancelledCourses: "" }, (s) => !isCancelled(s)],
  ["CancelledCourses Only", { CancelledCourses: "Only" }, isCancelled],
  ["Bldg", { Bldg: "rh" }, (s) => (s.fields.get("sec_bldg") ?? []).includes("RH")],
  ["Bldg online", { Bldg: "ON", Room: "LINE" }, (s) => placed(s).includes("ON LINE")],
  [
    "several fields at once",
    { Dept: "CHEM", CourseCodes: "", ClassType: "LEC", CancelledCourses: "Exclude" },
    (s) => s.department === "CHEM" && fieldOf(s, "sec_type") === "Lec" && !isCancelled(s),
  ],
];

const taughtBy = async (text: string) => codesOf(await search(url, { YearTerm: TERM, InstrName: text }));

describe("each field of the form", () => {
  test.each(cases)("%s", async (_, fields, expected) => {
    const codes = codesOf(await search(url, { ...RANGE, ...fields }));
    const wanted = codesOf(all.filter(expected));
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(all.length);
    expect(codes.toSorted()).toEqual(wanted.toSorted());
  });

  test("Room needs and restricts its building", async () => {
    const label = placed(all.find((s) => /^[A-Z]+ \d+$/.test(placed(s)[0] ?? "")) as ShownSection)[0] as string;
    const [building, room] = label.split(" ") as [string, string];
    expect(codesOf(await search(url, { ...RANGE, Bldg: building, Room: room }))).toEqual(
      codesOf(all.filter((s) => placed(s).includes(label))),
    );
    expect(await askXml(url, { ...RANGE, Room: room })).toContain("building");
  });

  test("InstrName: a part of the last name, the exact last name with a comma, the whole short name", async () => {
    const names = new Set(
      all.flatMap((s) => s.fields.get("instructor") ?? []).filter((name) => /^[A-Z]+, [A-Z]\.$/.test(name)),
    );
    const name = [...names][3] as string;
    const last = name.split(",")[0] as string;
    const having = (test: (name: string) => boolean) =>
      codesOf(all.filter((s) => (s.fields.get("instructor") ?? []).some(test)));
    expect(await taughtBy(last.slice(1, 5))).toEqual(
      having((n) => n.split(",")[0]?.includes(last.slice(1, 5)) ?? false),
    );
    expect(await taughtBy(`${last},`)).toEqual(having((n) => n.startsWith(`${last},`)));
    expect(await taughtBy(name)).toEqual(having((n) => n === name));
    expect(await taughtBy(last.slice(0, -1) + ",")).toEqual(having((n) => n.startsWith(`${last.slice(0, -1)},`)));
  });

  test("Breadth finds main sections only, and every category is found somewhere", async () => {
    for (const ge of ["GE-1A", "GE-1B", "GE-2", "GE-3", "GE-4", "GE-5A", "GE-5B", "GE-6", "GE-7", "GE-8"] as const) {
      const sections = await search(url, { YearTerm: TERM, Breadth: ge });
      expect([ge, sections.length > 0]).toEqual([ge, true]);
      for (const section of sections) {
        const course = campus.world.courses
          .flat()
          .find((c) => c.department.code === section.department && c.number === section.courseNumber);
        expect(course?.geCategories).toContain(ge);
        expect(fieldOf(section, "sec_units")).not.toBe("0");
      }
    }
  });

  test("comments and finals come on demand only", async () => {
    const bare = await askXml(url, { YearTerm: TERM, Dept: "CHEM", ShowComments: "", ShowFinals: "" });
    expect(bare).not.toMatch(/_comment|sec_final/);
    expect(await askXml(url, { YearTerm: TERM, Dept: "CHEM" })).toMatch(/sec_final/);
  });
});

describe("answers", () => {
  test("POST and GET say the same", async () => {
    const form = new URLSearchParams({ Submit: "XML", YearTerm: TERM, Dept: "MATH" });
    const posted = await (await fetch(url, { method: "POST", body: form })).text();
    expect(posted).toBe(await (await fetch(`${url}?${form}`)).text());
    expect(codesOf(await search(url, { YearTerm: TERM, Dept: "MATH", Submit: "XML" })).length).toBeGreaterThan(10);
  });

  test("a search without a starred field is refused with a sentence, ANY and ALL count as nothing", async () => {
    for (const fields of [{}, { Dept: " ALL", Breadth: "ANY" }, { Dept: "ANY", CourseNum: "2A" }]) {
      const text = await askXml(url, { YearTerm: TERM, ...fields });
      expect(text).toContain("red asterisk");
      expect(text).not.toContain("<websoc_results");
    }
  });

  test("no match: XML without sections, a sentence on the web page", async () => {
    const nothing = { YearTerm: TERM, Dept: "MATH", CourseNum: "9999" };
    expect(await search(url, nothing)).toEqual([]);
    expect(await search(url, { YearTerm: "1999-92", Dept: "MATH" })).toEqual([]);
    const web = await askXml(url, { ...nothing, Submit: "Display Web Results" });
    expect(web).toContain("No courses of this term matched");
    expect(web).not.toContain("more than 900");
  });

  test("more than 900 matches: XML without sections, `more than 900` on the web page", async () => {
    const full = await startCampus({ size: "full", clock: () => new Date("2024-11-01T20:00:00Z") });
    try {
      const chemistry = { YearTerm: "2024-92", Dept: "CHEM" };
      expect(full.world.term("2024", "Fall").byDepartment.get("CHEM")?.length).toBeGreaterThan(900);
      expect(await search(full.urls.SCHEDULE_URL, chemistry)).toEqual([]);
      expect(await askXml(full.urls.SCHEDULE_URL, { ...chemistry, Submit: "Display Web Results" })).toContain(
        "more than 900",
      );
      expect((await search(full.urls.SCHEDULE_URL, { ...chemistry, Division: "2xx" })).length).toBeGreaterThan(0);
    } finally {
      await full.close();
    }
  });

  test("the web page shows the sections, with entities escaped", async () => {
    const web = await askXml(url, { YearTerm: TERM, Dept: "I&C SCI", Submit: "Display Web Results" });
    for (const section of all.filter((s) => s.department === "I&C SCI"))
      expect(web).toContain(`<td>${fieldOf(section, "course_code")}</td>`);
    expect(web).toContain("Information &amp; Computer Science");
  });

  test("other methods are refused, unknown paths are not found", async () => {
    expect((await fetch(url, { method: "DELETE" })).status).toBe(405);
    expect((await fetch(new URL("/nowhere", url))).status).toBe(404);
  });
});
