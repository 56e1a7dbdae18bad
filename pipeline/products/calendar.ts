/**
 * The academic calendar: the registrar's pages, overridden by `data/calendar.csv`.
 * **Output:** calendar, calendar_dates
 */
import { createHash } from "node:crypto";
import { calendar, calendarDates, type TermDates } from "../contract/rows/calendar.ts";
import type { Source } from "../contract/rows/source.ts";
import { sumUnknown, type UnknownField } from "../contract/source-fields.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { GuardError, UpstreamBadResponse } from "../errors.ts";
import { mergeCalendars, toCalendarRows, toTermDates } from "../normalize/calendar.ts";
import { mergeDates, toCalendarDates } from "../normalize/calendar-dates.ts";
import { parseCalendarCsv } from "../parse/calendar-csv.ts";
import { parseCalendarIndex, parseCalendarPage } from "../parse/calendar-html.ts";
import { readCalendarCsv, walkCalendar } from "../sources/calendar.ts";
import { isDamaged, isDue, crawlSource, type ProductStep, type RunContext, WEEK_MS } from "./context.ts";
import { guardFields } from "./guard/field-guard.ts";
import { guardWhole } from "./guard/shrink.ts";
import { readRows, writeRows } from "./rows.ts";

export const calendarStep: ProductStep = {
  product: "calendar",
  async plan(context) {
    if (!isDue(context, "calendar", WEEK_MS)) return false;
    return context.addresses.calendar !== undefined || (await readCalendarCsv(context.config.dataDir)) !== undefined;
  },
  async run(context, tally) {
    const { addresses, client, config, staging, today } = context;
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
    // A year without a page keeps its published dates.
    const rows = mergeCalendars(mergeCalendars(await readCalendar(context), printed), written);
    if (rows.length === 0) throw new UpstreamBadResponse("calendar", "the calendar has no term");
    if (isDamaged(context, "calendar"))
      guardWhole("the calendar, in terms,", staging.find("calendar", {})?.rows ?? 0, rows.length, context);
    staging.put(await writeRows(context, calendar, rows));
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

/**
 * A calendar without other dates is no fault. Where the published ones would be emptied they stay, and that is damage.
 * @returns how many dates of these pages are published with the next snapshot
 */
async function stageDates(context: RunContext, pages: readonly PrintedDates[], tally: Tally): Promise<number> {
  const { database, staging } = context;
  const published = { table: "calendar_dates", partition: {} } as const;
  const what = "the dates of the calendar,";
  const printed = pages.flatMap((page) => toCalendarDates(page, tally));
  const rows = mergeDates(await readRows(database, calendarDates, staging.paths("calendar_dates")), printed);
  if (isDamaged(context, "calendar_dates"))
    guardWhole(what, staging.find("calendar_dates", {})?.rows ?? 0, rows.length, context);
  if (rows.length === 0) {
    staging.remove("calendar_dates", {});
    return 0;
  }
  const file = await writeRows(context, calendarDates, rows);
  const from = "rows_calendar_dates";
  try {
    await guardFields(
      context,
      { what, table: calendarDates, published, from, known: [], unknown: sumUnknown(pages), rows: {} },
      tally,
    );
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    tally.damage(error.message);
    return 0;
  }
  staging.put(file);
  return printed.length;
}

function fileSource({ now }: RunContext, csv: string, rows: number): Source {
  const sha256 = createHash("sha256").update(csv).digest("hex");
  const fetchedAt = now().toISOString();
  const of = { system: "calendar", tableName: "calendar", year: null, quarter: null };
  return { ...of, name: "calendar.csv", sha256, fetchedAt, rows };
}

/** The published calendar, for steps before or without the calendar step. */
export const readCalendar = ({ database, staging }: RunContext): Promise<TermDates[]> =>
  readRows(database, calendar, staging.paths("calendar"));
