/** The records office: an index page of grade exports, and the exports, with entity tags and dates. */
import type { IncomingHttpHeaders } from "node:http";
import { campusTerm, type CampusTerm } from "../sections/term-calendar.ts";
import { conditionalResponse, entityTag, type CampusResponse } from "../listening/response.ts";
import { toDate } from "../days.ts";
import { escapeHtml, htmlPage, notFound } from "../html.ts";
import { compareTerms, QUARTERS } from "../../contract/vocabulary.ts";
import type { CampusWorld } from "../world.ts";
import { writeCsv } from "./csv.ts";
import { exportFiles, type ExportFile } from "./export-files.ts";
import { sheetTable } from "./sheet-table.ts";
import { writeXlsx } from "./xlsx.ts";

/**
 * A part of every entity tag: files follow from size, seed and name, so nothing has to be generated to know that a file
 * is unchanged. Raise it with every change of the generator that changes a file (a test compares the bytes of a file
 * with recorded ones).
 */
export const EXPORT_REVISION = 3;

/** Files are published in the morning. */
const PUBLISHING_HOUR = 17;

export const MEDIA_TYPES = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;

export type RecordsOffice = (rest: string, headers: IncomingHttpHeaders) => CampusResponse;

export function createRecords(world: CampusWorld): RecordsOffice {
  const bodies = new Map<string, string | Uint8Array>();
  const tagOf = ({ name, terms }: ExportFile) => entityTag(EXPORT_REVISION, world.size, world.seed, name, terms.length);
  const bodyOf = (file: ExportFile): string | Uint8Array => {
    const cached = bodies.get(file.name);
    if (cached !== undefined) return cached;
    const body = writeExport(world, file);
    bodies.set(file.name, body);
    return body;
  };
  return (rest, headers) => {
    const today = world.today();
    const files = exportFiles(wholeYears(world.terms()), today);
    if (rest === "") {
      const published = files.map(({ publishedOn }) => publishedOn);
      const modified = toDate(Math.max(0, ...published), PUBLISHING_HOUR);
      return conditionalResponse(headers, entityTag(...files.map(tagOf)), modified, "text/html; charset=utf-8", () =>
        indexPage(files),
      );
    }
    const file = files.find(({ name }) => name === rest);
    if (!file) return notFound();
    return conditionalResponse(
      headers,
      tagOf(file),
      toDate(file.publishedOn, PUBLISHING_HOUR),
      MEDIA_TYPES[file.format],
      () => bodyOf(file),
    );
  };
}

/** A file waits for all its terms, including those that are not announced yet. */
function wholeYears(terms: readonly CampusTerm[]): CampusTerm[] {
  const last = terms.at(-1) as CampusTerm;
  const rest = [
    ...QUARTERS.map((quarter) => ({ year: last.year, quarter })),
    ...QUARTERS.map((quarter) => ({ year: String(Number(last.year) + 1), quarter })),
  ];
  return [...terms, ...rest.filter((term) => compareTerms(term, last) > 0).map(campusTerm)];
}

function writeExport(world: CampusWorld, { terms, layout, numeric, format }: ExportFile): string | Uint8Array {
  const table = sheetTable(
    terms.flatMap((term) => [...world.grades(term)]),
    layout,
    numeric,
  );
  return format === "csv" ? writeCsv(table, numeric) : writeXlsx(table, numeric ? "inline" : "shared");
}

/** Links are written by hand: relative and absolute paths, between links that are not exports. */
export function indexPage(files: readonly Pick<ExportFile, "name" | "format">[]): string {
  const items = files.map(({ name, format }, i) => {
    const href = i % 3 === 2 ? `/records/${encodeURIComponent(name)}` : encodeURIComponent(name);
    return `<li><a href="${href}">${escapeHtml(name.replace(/\.\w+$/, "").replaceAll("_", " "))}</a> (${format === "csv" ? "CSV" : "Excel"})</li>`;
  });
  return htmlPage(
    "Public Records",
    `<h1>Public Records Office</h1>
<p>Read <a href="how-to-request.pdf">how to request a record</a>, or <a href="mailto:records@example.edu">write to us</a>.</p>
<h2>Grade distributions</h2>
<ul>
${items.join("\n")}
</ul>
<p><a href="#top">Back to top</a></p>`,
  );
}
