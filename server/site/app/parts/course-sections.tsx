/** The sections of one course in a term. */
import { foldsOf } from "../data/lecture-groups.ts";
import { ErrorBoundary, lazy } from "preact-iso";
import { scheduleAddresses, toSectionLines } from "../data/sections.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { termTitle } from "../data/term-names.ts";
import { type Loading, useJson } from "../data/use-json.ts";
import { plural } from "../format.ts";
import { Comment, hasText } from "./comment.tsx";
import { LoadingPart } from "./loaded.tsx";
import { SectionTable } from "./sections.tsx";

/** Few courses are so large. */
const FoldedSections = lazy(() => import("./folded-sections.tsx").then((m) => m.FoldedSections));
/** More lectures are folded. */
const MAX_UNFOLDED = 12;

type Schedule = ResponseBody<"Schedule">;

/**
 * Sections of a term by filters of `/schedule`, such as `{ department: "COMPSCI", courseNumber: "161" }`; nothing is
 * requested while the term is unknown.
 */
export const useSections = (
  term: string | undefined,
  query: Readonly<Record<string, string>>,
): Loading<[Schedule, Schedule]> => useJson(term === undefined ? undefined : scheduleAddresses(term, query));

interface CourseSectionsProps {
  readonly term: string;
  /** The result of `useSections`; its `reload` keeps the table up to date. */
  readonly loading: Loading<[Schedule, Schedule]>;
  readonly chosen?: string | undefined;
}

/** The sections of one course in a term, each discussion under its lecture, with the comments on the course. */
export const CourseSections = ({ term, loading, chosen }: CourseSectionsProps) => (
  <LoadingPart
    loading={loading}
    lines={6}
    of={([live, cancelled]) => {
      const lines = toSectionLines(live, cancelled);
      const folds = foldsOf(lines);
      const sections = folds.flat();
      if (sections.length === 0) return <p class="quiet">No sections in {termTitle(term)}.</p>;
      const comments = [...new Set(sections.map(({ courseComment }) => courseComment))].filter(hasText);
      return (
        <>
          {folds.length > MAX_UNFOLDED ? (
            <ErrorBoundary>
              <FoldedSections folds={folds} term={term} chosen={chosen} />
            </ErrorBoundary>
          ) : (
            <SectionTable
              sections={sections}
              term={term}
              chosen={chosen}
              caption={`${plural(sections.length, "section")} in ${termTitle(term)}`}
            />
          )}
          {comments.map((html) => (
            <p class="text">
              <Comment html={html} />
            </p>
          ))}
        </>
      );
    }}
  />
);
