/**
 * Drift and its effects: a heading, field, class, page structure and form option of each other system. All of them:
 * test/pipeline/parse/renamed-fields.unit.test.ts.
 */
import { describe, expect, it } from "vitest";
import { FORM_FIELDS } from "../../../pipeline/parse/schedule/listing-html.ts";
import { someOf } from "../../support/extent.ts";
import { type Drifted, openDriftingCampus } from "../../support/upstream/drifting-campus.ts";
import { product } from "../../support/upstream/guarded-campus.ts";

const { drift } = openDriftingCampus();

const replaced = (from: string | RegExp, to: string) => (body: string) => body.replaceAll(from, to);

/** Nothing that was published is lost, and the run reports it. */
function expectWithheld({ report, lost }: Drifted, name: string): string {
  expect(lost).toEqual([]);
  expect(report.failed).toBe(true);
  const of = product(report, name);
  return [...(of?.damaged ?? []), of?.error ?? ""].join("\n");
}

const OF_CLASSES = (name: string) => replaced(new RegExp(`(class="[^"]*)\\b${name}(?=[\\s"])`, "g"), `$1new-${name}`);

describe("the grade sheets have another heading for", () => {
  const renamed = (name: string) => (body: string) =>
    body.replace(/^.*AcadTerm.*$/m, (line) =>
      line
        .split(",")
        .map((heading) => (heading === name ? "Of late" : heading))
        .join(","),
    );

  it.each(
    someOf<[string, string | undefined]>(
      [
        ["Avg. GradedGPAAvg", "averageGPA"],
        ["Instructor1Name", "instructors"],
        ["AcadTerm", undefined],
      ],
      1,
    ),
  )("%s", async (name, column) => {
    const words = expectWithheld(await drift({ system: "records", rewrite: renamed(name) }), "grades");
    expect(words).toContain("Of late");
    if (column === undefined) return;
    expect(words).toMatch(
      new RegExp(`\`${column}\` of the grades of 2019, (?:Winter|Fall), is empty \\(\\d+ before\\)`),
    );
    expect(words).toMatch(/the heading `Of late` of `UG_Grades_[\d-]+\.csv` is new, in \d+ rows/);
  });

  it("a row in fifty is missing: its year is withheld, and rows are named", async () => {
    let row = 0;
    const rewrite = (body: string) =>
      body.includes("AcadTerm")
        ? body
            .split("\n")
            .filter(() => row++ % 50 !== 25)
            .join("\n")
        : body;
    const words = expectWithheld(await drift({ system: "records", rewrite }), "grades");
    expect(words).toMatch(/the grades of 2019 would lose \d+ of \d+ rows \(2019 \w+ \d{5}/);
  });
});

describe("the directory has another name for", () => {
  it.each(
    someOf<[string, string | undefined]>(
      [
        ["Title", "title"],
        ["UCInetID", undefined],
      ],
      1,
    ),
  )("%s", async (name, column) => {
    const drifted = await drift({ system: "directory", rewrite: replaced(`"${name}":`, `"new${name}":`), days: 8 });
    const words = expectWithheld(drifted, "instructors");
    if (column !== undefined)
      expect(words).toMatch(
        new RegExp(
          `\`${column}\` of the directory, in people, is empty .*the field \`new${name}\` of \`entry\` is new`,
        ),
      );
  });
});

describe("the catalogue has another class for", () => {
  it.each(someOf(["courseblocktitle", "detail-hours_html"], 1))("%s", async (name) => {
    const drifted = await drift({ system: "catalogue", rewrite: OF_CLASSES(name), days: 8 });
    expect(expectWithheld(drifted, "catalogue")).not.toBe("");
  });
});

describe("the catalogue's structure", () => {
  it.each(
    someOf<[string, (body: string) => string, string]>(
      [
        ["the class of a course's block", OF_CLASSES("courseblock"), "catalogue"],
        ["the index", replaced("atozindex", "index"), "catalogue"],
        ["paragraphs of descriptions", replaced(/<(\/?)p>/g, "<$1div>"), "catalogue"],
        ["the list of faculty", OF_CLASSES("faculty"), "instructors"],
      ],
      1,
    ),
  )("%s: nothing is lost", async (_what, rewrite, name) => {
    const drifted = await drift({ system: "catalogue", rewrite, days: 8 });
    expect(expectWithheld(drifted, name)).not.toBe("");
  });

  it.each(someOf(["Restriction", "Concurrent with"], 1))("another word for %s: nothing is lost", async (name) => {
    const { lost } = await drift({ system: "catalogue", rewrite: replaced(name, `Concerning ${name}`), days: 8 });
    expect(lost).toEqual([]);
  });
});

describe("other pages", () => {
  it.each(
    someOf<[string, string, (body: string) => string, string]>(
      [
        ["larc", "the class of a course", OF_CLASSES("tutorial-group"), "larc"],
        ["larc", "the class of its cells", OF_CLASSES("col"), "larc"],
        ["calendar", "the label of a row", replaced(/instruction begins/gi, "Classes start"), "calendar"],
        ["calendar", "the class of the table", OF_CLASSES("calendartable"), "calendar"],
        ["prerequisites", "a fourth cell in each row", replaced("</tr>", "<td>x</td></tr>"), "catalogue"],
        ["prerequisites", "the list of departments", replaced('name="dept"', 'name="department"'), "catalogue"],
      ],
      2,
    ),
  )("%s: %s", async (system, _what, rewrite, name) => {
    expect(expectWithheld(await drift({ system, rewrite, days: 8 }), name)).not.toBe("");
  });

  const LINES =
    "Schedule of Classes|Enrollment|Open enrollment|Quarter|Last day|\\S.* Holiday|Winter Administrative Recess";
  const withoutLines = (labels: string) => replaced(new RegExp(`<tr>\\n<td>(?:${labels})[^]*?</tr>\\n?`, "g"), "");

  it("calendar: half of its other lines are gone, and nothing else", async () => {
    const drifted = await drift({ system: "calendar", rewrite: withoutLines("Enrollment|Last day|Quarter"), days: 8 });
    expect(expectWithheld(drifted, "calendar")).toMatch(/the dates of the calendar, would shrink from \d+ to \d+/);
    expect(product(drifted.report, "calendar")?.status).toBe("published");
  });

  it("calendar: it has no other lines: what is published stays, and that is no fault", async () => {
    const { report, before, after } = await drift({ system: "calendar", rewrite: withoutLines(LINES), days: 8 });
    expect(report.failed).toBe(false);
    expect(after["calendar_dates"]).toEqual(before["calendar_dates"]);
    expect(before["calendar_dates"]?.rows).toBeGreaterThan(20);
  });
});

describe("the search form", () => {
  it.each(
    someOf<[string, string, string, string]>(
      [
        [
          "a quarter",
          '<option value="2020-92"',
          '<option value="2020-55">2020  Intersession</option><option value="2020-92"',
          "2020-55 (2020 Intersession)",
        ],
        [
          "a GE category",
          '<option value="GE-2"',
          '<option value="GE-9">GE IX: Computing</option><option value="GE-2"',
          "GE-9 (GE IX: Computing)",
        ],
      ],
      1,
    ),
  )("offers %s that is not known: the rest is published, and the run says so", async (_what, before, after, named) => {
    const drifted = await drift({ system: "schedule", rewrite: replaced(before, after) });
    expect(drifted.lost).toEqual([]);
    expect(drifted.report.failed).toBe(true);
    expect(product(drifted.report, "schedule")).toMatchObject({
      status: "published",
      damaged: [expect.stringContaining(`\`${named}\``)],
    });
  });

  it.each(
    someOf<[string, RegExp]>(
      [
        ["YearTerm", /offers no term/],
        ["Dept", /offers no department/],
      ],
      1,
    ),
  )("has another name for %s", async (name, cause) => {
    const rewrite = replaced(`<select name="${name}"`, `<select name="new${name}"`);
    expect(expectWithheld(await drift({ system: "schedule", rewrite }), "schedule")).toMatch(cause);
  });

  it("has no list Breadth: categories are searched all the same, and that is noted", async () => {
    const rewrite = replaced('<select name="Breadth"', '<select name="newBreadth"');
    const { report, lost } = await drift({ system: "schedule", rewrite });
    expect([report.failed, lost]).toEqual([false, []]);
    expect(product(report, "schedule")?.noted).toContainEqual({
      reason: "the search form has no list of general-education categories",
      count: 1,
      names: ["Breadth"],
    });
  });

  it("every option of a list that is read is declared", () => {
    expect(FORM_FIELDS.map(({ name }) => name)).toEqual(expect.arrayContaining(["92", "14", "GE-1A", "GE-8"]));
  });
});
