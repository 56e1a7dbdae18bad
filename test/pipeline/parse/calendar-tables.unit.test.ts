/**
 * Calendar tables of any arrangement: each line of a cell is an entry of the term above it, with exactly the words of
 * its label.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { termOfHeading } from "../../../pipeline/parse/calendar-heading.ts";
import { parseCalendarPage } from "../../../pipeline/parse/calendar-html.ts";

const HEADINGS = {
  Fall: ["Fall 2026", "Fall Quarter", "2026 Fall", "Fall ’26", "AUTUMN<br>2026"],
  Winter: ["Winter 2027", "Winter Quarter 2027*", "Winter"],
  Spring: ["Spring 2027", "Spring Quarter (48 days)", "Spring 2026–27"],
  Summer1: ["Summer Session I", "Summer Session 1 2027", "SS1", "Session I"],
  Summer10wk: ["Summer Session 10WK", "10-week Summer 2027", "Summer 10-Week Session"],
  Summer2: ["Summer Session II 2027", "Summer Session 2", "SS II"],
} as const;
type Column = keyof typeof HEADINGS;

const BOUNDS = ["Instruction begins", "Instruction ends", "Final examinations"];

/** A line of a label: a group has lines further in, or a text a term. */
interface Line {
  readonly name: string;
  readonly below: readonly Line[];
  readonly texts: readonly string[];
}

const text = fc.constantFrom("May 18–Jun 3", "Sep 20 –", "TBA", "TBA–Sep 15", "Nov 16–Dec 4 (noon)", "Nov 26, 27");
const columns = fc
  .shuffledSubarray(Object.keys(HEADINGS) as Column[], { minLength: 1 })
  .chain((terms) =>
    fc.tuple(
      fc.constant(terms),
      fc.tuple(...terms.map((term) => fc.constantFrom(...HEADINGS[term]))),
      fc.nat({ max: terms.length }),
    ),
  );

/** Rows with groups in up to two levels; names are unlike each other, so that a word in the wrong label shows. */
const rowOf = (width: number) =>
  fc
    .array(fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 4,
    })
    .map((groups): Line => {
      const leaf = (name: string, texts: readonly string[]): Line => ({ name, below: [], texts });
      const below = groups.map((lines, i) =>
        lines.length === 1
          ? leaf(`group${i}`, lines[0] ?? [])
          : { name: `group${i}`, texts: [], below: lines.map((texts, j) => leaf(`part${i}${j} *`, texts)) },
      );
      return { name: "Enrolment by window", below, texts: [] };
    });

const leavesOf = (line: Line, path: readonly string[] = []): { label: string; texts: readonly string[] }[] =>
  line.below.length === 0
    ? [{ label: [...path, line.name].join(" "), texts: line.texts }]
    : line.below.flatMap((child) => leavesOf(child, [...path, line.name]));
const linesOf = (line: Line, level = 0): { line: Line; level: number }[] => [
  { line, level },
  ...line.below.flatMap((child) => linesOf(child, level + 1)),
];

/** How a page writes the lines of a label, and of a cell of that row; `""` is a line without a text. */
interface Style {
  readonly label: (row: Line) => string;
  readonly cell: (texts: readonly string[]) => string;
  /** A cell has a line for each line of the label, or only those with a text. */
  readonly isAligned: boolean;
}

const inset = (row: Line, write: (text: string, level: number) => string) =>
  linesOf(row).map(({ line, level }) => write(line.name, level));
const list = ({ name, below }: Line): string =>
  `${name}${below.length === 0 ? "" : `<ul>${below.map((child) => `<li>${list(child)}</li>`).join("\n")}</ul>`}`;
const blanks = (level: number) => "&nbsp;".repeat(2 * level);

const STYLES: Readonly<Record<string, Style>> = {
  "br and blanks": {
    label: (row) => inset(row, (name, level) => blanks(level) + name).join("<br>\n"),
    cell: (texts) => texts.join("<br>"),
    isAligned: true,
  },
  paragraphs: {
    label: (row) => inset(row, (name, level) => `<p>${blanks(level)}${name}</p>`).join(""),
    cell: (texts) => texts.map((text) => `<p>${text || "&nbsp;"}</p>`).join("\n"),
    isAligned: true,
  },
  "divisions with margins": {
    label: (row) => inset(row, (name, level) => `<div style="margin-left: ${level * 10}px">${name}</div>`).join(""),
    cell: (texts) => texts.map((text) => `<div>${text || "<br>"}</div>`).join(""),
    isAligned: true,
  },
  "nested lists": {
    label: list,
    cell: (texts) => `<ul>${texts.map((text) => `<li>${text}`).join("")}</ul>`,
    isAligned: false,
  },
  "lines without a place for the row's label": {
    label: (row) => inset(row, (name, level) => blanks(level) + name).join("<br>"),
    cell: (texts) => texts.map((text) => `<span>${text}</span>`).join("<br/>"),
    isAligned: false,
  },
};

