/** The sections of a response as an iCalendar file (RFC 5545, RFC 7986), to which calendar programs can subscribe. */
import type { ChangeKind } from "../../../../pipeline/contract/rows/change.ts";
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { Term } from "../../../../pipeline/contract/vocabulary.ts";
import { OVER_FILES } from "../../../duckdb/query.ts";
import { constant, sql } from "../../../duckdb/sql.ts";
import { jsonObject } from "../../../snapshot/loading/loading.ts";
import type { EndpointContext, EndpointResult } from "../../endpoint.ts";
import { withTables } from "../../published-tables.ts";
import { totalOf } from "../files.ts";
import { type RequestParams, fileHeaders, type Representation } from "../representation.ts";
import {
  type Absence,
  ABSENCES,
  component,
  daysOfTerm,
  eventsOf,
  line,
  nameOf,
  SHOWN_FIELDS,
  type ShownSection,
  text,
  TIME_ZONE,
} from "./events.ts";

const SHOWN_KINDS = ["cancelled", "reinstated", "instructors", "meetings", "final"] satisfies ChangeKind[];

const FILE = { name: "ics", types: ["text/calendar; charset=utf-8"] } as const;

export const ics = {
  ...FILE,
  isFormat: true,
  of: "sections",
  // Bodies depend on academic dates and changes, too.
  dependsOn: "snapshot",
  describe: () => ({
    about:
      "an iCalendar file (RFC 5545): the meetings of each section, weekly from its first meeting day to the last day of instruction, without the holidays and breaks of the academic calendar, and its final; cancelled sections with `STATUS:CANCELLED`; sections of which it has no class are named in `DESCRIPTION`, with the reason. `UID` is made of term, section code and number of the meeting, `SEQUENCE` counts the published changes of what an event shows",
  }),
  render: toCalendarFile,
} satisfies Representation;

/** Builds the file from sections of a single term. The same snapshot gives the same bytes. */
async function toCalendarFile(params: RequestParams, context: EndpointContext): Promise<EndpointResult> {
  const { endpoint, values, page } = params;
  const { pool, snapshot } = context;
  const statement = await endpoint.statement(values, context, page);
  const rows = sql`${withTables(snapshot.published, statement)} SELECT ${constant(jsonObject(SHOWN_FIELDS))}::VARCHAR FROM (${statement.select})`;
  const [texts = []] = await pool.columns(rows, { ...OVER_FILES, signal: context.signal() });
  const sections = (texts as string[]).map((row) => JSON.parse(row) as ShownSection);
  const [first] = sections;
  const { sequences, ...term } = first
    ? await readTerm(context, { year: first.year, quarter: first.quarter })
    : UNKNOWN;
  const dataTime = statement.live ? context.now : new Date(snapshot.published.manifest.createdAt);
  const absent: { section: ShownSection; absence: Absence }[] = [];
  const events = sections.flatMap((section) => {
    const entry = eventsOf(section, {
      ...term,
      timestamp: dataTime,
      sequence: sequences.get(section.sectionCode) ?? 0,
    });
    if (entry.absence) absent.push({ section, absence: entry.absence });
    return entry.events;
  });
  const note = first ? noteOfAbsent(absent, first) : "";
  const name = text(first ? `Sections of ${first.quarter} ${first.year}` : "Sections");
  const file = component("VCALENDAR", [
    line("VERSION", "2.0"),
    line("PRODID", "-//Academic Data REST Service//EN"),
    line("CALSCALE", "GREGORIAN"),
    line("NAME", name),
    line("X-WR-CALNAME", name),
    ...(note === "" ? [] : [line("DESCRIPTION", text(note))]),
    line("REFRESH-INTERVAL;VALUE=DURATION", "PT1H"),
    line("X-PUBLISHED-TTL", "PT1H"),
    TIME_ZONE,
    ...events,
  ]);
  return {
    body: [Buffer.from(file)],
    rows: sections.length,
    headers: {
      ...statement.headers,
      ...(await totalOf(params, context, statement)),
      ...fileHeaders(endpoint.path, FILE),
    },
  };
}

interface TermParts {
  readonly dates: TermDates | undefined;
  readonly days: ReturnType<typeof daysOfTerm>;
  /** The sequence numbers by section code. */
  readonly sequences: ReadonlyMap<string, number>;
}

const UNKNOWN: TermParts = { dates: undefined, days: [], sequences: new Map() };

/** Reads the dates and changes of a term. Holidays listed under another term count too: summer sessions share them. */
async function readTerm({ pool, snapshot: { published } }: EndpointContext, term: Term): Promise<TermParts> {
  const calendar = jsonObject(["year", "quarter", "instructionStart", "instructionEnd", "finalsStart", "finalsEnd"]);
  const [[[json] = []], [holidays = []], [codes = [], counts = []]] = await Promise.all([
    pool.columns(
      sql`${withTables(published, { reads: [{ table: "calendar" }] })} SELECT ${constant(calendar)}::VARCHAR
        FROM calendar WHERE year = ${term.year} AND quarter = ${term.quarter}`,
      OVER_FILES,
    ),
    pool.columns(
      sql`${withTables(published, { reads: [{ table: "calendar" }, { table: "calendar_dates" }] })}
        SELECT DISTINCT date::VARCHAR FROM holidays JOIN calendar AS c ON date BETWEEN c.instructionStart AND c.instructionEnd
        WHERE c.year = ${term.year} AND c.quarter = ${term.quarter}`,
      OVER_FILES,
    ),
    pool.columns(
      sql`${withTables(published, { reads: [{ table: "changes", term }] })} SELECT sectionCode, count(*)::INTEGER
        FROM changes WHERE year = ${term.year} AND quarter = ${term.quarter} AND list_contains(${SHOWN_KINDS}, kind)
        GROUP BY sectionCode`,
      OVER_FILES,
    ),
  ]);
  const dates = json === undefined ? undefined : (JSON.parse(json as string) as TermDates);
  return {
    dates,
    days: dates ? daysOfTerm(dates, new Set(holidays as string[])) : [],
    sequences: new Map((codes as string[]).map((code, i) => [code, counts[i] as number])),
  };
}

const WORDS: Readonly<Record<Absence, (term: string) => string>> = {
  time: () => "Without a time",
  weekdays: () => "With a time, but without days of the week",
  dates: (term) =>
    `The academic calendar does not have ${term} yet, so that its days are not known and classes are left out`,
  days: (term) => `Without a day of class in ${term}, holidays and breaks left out`,
};

/** Notes sections without any class in the file: a line per reason, which names them; empty if there are none. */
function noteOfAbsent(
  absent: readonly { readonly section: ShownSection; readonly absence: Absence }[],
  { quarter, year }: Term,
): string {
  return ABSENCES.flatMap((reason) => {
    const names = absent
      .filter(({ absence }) => absence === reason)
      .map(({ section }) => `${nameOf(section)} (${section.sectionCode}${section.cancelled ? ", cancelled" : ""})`);
    return names.length > 0 ? `${WORDS[reason](`${quarter} ${year}`)}: ${names.join(", ")}` : [];
  }).join("\n");
}
