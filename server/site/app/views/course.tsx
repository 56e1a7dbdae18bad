/** One course: its sections, who grades how and teaches it next, how fast it fills, and what it needs and unlocks. */
import { Stale } from "../parts/stale.tsx";
import { ErrorBoundary, lazy } from "preact-iso";
import { useContext, useMemo } from "preact/hooks";
import type { GradeRow } from "../charts/grade-sums.ts";
import { useAhead } from "../course/ahead.ts";
import { Conditions } from "../course/conditions.tsx";
import type { Course } from "../course/course-node.tsx";
import { cancellations, type EnrollmentRecord, fillCurves } from "../course/fill-curves.ts";
import { Fill } from "../course/fill.tsx";
import { Graders } from "../course/graders.tsx";
import { Head, Heroes } from "../course/head.tsx";
import { NextTerms } from "../course/next-terms.tsx";
import { TermSections } from "../course/term-sections.tsx";
import { addressOf, findAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { sectionsIn } from "../data/sections.ts";
import { publishedTerms, SiteContext, useTerm } from "../data/terms.ts";
import { useJson } from "../data/use-json.ts";
import { SourceMenu } from "../parts/links.tsx";
import { LoadingPart } from "../parts/loaded.tsx";
import { useSections } from "../parts/sections.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { WhenNear } from "../parts/when-near.tsx";

/** With the library of charts, after the words. */
const GradeCharts = lazy(() => import("../charts/grade-charts.tsx").then((m) => m.GradeCharts));

export function CourseView({ id }: { id: string }) {
  const address = addressOf(`/courses/${encodeURIComponent(id)}`);
  const loading = useJson<[Course]>([address]);
  return (
    <>
      {loading.problem !== undefined && (
        <>
          <PageTitle title={id}>{id}</PageTitle>
          <p>
            <a href={findAddress({ q: id })}>Search for “{id}”</a>
          </p>
        </>
      )}
      <LoadingPart
        loading={loading}
        lines={8}
        of={([course]) => <CourseParts key={course.id} course={course} address={address} />}
      />
    </>
  );
}

function CourseParts({ course, address }: { course: Course; address: string }) {
  const site = useContext(SiteContext);
  const { department, courseNumber } = course;
  const key = { department, courseNumber };
  const name = `${department} ${courseNumber}`;
  const gradesAddress = addressOf("/grades/raw", key);
  const historyAddress = addressOf("/enrollmentHistory", key);
  const cancelledAddress = addressOf("/changes", { ...key, kind: "cancelled,reinstated" });
  const grades = useJson<[readonly GradeRow[]]>([gradesAddress]);
  const history = useJson<[readonly EnrollmentRecord[], ResponseBody<"Changes">]>([historyAddress, cancelledAddress]);
  const ahead = useAhead(key);
  const wanted = useTerm();
  const taught = publishedTerms(site).filter(
    (term) => course.terms.includes(term) || ahead.value?.some((one) => one.term === term),
  );
  // The term of the site, else the next one with the course, else the last one.
  const term = taught.includes(wanted) || ahead.isLoading ? wanted : (ahead.value?.[0]?.term ?? taught[0] ?? wanted);
  const sections = useSections(term, key);
  const curves = useMemo(() => {
    const [records, changes] = history.value ?? [[], []];
    const cancelled = sections.value
      ? sectionsIn(sections.value[1]).map(({ sectionCode }) => `${term} ${sectionCode}`)
      : [];
    return fillCurves(records, site.snapshot?.calendar ?? [], cancellations(changes, cancelled));
  }, [history.value, sections.value, site]);
  return (
    <>
      <Head course={course}>
        <Heroes course={course} grades={grades} curves={curves} />
      </Head>
      <Stale tables={["courses", "grades"]} />
      <SourceMenu name="this course" address={address} />
      <TermSections
        course={course}
        terms={taught}
        term={term}
        wanted={wanted}
        loading={sections}
        isKnown={!ahead.isLoading}
      />
      <h2>Who teaches it, and how they graded</h2>
      <LoadingPart
        loading={ahead}
        lines={1}
        of={(terms) => <NextTerms ahead={terms} addresses={ahead.addresses} course={name} />}
      />
      <LoadingPart
        loading={grades}
        lines={6}
        of={([rows]) => (
          <>
            <Graders course={name} rows={rows} ahead={ahead.value ?? []} />
            <SourceMenu name="the grades" address={gradesAddress} />
            <h2>Grades over the years</h2>
            <WhenNear>
              {() => (
                <ErrorBoundary>
                  <GradeCharts rows={rows} address={gradesAddress} />
                </ErrorBoundary>
              )}
            </WhenNear>
          </>
        )}
      />
      <h2>How fast it fills</h2>
      <LoadingPart
        loading={history}
        lines={6}
        of={([records]) => (
          <Fill curves={curves} term={term} address={historyAddress} isRecorded={records.length > 0} />
        )}
      />
      <h2>Before and after</h2>
      <Conditions course={course} />
    </>
  );
}
