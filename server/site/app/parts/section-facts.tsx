/** Everything that the schedule says of one section, in words. */
import type { ComponentChildren } from "preact";
import { courseOf, type SectionLine } from "../data/sections.ts";
import { explain, restrictionsInWords } from "../data/glossary.ts";
import { useIsNew } from "../data/new-student.ts";
import { reservedSeats, seatsLeft } from "../data/seats.ts";
import { count, countIn, plural } from "../format.ts";
import { departmentAddress } from "../data/addresses.ts";
import { Comment, hasText, isWeb } from "./comment.tsx";
import { Explained } from "./explained.tsx";
import { Instructors } from "./people.tsx";
import { Final, Meetings, SeatBar, Status, waitlistText } from "./section-cells.tsx";

type Fact = readonly [name: string, of: (section: SectionLine) => ComponentChildren];

/** Where there is nothing to say, a fact is left out. */
const FACTS: readonly Fact[] = [
  ["Time and place", Meetings],
  [
    "Instructor",
    (section) => <Instructors names={section.instructors} ids={section.instructorIds} course={courseOf(section)} />,
  ],
  ["Final", Final],
  ["Units", ({ units }) => (Number(units) === 0 ? "none (taken with a lecture)" : units)],
  ["Seats taken", (section) => <SeatBar section={section} />],
  ["Waitlist", (section) => waitlistText(section) ?? (countIn(section.numOnWaitlist) === 0 ? "empty" : undefined)],
  ["Reserved for new students", ({ numNewOnlyReserved }) => seats(numNewOnlyReserved)],
  ["Enrolled in this section", ({ numCurrentlyEnrolled }) => students(numCurrentlyEnrolled.sectionEnrolled)],
  ["Asked for", ({ numRequested }) => times(numRequested)],
  ["Type", ({ sectionType }) => <SectionType type={sectionType} />],
  ["Restrictions", ({ restrictions }) => restrictions !== "" && <RestrictionLetters letters={restrictions} />],
  ["Comment", ({ sectionComment }) => hasText(sectionComment) && <Comment html={sectionComment} />],
  ["On the course", ({ courseComment }) => hasText(courseComment) && <Comment html={courseComment} />],
  [
    "Prerequisites",
    ({ prerequisiteLink }) => isWeb(prerequisiteLink) && <a href={prerequisiteLink}>At the registrar</a>,
  ],
  [
    "Offered by",
    ({ deptCode, deptName, schoolName }) => (
      <>
        <a href={departmentAddress(deptCode)}>{deptName || deptCode}</a>, {schoolName}
      </>
    ),
  ],
];

/** `lecture`, explained on request. */
const SectionType = ({ type }: { type: string }) => <Explained word={type}>{explain(type)?.name ?? type}</Explained>;

/** `A and L`, each letter in words and explained on request. */
const RestrictionLetters = ({ letters }: { letters: string }) => (
  <>
    {letters
      .split(/\b([A-Z])\b/)
      .map((part, i) =>
        i % 2 === 0 ? part : <Explained word={`Restriction ${part}`}>{restrictionsInWords(part)}</Explained>,
      )}
  </>
);

const seats = (text: string) => (countIn(text) ? plural(Number(text), "seat") : undefined);
const students = (text: string) => (countIn(text) === undefined ? undefined : plural(Number(text), "student"));
const times = (text: string) => (countIn(text) === undefined ? undefined : plural(Number(text), "time"));

/** `34 of 138 seats left.` */
function seatsText(section: SectionLine, isNew: boolean): string {
  const left = seatsLeft(section, isNew);
  if (left === undefined) return "";
  const reserved = reservedSeats(section);
  if (section.status === "NewOnly" && !isNew) return `${plural(reserved, "seat")} left, for new students only.`;
  if (left === 0) return "Follow this section to hear when a seat opens.";
  const others = isNew || reserved === 0 ? "" : ` ${count(reserved)} more are for new students.`;
  return `${count(left)} of ${plural(Number(section.maxCapacity), "seat")} left.${others}`;
}

/** Notes that stand above many sections, and may be long. */
const notesAbove = (section: SectionLine): string[] =>
  [
    section.deptComment,
    section.schoolComment,
    ...section.sectionCodeRangeComments,
    ...section.courseNumberRangeComments,
  ].filter(hasText);

const SeatsVerdict = ({ section }: { section: SectionLine }) => <>{seatsText(section, useIsNew())}</>;

export const SectionFacts = ({ section }: { section: SectionLine }) => (
  <>
    <p class="verdict">
      <Status {...section} />{" "}
      {section.isCancelled ? "This section is cancelled; nobody can enroll." : <SeatsVerdict section={section} />}
    </p>
    <dl class={section.isCancelled ? "facts is-cancelled" : "facts"}>
      {FACTS.map(([name, of]) => [name, of(section)] as const)
        .filter(([, content]) => content)
        .map(([name, content]) => (
          <div>
            <dt>
              <Explained word={name} />
            </dt>
            <dd>{content}</dd>
          </div>
        ))}
    </dl>
    {notesAbove(section).length > 0 && (
      <details class="text">
        <summary>Notes of the department and the school</summary>
        {notesAbove(section).map((html) => (
          <p>
            <Comment html={html} />
          </p>
        ))}
      </details>
    )}
  </>
);
