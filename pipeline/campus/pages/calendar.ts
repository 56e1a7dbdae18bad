/**
 * The registrar's quarterly calendars, a page for each academic year: regular quarters in one table, summer sessions in
 * another.
 */
import type { Quarter, Term } from "../../contract/vocabulary.ts";
import type { CampusResponse } from "../listening/response.ts";
import { isoDay, monthAndDate, printDay } from "../days.ts";
import { htmlResponse, notFound } from "../html.ts";
import type { PageData } from "../page-data.ts";
import type { CampusTerm } from "../sections/term-calendar.ts";
import { type Days, REGULAR_HOLIDAYS, SUMMER_HOLIDAYS } from "./holidays.ts";

const REGULAR: readonly Quarter[] = ["Fall", "Winter", "Spring"];
const SUMMER: readonly Quarter[] = ["Summer1", "Summer10wk", "Summer2"];
const TITLES: Readonly<Record<Quarter, string>> = {
  Fall: "Fall",
  Winter: "Winter",
  Spring: "Spring",
  Summer1: "Summer Session I",
  Summer10wk: "Summer Session 10WK",
  Summer2: "Summer Session II",
};

/** The first year on the web; the last begins in the coming year. */
const FIRST_YEAR = 2013;

/** `2023-2024/quarterly23-24.html`; the index is at the base address. */
export function answerCalendar(world: PageData, rest: string): CampusResponse {
  const last = Number(isoDay(world.today()).slice(0, 4)) + 1;
  const years = Array.from({ length: last - FIRST_YEAR + 1 }, (_, i) => FIRST_YEAR + i).filter((year) =>
    [...REGULAR, ...SUMMER].some((quarter) => world.calendar(termOf(year, quarter))),
  );
  if (rest === "" || rest === "index.html") {
    const items = years.map((year) => `<li><a href="${addressOf(year)}">${year}-${year + 1}</a></li>`);
    return htmlResponse(
      "Academic Calendars",
      `<h1>Quarterly Academic Calendars</h1>\n<ul>\n${items.join("\n")}\n</ul>`,
    );
  }
  const year = years.find((candidate) => addressOf(candidate) === rest);
  if (year === undefined) return notFound();
  return htmlResponse(
    "Quarterly Academic Calendar",
    `<h1>${year}-${year + 1} Quarterly Academic Calendar</h1>\n${table(world, year, REGULAR)}\n${table(world, year, SUMMER)}`,
  );
}

const twoDigits = (year: number): string => String(year).slice(2);
const addressOf = (year: number): string =>
  `${year}-${year + 1}/quarterly${twoDigits(year)}-${twoDigits(year + 1)}.html`;

const termOf = (year: number, quarter: Quarter): Term => ({
  year: String(year + (quarter === "Fall" ? 0 : 1)),
  quarter,
});

/** Only months and days are printed; the year follows from the column. */
function table(world: PageData, year: number, quarters: readonly Quarter[]): string {
  const terms = quarters.map((quarter) => termOf(year, quarter));
  const dates = terms.map((term) => world.calendar(term));
  const holidays = quarters.some((quarter) => quarter.startsWith("Summer")) ? SUMMER_HOLIDAYS : REGULAR_HOLIDAYS;
  const row = (label: string, cell: (term: CampusTerm) => string): string =>
    `<tr>\n<td>${label}</td>\n${dates.map((term) => `<td>${term ? cell(term) : "TBA"}</td>`).join("\n")}\n</tr>`;
  return `<table class="calendartable">
<tr>
<th>&nbsp;</th>
${terms.map((term) => `<th>${TITLES[term.quarter]} ${term.year}</th>`).join("\n")}
</tr>
${row("Schedule of Classes available on the Web", (term) => printDay(term.announcedOn))}
${row("Enrollment begins", (term) => printDay(term.enrolmentOpens))}
${row("Enrollment by appointment", (term) => printRange(term.enrolmentOpens, term.enrolmentOpens + 11))}
${row("Open enrollment begins", (term) => printDay(term.enrolmentOpens + 12))}
${row("Quarter begins", (term) => printDay(term.instructionStart))}
${row("<strong>Instruction begins</strong>", (term) => printDay(term.instructionStart))}
${row("Last day to add", (term) => printDay(term.instructionStart + 11))}
${row("Last day to drop", (term) => printDay(term.instructionStart + 11))}
${holidays.map(([label, days]) => row(label, (term) => printHoliday(days(term)))).join("\n")}
${row("Instruction ends", (term) => printDay(term.instructionEnd))}
${row("Final examinations", (term) => printRange(term.finalsStart, term.finalsEnd))}
${row("Quarter ends", (term) => printDay(term.finalsEnd))}
</table>`;
}

const printHoliday = (days: Days | undefined): string => (days ? printRange(...days) : "&nbsp;");

/** `Dec 9-15`, `Mar 30 - Apr 5`, `Sep 1`: a hyphen or a dash. */
function printRange(start: number, end: number): string {
  if (start === end) return printDay(start);
  const dash = start % 2 === 0 ? "-" : "–";
  const last = monthAndDate(end);
  if (monthAndDate(start).month === last.month) return `${printDay(start)}${dash}${last.date}`;
  return `${printDay(start)} ${dash} ${printDay(end)}`;
}
