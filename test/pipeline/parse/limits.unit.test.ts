/** Each limit of the table: input just below it is read, input beyond it is refused by name. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { LIMITS } from "../../../pipeline/limits.ts";
import { parseCalendarCsv } from "../../../pipeline/parse/calendar-csv.ts";
import { parseCalendarPage } from "../../../pipeline/parse/calendar-html.ts";
import { parseDirectoryAnswer } from "../../../pipeline/parse/directory-json.ts";
import { readRecords } from "./enrollment-records.ts";
import { linesOf, parsePage, textOf } from "../../../pipeline/parse/html-page.ts";
import { parseListing } from "../../../pipeline/parse/schedule/listing-html.ts";
import { parseScheduleXml } from "../../../pipeline/parse/schedule/schedule-xml.ts";
import { parseSheetTables } from "../../../pipeline/parse/sheets/sheet-table.ts";
import { checkWorkbook } from "../../../pipeline/parse/sheets/workbook-check.ts";
import { toWorkbookParts, toZip } from "../../support/upstream/workbook.ts";

const README = fileURLToPath(new URL("../../../pipeline/README.md", import.meta.url));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const refusal = (read: () => unknown): string => {
  try {
    read();
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(UpstreamBadResponse);
    return (error as Error).message;
  }
};
const refusalOf = async (read: () => Promise<unknown>): Promise<string> => {
  try {
    await read();
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(UpstreamBadResponse);
    return (error as Error).message;
  }
};

/** Reads with a lower limit: millions of elements would take seconds. */
async function lowered<G extends keyof typeof LIMITS>(
  group: G,
  limits: { [K in keyof (typeof LIMITS)[G]]?: number },
  read: () => unknown,
): Promise<void> {
  const table: Record<string, number> = LIMITS[group];
  const before = { ...table };
  try {
    Object.assign(table, limits);
    await read();
  } finally {
    Object.assign(table, before);
  }
}

