/** Compares a course with another one: grades on one axis, and the seats taken in one term on another. */
import type { TargetedSubmitEvent } from "preact";
import { useContext, useId, useMemo } from "preact/hooks";
import { FillChart } from "../charts/fill-chart.tsx";
import { type GradeRow, LEAST_STUDENTS, TOO_FEW } from "../charts/grade-sums.ts";
import { PinnedChart } from "../charts/pinned-chart.tsx";
import { useAddressState } from "../data/address-state.ts";
import { addressOf } from "../data/addresses.ts";
import { fetchShared, type ResponseBody, ResponseError } from "../data/fetch-json.ts";
import { courseQuery } from "../data/sections.ts";
import { publishedTerms, SiteContext } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { useJson, useLoading } from "../data/use-json.ts";
import { CourseLink } from "../parts/links.tsx";
import { LoadingPart } from "../parts/loaded.tsx";
import { cancellations, type EnrollmentRecord, type FillCurve, fillCurves } from "./fill-curves.ts";
import { summaryOf } from "./person-grades.ts";
import { lookUpUncatalogued } from "./uncatalogued-course.ts";

interface CompareProps {
  /** `COMPSCI 161`. */
  readonly course: string;
  readonly rows: readonly GradeRow[];
  /** Newest first. */
  readonly curves: readonly FillCurve[];
  /** The term of the page. */
  readonly term: string;
}

export function CompareCourses(props: CompareProps) {
  const id = useId();
  const [{ with: other = "" }, change] = useAddressState();
  const compare = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ with: String(new FormData(event.currentTarget).get("course")).trim() });
  };
  return (
    <>
      <form class="row" onSubmit={compare}>
        <label for={id}>Compare with</label>
        <input key={other} id={id} name="course" defaultValue={other} placeholder="MATH 2B" maxLength={60} />
        <button type="submit" class="small">
          Compare
        </button>
      </form>
      {other !== "" && <ByName {...props} text={other} />}
    </>
  );
}

/** Finds the course as people type it, also one that only schedule, grades or enrollment history have. */
function ByName({ text, ...props }: CompareProps & { readonly text: string }) {
  const id = text.replaceAll(/\s/g, "");
  const terms = [props.term, ...publishedTerms(useContext(SiteContext))];
  const loading = useLoading(`compare ${id}`, async () => {
    const course = fetchShared<ResponseBody<"Course">>(addressOf(`/courses/${encodeURIComponent(id)}`));
    return course.catch(async (error: unknown) => {
      const uncatalogued =
        error instanceof ResponseError && error.status === 404 ? await lookUpUncatalogued(id, terms) : undefined;
      if (uncatalogued) return uncatalogued;
      throw error;
    });
  });
  return (
    <LoadingPart
      loading={loading}
      lines={6}
      of={({ department, courseNumber }) => <Both {...props} other={`${department} ${courseNumber}`} />}
    />
  );
}

function Both({ course, rows, curves, term, other }: CompareProps & { readonly other: string }) {
  const key = courseQuery(other);
  const site = useContext(SiteContext);
  const loading = useJson<[readonly GradeRow[], readonly EnrollmentRecord[], ResponseBody<"Changes">]>([
    addressOf("/grades/raw", { ...key, instructorIds: "true" }),
    addressOf("/enrollmentHistory", key),
    addressOf("/changes", { ...key, kind: "cancelled,reinstated" }),
  ]);
  const others = useMemo(() => {
    const [, records, changes] = loading.value ?? [[], [], []];
    return fillCurves(records, site.snapshot?.calendar ?? [], cancellations(changes, []));
  }, [loading.value, site]);
  const series = useMemo(
    () => [
      { name: course, ...summaryOf(rows) },
      { name: other, ...summaryOf(loading.value?.[0] ?? []) },
    ],
    [course, rows, other, loading.value],
  );
  const few = series.filter(({ students }) => students < LEAST_STUDENTS);
  const [mine, theirs] = sameTerm(curves, others, term);
  return (
    <LoadingPart
      loading={loading}
      lines={12}
      of={() => (
        <>
          <p>
            <CourseLink name={course} /> and <CourseLink name={other} />
          </p>
          {few.length > 0 ? (
            <p class="quiet">
              {few.map(({ name }) => name).join(" and ")}: {TOO_FEW}.
            </p>
          ) : (
            <PinnedChart series={series} />
          )}
          {mine && theirs ? (
            <FillChart
              curves={[
                { ...mine, name: course },
                { ...theirs, name: other },
              ]}
              title={`Seats taken in ${termTitle(mine.term)}`}
              inSeats={false}
              isComparison
            />
          ) : (
            <p class="quiet">No term has recorded enrollment of both courses.</p>
          )}
        </>
      )}
    />
  );
}

/** True once a seat is taken: a term before its enrollment shows nothing. */
const hasBegun = ({ days }: FillCurve): boolean => days.some(({ taken }) => taken > 0);

/** Returns the curves of the term of the page, else of the newest term in which seats of both courses were taken. */
function sameTerm(curves: readonly FillCurve[], others: readonly FillCurve[], term: string) {
  const pairs = curves.flatMap((mine) => {
    const theirs = others.find((curve) => curve.term === mine.term);
    return theirs && hasBegun(mine) && hasBegun(theirs) ? [[mine, theirs] as const] : [];
  });
  return pairs.find(([mine]) => mine.term === term) ?? pairs[0] ?? [];
}
