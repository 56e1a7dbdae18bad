/** Fetches the pages of a unit of a crawl, a department or a GE category, and writes its landing file. */
import { createHash } from "node:crypto";
import type { Department } from "../contract/rows/listing.ts";
import { FIRST_HIDDEN_CODE, type GeCategory, type Term } from "../contract/vocabulary.ts";
import type { TermLanding, Unit } from "../landing/term-landing.ts";
import { createMemo, type UnitMemo, type UnitPages } from "../landing/unit-memo.ts";
import { toHeadings } from "../normalize/schedule/heading.ts";
import { toLandedSections, UNREADABLE } from "../normalize/schedule/section.ts";
import { sumUnknown, type UnknownField } from "../contract/source-fields.ts";
import type { Client } from "../sources/client/http.ts";
import type { SchedulePage } from "../contract/schedule-page.ts";
import { isClear, searchSchedule, type ScheduleFields } from "../sources/schedule.ts";
import { syncReaders } from "./schedule-readers.ts";

export interface UnitCrawl {
  client: Client;
  /** The address of the schedule system. */
  url: URL;
  term: Term;
  /** The departments of the search form, in a stable order. */
  departments: readonly Department[];
}

/** A finished unit. */
export interface LandedUnit {
  readonly memo: UnitMemo;
  /** True when its page is equal to that of the published crawl. */
  readonly isReused: boolean;
}

/** Lands the sections and headings of a department. @throws UpstreamError */
export async function landDepartment(
  crawl: UnitCrawl,
  landing: TermLanding,
  department: string,
  signal: AbortSignal,
): Promise<LandedUnit> {
  const { term, departments } = crawl;
  const earlier = await landing.earlier({ department });
  const fetched = await fetchUnit(crawl, { term, department }, signal, earlier);
  if (fetched === "equal") return reuse(landing, { department }, earlier);
  const { pages, ...hashes } = fetched;
  const schools = pages.flatMap((page) => page.schools);
  const { memo, tally } = createMemo(hashes);
  const rows = toLandedSections(term, schools, tally, { keepHidden: false });
  const names = new Map(departments.map(({ deptCode, deptName }) => [deptCode, deptName]));
  memo.codes = rows.map((row) => row.sectionCode);
  memo.unknown = sumUnknown([...pages, { unknown: unreadableTexts(memo) }]);
  await landing.sealDepartment(department, rows, toHeadings(term, schools, names), memo);
  return { memo, isReused: false };
}

async function reuse(landing: TermLanding, unit: Unit, memo: UnitMemo | undefined): Promise<LandedUnit> {
  if (!memo) throw new TypeError("there is no earlier unit");
  await landing.reuse(unit);
  return { memo, isReused: true };
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
): Promise<LandedUnit> {
  const fields = { term: crawl.term, ge: category, codesOnly: true };
  const earlier = await landing.earlier({ category });
  const fetched = await fetchUnit(crawl, fields, signal, earlier);
  if (fetched === "equal") return reuse(landing, { category }, earlier);
  const { pages, ...hashes } = fetched;
  const codes = new Set<string>();
  for (const { departments } of pages.flatMap((page) => page.schools)) {
    for (const section of departments.flatMap(({ courses }) => courses.flatMap(({ sections }) => sections))) {
      const code = section.code.trim();
      if (/^\d{5}$/.test(code) && Number(code) < FIRST_HIDDEN_CODE) codes.add(code);
    }
  }
  const { memo } = createMemo(hashes);
  memo.codes = [...codes];
  await landing.sealGe(category, memo);
  return { memo, isReused: false };
}

/** SHA-256 of other hashes. */
export const hashOf = (hashes: readonly string[]): string =>
  createHash("sha256").update(hashes.join("\n")).digest("hex");

/** A page that is not parsed, because it is equal to an earlier one. */
const EQUAL: SchedulePage = { schools: [], sections: 1, whole: true, unknown: [] };

/** Returns the unit's pages, or `equal` when they are those of the earlier unit. */
async function fetchUnit(
  { client, url }: { client: Client; url: URL },
  fields: ScheduleFields,
  signal: AbortSignal,
  earlier: UnitPages | undefined,
): Promise<({ pages: SchedulePage[] } & UnitPages) | "equal"> {
  const hashesOf = new Map<SchedulePage, { digest: string; content: string }>();
  const readers = {
    ...syncReaders,
    async page(...[response, term]: Parameters<typeof syncReaders.page>) {
      const digest = pageDigest(response.body);
      const content = hashOf([digest, response.headers.get("content-type") ?? ""]);
      // The first page is that of the whole unit; others are parts of it.
      const isWhole = hashesOf.size === 0;
      if (isWhole && earlier?.isClear && hashOf([content]) === earlier.content) return EQUAL;
      const page = await syncReaders.page(response, term);
      hashesOf.set(page, { digest, content });
      return page;
    },
  };
  const pages = await searchSchedule(client, url, fields, readers, signal);
  const [first, ...others] = pages;
  // If a page was fetched again, only the last version counts.
  const content = hashOf(pages.map((page) => hashesOf.get(page)?.content ?? ""));
  if (first === EQUAL || content === earlier?.content) return "equal";
  const received = hashOf(pages.map((page) => hashesOf.get(page)?.digest ?? ""));
  return { pages, received, content, isClear: first !== undefined && others.length === 0 && isClear(first) };
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
