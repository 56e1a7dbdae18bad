/**
 * Random requests to an endpoint from the declarations of its parameters: each kind in valid and odd spellings, with
 * values from the rows of a world.
 */
import * as fc from "fast-check";
import { endpoints } from "../../../server/endpoints/all.ts";
import type { Param } from "../../../server/response/params.ts";
import { namesOf } from "../../server/response/fields/plain-fields.ts";
import type { Asked, History } from "../oracle/oracle.ts";

type Pair = [name: string, value: string];

/** Formats whose rows are those of the JSON; feeds and calendars have tests of their own. */
export const FORMATS = ["json", "csv", "ndjson", "parquet"];
/** Values that no parameter expects. */
const NONSENSE = ["~", "0", "-1", "1.5", "99999", "'; DROP TABLE grades; --", "100%", "É", "a,b", "ANY", "ALL", "any"];

/** The full names of the fields of a response; their ends are tested in test/server/response/fields. */
export const fieldsOf = (path: string): string[] =>
  namesOf(endpoints.find((endpoint) => endpoint.path === path)?.returns.example);

/** Values of a parameter that some row has. */
function valuesOf({ snapshots, now }: History): Readonly<Record<string, readonly string[]>> {
  const { tables } = snapshots.at(-1) as History["snapshots"][number];
  const { sections, grades, courses, instructors, enrollment_history: history, changes } = tables;
  const taught = [...grades, ...history, ...changes];
  const all = <T>(rows: readonly T[], read: (row: T) => string | readonly string[]) => [...new Set(rows.flatMap(read))];
  const codes = all([...sections, ...taught], (row) => row.sectionCode);
  const rooms = all(sections, ({ meetings }) => meetings.flatMap(({ bldg }) => bldg)).map((label) => label.split(" "));
  const named = all([...sections, ...taught], (row) => row.instructors);
  const parts = (texts: readonly string[]) => texts.flatMap((text) => [text, text.slice(1, 6), text.slice(-4)]);
  const times = [...snapshots.map(({ createdAt }) => createdAt), ...all(changes, ({ at }) => at).slice(0, 4)];
  const moments = [
    ...[...snapshots.map(({ id }) => id), ...times, "2024-10-31", "2024-11-01", "2024-10-31T18:30-04:00"],
    ...["0123456789abcdef", "2024-13-01", "2024-10-31T18:30", now.toISOString()],
  ];
  return {
    year: ["2024", "2022", "2023", "2025", "2019", "1999", "24"],
    month: ["9", "10", "12", "1", "7", "08", "13", "0"],
    day: ["26", "7", "13", "6", "29", "30", "31", "0"],
    instructor: named,
    instructorName: named.flatMap((name) => [name, name.slice(0, 4), `${name.split(",")[0]},`, name.slice(0, -1)]),
    netid: [...all(instructors, ({ netid }) => netid), "ghost"],
    department: [...all(sections, ({ deptCode }) => deptCode), ...all(taught, ({ department }) => department)],
    courseNumber: [...all(courses, ({ courseNumber }) => courseNumber), "1-99", "46-100", "H1-161", "161-1", "16*"],
    courseNumeric: ["46", "1", "0", "100"],
    sectionCode: [...codes, "5000"],
    sectionCodes: [...codes, "10000-10999", "00001 - 30000", "30000-00001", "5000"],
    titleContains: parts([...all(courses, ({ title }) => title), ...all(instructors, ({ title }) => title)]),
    courseTitle: parts(all(sections, ({ courseTitle }) => courseTitle)),
    descriptionContains: parts(all(courses, ({ description }) => description)),
    taughtByInstructors: [...all(instructors, ({ netid }) => netid), "ghost"],
    taughtInTerms: all(courses, ({ terms }) => terms),
    nameContains: parts(all(instructors, ({ name }) => name)),
    shortenedName: all(instructors, ({ shortenedName }) => shortenedName),
    departmentContains: parts(all(instructors, ({ department }) => department)),
    schoolsContains: all(instructors, ({ schools }) => schools),
    relatedDepartmentsContains: all(instructors, ({ relatedDepartments }) => relatedDepartments),
    minUnits: ["1", "1.5", ".5", "0", "four"],
    maxUnits: ["4", "12", "0.5"],
    units: ["4", "4.0", ".5", "VAR", "1.3", "0", "four"],
    building: [...all(rooms, ([building = ""]) => building), "ON"],
    room: all(rooms, ([, ...room]) => room.join(" ")),
    days: ["M", "Tu", "TuTh", "SuSa", "MWF", "T", "tuth", "mw"],
    startTime: ["9:00", "10:00am", "13:30", "1:30 PM", "9am", "25:00"],
    endTime: ["10:50", "4:50pm", "23:59", "12:00am"],
    maxCapacity: [">0", "<30", "=30", "> 1", "30"],
    excludeRestrictionCodes: ["A", "K", "L", "X", "l"],
    q: [
      ...all(courses, ({ id, title, department }) => [id, title, `${department} 46`]),
      ...all(instructors, (row) => [row.name, row.netid, row.shortenedName]),
      ...[...codes.slice(0, 20), "dance", "ics 46", "xqzzv", "of"],
    ],
    since: moments,
    until: moments,
    asOf: moments,
    limit: ["1", "2", "5", "100", "10000", "0", "10001", "all"],
    offset: ["0", "1", "7", "1000", "-1"],
  };
}

const cased = (text: string) => fc.constantFrom(text, text, text.toLowerCase(), text.toUpperCase());

