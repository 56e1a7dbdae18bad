/** Pages and files that are small and deep: parsers take time proportional to size, and what is beyond a limit is refused within 2 s and 300 MB. */
import { expect, test } from "vitest";
import { UpstreamBadResponse } from "../../pipeline/errors.ts";
import { LIMITS } from "../../pipeline/limits.ts";
import { parseDirectoryAnswer } from "../../pipeline/parse/directory-json.ts";
import { parsePage, textOf } from "../../pipeline/parse/html-page.ts";
import { parseScheduleXml } from "../../pipeline/parse/schedule/schedule-xml.ts";
import { parseWebResults } from "../../pipeline/parse/schedule/web-results.ts";
import { parseSheetTables } from "../../pipeline/parse/sheets/sheet-table.ts";
import { toWorkbook, toWorkbookParts, toZip } from "../support/upstream/workbook.ts";

const [MOST_MS, MOST_BYTES] = [2_000, 300_000_000];
const TERM = { year: "2024", quarter: "Fall" } as const;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

const html = (text: string) => textOf(parsePage("catalogue", text)("body"));
const xml = (inside: string) => parseScheduleXml(`<websoc_results>${inside}</websoc_results>`, TERM);
const csv = (text: string) => parseSheetTables("a.csv", Buffer.from(text));
const attributes = (count: number) =>
  numbers(count)
    .map((n) => `a${n}=""`)
    .join(" ");
const rows = (count: number) => numbers(count).map((n) => ["x", n, String(n)]);

/** What each parser reads, of a size. */
const READ: Readonly<Record<string, (size: number) => () => unknown>> = {
  "HTML, flat": (n) => () => html("<b>x</b>".repeat(n)),
  "HTML, breaks": (n) => () => html("<br>".repeat(n)),
  "HTML, before a table": (n) => () => html(`<table>${"<b></b>x".repeat(n)}`),
  "HTML, as deep as may be": (n) => () => html(`${"<i>".repeat(400)}${"</i>".repeat(400)}`.repeat(n / 400)),
  "XML, flat": (n) => () => xml("<x>y</x>".repeat(n)),
  JSON: (n) => () => parseDirectoryAnswer(`[${'[1,{"Name":"A"}],'.repeat(n)}[1,{}]]`),
  CSV: (n) => () => csv("a,b,c\n".repeat(n)),
  "results without an end": (n) => () => {
    expect(() => parseWebResults("<td".repeat(n))).toThrow(UpstreamBadResponse);
  },
  workbook(n) {
    const bytes = toWorkbook([{ name: "One", rows: rows(n) }], "inline");
    return () => parseSheetTables("a.xlsx", bytes);
  },
};

test.each(Object.entries(READ))("%s: time is proportional to size", async (name, prepare) => {
  const times: number[] = [];
  const sizes = [4_000, 8_000, 16_000, 32_000, 64_000];
  await prepare(1_000)();
  for (const size of sizes) {
    const read = prepare(size);
    const began = performance.now();
    await read();
    times.push(performance.now() - began);
  }
  process.stdout.write(`${JSON.stringify({ name, sizes, ms: times.map(Math.round) })}\n`);
  // Sixteen times the size: twice that is noise, and a square would be 256.
  expect(times.at(-1)).toBeLessThan(Math.max(50, 32 * (times[0] ?? 0)));
});

const parts = toWorkbookParts([{ name: "One" }]);
const withSheet = (content: string) =>
  toZip(parts.map((part) => (part.name.endsWith("sheet1.xml") ? { ...part, content } : part)));

const BOMBS: Readonly<Record<string, () => () => unknown>> = {
  "HTML, deep": () => () => html("<div>".repeat(5_000_000)),
  "HTML, deep tables": () => () => html("<table><td>".repeat(1_000_000)),
  "HTML, deep by formatting": () => () =>
    html(
      numbers(100_000)
        .map((n) => `<p><b id=${n}></p>`)
        .join(""),
    ),
  "HTML, elements": () => () => html("<b></b>".repeat(LIMITS.html.elements + 1)),
  "HTML, comments": () => () => html("<!---->".repeat(LIMITS.html.elements + 1)),
  "HTML, attributes": () => () => html(`<div ${attributes(1_000_000)}>`),
  "XML, deep": () => () => xml("<x>".repeat(5_000_000)),
  "XML, attributes": () => () => xml(`<x ${attributes(1_000_000)}/>`),
  "JSON, deep": () => () => parseDirectoryAnswer("[".repeat(20_000_000)),
  "JSON, values": () => () => parseDirectoryAnswer(`[${"0,".repeat(20_000_000)}0]`),
  "CSV, one line": () => () => csv("x".repeat(50_000_000)),
  "CSV, columns": () => () => csv(",".repeat(50_000_000)),
  "CSV, cells": () => () => csv(`${",".repeat(999)}\n`.repeat(50_000)),
  "workbook, dense"() {
    const bytes = withSheet(" ".repeat(150_000_000));
    return () => parseSheetTables("a.xlsx", bytes);
  },
  "workbook, elements"() {
    const bytes = withSheet(
      numbers(2_000_000)
        .map((n) => `<c><c><c><c><c><c>${n}`)
        .join(""),
    );
    return () => parseSheetTables("a.xlsx", bytes);
  },
};

test.each(Object.entries(BOMBS))("%s: refused", async (name, prepare) => {
  const read = prepare();
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const error = await Promise.resolve()
    .then(read)
    .catch((thrown: unknown) => thrown);
  const ms = Math.round(performance.now() - began);
  const bytes = process.memoryUsage.rss() - before;
  process.stdout.write(`${JSON.stringify({ name, ms, megabytes: Math.round(bytes / 1e6), error: String(error) })}\n`);
  expect(error).toBeInstanceOf(UpstreamBadResponse);
  expect(ms).toBeLessThan(MOST_MS);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
