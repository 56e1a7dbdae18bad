import { describe, expect, test } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import type { SourceCourse, SourceSection } from "../../../pipeline/contract/schedule-page.ts";
import { isCancelled, toLandedSections } from "../../../pipeline/normalize/schedule/section.ts";

const section = (code: string, comment = ""): SourceSection => ({
  code,
  type: "Lec",
  num: "A",
  units: "4",
  maxEnroll: "30",
  enrolled: "12",
  xlistEnrolled: "",
  waitlist: "",
  waitCap: "",
  requests: "",
  newOnlyReserved: "",
  restrictions: "",
  status: "OPEN",
  comment,
  instructors: [],
  meetings: [],
  final: undefined,
});
const course = (change: Partial<SourceCourse>): SourceCourse => ({
  number: "161",
  title: "ALGORITHMS",
  comment: "",
  prerequisiteLink: "",
  sections: [section("34160")],
  ...change,
});

const normalize = (...courses: SourceCourse[]) => normalizeWith({}, ...courses);
function normalizeWith({ keepHidden = false, around = "" }, ...courses: SourceCourse[]) {
  const tally = createTally("schedule");
  const department = {
    code: `${around}COMPSCI${around}`,
    name: "Computer Science",
    comment: "",
    codeRangeComments: [],
    numberRangeComments: [],
  };
  const schools = [
    { name: `${around}School of Things${around}`, comment: "", departments: [{ ...department, courses }] },
  ];
  const rows = toLandedSections({ year: "2026", quarter: "Fall" }, schools, tally, { keepHidden });
  const { noted, dropped, read } = tally.report("published", 0);
  return { rows, noted, dropped, read };
}

describe("prerequisiteLink is a web address or empty", () => {
  const WEB = "https://registrar.example.edu/prrqcgi?term=202692&dept=COMPSCI&action=view_by_term#161";

  test.each([WEB, "http://registrar.example.edu/", "HTTPS://registrar.example.edu/", ""])(
    "%j is served as it is",
    (link) => {
      const { rows, noted } = normalize(course({ prerequisiteLink: ` ${link}\n` }));
      expect([rows[0]?.prerequisiteLink, noted]).toEqual([link, []]);
    },
  );

  test.each([
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "ftp://example.edu/",
    "//example.edu/",
    "/cob/prrqcgi",
    "see:https://example.edu/",
    "https://",
  ])("%j is left out, and named", (link) => {
    const { rows, noted } = normalize(course({ prerequisiteLink: link }));
    expect(rows[0]?.prerequisiteLink).toBe("");
    const reason = "a prerequisite link that is not a web address, left out";
    expect(noted).toEqual([{ reason, count: 1, names: [`2026 Fall: ${link}`] }]);
  });

  test("another block's web address counts where the first has none", () => {
    const blocks = [course({ prerequisiteLink: "javascript:alert(1)" }), course({ prerequisiteLink: WEB })];
    expect(normalize(...blocks).rows[0]?.prerequisiteLink).toBe(WEB);
  });
});

describe("texts", () => {
  test("white space in a title is one blank, and there is none before its full stop; blocks of the course are merged", () => {
    const { rows } = normalize(
      course({ title: " WAVES \n . AND\u00a0 HEAT . " }),
      course({ title: "WAVES . AND HEAT.", comment: "Bring a coat.", sections: [section("34161")] }),
    );
    const expected = { courseTitle: "WAVES . AND HEAT.", courseComment: "Bring a coat." };
    expect(rows).toMatchObject([expected, expected]);
  });

  test("a section's comment keeps its white space", () => {
    const comment = "\n\t\t\t    <p>Same as  65131.</p>\n";
    expect(normalize(course({ sections: [section("34160", comment)] })).rows[0]?.sectionComment).toBe(comment);
  });
});

describe("whether a comment says that the section is cancelled", () => {
  test.each([
    ["*** CANCELLED ***", true],
    ["CANCELLED", true],
    ["cancelled", true],
    ["\n\t\t\t    <p>CANCELED</p>\n", true],
    ["<p><b> Cancelled </b></p><p>Course Code 34021</p>", true],
    ["Same as 34021.<br/>&nbsp;CANCELLED&nbsp;<br />See the office.", true],
    ["Same as 34021.\n  CANCELED  ", true],
    ["CANCELLED.", false],
    ["*** CANCELLED", false],
    ["The field trip is CANCELLED", false],
    ["<p>The field trip is <b>CANCELLED</b></p>", false],
    ["Not CANCELLED", false],
    ["CANCELLED: lab of week 3", false],
    // Markup and blanks between the asterisks and the word.
    ["*<b>&nbsp;Cancelled</b>&#160; *", true],
    ["*<>CANCELLED*", true],
    ["*** NOT CANCELLED ***", false],
    ["Same as 34021.<BR>CANCELLED<H2>Office</H2>", true],
    ["<h2>CANCELLED</h2>", true],
    ["See <bribe>CANCELLED", false],
    ["*CANCEL*", false],
    ["<>CANCELLED", true],
    ["CAN&nbsp;CELLED", false],
    ["", false],
  ])("%j: %j", (comment, expected) => expect(isCancelled(comment)).toBe(expected));
});

