/** The sections of a plan with their seats and what is wrong with them. */
import { sectionAddress } from "../data/addresses.ts";
import { courseOf, sectionName, type SectionLine } from "../data/sections.ts";
import { termQuery } from "../data/terms.ts";
import { CourseLink } from "../parts/links.tsx";
import { Instructors } from "../parts/people.tsx";
import { PlanButton } from "../parts/plan-button.tsx";
import { Final, Meetings, Seats, Status } from "../parts/section-cells.tsx";
import { fullName, type PlanProblems, type Problem } from "./problems.ts";

interface PlanListProps {
  readonly sections: readonly SectionLine[];
  readonly term: string;
  readonly problems: PlanProblems;
}

/** What a problem says of one of its two sections. */
function wordsFor(section: SectionLine, { sections: [a, b], words }: Problem): string[] {
  if (a.sectionCode === section.sectionCode) return [words(b)];
  return b.sectionCode === section.sectionCode ? [words(a)] : [];
}

export const PlanList = ({ sections, term, problems: { clashes, finalClashes, walks } }: PlanListProps) => (
  <ul class="plan-list">
    {sections.map((section) => (
      <li key={section.sectionCode} class={section.isCancelled ? "cancelled" : undefined}>
        <div class="plan-head">
          <span class="name">
            <CourseLink name={courseOf(section)} /> {sectionName(section)}{" "}
            <a class="quiet" href={sectionAddress({ ...termQuery(term), code: section.sectionCode })}>
              {section.sectionCode}
            </a>
          </span>
          <PlanButton
            term={term}
            code={section.sectionCode}
            name={fullName(section)}
            isCancelled={section.isCancelled}
          />
        </div>
        <div class="plan-facts">
          <Meetings {...section} />
          <Instructors names={section.instructors} course={courseOf(section)} />
          {section.finalExam.examStatus === "SCHEDULED_FINAL" && (
            <div>
              <span class="quiet">Final: </span>
              <Final {...section} />
            </div>
          )}
        </div>
        <div class="plan-seats">
          <div>
            <Seats section={section} />
          </div>
          <Status {...section} />
        </div>
        {[...clashes, ...finalClashes]
          .flatMap((problem) => wordsFor(section, problem))
          .map((words) => (
            <p class="clash">{words}</p>
          ))}
        {walks
          .filter(({ sections: [before] }) => before.sectionCode === section.sectionCode)
          .flatMap((problem) => wordsFor(section, problem))
          .map((words) => (
            <p class="walk">{words}</p>
          ))}
      </li>
    ))}
  </ul>
);
