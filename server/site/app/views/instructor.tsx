/** The page of a person: sections of the term, courses taught, and grades. */
import { Stale } from "../parts/stale.tsx";
import { lazy } from "preact-iso";
import { addressOf, instructorAddress } from "../data/addresses.ts";
import type { GradeRow } from "../charts/grade-sums.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { useJson } from "../data/use-json.ts";
import { Loaded, LoadingPart } from "../parts/loaded.tsx";
import { Meant } from "../parts/meant.tsx";
import { GivenTitle, PageTitle } from "../parts/page-title.tsx";
import { SourceMenu } from "../parts/links.tsx";
import { CoursesTaught } from "../instructor/courses-taught.tsx";
import { isClear, mayMean } from "../instructor/meant.ts";
import { TaughtSections } from "../instructor/taught-sections.tsx";
import { plural, spokenName } from "../format.ts";

type Person = ResponseBody<"Instructor">;

const GradeCharts = lazy(() => import("../charts/grade-charts.tsx").then((m) => m.GradeCharts));

/** The schedule's form of a name, such as `AMBERLEY, R.`, stands for people whom the directory does not have. */
const isShortName = (id: string) => id.includes(",");

export function InstructorView({ netid }: { netid: string }) {
  if (isShortName(netid)) return <ByShortName name={netid} />;
  return <ByNetid netid={netid} />;
}

function ByNetid({ netid }: { netid: string }) {
  const address = addressOf(`/instructors/${encodeURIComponent(netid)}`);
  const loading = useJson<[Person]>([address]);
  return (
    <>
      {loading.problem !== undefined && <PageTitle title={netid}>{netid}</PageTitle>}
      {loading.isLoading && loading.value === undefined && <GivenTitle />}
      <LoadingPart loading={loading} lines={8} of={([person]) => <InDirectory person={person} address={address} />} />
      {loading.status === 404 && <Meant text={netid} problem={loading.problem} toAddress={instructorAddress} />}
    </>
  );
}

function InDirectory({ person, address }: { person: Person; address: string }) {
  return (
    <>
      <PageTitle title={person.name}>{person.name}</PageTitle>
      <p class="quiet">
        {[person.title, person.department, ...person.schools].filter(Boolean).map((fact, i) => (
          <>
            {i > 0 && " · "}
            <bdi>{fact}</bdi>
          </>
        ))}
      </p>
      {person.email !== "" && (
        <p>
          <a href={`mailto:${person.email}`}>{person.email}</a>
        </p>
      )}
      <Stale tables={["instructors", "grades"]} />
      <SourceMenu name={person.name} address={address} />
      {person.shortenedName === "" ? (
        <CoursesTaught history={person.courseHistory} grades={[]} />
      ) : (
        <Teaching name={person.shortenedName} netid={person.netid} history={person.courseHistory} />
      )}
    </>
  );
}

/** Someone without a directory entry; or the choice between people who share the name. */
const ByShortName = ({ name }: { name: string }) => (
  <>
    <PageTitle title={spokenName(name)}>{spokenName(name)}</PageTitle>
    <Loaded<[readonly Person[]]> addresses={[addressOf("/instructors", { shortenedName: name })]}>
      {(people) => (
        <p>
          {people.length === 0 ? (
            "No one with this name is in the directory."
          ) : (
            <>
              Listed in the directory under “<bdi>{name}</bdi>”:{" "}
            </>
          )}
          {people.map((person, i) => (
            <>
              {i > 0 && ", "}
              <a href={instructorAddress(person.netid)}>{person.name}</a>
            </>
          ))}
        </p>
      )}
    </Loaded>
    <Teaching name={name} history={{}} />
  </>
);

interface TeachingProps {
  readonly name: string;
  /** Absent for somebody whom the directory does not have. */
  readonly netid?: string;
  readonly history: Person["courseHistory"];
}

function Teaching({ name, netid, history }: TeachingProps) {
  const gradesAddress = addressOf("/grades/raw", { instructor: name, instructorIds: "true" });
  const loading = useJson<[readonly GradeRow[], readonly Person[]]>([
    gradesAddress,
    addressOf("/instructors", { shortenedName: name }),
  ]);
  return (
    <>
      <h2>Sections</h2>
      <TaughtSections name={name} netid={netid}>
        <h2>Courses</h2>
        <LoadingPart
          loading={loading}
          lines={8}
          of={([all, people]) => {
            const grades = netid === undefined ? all : all.filter((row) => mayMean(netid, row));
            const unclear = grades.filter((row) => netid === undefined || !isClear(netid, row));
            return (
              <>
                {people.length > 1 && unclear.length > 0 && (
                  <p class="text">
                    The schedule and grade records only show “<bdi>{name}</bdi>”, a name that{" "}
                    {plural(people.length, "person", "people")} share. {plural(unclear.length, "section")} below may be
                    someone else’s.
                  </p>
                )}
                <CoursesTaught history={history} grades={grades} />
                {grades.length > 0 && (
                  <>
                    <h2>Grades over the years</h2>
                    <GradeCharts rows={grades} address={gradesAddress} />
                  </>
                )}
              </>
            );
          }}
        />
      </TaughtSections>
    </>
  );
}