describe("a row", () => {
  const rowOf = (change: Partial<SourceSection>) =>
    normalize(course({ sections: [{ ...section("34160"), ...change }] }));

  test("is the same whatever blanks stand around its values", () => {
    const texts = {
      ...{
        code: "34160",
        type: "Lec",
        num: "A",
        units: "4",
        maxEnroll: "30",
        enrolled: "12",
        xlistEnrolled: "15",
        waitlist: "1",
      },
      ...{ waitCap: "2", requests: "3", newOnlyReserved: "4", restrictions: "B", status: "Majors" },
    };
    const meeting = { days: "MWF", time: "9:00- 9:50", bldg: "ALP", room: "2300" };
    const final = { day: "Mon", date: "Dec 7", time: "8:00-10:00am @ HIB 100" };
    const built = (around: string) => {
      const padded = <T extends object>(values: T): T =>
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${around}${value}${around}`])) as T;
      const sections = [
        {
          ...section(""),
          ...padded(texts),
          meetings: [padded(meeting)],
          final: padded(final),
          instructors: [`${around}LEE, J.${around}`],
        },
      ];
      const blocks = [
        course({ number: `${around}161${around}`, sections }),
        course({ comment: "Bring a coat.", sections: [] }),
      ];
      return normalizeWith({ around }, ...blocks);
    };
    const plain = built("");
    expect(plain.rows).toMatchObject([
      {
        sectionCode: "34160",
        sectionType: "Lec",
        sectionNum: "A",
        units: "4",
        status: "Majors",
        courseComment: "Bring a coat.",
        meetings: [{ bldg: ["ALP 2300"] }],
      },
    ]);
    expect(built(" \n")).toEqual(plain);
  });

  test.each([
    ["29", "30", "OPEN"],
    ["30", "30", "FULL"],
    ["31", "30", "FULL"],
    ["9", "10", "OPEN"],
    ["", "30", "OPEN"],
    ["30", "", "OPEN"],
    ["", "", "OPEN"],
  ])("without a status, with %j of %j seats taken, is %s", (enrolled, maxEnroll, status) => {
    expect(rowOf({ enrolled, maxEnroll, status: " " }).rows[0]?.status).toBe(status);
    expect(rowOf({ enrolled, maxEnroll, status: "newonly" }).rows[0]?.status).toBe("NewOnly");
  });

  test("has no number where the section's own code stands for one", () => {
    const [row] = rowOf({ waitlist: " 34160 ", waitCap: "34160", newOnlyReserved: "34160", requests: "34161" }).rows;
    expect(row).toMatchObject({ numOnWaitlist: "", numWaitlistCap: "", numNewOnlyReserved: "", numRequested: "34161" });
  });

  test.each(["12", "", "0"])("has the count %j", (count) =>
    expect(rowOf({ maxEnroll: count, enrolled: count, requests: count }).noted).toEqual([]),
  );
  test.each(["n/a", "x12", "12x", "-1"])("has the count %j as it came, and names it", (count) => {
    const { rows, noted } = rowOf({ xlistEnrolled: count });
    expect(rows[0]?.numCurrentlyEnrolled.sectionEnrolled).toBe(count);
    expect(noted).toEqual([
      { reason: "a count that is not a number", count: 1, names: [`2026 Fall COMPSCI 161 34160: ${count}`] },
    ]);
  });

  test("names a placeholder that it has STAFF for", () => {
    const { rows, noted } = rowOf({ instructors: ["T.B.A."] });
    const reason = "a placeholder instead of an instructor's name, read as STAFF";
    expect([rows[0]?.instructors, noted]).toEqual([
      ["STAFF"],
      [{ reason, count: 1, names: ["2026 Fall COMPSCI 161 34160: T.B.A."] }],
    ]);
  });

  test("is there once for each code of five digits that is a course's", () => {
    const codes = ["34160", "", "3416", "034160", "34160x", "97999", "98000", "34160"];
    const sections = codes.map((code) => section(code));
    const { rows, dropped, read } = normalize(course({ sections }));
    expect([rows.map(({ sectionCode }) => sectionCode), read]).toEqual([["34160", "97999"], codes.length]);
    const named = (...all: string[]) => all.map((code) => `2026 Fall COMPSCI 161 ${code}`);
    expect(dropped.map(({ reason, names }) => [reason, names])).toEqual([
      ["a section code that is not five digits", named("(no code)", "3416", "034160", "34160x")],
      ["a code of study abroad or tests", named("98000")],
      ["a repeated section code", named("34160")],
    ]);
    expect(
      normalizeWith({ keepHidden: true }, course({ sections })).rows.map(({ sectionCode }) => sectionCode),
    ).toContain("98000");
  });

  test("goes by the clock of its page, meetings and finals each by their own", () => {
    const at = (time: string) => ({ days: "M", time, bldg: "ALP", room: "1" });
    const finalAt = (time: string) => ({ day: "Mon", date: "Dec 7", time });
    const hours = (...sections: [meeting: string, final: string][]) =>
      normalize(
        course({
          sections: sections.map(([time, final], i) => ({
            ...section(String(34_160 + i)),
            meetings: [at(time)],
            final: finalAt(final),
          })),
        }),
      ).rows.map(({ meetings, finalExam }) => [meetings[0]?.endTime?.hour, finalExam.endTime?.hour]);
    // `11:00-1:20` on the twelve-hour clock is across midnight.
    expect(hours(["11:00-12:20", "11:00-12:20"])).toEqual([[24, 24]]);
    expect(hours(["11:00-12:20", "11:00-12:20"], ["13:00-14:20", "TBA"])[0]).toEqual([12, 24]);
    expect(hours(["11:00-12:20", "11:00-12:20"], ["TBA", "13:00-14:20 @ ALP 1"])[0]).toEqual([24, 12]);
  });
});
