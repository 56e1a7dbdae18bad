/** Where today is in the term, and what comes next. */
import { useContext } from "preact/hooks";
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import { campusToday, comingDates, runningTerms, SiteContext } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { weekday } from "../format.ts";
import { DateLines, useWeekText } from "../shell/week.tsx";

const MAX_DATES = 4;
const DAY_MS = 86_400_000;
/** Days from one date to another. */
const daysTo = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;
const percent = (part: number): string => `${(100 * part).toFixed(1)}%`;

export function WeekCard() {
  const site = useContext(SiteContext);
  const today = campusToday();
  const [week, term] = useWeekText()?.split(" • ", 2) ?? [];
  const coming = comingDates(site, today).slice(0, MAX_DATES);
  return (
    <section class="card">
      <h2>
        {week ?? "This week"}
        {term !== undefined && <small>{term}</small>}
      </h2>
      {runningTerms(site, today).map((dates) => (
        <TermBar {...dates} today={today} />
      ))}
      <DateLines dates={coming} />
      {coming.length === 0 && <p class="quiet">No upcoming dates. Today is {weekday(today)}.</p>}
    </section>
  );
}

/** The weeks of a term up to the end of finals, filled up to today. */
function TermBar({ year, quarter, instructionStart, finalsStart, finalsEnd, today }: TermDates & { today: string }) {
  const days = daysTo(instructionStart, finalsEnd) + 1;
  const done = daysTo(instructionStart, today) + 1;
  const name = `${termTitle(`${year} ${quarter}`)}: day ${done} of ${days}, finals included`;
  return (
    <div class="term-bar" role="img" aria-label={name} title={name} style={{ "--week": percent(7 / days) }}>
      <span class="done" style={{ width: percent(done / days) }} />
      <span class="finals" style={{ left: percent(daysTo(instructionStart, finalsStart) / days) }} />
    </div>
  );
}
