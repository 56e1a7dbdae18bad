/** Other names of a course, and its grades under them: they never count among its own. */
import { ErrorBoundary, lazy } from "preact-iso";
import type { GradeRow } from "../charts/grade-sums.ts";
import { addressOf } from "../data/addresses.ts";
import { SourceMenu } from "../parts/links.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { WhenNear } from "../parts/when-near.tsx";
import { type OtherName, otherNameText } from "./other-name-links.ts";

/** With the library of charts, after the words. */
const GradeCharts = lazy(() => import("../charts/grade-charts.tsx").then((m) => m.GradeCharts));

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
