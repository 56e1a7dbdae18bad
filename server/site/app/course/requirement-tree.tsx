/** Draws the prerequisites of a course as a tree; each course unfolds its own. */
import { CourseLink } from "../parts/links.tsx";
import { ShowMore } from "../parts/show-more.tsx";
import { CourseNode, type BranchProps } from "./course-node.tsx";
import { isCourse, isGroup, parseRequirement, type Requirement, type RequirementLeaf } from "./requirement.ts";

interface TreeProps {
  readonly of: Requirement;
  /** Names of courses and exams of the requirement. */
  readonly listed: readonly string[];
  /** Ids from the course of the view to here. */
  readonly path: readonly string[];
}

/** Small letters for what is written in capitals only: `SENIOR STANDING ONLY`. */
const spoken = (words: string): string => words.charAt(0) + words.slice(1).toLowerCase();

function Leaf({ of, listed, path }: Omit<TreeProps, "of"> & { of: RequirementLeaf }) {
  const remarks = of.remarks.length > 0 && <span class="remark">{of.remarks.join(", ")}</span>;
  if (of.isExcluded)
    return (
      <span class="node">
        <span class="remark">not with</span> {isCourse(of, listed) ? <CourseLink name={of.name} /> : of.name} {remarks}
      </span>
    );
  if (isCourse(of, listed))
    return <CourseNode name={of.name} remarks={remarks} direction="before" path={path} Branch={Needs} />;
  return (
    <span class="node">
      {listed.includes(of.name) ? of.name : spoken(of.name)} {remarks}
    </span>
  );
}

export function RequirementTree({ of, ...place }: TreeProps) {
  const group = isGroup(of) ? of : { all: true, parts: [of] };
  return (
    <>
      {group.parts.length > 1 && <span class="group">{group.all ? "all of" : "one of"}</span>}
      <ul class="tree">
        {group.parts.map((part) => (
          <li>{isGroup(part) ? <RequirementTree of={part} {...place} /> : <Leaf of={part} {...place} />}</li>
        ))}
      </ul>
    </>
  );
}

/** The requirement of a course; courses without one say so. */
export function Needs({ course, path }: BranchProps) {
  const { prerequisiteText, prerequisiteList } = course;
  if (prerequisiteText === "") return <p class="quiet">No prerequisites.</p>;
  const requirement = parseRequirement(prerequisiteText);
  if (!requirement) return <p>{prerequisiteText}</p>;
  return <RequirementTree of={requirement} listed={prerequisiteList} path={path} />;
}

/** The most courses that are shown at first: some courses unlock hundreds. */
const MAX_UNLOCKED = 12;

/** The courses that a course unlocks. */
export function Unlocks({ course, path }: BranchProps) {
  if (course.prerequisiteFor.length === 0) return <p class="quiet">Unlocks no other course.</p>;
  return (
    <ShowMore name={`after ${course.id}`} of={course.prerequisiteFor} limit={MAX_UNLOCKED}>
      {(some) => (
        <ul class="tree">
          {some.map((name) => (
            <li>
              <CourseNode name={name} direction="after" path={path} Branch={Unlocks} />
            </li>
          ))}
        </ul>
      )}
    </ShowMore>
  );
}
