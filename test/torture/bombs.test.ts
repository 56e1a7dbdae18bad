/** Pages and files that are small and deep, beyond a limit, are refused within 2 s and 300 MB. */
import { expect, test } from "vitest";
import { UpstreamBadResponse } from "../../pipeline/errors.ts";
import { LIMITS } from "../../pipeline/limits.ts";
import { parseDirectoryAnswer } from "../../pipeline/parse/directory-json.ts";
import { parsePage, textOf } from "../../pipeline/parse/html-page.ts";
import { parseScheduleXml } from "../../pipeline/parse/schedule/schedule-xml.ts";
import { parseSheetTables } from "../../pipeline/parse/sheets/sheet-table.ts";
import { toWorkbookParts, toZip } from "../support/upstream/workbook.ts";

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
