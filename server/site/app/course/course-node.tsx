/** A course in a tree of requirements: a link, and a button that unfolds what it needs or unlocks. */
import type { ComponentChildren } from "preact";
import { addressOf, courseId } from "../data/addresses.ts";
import { useAddressState } from "../data/address-state.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { CourseLink } from "../parts/links.tsx";
import { Loaded } from "../parts/loaded.tsx";

export type Course = ResponseBody<"Course">;

export interface BranchProps {
  readonly course: Course;
  /** Ids from the course of the view to this one: a course among them is not unfolded again. */
  readonly path: readonly string[];
}

const WORDS = { before: "Prerequisites", after: "Unlocks" } as const;

interface CourseNodeProps {
  readonly name: string;
  readonly remarks?: ComponentChildren;
  readonly direction: keyof typeof WORDS;
  readonly path: BranchProps["path"];
  /** Renders the unfolded part. */
  readonly Branch: (props: BranchProps) => ComponentChildren;
}

/** Unfolded courses stand in the address, such as `?after=COMPSCI254`. */
export function CourseNode({ name, remarks, direction, path, Branch }: CourseNodeProps) {
  const [{ [direction]: text = "" }, change] = useAddressState();
  const id = courseId(name, "");
  const open = text.split(",").filter(Boolean);
  const isOpen = open.includes(id);
  const isAbove = path.includes(id);
  const toggle = () =>
    change({ [direction]: (isOpen ? open.filter((other) => other !== id) : [...open, id]).join(",") });
  return (
    <>
      <span class="node">
        <CourseLink name={name} /> {remarks}{" "}
        {isAbove ? (
          <span class="quiet">see above</span>
        ) : (
          <button
            type="button"
            class="unfold"
            aria-expanded={isOpen}
            aria-label={`${WORDS[direction]}: ${name}`}
            onClick={toggle}
          >
            {isOpen ? "−" : "+"}
          </button>
        )}
      </span>
      {isOpen && !isAbove && (
        <Loaded<[Course]> addresses={[addressOf(`/courses/${encodeURIComponent(id)}`)]} lines={1}>
          {(course) => (
            <>
              <span class="quiet">{course.title}</span>
              <Branch course={course} path={[...path, id]} />
            </>
          )}
        </Loaded>
      )}
    </>
  );
}