/** A value as a client may write it. */
function spelled(name: string, param: Param<unknown>, values: readonly string[]): fc.Arbitrary<Pair[]> {
  const all = param.schema.enum ?? (param.schema.type === "boolean" ? ["true", "false"] : values);
  const own = name === "fields" ? values : all.filter((value) => name !== "format" || FORMATS.includes(value));
  if (own.length === 0) throw new Error(`say what values of ${name} are`);
  const isFree = param.schema.enum === undefined && param.schema.type === "string";
  const item = isFree ? fc.constantFrom(...own).chain(cased) : fc.constantFrom(...own);
  const several = fc.tuple(fc.array(item, { minLength: 1, maxLength: 4 }), fc.nat(3)).map(([items, way]): Pair[] => {
    if (way === 0) return items.map((text) => [name, text]);
    if (way === 1) return [[name, ` ${items.join(" , ")} `]];
    return way === 2
      ? [
          [name, `${items.join(",")},`],
          [name, items[0] as string],
        ]
      : [[name, items.join(",")]];
  });
  const odd = fc.oneof(
    fc
      .constantFrom("", " ", ...NONSENSE, ...(param.schema.type === "boolean" ? ["True", "0", "yes"] : []))
      .map((text): Pair[] => [[name, text]]),
    item.map((text): Pair[] => [
      [name, text],
      [name, text],
    ]),
    fc.tuple(item, item).map((both): Pair[] => both.map((text) => [name, text])),
    item.map((text): Pair[] => [[name, `${text},`]]),
  );
  return fc.oneof(
    { weight: 14, arbitrary: param.multi ? several : item.map((text): Pair[] => [[name, text]]) },
    { weight: 1, arbitrary: odd },
  );
}

/** Additional parameters without which a request finds nothing. */
const USUAL: Readonly<Record<string, readonly Pair[]>> = {
  "/schedule": [
    ["year", "2024"],
    ["quarter", "Fall"],
    ["cacheOnly", "true"],
  ],
  "/larc": [["year", "2024"]],
};
/** Names of which all or none are given. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  "/week": ["year", "month", "day"],
  "/calendar": ["year", "quarter"],
};
const RARE = ["asOf", "fields", "cache"];

/** Requests to an endpoint without these parameters. An explanation is a different response, which a rule requests. */
export function requestTo(history: History, path: string, without: readonly string[] = []): fc.Arbitrary<Asked> {
  const endpoint = endpoints.find((endpoint) => endpoint.path === path);
  if (!endpoint) throw new Error(`there is no ${path}`);
  const { tables } = history.snapshots.at(-1) as History["snapshots"][number];
  const ids = path.startsWith("/courses")
    ? tables.courses.map(({ id }) => id)
    : tables.instructors.map(({ netid }) => netid);
  const values = { ...valuesOf(history), ids: [...ids, "DANCE 10", "nobody"], fields: fieldsOf(path) } as Readonly<
    Record<string, readonly string[]>
  >;
  const params = Object.entries(endpoint.params).filter(([name]) => name !== "explain" && !without.includes(name));
  const spellings = new Map(params.map(([name, param]) => [name, spelled(name, param, values[name] ?? [])]));
  const names = [...spellings.keys()];
  const [rare, others] = [true, false].map((is) => names.filter((name) => RARE.includes(name) === is)) as [
    string[],
    string[],
  ];
  const required = params.filter(([, param]) => param.required).map(([name]) => name);
  const together = (TOGETHER[path] ?? []).filter((name) => names.includes(name));
  const isSo = (of: number) => fc.nat(of).map((n) => n === 0);
  return fc
    .record({
      chosen: fc.shuffledSubarray(others, { maxLength: Math.min(4, others.length) }),
      isRare: isSo(6),
      isPartial: isSo(4),
      isBare: isSo(19),
      /** Usual values are replaced where others are chosen. */
      isOther: isSo(4),
      id: path.endsWith(":id") ? fc.constantFrom(...ids, "nobody").chain(cased) : fc.constant(""),
      isCompat: fc.boolean(),
    })
    .chain(({ chosen, isRare, isPartial, isBare, isOther, id, isCompat }) => {
      const usual = isBare ? [] : (USUAL[path] ?? []).filter(([name]) => !isOther || !chosen.includes(name));
      const wanted = new Set([...(isBare ? [] : required), ...(isPartial ? [] : together), ...chosen]);
      const drawn = [...wanted].filter((name) => !usual.some(([usualName]) => usualName === name));
      const single =
        isRare && rare.length > 0 ? fc.constantFrom(...rare).map((name) => [name]) : fc.constant<string[]>([]);
      const pairsOf = (name: string) => spellings.get(name) as fc.Arbitrary<Pair[]>;
      const pairs = single.chain((more) =>
        fc.tuple(...[...drawn, ...more].filter((name) => spellings.has(name)).map(pairsOf)),
      );
      return pairs.map((all) => ({ path, id, isCompat, query: new URLSearchParams([...usual, ...all.flat()]) }));
    });
}

const PATHS = endpoints.map(({ path }) => path);
/** Prefers the endpoints with the most parameters. */
export const requestToAny = (history: History): fc.Arbitrary<Asked> =>
  fc.oneof(
    ...PATHS.map((path) => ({
      weight: path === "/schedule" ? 6 : /^\/(grades|courses$|instructors$|changes|enrollment)/.test(path) ? 2 : 1,
      arbitrary: requestTo(history, path),
    })),
  );
