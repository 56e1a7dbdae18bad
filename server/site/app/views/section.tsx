/** The page of a section: facts, enrollment, changes, and the other sections of its course. */
import { SCHEDULE_TABLES, Stale } from "../parts/stale.tsx";
import { useContext } from "preact/hooks";
import { ErrorBoundary, lazy } from "preact-iso";
import { addressOf, findAddress, planAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { courseOf, sectionName, type SectionLine, toSectionLines } from "../data/sections.ts";
import { publishedTerms, SiteContext } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { useJson } from "../data/use-json.ts";
import { type Change, ChangeList, changesAddress } from "../parts/changes.tsx";
import { Follow } from "../parts/follow.tsx";
import { CourseLink, SourceMenu } from "../parts/links.tsx";
import { LoadingPart } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { PlanButton } from "../parts/plan-button.tsx";
import { SectionFacts } from "../parts/section-facts.tsx";
import { CourseSections, useSections } from "../parts/course-sections.tsx";
import { usePlan } from "../plan/stored-plan.ts";
import { isSectionCode } from "../plan/term-plans.ts";

/** With the library of charts, after the words. */
const EnrollmentCurves = lazy(() => import("../charts/enrollment.tsx").then((m) => m.EnrollmentCurves));

interface SectionViewProps {
  readonly year: string;
  readonly quarter: string;
  readonly code: string;
}

export function SectionView({ year, quarter, code }: SectionViewProps) {
  const term = `${year} ${quarter}`;
  const isPossible = publishedTerms(useContext(SiteContext)).includes(term) && isSectionCode(code);
  return isPossible ? <FoundSection term={term} code={code} /> : <NoSection term={term} code={code} />;
}

function FoundSection({ term, code }: { term: string; code: string }) {
  const loading = useSections(term, { sectionCodes: code });
  return (
    <>
      <Stale tables={SCHEDULE_TABLES} term={term} />
      <LoadingPart
        loading={loading}
        lines={8}
        of={([live, cancelled]) => {
          const [section] = toSectionLines(live, cancelled);
          return section ? (
            <Section section={section} term={term} reload={loading.reload} />
          ) : (
            <NoSection term={term} code={code} />
          );
        }}
      />
    </>
  );
}

const NoSection = ({ term, code }: { term: string; code: string }) => (
  <>
    <PageTitle title="Not found">No section {code}</PageTitle>
    <p>
      Section {code} is not in the {termTitle(term)} schedule.{" "}
      <a href={findAddress({ q: code, term: undefined })}>Search</a> for it in other terms.
    </p>
  </>
);

interface SectionProps {
  readonly section: SectionLine;
  readonly term: string;
  readonly reload: () => void;
}

function Section({ section, term, reload }: SectionProps) {
  const [year = "", quarter = ""] = term.split(" ");
  const code = section.sectionCode;
  const query = { year, quarter, sectionCodes: code };
  const address = addressOf("/enrollmentHistory", { year, quarter, sectionCode: code });
  const changes = useJson<[Change[]]>([changesAddress(query)]);
  const history = useJson<[ResponseBody<"EnrollmentHistory">]>([address]);
  const siblings = useSections(term, { department: section.deptCode, courseNumber: section.courseNumber });
  // The schedule shortens titles.
  const catalogue = useJson<[ResponseBody<"Courses">]>([
    addressOf("/courses", { department: section.deptCode, courseNumber: section.courseNumber }),
  ]);
  const isPlanned = usePlan(term).codes.includes(code);
  const name = `${courseOf(section)} ${sectionName(section)}`;
  const reloadAll = () => {
    reload();
    changes.reload();
    history.reload();
    siblings.reload();
  };
  return (
    <>
      <PageTitle
        title={`${name} (${code}) · ${termTitle(term)}`}
        over={
          <>
            <CourseLink name={courseOf(section)} /> · {termTitle(term)}
          </>
        }
      >
        {sectionName(section)} <span class="quiet">{code}</span>
      </PageTitle>
      <p class="lead">{catalogue.value?.[0][0]?.title ?? section.courseTitle}</p>
      <div class="actions">
        <PlanButton term={term} section={section} isWide />
        {isPlanned && <a href={planAddress(term)}>View plan</a>}
        <Follow query={query} name={`${name} (${code})`} onNews={reloadAll} />
      </div>
      <div class="section-columns">
        <div>
          <SectionFacts section={section} />
        </div>
        <div>
          <h2>Enrollment</h2>
          <LoadingPart
            loading={history}
            lines={16}
            of={([records]) => (
              <ErrorBoundary>
                <EnrollmentCurves
                  records={records}
                  sections={[section]}
                  chosen={code}
                  changes={changes.value?.[0] ?? []}
                  address={address.replace(/&sectionCode=.*/, "")}
                />
              </ErrorBoundary>
            )}
          />
        </div>
      </div>
      <h2>Changes</h2>
      <LoadingPart loading={changes} of={([list]) => <ChangeList changes={list} term={termTitle(term)} />} />
      <SourceMenu name="the changes" address={changesAddress(query)} />
      <h2>All sections of {courseOf(section)}</h2>
      <CourseSections term={term} loading={siblings} chosen={code} />
    </>
  );
}
