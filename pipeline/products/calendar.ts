/**
 * The academic calendar: the registrar's pages, overridden by `data/calendar.csv`.
 * **Output:** calendar, calendar_dates
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { calendar, calendarDates, type TermDates } from "../contract/rows/calendar.ts";
import type { Source } from "../contract/rows/source.ts";
import { sumUnknown, type UnknownField } from "../contract/source-fields.ts";
import { compareTerms, termName } from "../contract/vocabulary.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { mergeCalendars, noteOverridden, toCalendarRows, toTermDates } from "../normalize/calendar.ts";
import { mergeDates, toCalendarDates } from "../normalize/calendar-dates.ts";
import { parseCalendarCsv } from "../parse/calendar-csv.ts";
import { parseCalendarIndex, parseCalendarPage } from "../parse/calendar-html.ts";
import { readCalendarCsv, walkCalendar } from "../sources/calendar.ts";
import { isDue, crawlSource, type ProductStep, type RunContext, WEEK_MS } from "./context.ts";
import { outOfOrder } from "./guard/calendar-order.ts";
import { noteUnknown } from "./guard/causes.ts";
import { isRefused } from "./guard/refusals.ts";
import { readSoundRows, writeRows } from "./rows.ts";
import { stage } from "./stage.ts";

export const calendarStep: ProductStep = {
  product: "calendar",
  system: "calendar",
  tables: ["calendar", "calendar_dates"],
  async plan(context) {
    if (!isDue(context, "calendar", WEEK_MS)) return false;
    return context.addresses.calendar !== undefined || (await readCalendarCsv(context.config.dataDir)) !== undefined;
  },
  async run(context, tally) {
    const { addresses, client, config, today } = context;
    const csv = await readCalendarCsv(config.dataDir);
    const written = csv === undefined ? [] : toCalendarRows(parseCalendarCsv(csv), tally);
    const walked = addresses.calendar
      ? await walkCalendar(
          client("calendar"),
          addresses.calendar,
          { index: parseCalendarIndex, year: parseCalendarPage },
          Number(today.slice(0, 4)) + 1,
          tally,
        )
      : { pages: [] };
    const printed = walked.pages.flatMap((page) => toTermDates(page, tally));
    noteOverridden(printed, written, tally);
    // A year without a page keeps its published dates.
    const published = await readCalendar(context);
    const rows = inOrder(context, published, mergeCalendars(mergeCalendars(published, printed), written), tally);
    if (rows.length === 0) throw new UpstreamBadResponse("calendar", "the calendar has no term");
    const file = await writeRows(context, calendar, rows);
    await stage(context, file, { what: "the calendar, in terms,", rows: {}, isWhole: true }, tally);
    const dates = await stageDates(context, walked.pages, tally);
    const received = [
      ...(addresses.calendar ? crawlSource(context, "calendar", { tableName: "calendar", rows: printed.length }) : []),
      ...(dates > 0 ? crawlSource(context, "calendar", { tableName: "calendar_dates", rows: dates }) : []),
      ...(csv === undefined ? [] : [fileSource(context, csv, written.length)]),
    ];
    return { calendar: rows, received };
  },
};

type PrintedDates = Parameters<typeof toCalendarDates>[0] & { readonly unknown: readonly UnknownField[] };

/** A term whose dates are out of order keeps its published dates, which is damage. */
function inOrder(
  context: RunContext,
  published: readonly TermDates[],
  rows: readonly TermDates[],
  tally: Tally,
): TermDates[] {
  const problems = outOfOrder(rows);
  return rows.flatMap((row) => {
    const text = problems.get(termName(row));
    const previous = published.find((candidate) => compareTerms(candidate, row) === 0);
    // The published dates were accepted.
    if (text === undefined || (previous && isDeepStrictEqual(previous, row))) return [row];
    const part = { table: "calendar", partition: {} } as const;
    if (!isRefused(context, [{ part, column: termName(row), text }], tally)) return [row];
    return previous ? [previous] : [];
  });
}

/**
 * A calendar without other dates is not a fault. If the published ones would be emptied, they stay, which is damage.
 * @returns how many dates of these pages are published with the next snapshot
 */
async function stageDates(context: RunContext, pages: readonly PrintedDates[], tally: Tally): Promise<number> {
  const part = { table: "calendar_dates", partition: {} } as const;
  const printed = pages.flatMap((page) => toCalendarDates(page, tally));
  const unknown = sumUnknown(pages);
  noteUnknown(context, { part, what: "the calendar", unknown }, tally);
  const rows = mergeDates(await readSoundRows(context, calendarDates), printed);
  if (rows.length === 0) {
    context.staging.remove("calendar_dates", {});
    return 0;
  }
  const file = await writeRows(context, calendarDates, rows);
  const isStaged = await stage(context, file, { what: "the dates of the calendar,", unknown, rows: {} }, tally);
  return isStaged ? printed.length : 0;
}

function fileSource({ now }: RunContext, csv: string, rows: number): Source {
  const sha256 = createHash("sha256").update(csv).digest("hex");
  const fetchedAt = now().toISOString();
  const of = { system: "calendar", tableName: "calendar", year: null, quarter: null };
  return { ...of, name: "calendar.csv", sha256, fetchedAt, rows };
}

/** The published calendar, for steps that precede the calendar step or run without it. */
export const readCalendar = (context: RunContext): Promise<TermDates[]> => readSoundRows(context, calendar);
