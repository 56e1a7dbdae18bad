/** Rows of every table that are awkward to quote and to compare, and random requests for each endpoint that find some of them. */
import * as fc from "fast-check";
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import { drawPublication } from "../../../support/worlds/drawn-changes.ts";
import { publishChanges } from "../../../support/published/published-changes.ts";
import { ROWS as GRADES } from "../../../support/worlds/grade-rows.ts";
import { courseRow, personRow } from "../../../support/worlds/catalogue-rows.ts";
import { type PublishedRows, publishRows } from "../../../support/published/published.ts";
import { openFolder } from "../../../support/whole-run.ts";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { filterArbitraries, type Query, queryArbitrary } from "../../endpoints/schedule/schedule-queries.ts";
import { nastyTerm } from "../../endpoints/schedule/nasty-sections.ts";
import { historyRow, periodRows } from "../representations/history-row.ts";

export const CRAWLED = new Date("2026-10-05T07:00:00.000Z");
const HOUR_MS = 3_600_000;
const schedule = nastyTerm(60);
const NAMES = ["O'NEIL, É.", "SMITH'; DROP TABLE grades; --, J.", "WEISS, Ł."] as const;

const grades = [
  ...GRADES,
  ...NAMES.map((name, i) => ({
    ...GRADES[i % GRADES.length],
    year: "2023",
    sectionCode: `0500${i}`,
    instructors: [name, NAMES[0]],
  })),
].map((row, i) => ({ ...row, exportSheet: i % 2 === 0 ? "Summer '22" : null, exportRow: 2 + i })) as typeof GRADES;

const courses = [
  courseRow({ title: 'O\'Neil \\ "quoted" $1 100%_', description: "Line one.\nLine 'two'." }),
  courseRow({ department: "I&C SCI", courseNumber: "46", minUnits: 1.5, geList: ["GE-5B"], terms: ["2022 Fall"] }),
  courseRow({ department: "I&C SCI", courseNumber: "H100W", instructorHistory: ["ramberley"], maxUnits: 12 }),
  courseRow({ department: "CRM/LAW", courseNumber: "200", prerequisiteTree: '{"AND":["MATH 2A"]}' }),
];
const people = [
  personRow({ courseHistory: { "DANCE 10": ["2022 Fall", "2021 Fall"] } }),
  personRow({ netid: "eoneil", name: "Éamon O’Neil", shortenedName: "O'NEIL, É.", schools: [] }),
  personRow({ netid: "lweiss", name: "Łucja Weiß", shortenedName: "WEISS, Ł.", title: "Professor's “aide”" }),
];
const seen = (sectionCode: string, year: string, totals: readonly string[]) => ({
  section: { ...historyRow(sectionCode), year, instructors: [...NAMES] },
  periods: totals.flatMap((total, i) =>
    periodRows(sectionCode, [[`${year}-1${i}-01`, `${year}-1${i}-03`, total]]).map((period) => ({ ...period, year })),
  ),
});
const history = [seen("30007", "2019", ["1", "2'"]), seen("05001", "2020", ["n/a"]), seen("30008", "2020", ["3"])];

/** `WEISS, Ł.` may be two people, `NAMES[1]` nobody. */
const sectionInstructors = grades.flatMap(({ year, quarter, sectionCode, department, instructors }) =>
  [...new Set(instructors)].flatMap((name) => {
    const netids = name === NAMES[2] ? ["lweiss", "ramberley"] : name === NAMES[0] ? ["eoneil"] : [];
    const matchedBy = netids.length === 0 ? ("none" as const) : ("name" as const);
    const row = { year, quarter, sectionCode, department, name, matchedBy, candidates: netids.length };
    return (netids.length === 0 ? [null] : netids).map((netid) => ({ ...row, netid }));
  }),
);

