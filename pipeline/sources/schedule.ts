/**
 * Searches of the schedule system. Its XML is the same when nothing matches, when too much matches and on an internal
 * error, so an empty result is confirmed by the HTML page, and a search over the limit is split by section codes.
 */
import { SCHEDULE_SYSTEM, type SchedulePage, type WebResults } from "../contract/schedule-page.ts";
import {
  FIRST_HIDDEN_CODE,
  QUARTER_CODES,
  UPSTREAM_SECTION_LIMIT,
  type GeCategory,
  type Term,
} from "../contract/vocabulary.ts";
import { UpstreamBadResponse } from "../errors.ts";
import type { UpstreamResponse } from "./client/exchange.ts";
import type { Client } from "./client/http.ts";

/** Section codes from `low` to `high`, both included. */
export interface CodeRange {
  low: number;
  high: number;
}

/** Fields of the search form, in the form's own values; an absent field does not restrict. */
export interface ScheduleFields {
  term: Term;
  ge?: GeCategory;
  department?: string;
  codes?: readonly CodeRange[];
  courseNumber?: string;
  division?: "0xx" | "1xx" | "2xx";
  instructor?: string;
  title?: string;
  type?: string;
  units?: string;
  days?: string;
  /** Full hours, `9:00am`. */
  startTime?: string;
  endTime?: string;
  maxCapacity?: string;
  building?: string;
  room?: string;
  /** Leaves out comments and finals. */
  codesOnly?: boolean;
}

export interface ScheduleReaders {
  /** Parses the XML. @throws UpstreamBadResponse */
  page(response: UpstreamResponse, term: Term): SchedulePage | Promise<SchedulePage>;
  /** Parses the HTML page. @throws UpstreamBadResponse */
  webResults(response: UpstreamResponse): WebResults;
}

/** The XML and the HTML page of a search disagree; the search is retried. */
class Contradiction extends UpstreamBadResponse {}

/** The codes that a search without codes covers. */
const ALL_CODES: readonly CodeRange[] = [{ low: 1, high: FIRST_HIDDEN_CODE - 1 }];

/**
 * Runs a search, cancelled sections included. Over the limit, it is split into halves of the section codes,
 * recursively.
 * @returns pages that together hold every matching section exactly once; none when the HTML page confirms that nothing
 *   matches
 * @throws UpstreamError; a failure never looks like an empty result
 */
export async function searchSchedule(
  client: Client,
  url: URL,
  fields: ScheduleFields,
  readers: ScheduleReaders,
  signal?: AbortSignal,
): Promise<SchedulePage[]> {
  const page = await client.retry(
    () => searchOnce(client, url, fields, readers, signal),
    (error) => error instanceof Contradiction,
    signal,
  );
  if (page !== "tooMany") return page.sections === 0 ? [] : [page];
  const halves = halve(fields.codes ?? ALL_CODES);
  if (!halves) {
    throw new UpstreamBadResponse(SCHEDULE_SYSTEM, `more than ${UPSTREAM_SECTION_LIMIT} sections with one code`);
  }
  const pages = await Promise.all(
    halves.map((codes) => searchSchedule(client, url, { ...fields, codes }, readers, signal)),
  );
  return pages.flat();
}

async function searchOnce(
  client: Client,
  url: URL,
  fields: ScheduleFields,
  readers: ScheduleReaders,
  signal?: AbortSignal,
): Promise<SchedulePage | "tooMany"> {
  const request = (submit: string) => ({
    url,
    form: toForm(fields, submit),
    ...(signal ? { signal } : {}),
  });
  const page = await client.request(request(XML_RESULTS), (response) => readers.page(response, fields.term));
  if (isClear(page)) return page;
  const web = await client.request(request("Display Web Results"), readers.webResults);
  if (web.kind === "tooMany") return "tooMany";
  const codes = new Set(codesOf(page));
  const missing = web.kind === "sections" ? web.codes.filter((code) => !codes.has(code)) : [];
  if (missing.length > 0) {
    throw new Contradiction(SCHEDULE_SYSTEM, `the XML lacks ${missing.length} sections that the HTML page shows`);
  }
  if (web.kind === "none" && page.sections > 0) {
    throw new Contradiction(SCHEDULE_SYSTEM, "the XML has sections where the HTML page shows none");
  }
  return page;
}

/** True for a page that needs no second one to confirm it. A page at the limit may have been truncated there. */
export const isClear = ({ sections, whole }: SchedulePage): boolean =>
  whole && sections > 0 && sections < UPSTREAM_SECTION_LIMIT;

const codesOf = (page: SchedulePage): string[] =>
  page.schools.flatMap(({ departments }) =>
    departments.flatMap(({ courses }) =>
      courses.flatMap(({ sections }) => sections.map((section) => section.code.trim())),
    ),
  );

/** Splits ranges into two lists of about equal size; undefined for a single code. */
export function halve(ranges: readonly CodeRange[]): [CodeRange[], CodeRange[]] | undefined {
  if (ranges.length > 1) {
    const middle = Math.ceil(ranges.length / 2);
    return [ranges.slice(0, middle), ranges.slice(middle)];
  }
  const [range] = ranges;
  if (!range || range.low >= range.high) return undefined;
  const middle = Math.floor((range.low + range.high) / 2);
  return [[{ low: range.low, high: middle }], [{ low: middle + 1, high: range.high }]];
}

const XML_RESULTS = "Display XML Results";

/** The form as it is sent: every field, blank or "any" when unused. */
export function toForm(fields: ScheduleFields, submit: string): URLSearchParams {
  const form = new URLSearchParams({
    Submit: submit,
    YearTerm: `${fields.term.year}-${QUARTER_CODES[fields.term.quarter]}`,
    Breadth: fields.ge ?? "ANY",
    Dept: fields.department ?? "ALL",
    CourseNum: fields.courseNumber ?? "",
    Division: fields.division ?? "ANY",
    CourseCodes: (fields.codes ?? []).map(toCodes).join(","),
    InstrName: fields.instructor ?? "",
    CourseTitle: fields.title ?? "",
    ClassType: fields.type ?? "ALL",
    Units: fields.units ?? "",
    Days: fields.days ?? "",
    StartTime: fields.startTime ?? "",
    EndTime: fields.endTime ?? "",
    MaxCap: fields.maxCapacity ?? "",
    FullCourses: "ANY",
    CancelledCourses: "Include",
    Bldg: fields.building ?? "",
    Room: fields.room ?? "",
    FontSize: "100",
  });
  if (submit === XML_RESULTS && !fields.codesOnly) {
    form.set("ShowComments", "on");
    form.set("ShowFinals", "on");
  }
  return form;
}

/** `34160` or `34160-34170`. */
const toCodes = ({ low, high }: CodeRange): string =>
  [...new Set([low, high])].map((code) => String(code).padStart(5, "0")).join("-");
