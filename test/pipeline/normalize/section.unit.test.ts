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

function normalize(...courses: SourceCourse[]) {
  const tally = createTally("schedule");
  const department = {
    code: "COMPSCI",
    name: "Computer Science",
    comment: "",
    codeRangeComments: [],
    numberRangeComments: [],
  };
  const schools = [{ name: "School of Things", comment: "", departments: [{ ...department, courses }] }];
  const rows = toLandedSections({ year: "2026", quarter: "Fall" }, schools, tally, { keepHidden: false });
  return { rows, noted: tally.report("published", 0).noted };
}

describe("prerequisiteLink is a web address or empty", () => {
  const WEB = "https://registrar.example.edu/prrqcgi?term=202692&dept=COMPSCI&action=view_by_term#161";

  test.each([WEB, "http://registrar.example.edu/", ""])("%j is served as it is", (link) => {
    const { rows, noted } = normalize(course({ prerequisiteLink: ` ${link}\n` }));
    expect([rows[0]?.prerequisiteLink, noted]).toEqual([link, []]);
  });

  test.each([
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "ftp://example.edu/",
    "//example.edu/",
    "/cob/prrqcgi",
    "https://",
  ])("%j is left out, and named", (link) => {
    const { rows, noted } = normalize(course({ prerequisiteLink: link }));
    expect(rows[0]?.prerequisiteLink).toBe("");
    const reason = "a prerequisite link that is no web address, left out";
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
      course({ title: "WAVES \n AND\u00a0 HEAT ." }),
      course({ title: "WAVES AND HEAT.", comment: "Bring a coat.", sections: [section("34161")] }),
    );
    const expected = { courseTitle: "WAVES AND HEAT.", courseComment: "Bring a coat." };
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
    ["", false],
  ])("%j: %j", (comment, expected) => expect(isCancelled(comment)).toBe(expected));
});