export const ROWS: PublishedRows = {
  ...schedule,
  section_instructors: sectionInstructors,
  grades,
  courses,
  instructors: people,
  departments: [
    { deptCode: "I&C SCI", deptName: "Information & Computer Science's" },
    { deptCode: "ART", deptName: "" },
  ],
  terms: [
    { year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" },
    { year: "2025", quarter: "Winter", longName: "Winter '25" },
  ],
  larc: ["DANCE 10", "I&C SCI 46"].map((courseNumber) => ({
    year: "2024",
    quarter: "Fall" as const,
    courseNumber,
    courseName: "Movement's",
    sections: [{ day: "MW", time: "9:00-9:50a", instructor: "Robin Amberley", building: "ON LINE" }],
  })),
  calendar: [
    ["2024", "Fall", "2024-09-26", "2024-12-06", "2024-12-07", "2024-12-13"],
    ["2025", "Winter", "2025-01-06", "2025-03-14", "2025-03-15", "2025-03-21"],
    ["2025", "Summer1", "2025-06-23", "2025-07-30", "2025-07-29", "2025-07-30"],
    ["2025", "Summer10wk", "2025-06-23", "2025-08-29", "2025-08-27", "2025-08-29"],
  ].map(([year, quarter, instructionStart, instructionEnd, finalsStart, finalsEnd]) => ({
    year,
    quarter,
    instructionStart,
    instructionEnd,
    finalsStart,
    finalsEnd,
  })) as PublishedRows["calendar"] & object,
  enrollment_history: history.map(({ section }) => section),
  enrollment_periods: history.flatMap(({ periods }) => periods),
};

/** The snapshots of the world, oldest first. */
const snapshots: string[] = [];

export async function openExplainWorld() {
  const folder = await openFolder();
  const source = { schedule: "https://schedule.example/form", records: "https://records.example/" };
  const options = (before: number) => ({ now: new Date(CRAWLED.getTime() - before * HOUR_MS), source });
  snapshots.splice(0, snapshots.length, (await publishRows(folder.artifacts, ROWS, options(2))).id);
  let earlier: readonly Change[] = [];
  for (const before of [1, 0]) {
    const [drafts = []] = fc.sample(drawPublication(2 - before), { numRuns: 1, seed: before });
    const { id, all } = await publishChanges(folder.artifacts, earlier, drafts, options(before));
    snapshots.push(id);
    earlier = all;
  }
  return folder;
}

/** Stands for the id of the second snapshot. */
const SECOND = "second";

/** Values of a parameter, of all endpoints that have it. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ids: [
    [...courses.map(({ id }) => id.toLowerCase()), "x'"].toReversed().join(","),
    [...people.map(({ netid }) => netid.toUpperCase()), "x'"].toReversed().join(","),
  ],
  year: ["2022", "2024", "2019", "2020", "1999"],
  quarter: ["Fall", "Fall", "Summer1", "Winter"],
  instructor: ["O'neil, e.", "smith'; drop table grades; --, j.", "LEE, K.", "nobody"],
  netid: ["RAMBERLEY", "eoneil", "lweiss'"],
  instructorIds: ["true", "false"],
  department: ["I&CSCI", "art", "dance", "x' OR '1'='1"],
  courseNumber: ["46", "h100w", "10", "9'"],
  courseNumeric: ["46", "100"],
  sectionCode: ["05001", "35730", "30007"],
  sectionType: ["Lec", "Lab"],
  division: ["LowerDiv", "UpperDiv", "Graduate"],
  courseLevel: ["LowerDiv", "Graduate"],
  ge: ["GE-4", "GE-5B"],
  geCategory: ["GE-5B", "GE-8"],
  excludePNP: ["true", "false"],
  sort: ["highestGPA", "lowestGPA", "mostStudents"],
  titleContains: ["O'Neil \\", "lecturer", "$1", "professor's"],
  minUnits: ["1", "1.5", ".5"],
  maxUnits: ["4", "12"],
  descriptionContains: ["'two'", "bodies"],
  taughtByInstructors: ["ramberley,nobody'"],
  taughtInTerms: ["2022 fall", "2021 Fall,x'"],
  nameContains: ["o’neil", "łucja weiss", "Robin"],
  shortenedName: ["o'neil, e.", "WEISS, L."],
  departmentContains: ["dance", "'"],
  schoolsContains: ["school of arts,x"],
  relatedDepartmentsContains: ["dance"],
  q: ["dance", "ics 46", "O'Neil", "00200", "amberley", "zzz"],
  since: ["2024-10-31T22:30:00Z", "2024-10-01", SECOND],
  until: ["2024-10-31T22:30:00Z", "2024-11-01", SECOND],
  sectionCodes: ["10000,00099", "10000-10999"],
  instructorName: ["müll", "o'neil,", "amberley, r"],
  kind: ["status,enrolled,added,comment", "meetings,final,other,removed"],
  asOf: ["2026-10-06", "2026-10-05T08:00:00Z"],
  limit: ["1", "2", "3"],
  offset: ["0", "1", "5"],
};
/** The term that has tutorials and is in the calendar. */
const TERM: typeof VALUES = { year: ["2024"], quarter: ["Fall"] };
const IDS: Readonly<Record<string, readonly string[]>> = {
  "/courses/:id": courses.map(({ id }) => encodeURIComponent(id)),
  "/instructors/:id": people.map(({ netid }) => netid.toUpperCase()),
};
const DAYS = ["2024-10-05", "2024-12-07", "2024-12-25", "2025-07-29", "2025-08-28"];

export interface Asked {
  readonly path: string;
  readonly address: string;
}

const NEVER_ASKED = new Set(["fields", "format", "explain"]);
const filtersOf = filterArbitraries(schedule.sections);

/** `only`: with this parameter beside the required ones, else with some. */
function queryOf(path: string, only?: string): fc.Arbitrary<Query> {
  if (path === "/schedule") {
    const term: Query = [
      ["year", "2024"],
      ["quarter", "Fall"],
      ["cacheOnly", "true"],
    ];
    const own =
      only === undefined ? queryArbitrary(filtersOf) : (filtersOf[only] ?? fc.constant([])).map((one) => [one]);
    return own.map((filters) => [...term, ...filters.flat()]);
  }
  if (path === "/week")
    return fc.constantFrom(...DAYS).map((date) => {
      const [year = "", month = "", day = ""] = date.split("-");
      return [
        ["year", year],
        ["month", month],
        ["day", day],
      ];
    });
  const params = Object.entries(endpoints.find((one) => one.path === path)?.params ?? {});
  const [required, others] = [true, false].map((is) =>
    params.filter(([name, param]) => (param.required ?? false) === is && !NEVER_ASKED.has(name)).map(([name]) => name),
  ) as [string[], string[]];
  const valueOf = (name: string) =>
    fc
      .constantFrom(...(((path === "/larc" || path === "/calendar") && TERM[name]) || VALUES[name] || []))
      .map((value): Query[number] => [name, value === SECOND ? (snapshots[1] ?? "") : value]);
  const chosen =
    only === undefined ? fc.subarray(others, { maxLength: Math.min(3, others.length) }) : fc.constant([only]);
  return chosen.chain((names) => fc.tuple(...[...new Set([...required, ...names])].map(valueOf)));
}

export function requestTo(path: string, only?: string): fc.Arbitrary<Asked> {
  const ids = IDS[path] ?? [""];
  return fc.tuple(queryOf(path, only), fc.constantFrom(...ids)).map(([query, id]) => ({
    path,
    address: `${path.replace(":id", id)}?${new URLSearchParams(query)}`,
  }));
}

/** Their filters are those of `/grades/raw`. */
const ALIKE = ["/grades/aggregate", "/grades/options", "/grades/aggregateByCourse"];

/** Every filter of every endpoint, by itself. */
export const eachAlone = endpoints
  .filter(({ path }) => !ALIKE.includes(path))
  .flatMap(({ path, params }) =>
    Object.keys(path === "/schedule" ? filtersOf : params)
      .filter((name) => path !== "/week" && !NEVER_ASKED.has(name) && !["limit", "offset", "asOf"].includes(name))
      .map((name) => requestTo(path, name)),
  );