const page = (table: string) => `<html><body><h1>2026-27</h1>${table}</body></html>`;
const tableOf = (...rows: string[]) => `<table class="calendartable">${rows.join("\n")}</table>`;
const rowWith = (label: string, at: number, cells: readonly string[], tag = "td") =>
  `<tr>${cells
    .toSpliced(at, 0, label)
    .map((text) => `<${tag}>${text}</${tag}>`)
    .join("")}</tr>`;
const entriesOf = (html: string) =>
  parseCalendarPage(html)
    .entries.filter(({ label }) => !BOUNDS.includes(label))
    .map((entry) => `${entry.quarter} | ${entry.label} | ${entry.text}`);

describe("a row with several lines", () => {
  it.each(Object.entries(STYLES))("in %s, with columns in any order", (_name, style) => {
    const drawn = columns.chain(([terms, headings, at]) =>
      fc.tuple(fc.constant({ terms, headings, at }), rowOf(terms.length)),
    );
    fc.assert(
      fc.property(drawn, ([{ terms, headings, at }, row]) => {
        const lines = style.isAligned
          ? linesOf(row).map(({ line }) => line.texts)
          : leavesOf(row).map(({ texts }) => texts);
        const cells = terms.map((_, column) => style.cell(lines.map((texts) => texts[column] ?? "")));
        const html = page(
          tableOf(
            rowWith("&nbsp;", at, headings, "th"),
            ...BOUNDS.map((label) =>
              rowWith(
                label,
                at,
                terms.map(() => "Sep 1"),
              ),
            ),
            rowWith(style.label(row), at, cells),
          ),
        );
        const wanted = leavesOf(row).flatMap(({ label, texts }) =>
          terms.map((term, column) => `${term} | ${label} | ${texts[column]}`),
        );
        expect(entriesOf(html).sort()).toEqual(wanted.sort());
        for (const entry of parseCalendarPage(html).entries) expect(terms).toContain(entry.quarter);
      }),
      { numRuns: 40 },
    );
  });

  const REGULAR = rowWith("", 0, ["Fall 2026", "Winter 2027"], "th");
  const bounds = BOUNDS.map((label) => rowWith(label, 0, ["Sep 1", "Jan 4"]));
  const read = (...rows: string[]) => entriesOf(page(tableOf(REGULAR, ...bounds, ...rows)));

  it.each([
    [
      "groups that stand below each other without being further in",
      ["Enrolment<br>returning<br>graduate", "<br>May 18<br>TBA", "Nov 1<br>Nov 2"],
      [
        ...["Fall | Enrolment returning | May 18", "Fall | Enrolment graduate | TBA"],
        ...["Winter | Enrolment returning | Nov 1", "Winter | Enrolment graduate | Nov 2"],
      ],
    ],
    [
      "a label of two lines above the groups",
      ["Enrolment<br>(7 a.m.–7 p.m.)<br>&nbsp;old<br>&nbsp;new", "<br><br>May 18<br>TBA", "<br><br><br>Nov 2"],
      [
        ...["Fall | Enrolment (7 a.m.–7 p.m.) old | May 18", "Fall | Enrolment (7 a.m.–7 p.m.) new | TBA"],
        "Winter | Enrolment (7 a.m.–7 p.m.) new | Nov 2",
      ],
    ],
    [
      "fewer blank lines above the dates than the label has lines above the groups",
      ["Enrolment<br>(7 a.m.–7 p.m.)<br>&nbsp;old<br>&nbsp;new", "<br>May 18<br>TBA", "Nov 1<br>Nov 2"],
      [
        ...["Fall | Enrolment (7 a.m.–7 p.m.) old | May 18", "Fall | Enrolment (7 a.m.–7 p.m.) new | TBA"],
        ...["Winter | Enrolment (7 a.m.–7 p.m.) old | Nov 1", "Winter | Enrolment (7 a.m.–7 p.m.) new | Nov 2"],
      ],
    ],
    [
      "a label of its own for each line",
      ["Fees due<br>Late fee", "Sep 15<br>Sep 16", "TBA<br>Dec 16"],
      ["Fall | Fees due | Sep 15", "Fall | Late fee | Sep 16", "Winter | Fees due | TBA", "Winter | Late fee | Dec 16"],
    ],
    [
      "a label that is only wrapped",
      ["Winter Administrative<br>Recess", "Dec 24 –<br>Jan 1", "Dec 24"],
      ["Fall | Winter Administrative Recess | Dec 24 – Jan 1", "Winter | Winter Administrative Recess | Dec 24"],
    ],
    [
      "remarks below the dates",
      ["King,<br>Jr. Holiday", "Jan 18<br>(observed)", "<br>Jan 19"],
      ["Fall | King, Jr. Holiday | Jan 18 (observed)", "Winter | King, Jr. Holiday | Jan 19"],
    ],
    [
      "more lines than the label has",
      ["Payment", "Sep 15<br>16<br>Oct 1", "TBA<br>Dec 16"],
      ["Fall | Payment | Sep 15; 16; Oct 1", "Winter | Payment | TBA; Dec 16"],
    ],
    [
      "groups that the cell names",
      ["Payment", "graduate: Sep 15<br>transfer: TBA", "Dec 1, 5:00 p.m."],
      ["Fall | Payment graduate | Sep 15", "Fall | Payment transfer | TBA", "Winter | Payment | Dec 1, 5:00 p.m."],
    ],
    [
      "one date for all groups",
      ["Enrolment<br>&nbsp;old<br>&nbsp;new", "May 18", "<br>Nov 1<br>"],
      ["Fall | Enrolment old new | May 18", "Winter | Enrolment old | Nov 1"],
    ],
    [
      "marks of footnotes that are set apart, and struck dates",
      ["Payment<sup>1</sup>", 'Sep 2<sup>3</sup> <a href="#note">[a]</a>', "<s>Dec 1</s> Dec 2<sup>nd</sup>"],
      ["Fall | Payment | Sep 2", "Winter | Payment | Dec 2nd"],
    ],
  ])("%s", (_what, [label = "", ...cells], wanted) => {
    expect(read(rowWith(label, 0, cells))).toEqual(wanted);
  });

  it("rows that are further in than a row without dates are its groups, until one that is not", () => {
    const entries = read(
      rowWith("Last day to:", 0, ["", "&nbsp;"]),
      rowWith("&nbsp;&nbsp;pay", 0, ["Sep 15", ""]),
      rowWith("&nbsp;&nbsp;drop", 0, ["Oct 9", ""]),
      rowWith("Party", 0, ["Oct 10", ""]),
    );
    expect(entries).toEqual([
      "Fall | Last day to: pay | Sep 15",
      "Fall | Last day to: drop | Oct 9",
      "Fall | Party | Oct 10",
    ]);
  });

  it("cells that span columns and rows are those of each; one over the whole row heads it", () => {
    const html = page(
      tableOf(
        "<tr><th colspan=2></th><th>Fall</th><th>Winter</th></tr>",
        ...BOUNDS.map((label) => `<tr><td colspan=2>${label}</td><td>Sep 1</td><td>Jan 4</td></tr>`),
        '<tr><th colspan="4">Enrollment</th></tr>',
        "<tr><td rowspan=3>Window</td><td>old</td><td>May 1</td><td rowspan=2>Nov 2</td></tr>",
        "<tr><td>new</td><td>May 3</td></tr>",
        "<tr><td>late</td><td colspan=2>TBA</td></tr>",
      ),
    );
    expect(entriesOf(html)).toEqual([
      ...["Fall | Window old | May 1", "Winter | Window old | Nov 2"],
      ...["Fall | Window new | May 3", "Winter | Window new | Nov 2"],
      ...["Fall | Window late | TBA", "Winter | Window late | TBA"],
    ]);
  });
});

