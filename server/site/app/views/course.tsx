/** The page of a course: sections, grades by instructor, how fast it fills, and prerequisites. */
import { Stale } from "../parts/stale.tsx";
import { ErrorBoundary, lazy } from "preact-iso";
import { useContext, useEffect, useMemo } from "preact/hooks";
import type { GradeRow } from "../charts/grade-sums.ts";
import { namedIn, useAhead } from "../course/ahead.ts";
import { Conditions } from "../course/conditions.tsx";
import type { Course } from "../course/course-node.tsx";
import { cancellations, type EnrollmentRecord, fillCurves } from "../course/fill-curves.ts";
import { Fill } from "../course/fill.tsx";
import { Graders } from "../course/graders.tsx";
import { Head, Heroes } from "../course/head.tsx";
import { NextTerms } from "../course/next-terms.tsx";
import { otherNamesOf } from "../course/other-name-links.ts";
import { OtherGrades, OtherNames } from "../course/other-names.tsx";
import { TermSections } from "../course/term-sections.tsx";
import { JumpLinks } from "../course/jump-links.tsx";
import { verdictWords } from "../course/verdict-words.ts";
import { addressOf, courseAddress, findAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { isSecondary } from "../data/lecture-groups.ts";
import { useIsNew } from "../data/new-student.ts";
import { sectionsIn, toSectionLines } from "../data/sections.ts";
import { publishedTerms, SiteContext, useTerm } from "../data/terms.ts";
import { useJson, useLoading } from "../data/use-json.ts";
import { LoadingPart } from "../parts/loaded.tsx";
import { askForPeople } from "../parts/people.tsx";
import { useSections } from "../parts/course-sections.tsx";
import { GivenTitle, PageTitle } from "../parts/page-title.tsx";
import { WhenNear } from "../parts/when-near.tsx";

/** With the library of charts, after the words. */
const GradeCharts = lazy(() => import("../charts/grade-charts.tsx").then((m) => m.GradeCharts));

const CompareCourses = lazy(() => import("../course/compare-courses.tsx").then((m) => m.CompareCourses));

/** For courses that are not there. */
const Meant = lazy(() => import("../parts/meant.tsx").then((m) => m.Meant));

export function CourseView({ id }: { id: string }) {
  const address = addressOf(`/courses/${encodeURIComponent(id)}`);
  const loading = useJson<[Course]>([address]);
  if (loading.status === 404) return <Uncatalogued key={id} id={id} problem={loading.problem ?? ""} />;
  return (
    <>
      {loading.problem !== undefined && <PageTitle title={id}>{id}</PageTitle>}
      {loading.isLoading && loading.value === undefined && <GivenTitle />}
      <LoadingPart
        loading={loading}
        lines={8}
        of={([course]) => <CourseParts key={course.id} course={course} address={address} isInCatalogue />}
      />
    </>
  );
}

/** Shows a course from schedule and grades when the catalogue lacks it, else what was probably meant. */
function Uncatalogued({ id, problem }: { id: string; problem: string }) {
  const terms = [useTerm(), ...publishedTerms(useContext(SiteContext))];
  const loading = useLoading(`${id} ${terms[0]}`, () =>
    import("../course/uncatalogued-course.ts").then((m) => m.lookUpUncatalogued(id, terms)),
  );
  if (loading.isLoading || loading.problem !== undefined)
    return (
      <>
        <GivenTitle />
        <LoadingPart loading={loading} lines={8} of={() => null} />
      </>
    );
  const course = loading.value;
  if (course)
    return (
      <CourseParts course={course} address={addressOf("/grades/aggregate", keyOf(course))} isInCatalogue={false} />
    );
  return (
    <>
      <PageTitle title={id}>{id}</PageTitle>
      <p class="problem" role="alert">
        {problem}
      </p>
      <ErrorBoundary>
        <Meant text={id} problem={problem} toAddress={courseAddress} />
      </ErrorBoundary>
      <p>
        <a href={findAddress({ q: id })}>Search for “{id}”</a>
      </p>
    </>
  );
}

const NO_GRADES: readonly GradeRow[] = [];

const keyOf = ({ department, courseNumber }: Course) => ({ department, courseNumber });

interface CoursePartsProps {
  readonly course: Course;
  readonly address: string;
  readonly isInCatalogue: boolean;
}

function CourseParts({ course, address, isInCatalogue }: CoursePartsProps) {
  const site = useContext(SiteContext);
  const { department, courseNumber } = course;
  const key = keyOf(course);
  const name = `${department} ${courseNumber}`;
  const otherNames = otherNamesOf(course);
  const gradesAddress = addressOf("/grades/raw", { ...key, instructorIds: "true" });
  const historyAddress = addressOf("/enrollmentHistory", key);
  const cancelledAddress = addressOf("/changes", { ...key, kind: "cancelled,reinstated" });
  useEffect(() => askForPeople(course.instructorHistory), [course]);
  const grades = useJson<[readonly GradeRow[]]>([gradesAddress]);
  const history = useJson<[readonly EnrollmentRecord[], ResponseBody<"Changes">]>([historyAddress, cancelledAddress]);
  const ahead = useAhead(key);
  const wanted = useTerm();
  const isNew = useIsNew();
  const taught = publishedTerms(site).filter(
    (term) => course.terms.includes(term) || ahead.value?.some((entry) => entry.term === term),
  );
  // The term of the site, else the next one with the course, else the last one.
  const term = taught.includes(wanted) || ahead.isLoading ? wanted : (ahead.value?.[0]?.term ?? taught[0] ?? wanted);
  const isKnown = taught.includes(term) || !ahead.isLoading;
  const sections = useSections(isKnown ? term : undefined, key);
  // The parts below would move if they came before the sections.
  const hasSections = sections.value !== undefined || sections.problem !== undefined;
  const verdict =
    sections.value && verdictWords(toSectionLines(...sections.value), grades.value?.[0] ?? [], term, isNew);
  const [live, gone] = sections.value ?? [{ schools: [] }, { schools: [] }];
  const isCancelled = sectionsIn(live).length === 0 && sectionsIn(gone).length > 0;
  const now = useMemo(() => {
    const held = sections.value ? toSectionLines(sections.value[0], { schools: [] }) : [];
    const lectures = held.filter((section) => !isSecondary(section));
    return namedIn(lectures.length > 0 ? lectures : held);
  }, [sections.value]);
  const curves = useMemo(() => {
    const [records, changes] = history.value ?? [[], []];
    const cancelled = sections.value
      ? sectionsIn(sections.value[1]).map(({ sectionCode }) => `${term} ${sectionCode}`)
      : [];
    return fillCurves(records, site.snapshot?.calendar ?? [], cancellations(changes, cancelled));
  }, [history.value, sections.value, site]);
  return (
    <>
      <Head course={course} isInCatalogue={isInCatalogue}>
        <OtherNames names={otherNames} />
        <p class="lead course-verdict">{verdict}</p>
        <JumpLinks hasConditions={isInCatalogue} />
        <Heroes course={course} grades={grades} curves={curves} />
      </Head>
      <Stale tables={["courses", "grades"]} />
      <TermSections
        course={course}
        terms={taught}
        term={term}
        wanted={wanted}
        loading={sections}
        isKnown={isKnown}
        sources={[
          ["Course", address],
          ["Grades", gradesAddress],
          ["Enrollment history", historyAddress],
          ["Next term", ahead.addresses[0]],
        ]}
      />
      {hasSections && (
        <>
          <h2 id="graders">Grades by instructor</h2>
          <LoadingPart
            loading={ahead}
            lines={1}
            of={(terms) => <NextTerms ahead={terms} hasSchedule={ahead.addresses.length > 0} course={name} />}
          />
          <LoadingPart
            loading={grades}
            lines={6}
            of={([rows]) => (
              <>
                <Graders course={name} rows={rows} ahead={ahead.value ?? []} now={now} term={term} />
                <h2>Grades over the years</h2>
                <WhenNear>
                  {() => (
                    <ErrorBoundary>
                      <GradeCharts rows={rows} />
                    </ErrorBoundary>
                  )}
                </WhenNear>
              </>
            )}
          />
          <OtherGrades names={otherNames} />
          <h2 id="fill">How fast it fills</h2>
          <LoadingPart
            loading={history}
            lines={6}
            of={([records]) => (
              <Fill
                curves={curves}
                term={term}
                recorded={new Set(records.map(({ year, quarter }) => `${year} ${quarter}`))}
                isCancelled={isCancelled}
              />
            )}
          />
          <h2>Compare courses</h2>
          <WhenNear>
            {() => (
              <ErrorBoundary>
                <CompareCourses course={name} rows={grades.value?.[0] ?? NO_GRADES} curves={curves} term={term} />
              </ErrorBoundary>
            )}
          </WhenNear>
          {isInCatalogue && (
            <>
              <h2 id="before-after">Prerequisites</h2>
              <Conditions course={course} />
            </>
          )}
        </>
      )}
    </>
  );
}
