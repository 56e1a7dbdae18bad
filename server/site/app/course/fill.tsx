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

/** `6 weeks before instruction began`, with what is not known about it. */
function fullText({ days: [first], full, fullAfterGap }: FillCurve): string {
  if (!full) return "not full on any recorded day";
  const when = `${weekText(full.week)} (${day(full.date)})`;
  if (full === first) return `full when it was first recorded, ${when}`;
  return fullAfterGap ? `full by ${when}; nothing was recorded after ${day(fullAfterGap.date)}` : `full ${when}`;
}

const WEEK_MS = 7 * 86_400_000;
/** Recorded within a week. */
const isRunning = ({ date }: FillDay): boolean => Date.now() - Date.parse(date) < WEEK_MS;

/** `Fall 2026: full 6 weeks before instruction began`. */
export function findingOf(curve: FillCurve): string {
  const last = curve.days.at(-1) ?? curve.days[0];
  if (!curve.full)
    return `${termTitle(curve.term)}: ${share(last.taken, last.seats)} of the seats taken by ${day(last.date)}, ${isRunning(last) ? "not full yet" : "never full"}`;
  const when = weekText(curve.full.week);
  if (curve.full === curve.days[0]) return `${termTitle(curve.term)}: full when first recorded, ${when}`;
  const days = curve.daysToFill;
  return `${termTitle(curve.term)}: full ${days === undefined ? "" : `after ${plural(days, "day")}, `}${curve.fullAfterGap ? "by " : ""}${when}`;
}

function TermTable({ curves }: { curves: readonly FillCurve[] }) {
  return (
    <DataTable
      caption="By term, newest first"
      headers={["Term", "Full", "Last recorded", "Instructors", "Taken on the first day"]}
      rows={curves.map((curve) => {
        const last = curve.days.at(-1) ?? curve.days[0];
        const start = dayAt(curve, 0);
        return [
          termTitle(curve.term),
          fullText(curve),
          `${last.taken} of ${last.seats} seats, ${day(last.date)}`,
          curve.instructors.map(spokenName).join(", ") || "not named",
          start && last.week >= 0 ? share(start.taken, start.seats) : "–",
        ];
      })}
      isNumber={(column) => column === 4}
    />
  );
}

/** In the table at first. */
const MAX_TERMS = 4;

interface FillProps {
  /** Newest first. */
  readonly curves: readonly FillCurve[];
  /** The term that is looked at. */
  readonly term: string;
  readonly address: string;
  /** Terms with records, also those without a curve. */
  readonly recorded: ReadonlySet<string>;
  /** All sections of the term are cancelled. */
  readonly isCancelled: boolean;
}

/** Why a term has no curve. */
function whyMissing(term: string, curves: readonly FillCurve[], recorded: ReadonlySet<string>, isCancelled: boolean) {
  if (isCancelled) return `All sections of ${termTitle(term)} are cancelled.`;
  if (recorded.has(term))
    return `What is recorded of ${termTitle(term)} lies after the term, has no seats, or the calendar has no dates of it.`;
  const oldest = curves.at(-1)?.term ?? term;
  return termQuery(term).year < termQuery(oldest).year
    ? `${termTitle(term)} was before recording began, in ${termTitle(oldest)}.`
    : `Nothing is recorded for ${termTitle(term)}.`;
}

export function Fill({ curves, term, address, recorded, isCancelled }: FillProps) {
  const [{ fill: unit }] = useAddressState();
  const current = curves.find((curve) => curve.term === term) ?? curves[0];
  if (!current)
    return (
      <p class="quiet">
        {recorded.size > 0
          ? "What is recorded lies after the terms, or in terms without dates in the calendar."
          : "No enrollment of this course has been recorded yet. Each refresh adds a day."}
      </p>
    );
  const hasBegun = ({ days }: FillCurve) => (days.at(-1)?.week ?? -1) >= 0;
  // A term ahead says little yet.
  const told = current.full || hasBegun(current) ? current : (curves.find(hasBegun) ?? current);
  const others = curves.filter((curve) => curve !== current);
  return (
    <>
      {current.term !== term && <p class="quiet">{whyMissing(term, curves, recorded, isCancelled)}</p>}
      <Switch name="fill" label="Unit of the curves" choices={{ "": "Share", seats: "Seats" }} />
      <WhenNear>
        {() => (
          <ErrorBoundary>
            <FillChart
              curves={[current, ...others.slice(0, MAX_LINES - 1)]}
              title={findingOf(told)}
              address={address}
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
