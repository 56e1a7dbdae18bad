/** A distribution of grades as one bar, and the scale and key of all such bars. */
import { count, plural, share } from "../format.ts";
import type { GradeSummary } from "./person-grades.ts";

/** A letter fits into a part of this size. */
const LABELLED = 0.09;

interface DistributionProps {
  readonly of: Pick<GradeSummary, "sums" | "total">;
  /** The grades of the longest bar, when bars show counts. */
  readonly most: number;
  readonly inCounts: boolean;
}

/** Its numbers stand in a tooltip, for pointer and focus. */
export function Distribution({ of: { sums, total }, most, inCounts }: DistributionProps) {
  const shown = sums.filter(({ value }) => value > 0);
  const scale = inCounts ? most : total;
  const texts = shown.map(({ name, value }) => `${name} ${share(value, total)} (${count(value)})`);
  const label = `${texts.join(", ")}; ${plural(total, "grade")}`;
  return (
    <div class="distribution" role="img" tabIndex={0} aria-label={label}>
      {shown.map(({ name, value }) => (
        <span class={`grade-${name.toLowerCase()}`} key={name} style={{ width: `${(100 * value) / scale}%` }}>
          {value / scale >= LABELLED && name.length === 1 && name <= "C" ? name : ""}
        </span>
      ))}
      <span class="tip" aria-hidden="true">
        {texts.map((text) => (
          <span key={text}>{text}</span>
        ))}
        <span>{plural(total, "grade")}</span>
      </span>
    </div>
  );
}

/** 0 to 100 %, or to the most grades that a person gave. */
export const Scale = ({ most }: { most: number | undefined }) => (
  <span class="grade-scale">
    <span>0</span>
    <span>{most === undefined ? "share" : "grades"}</span>
    <span>{most === undefined ? "100%" : count(most)}</span>
  </span>
);

/** The key of the grades that occur. */
export const GradeKey = ({ sums }: Pick<GradeSummary, "sums">) => (
  <span class="grade-key" aria-label="Colours of the grades" role="group">
    {sums.flatMap(({ name, value }) =>
      value === 0
        ? []
        : [
            <span key={name}>
              <span class={`swatch grade-${name.toLowerCase()}`} aria-hidden="true" />
              {name}
            </span>,
          ],
    )}
  </span>
);
