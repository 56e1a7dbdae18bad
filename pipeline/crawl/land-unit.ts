/** Fetches the pages of a unit of a crawl, a department or a GE category, and writes its landing file. */
import { createHash } from "node:crypto";
import type { Department } from "../contract/rows/listing.ts";
import { FIRST_HIDDEN_CODE, type GeCategory, type Term } from "../contract/vocabulary.ts";
import type { TermLanding } from "../landing/term-landing.ts";
import { createMemo, type UnitMemo } from "../landing/unit-memo.ts";
import { toHeadings } from "../normalize/schedule/heading.ts";
import { toLandedSections, UNREADABLE } from "../normalize/schedule/section.ts";
import { sumUnknown, type UnknownField } from "../contract/source-fields.ts";
import type { Client } from "../sources/client/http.ts";
import type { SchedulePage } from "../contract/schedule-page.ts";
import { searchSchedule, type ScheduleFields } from "../sources/schedule.ts";
import { syncReaders } from "./schedule-readers.ts";

export interface UnitCrawl {
  client: Client;
  /** The address of the schedule system. */
  url: URL;
  term: Term;
  /** The departments of the search form, in a stable order. */
  departments: readonly Department[];
}

/** Lands the sections and headings of a department. @throws UpstreamError */
export async function landDepartment(
  crawl: UnitCrawl,
  landing: TermLanding,
  department: string,
  signal: AbortSignal,
): Promise<UnitMemo> {
  const { term, departments } = crawl;
  const { pages, received } = await fetchUnit(crawl, { term, department }, signal);
  const schools = pages.flatMap((page) => page.schools);
  const { memo, tally } = createMemo(received);
  const rows = toLandedSections(term, schools, tally, { keepHidden: false });
  const names = new Map(departments.map(({ deptCode, deptName }) => [deptCode, deptName]));
  memo.codes = rows.map((row) => row.sectionCode);
  memo.unknown = sumUnknown([...pages, { unknown: unreadableTexts(memo) }]);
  await landing.sealDepartment(department, rows, toHeadings(term, schools, names), memo);
  return memo;
}

/** For each element with unreadable texts, the number of sections with such a text, and the first text. */
function unreadableTexts({ noted }: UnitMemo): UnknownField[] {
  return Object.entries(UNREADABLE).flatMap(([reason, place]) => {
    const entries = noted.filter((entry) => entry.reason === reason);
    const [first] = entries;
    const sections = new Set(entries.map(({ name }) => name.slice(0, name.indexOf(": "))));
    return first ? [{ kind: "text", place, name: first.name, count: sections.size }] : [];
  });
}

/** Lands the codes of the sections in a category. @throws UpstreamError */
export async function landGe(
  crawl: UnitCrawl,
  landing: TermLanding,
  category: GeCategory,
  signal: AbortSignal,
): Promise<UnitMemo> {
  const fields = { term: crawl.term, ge: category, codesOnly: true };
  const { pages, received } = await fetchUnit(crawl, fields, signal);
  const codes = new Set<string>();
  for (const { departments } of pages.flatMap((page) => page.schools)) {
    for (const section of departments.flatMap(({ courses }) => courses.flatMap(({ sections }) => sections))) {
      const code = section.code.trim();
      if (/^\d{5}$/.test(code) && Number(code) < FIRST_HIDDEN_CODE) codes.add(code);
    }
  }
  const { memo } = createMemo(received);
  memo.codes = [...codes];
  await landing.sealGe(category, memo);
  return memo;
}

/** SHA-256 of other hashes. */
export const hashOf = (hashes: readonly string[]): string =>
  createHash("sha256").update(hashes.join("\n")).digest("hex");

/** Returns the unit's pages; `received` is a hash of every page. */
async function fetchUnit(
  { client, url }: { client: Client; url: URL },
  fields: ScheduleFields,
  signal: AbortSignal,
): Promise<{ pages: SchedulePage[]; received: string }> {
  const digestOf = new Map<SchedulePage, string>();
  const readers = {
    ...syncReaders,
    async page(...[response, term]: Parameters<typeof syncReaders.page>) {
      const page = await syncReaders.page(response, term);
      digestOf.set(page, pageDigest(response.body));
      return page;
    },
  };
  const pages = await searchSchedule(client, url, fields, readers, signal);
  // If a page was fetched again, only the last version counts.
  return { pages, received: hashOf(pages.map((page) => digestOf.get(page) ?? "")) };
}

/** The time at which the schedule system generated the page, which would make every page differ. */
const GENERATED = /<websoc_results\b[^>]*?\sgenerated="[^"]*"/;
const HEAD_BYTES = 1000;

function pageDigest(body: Buffer): string {
  const head = body.subarray(0, HEAD_BYTES).toString("latin1");
  const generated = GENERATED.exec(head);
  const from = generated ? generated.index + generated[0].length : 0;
  return createHash("sha256")
    .update(head.slice(0, generated?.index ?? 0))
    .update(body.subarray(from))
    .digest("hex");
}
