/** How fast a course filled: a sentence, the curves, and the terms as a table. */
import { ErrorBoundary, lazy } from "preact-iso";
import { useAddressState } from "../data/address-state.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { day, plural, share, spokenName } from "../format.ts";
import { DataTable } from "../parts/data-table.tsx";
import { ShowMore } from "../parts/show-more.tsx";
import { Switch } from "../parts/switch.tsx";
import { WhenNear } from "../parts/when-near.tsx";
import { dayAt, type FillCurve, type FillDay, weekText } from "./fill-curves.ts";

/** With the library of charts, after the words. */
const FillChart = lazy(() => import("../charts/fill-chart.tsx").then((m) => m.FillChart));
/** More lines cannot be told apart. */
const MAX_LINES = 6;

const DAY_MS = 86_400_000;
/** True for a day of the last week: enrollment may still change. */
const isRecent = ({ date }: FillDay): boolean => Date.now() - Date.parse(date) < 7 * DAY_MS;

/** The days between two records: `Nov 17`, `Nov 17 to Nov 20`. */
function missingDays({ date: last }: FillDay, { date: next }: FillDay): string {
  const shift = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
  return [...new Set([shift(last, 1), shift(next, -1)])].map((date) => day(date)).join(" to ");
}

/** `full since Nov 16`, `filled in 3 days`, `filled on the first day`, `not full yet`. */
function fillText({ days, full, daysToFill }: FillCurve): string {
  const last = days.at(-1) ?? days[0];
  if (!full) return isRecent(last) ? "not full yet" : "never full";
  if (isRecent(last)) return last.isFull ? `full since ${day(full.date)}` : `filled ${day(full.date)}, open again`;
  if (full === days[0]) return "full when first recorded";
  if (daysToFill === undefined) return "filled";
  return daysToFill <= 1 ? "filled on the first day" : `filled in ${plural(daysToFill, "day")}`;
}

/** Where the day of filling lies in the term, and what is not known about it. */
function fullText(curve: FillCurve): string {
  const { full, fullAfterGap } = curve;
  if (!full) return fillText(curve);
  const gap = fullAfterGap ? `; ${missingDays(fullAfterGap, full)} not recorded` : "";
  return `${fillText(curve)}, ${weekText(full.week)} (${day(full.date)})${gap}`;
}

/** `Fall 2025: filled in 3 days, 6 weeks before instruction`. */
export function findingOf(curve: FillCurve): string {
  const last = curve.days.at(-1) ?? curve.days[0];
  const where = curve.full
    ? weekText(curve.full.week)
    : `${share(last.taken, last.seats)} of seats taken by ${day(last.date)}`;
  return `${termTitle(curve.term)}: ${fillText(curve)}, ${where}`;
}

function TermTable({ curves }: { curves: readonly FillCurve[] }) {
  return (
    <DataTable
      caption="By term, newest first"
      headers={["Term", "Filled", "Last recorded", "Instructors", "Taken by first day of instruction"]}
      rows={curves.map((curve) => {
        const last = curve.days.at(-1) ?? curve.days[0];
        const start = dayAt(curve, 0);
        return [
          termTitle(curve.term),
          fullText(curve),
          `${last.taken} of ${last.seats} seats, ${day(last.date)}`,
          curve.instructors.map(spokenName).join(", ") || "not announced",
          start && last.week >= 0 ? share(start.taken, start.seats) : "–",
        ];
      })}
      isNumber={(column) => column === 4}
    />
  );
}

const named = (curve: FillCurve) => ({ ...curve, name: termTitle(curve.term) });

/** The terms that the table shows at first. */
const MAX_TERMS = 4;

interface FillProps {
  /** Curves of all terms, newest first. */
  readonly curves: readonly FillCurve[];
  /** The term of the page. */
  readonly term: string;
  /** Terms with records, including those without a curve. */
  readonly recorded: ReadonlySet<string>;
  /** All sections of the term are cancelled. */
  readonly isCancelled: boolean;
}

/** Explains why a term has no curve. */
function whyMissing(term: string, curves: readonly FillCurve[], recorded: ReadonlySet<string>, isCancelled: boolean) {
  if (isCancelled) return `All sections of ${termTitle(term)} are cancelled.`;
  if (recorded.has(term))
    return `The enrollment of ${termTitle(term)} cannot be shown: it was recorded after the term, has no seats, or the term has no calendar dates.`;
  const oldest = curves.at(-1)?.term ?? term;
  return termQuery(term).year < termQuery(oldest).year
    ? `Recording began in ${termTitle(oldest)}, after ${termTitle(term)}.`
    : `No enrollment is recorded for ${termTitle(term)}.`;
}

export function Fill({ curves, term, recorded, isCancelled }: FillProps) {
  const [{ fill: unit }] = useAddressState();
  const current = curves.find((curve) => curve.term === term) ?? curves[0];
  if (!current)
    return (
      <p class="quiet">
        {recorded.size > 0
          ? "Enrollment was recorded only after the terms, or in terms without calendar dates."
          : "No enrollment has been recorded for this course yet. Each refresh adds a day."}
      </p>
    );
  const hasBegun = ({ days }: FillCurve) => (days.at(-1)?.week ?? -1) >= 0;
  // A term that has not begun says little.
  const described = current.full || hasBegun(current) ? current : (curves.find(hasBegun) ?? current);
  const others = curves.filter((curve) => curve !== current);
  return (
    <>
      {current.term !== term && <p class="quiet">{whyMissing(term, curves, recorded, isCancelled)}</p>}
      <Switch name="fill" label="Unit of the curves" choices={{ "": "Share", seats: "Seats" }} />
      <WhenNear>
        {() => (
          <ErrorBoundary>
            <FillChart
              curves={[named(current), ...others.slice(0, MAX_LINES - 1).map(named)]}
              title={findingOf(described)}
              inSeats={unit === "seats"}
            />
          </ErrorBoundary>
        )}
      </WhenNear>
      <div class="fill-terms">
        <ShowMore name="terms" of={[current, ...others]} limit={MAX_TERMS}>
          {(shown) => <TermTable curves={shown} />}
        </ShowMore>
      </div>
    </>
  );
}
