/** Other names of a course, which its response links to, and its grades under them: they never count among its own. */
import { ErrorBoundary, lazy } from "preact-iso";
import type { GradeRow } from "../charts/grade-sums.ts";
import { addressOf } from "../data/addresses.ts";
import { linkOf } from "../data/fetch-json.ts";
import { termTitle } from "../data/term-names.ts";
import { SourceMenu } from "../parts/links.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { WhenNear } from "../parts/when-near.tsx";

/** With the library of charts, after the words. */
const GradeCharts = lazy(() => import("../charts/grade-charts.tsx").then((m) => m.GradeCharts));

export interface OtherName {
  readonly name: string;
  readonly isFormer: boolean;
  /** The first term of the newer one of the two names; undefined where nobody says it. */
  readonly term: string | undefined;
  readonly department: string;
  readonly courseNumber: string;
}

const LINK =
  /<([^>]+)>; rel="related"; title="Grades under the (former|newer) name ([^",]+)(?:, (?:until|from) ([^"]+))?"/g;

/** Of the body of `/courses/:id`. */
export function otherNamesOf(course: object): OtherName[] {
  return [...linkOf(course).matchAll(LINK)].map(([, address = "", kind, , term]) => {
    const { searchParams } = new URL(address, "http://localhost");
    const [department, courseNumber] = [searchParams.get("department") ?? "", searchParams.get("courseNumber") ?? ""];
    return { name: `${department} ${courseNumber}`, isFormer: kind === "former", term, department, courseNumber };
  });
}

/** `Formerly IN4MATX 43 (until Fall 2025)`. */
export const otherNameText = ({ name, isFormer, term }: OtherName): string =>
  `${isFormer ? "Formerly" : "Now"} ${name}${term === undefined ? "" : ` (${isFormer ? "until" : "since"} ${termTitle(term)})`}`;

export const OtherNames = ({ names }: { names: readonly OtherName[] }) => (
  <>
    {names.map((other) => (
      <p class="facts" key={other.name}>
        <bdi>{otherNameText(other)}</bdi>
      </p>
    ))}
  </>
);

export const OtherGrades = ({ names }: { names: readonly OtherName[] }) => (
  <>
    {names.map(({ name, department, courseNumber }) => {
      const address = addressOf("/grades/raw", { department, courseNumber });
      return (
        <section key={name} aria-label={`Grades as ${name}`}>
          <h2>
            Grades as <bdi>{name}</bdi>
          </h2>
          <WhenNear>
            {() => (
              <ErrorBoundary>
                <Loaded<[readonly GradeRow[]]> addresses={[address]} lines={6}>
                  {(rows) =>
                    rows.length === 0 ? (
                      <p class="quiet">No grades are published under this name.</p>
                    ) : (
                      <GradeCharts rows={rows} address={address} />
                    )
                  }
                </Loaded>
              </ErrorBoundary>
            )}
          </WhenNear>
          <SourceMenu name={`the grades as ${name}`} address={address} />
          <p class="quiet">
            <a href={addressOf("/enrollmentHistory", { department, courseNumber })}>
              Enrollment history as <bdi>{name}</bdi>
            </a>
          </p>
        </section>
      );
    })}
  </>
);
