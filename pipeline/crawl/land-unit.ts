/** Fetches a unit of a crawl and writes its landing file. */
import type { Department } from "../contract/rows/listing.ts";
import { FIRST_HIDDEN_CODE, type GeCategory, type Term } from "../contract/vocabulary.ts";
import type { TermLanding } from "../landing/term-landing.ts";
import { createMemo, type UnitMemo } from "../landing/unit-memo.ts";
import { toHeadings } from "../normalize/schedule/heading.ts";
import { toLandedSections, UNREADABLE } from "../normalize/schedule/section.ts";
import { sumUnknown, type UnknownField } from "../contract/source-fields.ts";
import type { Client } from "../sources/client/http.ts";
import { fetchUnit } from "./fetch-unit.ts";

export interface UnitCrawl {
  client: Client;
  /** The schedule system's address. */
  url: URL;
  term: Term;
  /** The departments of the search form, in a stable order. */
  departments: readonly Department[];
}

/** The sections and headings of a department. @throws UpstreamError */
export async function landDepartment(
  crawl: UnitCrawl,
  landing: TermLanding,
  department: string,
  signal: AbortSignal,
): Promise<UnitMemo> {
  const { term, departments } = crawl;
  const { pages, received } = await fetchUnit(crawl, { term, department }, signal);
  const schools = pages.flatMap((page) => page.schools);
  const { memo, tally } = createMemo();
  const rows = toLandedSections(term, schools, tally, { keepHidden: false });
  const names = new Map(departments.map(({ deptCode, deptName }) => [deptCode, deptName]));
  memo.codes = rows.map((row) => row.sectionCode);
  memo.received = received;
  memo.unknown = sumUnknown([...pages, { unknown: unreadableTexts(memo) }]);
  await landing.sealDepartment(department, rows, toHeadings(term, schools, names), memo);
  return memo;
}

/** Of each element whose texts could not be read, their number and the first of them. */
function unreadableTexts({ noted }: UnitMemo): UnknownField[] {
  return Object.entries(UNREADABLE).flatMap(([reason, place]) => {
    const found = noted.filter((entry) => entry.reason === reason);
    const [first] = found;
    return first ? [{ kind: "text", place, name: first.name, count: found.length }] : [];
  });
}

/** The codes of the sections in a category. @throws UpstreamError */
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
  const { memo } = createMemo();
  memo.codes = [...codes];
  memo.received = received;
  await landing.sealGe(category, memo);
  return memo;
}
