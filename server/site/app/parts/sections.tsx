/** The table of a term's sections. */
import { Fragment, type ComponentChildren } from "preact";
import { sectionAddress } from "../data/addresses.ts";
import { courseOf, type SectionLine } from "../data/sections.ts";
import { isSecondary } from "../data/lecture-groups.ts";
import { termQuery } from "../data/term-names.ts";
import { Comment, hasText } from "./comment.tsx";
import { CourseLink } from "./links.tsx";
import { Instructors } from "./people.tsx";
import { PlanButton } from "./plan-button.tsx";
import { Final, Meetings, Restrictions, Seats, SectionName, Status } from "./section-cells.tsx";

type Column = readonly [head: string, cell: (section: SectionLine, term: string) => ComponentChildren];

const COURSE: Column = ["Course", (section) => <CourseLink name={courseOf(section)} />];
const COLUMNS: readonly Column[] = [
  [
    "Section",
    (section, term) => (
      <>
        <SectionName section={section} />{" "}
        <a class="code" href={sectionAddress({ ...termQuery(term), code: section.sectionCode })}>
          {section.sectionCode}
        </a>
      </>
    ),
  ],
  ["Time and place", Meetings],
  [
    "Instructor",
    (section) => <Instructors names={section.instructors} ids={section.instructorIds} course={courseOf(section)} />,
  ],
  ["Seats taken", (section) => <Seats section={section} />],
  ["Status", Status],
  ["Final", Final],
  ["Plan", (section, term) => <PlanButton term={term} section={section} />],
];

/** A person's own name need not stand in each row: the others do, where there are any. */
function columnsOf(name: string, sections: readonly SectionLine[]): readonly Column[] {
  const others = ({ instructors, instructorIds }: SectionLine) =>
    instructors.map((other, i) => [other, instructorIds?.[i] ?? []] as const).filter(([other]) => other !== name);
  const WITH: Column = [
    "With",
    (section) => {
      const all = others(section);
      if (all.length === 0) return "";
      return (
        <Instructors names={all.map(([other]) => other)} ids={all.map(([, ids]) => ids)} course={courseOf(section)} />
      );
    },
  ];
  const isShared = sections.some((section) => others(section).length > 0);
  return [COURSE, ...COLUMNS.flatMap((column) => (column[0] !== "Instructor" ? [column] : isShared ? [WITH] : []))];
}

/** The row below a section: restrictions and comments. */
function Notes({ section: { restrictions, sectionComment } }: { section: SectionLine }) {
  return (
    <>
      {restrictions !== "" && (
        <p>
          <Restrictions letters={restrictions} />
        </p>
      )}
      {hasText(sectionComment) && (
        <p>
          <Comment html={sectionComment} />
        </p>
      )}
    </>
  );
}

const hasNotes = ({ restrictions, sectionComment }: SectionLine) => restrictions !== "" || hasText(sectionComment);

interface SectionTableProps {
  readonly sections: readonly SectionLine[];
  /** `2026 Fall`. */
  readonly term: string;
  readonly caption: ComponentChildren;
  /** The code of the section to highlight. */
  readonly chosen?: string | undefined;
  /** The name, as in the schedule, of the person who teaches all sections: shows courses and co-instructors instead. */
  readonly taughtBy?: string;
}

/** Becomes cards on a narrow screen; the roles keep it a table for screen readers. */
export function SectionTable({ sections, term, caption, chosen, taughtBy }: SectionTableProps) {
  const columns = taughtBy === undefined ? COLUMNS : columnsOf(taughtBy, sections);
  return (
    <table role="table" class="sections">
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(([head]) => (
            <th role="columnheader" scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {sections.map((section) => {
          const isChosen = section.sectionCode === chosen;
          const classes = [
            isChosen && "chosen",
            section.isCancelled && "cancelled",
            taughtBy === undefined && isSecondary(section) && "secondary",
          ]
            .filter(Boolean)
            .join(" ");
          const current = isChosen ? "true" : undefined;
          return (
            <Fragment key={section.sectionCode}>
              <tr role="row" class={hasNotes(section) ? `${classes} has-notes` : classes} aria-current={current}>
                {columns.map(([head, cell], i) =>
                  i === 0 ? (
                    <th role="rowheader" scope="row" data-label={head}>
                      {cell(section, term)}
                    </th>
                  ) : (
                    <td role="cell" data-label={head}>
                      {cell(section, term)}
                    </td>
                  ),
                )}
              </tr>
              {hasNotes(section) && (
                <tr role="row" class={`notes ${classes}`}>
                  <td role="cell" colSpan={columns.length}>
                    <Notes section={section} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}
