/** The sections of a course in one term, with a choice among the terms in which it is taught, and their changes. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { termQuery, termTitle } from "../data/term-names.ts";
import { SCHEDULE_TABLES, Stale } from "../parts/stale.tsx";
import { useJson } from "../data/use-json.ts";
import { type Change, ChangeList, changesAddress } from "../parts/changes.tsx";
import { Follow } from "../parts/follow.tsx";
import { type Sources, SourcesMenu } from "../parts/links.tsx";
import { LoadingPart, Skeleton } from "../parts/loaded.tsx";
import { scheduleAddresses, sectionsIn } from "../data/sections.ts";
import { CoursePlanButton } from "../parts/course-plan-button.tsx";
import { CourseSections, type useSections } from "../parts/course-sections.tsx";
import type { Course } from "./course-node.tsx";

interface TermSectionsProps {
  readonly course: Course;
  /** In which it is taught, newest first. */
  readonly terms: readonly string[];
  readonly term: string;
  /** The term of the site. */
  readonly wanted: string;
  /** The sections of the term. */
  readonly loading: ReturnType<typeof useSections>;
  /** False while the term is looked for among those ahead. */
  readonly isKnown: boolean;
  /** The sources of the other parts of the page. */
  readonly sources: Sources;
}

export function TermSections({ course, terms, term, wanted, loading, isKnown, sources }: TermSectionsProps) {
  const { query, route } = useLocation();
  const { department, courseNumber } = course;
  const key = { department, courseNumber };
  const name = `${department} ${courseNumber}`;
  const changesQuery = { ...termQuery(term), ...key };
  // Few open them.
  const [areChangesOpen, setAreChangesOpen] = useState(false);
  const changes = useJson<[Change[]]>(areChangesOpen ? [changesAddress(changesQuery)] : undefined);
  if (terms.length === 0 && isKnown)
    return (
      <>
        <h2 id="sections">Sections</h2>
        <p class="quiet">{name} is not offered in any published term.</p>
        <SourcesMenu sources={sources} />
      </>
    );
  // Else a term without the course would be shown until another one is known.
  if (!isKnown)
    return (
      <>
        <h2 id="sections">Sections</h2>
        <Skeleton lines={6} />
      </>
    );
  const codes = loading.value?.flatMap(sectionsIn).map(({ sectionCode }) => sectionCode) ?? [];
  const reload = () => {
    loading.reload();
    changes.reload();
  };
  const choose = (next: string) => {
    const text = new URLSearchParams(globalThis.location.search);
    text.set("term", next);
    text.delete("section");
    route(`${globalThis.location.pathname}?${text}`);
  };
  return (
    <>
      <h2 id="sections">
        Sections{" "}
        <select
          aria-label="Term of the sections"
          value={term}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {terms.map((option) => (
            <option value={option} key={option}>
              {termTitle(option)}
            </option>
          ))}
        </select>
      </h2>
      {isKnown && term !== wanted && (
        <p class="quiet">
          {name} is not offered in {termTitle(wanted)}. Showing {termTitle(term)}.
        </p>
      )}
      <Stale tables={SCHEDULE_TABLES} term={term} />
      <div class="actions">
        <CoursePlanButton term={term} course={name} codes={codes} />
        <Follow query={changesQuery} name={name} onNews={reload} />
        <SourcesMenu
          sources={[
            ["Sections", scheduleAddresses(term, key)[0]],
            ["Changes", changesAddress(changesQuery)],
            ...sources,
          ]}
        />
      </div>
      <CourseSections term={term} loading={loading} chosen={query["section"]} />
      <details onToggle={({ currentTarget }) => setAreChangesOpen(currentTarget.open)}>
        <summary>Changes in {termTitle(term)}</summary>
        {areChangesOpen && (
          <LoadingPart loading={changes} of={([list]) => <ChangeList changes={list} term={termTitle(term)} />} />
        )}
      </details>
    </>
  );
}
