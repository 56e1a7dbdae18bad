/** The sections that a query found, a step at a time. */
import { useLocation } from "preact-iso";
import { findAddress, sectionAddress } from "../data/addresses.ts";
import { useRemembered } from "../data/remembered.ts";
import { courseOf, type SectionLine } from "../data/sections.ts";
import type { Averages } from "../data/teacher-averages.ts";
import { termQuery } from "../data/term-names.ts";
import { plural } from "../format.ts";
import { AverageCell } from "../parts/average.tsx";
import { CourseLink } from "../parts/links.tsx";
import { Instructors } from "../parts/people.tsx";
import { PlanButton } from "../parts/plan-button.tsx";
import { Meetings, Restrictions, Seats, SectionName, Status } from "../parts/section-cells.tsx";
import type { Filters } from "./filters.ts";
import { ORDERS } from "./order.ts";

/** More rows at once would make a phone wait. */
const STEP = 40;

export function SortChoice({ filters }: { readonly filters: Filters }) {
  const { route } = useLocation();
  return (
    <label class="sort">
      Sort by{" "}
      <select
        value={filters.sort ?? ""}
        onChange={({ currentTarget }) => route(findAddress({ ...filters, sort: currentTarget.value }), true)}
      >
        <option value="">course</option>
        {Object.entries(ORDERS).map(([order, [name]]) => (
          <option value={order}>{name}</option>
        ))}
      </select>
    </label>
  );
}

interface ResultsProps {
  readonly sections: readonly SectionLine[];
  readonly term: string;
  readonly averages: Averages;
  readonly caption: string;
}

/** Becomes cards on a narrow screen; the roles keep it a table for screen readers. */
export function Results({ sections, term, averages, caption }: ResultsProps) {
  const [limit, setLimit] = useRemembered<number>("rows", STEP);
  const more = Math.min(STEP, sections.length - limit);
  return (
    <>
      <table role="table" class="sections found">
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {["Section", "Time, place, instructor", "Seats taken", "Units", "Average", "Plan"].map((head) => (
              <th role="columnheader" scope="col" class={head === "Units" || head === "Average" ? "number" : ""}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sections.slice(0, limit).map((section) => (
            <Row key={section.sectionCode} section={section} term={term} averages={averages} />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <button type="button" class="small" onClick={() => setLimit(limit + STEP)}>
          Show {plural(more, "more", "more")} of {sections.length}
        </button>
      )}
    </>
  );
}

interface RowProps {
  readonly section: SectionLine;
  readonly term: string;
  readonly averages: Averages;
}

function Row({ section, term, averages }: RowProps) {
  const { sectionCode, isCancelled, restrictions } = section;
  return (
    <tr role="row" class={isCancelled ? "cancelled" : ""}>
      <th role="rowheader" scope="row" data-label="Section">
        <CourseLink name={courseOf(section)} /> <SectionName section={section} />{" "}
        <a class="code" href={sectionAddress({ ...termQuery(term), code: sectionCode })}>
          {sectionCode}
        </a>
        <small>{section.courseTitle}</small>
        {restrictions !== "" && (
          <small>
            <Restrictions letters={restrictions} />
          </small>
        )}
      </th>
      <td role="cell" data-label="Time">
        <Meetings {...section} />
        <Instructors names={section.instructors} ids={section.instructorIds} course={courseOf(section)} />
      </td>
      <td role="cell" data-label="Status">
        <Seats section={section} />
        <Status {...section} />
      </td>
      <td role="cell" data-label="Units" class="number">
        {section.units}
      </td>
      <td role="cell" data-label="Average" class="number">
        <AverageCell averages={averages} course={courseOf(section)} instructors={section.instructors} />
      </td>
      <td role="cell" data-label="Plan">
        <PlanButton term={term} section={section} />
      </td>
    </tr>
  );
}