describe("a table of one quarter", () => {
  const rows = [...BOUNDS, "Party"].map((label) => rowWith(label, 0, ["Sep 1"])).join("");
  it.each([
    ["below its heading", `<h2>Fall Quarter 2026 - 48 days</h2><h3>Dates</h3>${tableOf(rows)}`],
    ["with a caption", `<h2>Winter 2027</h2>${tableOf("<caption>Fall 2026</caption>", rows)}`],
    ["with a heading over both columns", tableOf("<tr><th colspan=2>Fall 2026</th></tr>", rows)],
    ["with a heading over the dates", `<h2>Winter 2027</h2>${tableOf("<tr><td></td><th>Fall 2026</th></tr>", rows)}`],
  ])("%s, and the year of the page from its headings", (_where, table) => {
    const html = `<html><body>${table}</body></html>`;
    expect(entriesOf(html)).toEqual(["Fall | Party | Sep 1"]);
    expect(parseCalendarPage(html)).toMatchObject({ firstYear: 2026, quarters: ["Fall"] });
  });
});

it("without headings of terms it is a bad page; a heading that names none is remembered", () => {
  const rows = BOUNDS.map((label) => rowWith(label, 0, ["Sep 1", "Jan 4", "x"]));
  for (const headings of [[], [rowWith("Event", 0, ["First", "Second"], "th")]])
    expect(() => parseCalendarPage(page(tableOf(...headings, ...rows)))).toThrow(UpstreamBadResponse);
  const parsed = parseCalendarPage(
    page(tableOf(rowWith("Event", 0, ["Fall", "Intersession", "Winter"], "th"), ...rows)),
  );
  expect(parsed.quarters).toEqual(["Fall", "Winter"]);
  expect(parsed.unknown).toEqual([{ kind: "heading", place: "calendartable", name: "Intersession", count: 1 }]);
});

it("tells a heading from a long number at once", () => {
  expect(termOfHeading(`Winter ${"9".repeat(5_000)} weeks`)).toBeUndefined();
  expect(termOfHeading("Winter Quarter 2026–27*")).toEqual({ quarter: "Winter" });
});