it("the README has each limit", () => {
  const [, section = ""] = readFileSync(README, "utf8").split(/^## Limits$/m);
  const documented = new Set(section.split(/^## /m)[0]?.match(/\d[\d,]*/g));
  const limits = Object.values(LIMITS).flatMap((group) => Object.values(group) as number[]);
  expect(limits.map((limit) => limit.toLocaleString("en")).filter((limit) => !documented.has(limit))).toEqual([]);
});

describe("HTML", () => {
  const { levels, attributes } = LIMITS.html;
  const page = (html: string) => refusal(() => textOf(parsePage("catalogue", html)("body")));
  /** `html` and `body` are open too. */
  const deep = levels - 2;
  const beyond = (most: number, what: string) => `the page is damaged: it has more than ${most} ${what}`;

  it("levels of elements, whichever opens them", () => {
    for (const tag of ["div", "span", "font size=1", "ul", "table><td", "x-y"]) {
      const per = tag.startsWith("table") ? 4 : 1;
      expect(page(`<${tag}>`.repeat(Math.floor((deep - 5) / per)))).toBe("");
      expect(page(`<${tag}>`.repeat(Math.ceil((deep + 5) / per)))).toBe(beyond(levels, "levels of elements"));
    }
    expect(page("<div>".repeat(deep))).toBe("");
    expect(page("<div>".repeat(deep + 1))).toBe(beyond(levels, "levels of elements"));
    expect(refusal(() => parseListing(`${"<div>".repeat(20_000)}</html>`))).toBe(beyond(levels, "levels of elements"));
  });

  it("levels that HTML's rules make of flat tags, and not those that they close", () =>
    lowered("html", { levels: 50 }, () => {
      const formatted = numbers(50).map((n) => `<p><b id=${n}></p>`);
      expect(page(formatted.join(""))).toBe(beyond(50, "levels of elements"));
      for (const tag of ["a name=x", "p", "li", "br", "img", "option"]) expect(page(`<${tag}>`.repeat(100))).toBe("");
    }));

  it("elements and comments, and elements that HTML's rules make of fewer", () =>
    lowered("html", { elements: 1_000 }, () => {
      for (const piece of ["<b></b>", "<br>", "<!---->", "<?x>"]) {
        expect(page(piece.repeat(990))).toBe("");
        expect(page(piece.repeat(1_001))).toBe(beyond(1_000, "elements"));
      }
      expect(
        page(
          numbers(100)
            .map((n) => `<p><b id=${n}></p>`)
            .join(""),
        ),
      ).toBe(beyond(1_000, "elements"));
    }));

  it("attributes, of one element and of all", async () => {
    const tag = (count: number) =>
      `<i ${numbers(count)
        .map((n) => `a${n}=">"`)
        .join(" ")}>x</i>`;
    expect(page(tag(attributes))).toBe("");
    expect(page(tag(attributes + 1))).toBe(beyond(attributes, "attributes in one element"));
    await lowered("html", { allAttributes: 100 }, () => {
      expect(page(tag(10).repeat(10))).toBe("");
      expect(page(tag(10).repeat(11))).toBe(beyond(100, "attributes"));
    });
  });

  it("what HTML moves before a table stands there, in its order, and lines end at each <br>", () => {
    const $ = parsePage("catalogue", "<table>one<b>two</b>three<br>four<tr><td>five<br/>six</table>seven");
    expect(linesOf($("body"))).toEqual(["onetwothree", "fourfive", "sixseven"]);
    expect($("table").prev()[0]?.name).toBe("br");
  });
});

describe("the schedule's XML", () => {
  const term = { year: "2024", quarter: "Fall" } as const;
  const { levels, attributes, unknown } = LIMITS.xml;
  const read = (inside: string, head = "") =>
    refusal(() => parseScheduleXml(`${head}<websoc_results>${inside}</websoc_results>`, term));
  const nested = (name: string, count: number) => `<${name}>`.repeat(count) + `</${name}>`.repeat(count);
  const beyond = (most: number, what: string) => `the response is damaged: it has more than ${most} ${what}`;

  it("levels, also of markup in comments", () => {
    expect(read(nested("x", levels - 1))).toBe("");
    expect(read(nested("x", levels))).toBe(beyond(levels, "levels of elements"));
    const comment = (count: number) =>
      `<school school_name=""><school_comment>${nested("b", count)}</school_comment></school>`;
    expect(read(comment(levels - 3))).toBe("");
    expect(read(comment(levels - 2))).toBe(beyond(levels, "levels of elements"));
  });

  it("elements, attributes, names that nobody knows", async () => {
    const tag = (count: number) =>
      `<x ${numbers(count)
        .map((n) => `a${n}=""`)
        .join(" ")}/>`;
    expect(read(tag(attributes))).toBe("");
    expect(read(tag(attributes + 1))).toBe(beyond(attributes, "attributes in one element"));
    const names = (count: number) =>
      numbers(count)
        .map((n) => `<x${n}/>`)
        .join("");
    expect(read(names(unknown))).toBe("");
    expect(read(names(unknown + 1))).toBe(beyond(unknown, "unknown names"));
    await lowered("xml", { elements: 100, allAttributes: 10 }, () => {
      expect(read("<x/>".repeat(99))).toBe("");
      expect(read("<x/>".repeat(100))).toBe(beyond(100, "elements"));
      expect(read('<x a=""/>'.repeat(11))).toBe(beyond(10, "attributes"));
    });
  });

  it("no document declares entities", () => {
    const laughs = numbers(12).map((n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
    const head = `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join("")}]>`;
    expect(read("<school_comment>&l12;</school_comment>", head)).toBe("the response is not well-formed XML");
  });
});

describe("JSON of the directory", () => {
  const read = (json: string) => refusal(() => parseDirectoryAnswer(json));
  const beyond = (most: number, what: string) => `the response is damaged: it has more than ${most} ${what}`;
  const { levels } = LIMITS.json;

  it("levels and values; brackets in texts are none", async () => {
    const entry = (value: string) => `[[1,{"Name":"A","x":${value}}]]`;
    const deep = (count: number) => entry(`${"[".repeat(count)}${"]".repeat(count)}`);
    expect(read(deep(levels - 3))).toBe("");
    expect(read(deep(levels - 2))).toBe(beyond(levels, "levels of JSON"));
    expect(read(entry(JSON.stringify(`${'[{"\\'.repeat(levels)}`)))).toBe("");
    expect(read(`[${"[".repeat(100_000)}`)).toBe(beyond(levels, "levels of JSON"));
    await lowered("json", { values: 10 }, () => {
      expect(read(entry("[0,0,0,0]"))).toBe("");
      expect(read(entry("[0,0,0,0,0,0,0,0]"))).toBe(beyond(10, "values"));
    });
  });
});

it("lines of a cell of the calendar, and the label of a row with those of the rows above it", () => {
  const { lines, label } = LIMITS.cell;
  const beyond = (most: number, what: string) => `the page is damaged: it has more than ${most} ${what}`;
  const row = (text: string, cell: string, indent = 0) =>
    `<tr><td style="margin-left: ${indent}px">${text}</td><td>${cell}</td></tr>`;
  const read = (...rows: string[]) => {
    const bounds = ["Instruction begins", "Instruction ends", "Final examinations"].map((name) => row(name, "Sep 1"));
    const table = `<table class="calendartable">${[row("", "Fall 2026"), ...bounds, ...rows].join("")}</table>`;
    return refusal(() => parseCalendarPage(`<html><body>${table}</body></html>`));
  };
  expect(read(row("a", "Sep 1<br>".repeat(lines)))).toBe("");
  expect(read(row("a", "Sep 1<br>".repeat(lines + 1)))).toBe(beyond(lines, "lines in a cell"));
  expect(read(row("a".repeat(label), "Sep 1"))).toBe("");
  expect(read(row("a".repeat(label), ""), row("b", "Sep 1", 20))).toBe(beyond(label, "characters in a label"));
  expect(read(row("a".repeat(label), ""), row("b", "Sep 1"))).toBe("");
});

describe("CSV and NDJSON", () => {
  const { columns, bytes } = LIMITS.rows;
  const tooWide = `the file is damaged: it has more than ${columns} columns in a row`;
  const sheet = (text: string) => refusalOf(() => parseSheetTables("a.csv", Buffer.from(text)));
  const history = (name: string, text: string) => readRecords(name, text, 1 << 16);

  it("columns of a row, wherever CSV is read", async () => {
    const row = (count: number) => `${"x,".repeat(count - 1)}x\n`;
    expect(await sheet(row(columns))).toBe("");
    expect(await sheet(row(columns + 1))).toBe(tooWide);
    expect(refusal(() => parseCalendarCsv(row(columns)))).toContain("the file has no column");
    expect(refusal(() => parseCalendarCsv(row(columns + 1)))).toBe(tooWide);
    expect(await refusalOf(() => history("a.csv", row(columns)))).toContain("the file has no column");
    expect(await refusalOf(() => history("a.csv", row(columns + 1)))).toBe(tooWide);
  });

  it("cells of all rows", () =>
    lowered("rows", { cells: 30 }, async () => {
      expect(await sheet("a,b,c\n".repeat(10))).toBe("");
      expect(await sheet("a,b,c\n".repeat(11))).toBe("the file is damaged: it has more than 30 cells");
      const days = ["year,quarter,sectionCode,date", ...SNAPSHOT_VALUES].join(",");
      expect(await refusalOf(() => history("a.csv", `${days}\n${days}\n\n`))).toBe("");
      expect(await refusalOf(() => history("a.csv", `${days}\n${days}\na,b,c,d,e,f,g,h,i\n`))).toContain(
        "than 30 cells",
      );
    }));

  it("a row that does not end", async () => {
    const commas = ",".repeat(bytes + 1);
    expect(await sheet(`a,b\n${commas}`)).toBe("the comma-separated text is damaged: line 2 does not end");
    expect(refusal(() => parseCalendarCsv(commas))).toContain("line 1 does not end");
    expect(await refusalOf(() => history("a.csv", commas))).toContain("line 1 does not end");
    // A quoted row may have many lines, none of which is too long.
    expect(await sheet(`a,"${"x\n".repeat(bytes / 2 + 1)}"`)).toContain("damaged");
    const endless = "x".repeat(bytes + (1 << 17));
    expect(await sheet(`a,b\n${endless}`)).toContain("damaged");
    expect(await refusalOf(() => history("a.ndjson", `{}\n${endless}`))).toBe("row 2 does not end");
  });
});

describe("a workbook", () => {
  const check = (parts: Parameters<typeof toZip>[0]) => refusal(() => checkWorkbook(toZip(parts)));
  const parts = toWorkbookParts([{ name: "One", rows: [["a"]] }, { name: "Two" }]);
  const changed = (name: string, change: (content: string) => string) =>
    parts.map((part) => (part.name === name ? { ...part, content: change(String(part.content)) } : part));
  const beyond = (most: number, what: string) => `the workbook is damaged: it has more than ${most} ${what}`;
  const limits = LIMITS.workbook;

  it("entries", () => {
    const more = (count: number) => [
      ...parts,
      ...numbers(count - parts.length).map((n) => ({ name: `xl/media/${n}.png`, content: "" })),
    ];
    expect(check(more(limits.entries))).toBe("");
    expect(check(more(limits.entries + 1))).toBe(beyond(limits.entries, "entries"));
  });

  it("how much larger a part is than what it was packed to", () => {
    const blank = { name: "xl/more.xml", content: " ".repeat(2 << 20) };
    expect(check([...parts, blank])).toContain(`xl/more.xml: it unpacks to more than ${limits.ratio} times its size`);
    expect(check([...parts, { ...blank, content: blank.content.slice(1 << 20) }])).toBe("");
  });

  it("bytes, elements, and shared strings", () =>
    lowered("workbook", { bytes: 10_000, elements: 100, strings: 10 }, () => {
      expect(check(parts)).toBe("");
      expect(check([...parts, { name: "xl/more.xml", content: " ".repeat(10_001) }])).toContain("more than 10000");
      expect(check(changed("xl/worksheets/sheet2.xml", () => "<c>".repeat(100)))).toBe(beyond(100, "elements"));
      expect(check(changed("xl/sharedStrings.xml", () => "<si>".repeat(10)))).toBe("");
      expect(check(changed("xl/sharedStrings.xml", () => "<si>".repeat(11)))).toBe(beyond(10, "strings"));
    }));

  it("a sheet that is named twice", () => {
    expect(check(parts)).toBe("");
    const twice = "names a part twice";
    expect(check(changed("xl/workbook.xml", (xml) => xml.replace("rId2", "rId1")))).toContain(twice);
    const aliased = changed("xl/_rels/workbook.xml.rels", (xml) =>
      xml.replace("worksheets/sheet2.xml", "/xl/worksheets/sheet1.xml"),
    );
    expect(check(aliased)).toContain(twice);
  });
});
