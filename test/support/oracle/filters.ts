/** The filters of all endpoints as server/RULES.md says them: of what kind a value is, and whether a row passes it. */
import type { Query } from "./query.ts";
import { bare, digitsOf, idsOf, plainName, QUARTERS, same, type Tables, type Term } from "./rows.ts";

/** A row of whatever table: a filter looks at what its endpoint's rows have. */
type Fields = Of<"sections"> & Of<"grades"> & Of<"courses"> & Of<"instructors"> & Of<"changes">;
type Of<N extends keyof Tables> = Tables[N][number];
type Test = (row: Fields, value: string, tables: Tables, query: Query) => boolean;

/** A kind of values: how many, and which; a text without `isValid` is any, and may have commas where it is a `name`. */
interface Kind {
  readonly how: "one" | "name" | "any" | "every";
  readonly isValid?: (item: string) => boolean;
  /** Words that are no filter, also among others. */
  readonly isNone?: (item: string) => boolean;
}
const isAll = (item: string): boolean => item === "ANY" || item === "ALL";
const of = (form: RegExp, how: Kind["how"] = "one"): Kind => ({ how, isValid: (item) => form.test(item) });
const oneOf = (values: string): Kind => ({
  how: "one",
  isNone: isAll,
  isValid: (item) => values.split(" ").includes(item),
});
const [any, name]: [Kind, Kind] = [{ how: "any" }, { how: "name" }];
const [YEAR, CODE, UNITS] = [of(/^\d{4}$/), of(/^\d{5}$/), of(/^\s*(\d{1,6}(\.\d{1,6})?|\.\d{1,6})\s*$/)];
const DIVISIONS = oneOf("LowerDiv UpperDiv Graduate");
const CATEGORIES = oneOf("GE-1A GE-1B GE-2 GE-3 GE-4 GE-5A GE-5B GE-6 GE-7 GE-8");
const TYPES = oneOf("Act Col Dis Fld Lab Lec Qiz Res Sem Stu Tap Tut");
const KINDS =
  /^(added|removed|cancelled|reinstated|status|enrolled|waitlist|capacity|instructors|meetings|final|restrictions|comment|other)$/;
const CLOCK = of(/^\s*((\d|[01]\d|2[0-3]):[0-5]\d|(0?[1-9]|1[0-2]):[0-5]\d\s*[ap]m)\s*$/i);

/** The ends of `low-high`, or of one item. */
const endsOf = (item: string): string[] => item.split("-").map((end) => end.trim());
const isRange = (item: string, form: RegExp): boolean => {
  const ends = endsOf(item);
  return ends.length === 2 && ends.every((end) => form.test(end)) && digitsOf(ends[0] ?? "") <= digitsOf(ends[1] ?? "");
};
const within = (text: string, [low = "", high = low]: readonly string[]): boolean =>
  digitsOf(low) <= digitsOf(text) && digitsOf(text) <= digitsOf(high);
const isCodes = (item: string): boolean => /^\d{5}$/.test(item) || isRange(item, /^\d{5}$/);
const isNumbers = (item: string): boolean => /^[A-Za-z0-9]+$/.test(item) || isRange(item, /^[A-Za-z]*\d[A-Za-z0-9]*$/);

const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
const has = (all: readonly string[], text: string): boolean => all.some((other) => same(other, text));
const isOf = (number: number, division: string): boolean =>
  division === (number < 100 ? "LowerDiv" : number < 200 ? "UpperDiv" : "Graduate");
const count = (text: string): number => (text === "" ? Number.NaN : Number(text));

/** "`smi` is in the last name, `SMITH,` is the last name, `SMITH, J` begins the whole name" */
const isTaughtBy: Test = ({ instructors }, asked) => {
  const wanted = plainName(asked.trim());
  const lastNames = instructors.map((instructor) => plainName(instructor).split(",")[0] ?? "");
  if (!wanted.includes(",")) return lastNames.some((lastName) => lastName.includes(wanted));
  if (wanted.endsWith(",")) return lastNames.includes(wanted.slice(0, -1));
  return instructors.some((instructor) => plainName(instructor).startsWith(wanted));
};

/** Days are read greedily, so that `TuTh` is two and `SuSa` too. */
const daysOf = (text: string): string[] => text.match(/Su|M|Tu|W|Th|F|Sa/g) ?? [];
const isDays = (item: string): boolean => daysOf(item).join("") === item.replaceAll(" ", "");
const meetsOn: Test = ({ meetings }, days) =>
  daysOf(days).every((day) => meetings.some((meeting) => daysOf(meeting.days ?? "").includes(day)));

/** `9:30am`, `1:00 PM`, `13:30`, in minutes since midnight. */
const minutesOf = (text: string): number => {
  const [hour, minute] = text.split(":").map((part) => Number.parseInt(part, 10)) as [number, number];
  return (/m/i.test(text) ? (hour % 12) + (/pm/i.test(text) ? 12 : 0) : hour) * 60 + minute;
};
/** "startTime and endTime hold for every meeting; a section with a time to be announced does not match" */
const timesOf = ({ meetings }: Fields, which: "startTime" | "endTime"): number[] =>
  meetings.map((meeting) =>
    meeting.timeIsTBA || !meeting.startTime || !meeting.endTime
      ? NaN
      : 60 * (meeting[which]?.hour ?? 0) + (meeting[which]?.minute ?? 0),
  );

/** "building and room must hold for one meeting" */
const isAt: Test = ({ meetings }, building, _tables, query) => {
  const room = query.text("room")?.trim();
  return meetings.some(({ bldg }) =>
    bldg.some((label) => {
      const [first = "", ...rest] = label.split(" ");
      return same(first, building.trim()) && (room === undefined || same(rest.join(" "), room));
    }),
  );
};

const isFull = ({ status }: Fields): boolean => status === "FULL" || status === "Waitl";
const fits: Test = (row, choice) => {
  if (choice === "SkipFull" || choice === "FullOnly") return isFull(row) === (choice === "FullOnly");
  if (choice === "SkipFullWaitlist") return row.status !== "FULL";
  return count(row.numCurrentlyEnrolled.totalEnrolled) > count(row.maxCapacity);
};
const seats: Test = ({ maxCapacity }, text) => {
  const [given, bound] = [count(maxCapacity), Number(text.replace(/[<>=]/, ""))];
  return text.includes(">") ? given > bound : text.includes("<") ? given < bound : given === bound;
};
const hasUnits: Test = ({ units }, asked) =>
  asked === "VAR" ? units.includes("-") : units !== "" && !units.includes("-") && Number(units) === Number(asked);
const isPerson: Test = ({ department, instructors }, netid, tables) =>
  instructors.some((instructor) => has(idsOf(tables, department, instructor), netid.trim()));
const hasLetters = (row: object) =>
  ["A", "B", "C", "D", "F"].some((letter) => (row as never)[`grade${letter}Count`] > 0);

const FILTERS: Readonly<Record<string, readonly [Kind, Test, param?: string]>> = {
  year: [YEAR, (row, year) => row.year === year],
  quarter: [oneOf(QUARTERS.join(" ")), (row, quarter) => row.quarter === quarter],
  instructor: [name, ({ instructors }, asked) => instructors.map(plainName).includes(plainName(asked))],
  netid: [{ how: "one" }, isPerson],
  department: [{ how: "any", isNone: (item) => isAll(bare(item)) }, (row, code) => bare(row.department) === bare(code)],
  oneDepartment: [
    { how: "one", isNone: (item) => isAll(bare(item)) },
    (row, code) => bare(row.department) === bare(code),
    "department",
  ],
  courseNumber: [any, (row, number) => same(row.courseNumber, number)],
  sectionCode: [CODE, (row, code) => row.sectionCode === code],
  sectionCodes: [{ how: "any", isValid: isCodes }, (row, codes) => within(row.sectionCode, endsOf(codes))],
  division: [DIVISIONS, (row, division) => isOf(row.courseNumeric, division)],
  ge: [CATEGORIES, ({ geCategories }, category) => has(geCategories, category)],
  sectionType: [TYPES, (row, type) => row.sectionType === type],
  excludePNP: [of(/^(true|false)$/), (row, flag) => flag === "false" || hasLetters(row)],
  courseNumeric: [of(/^\s*\d{1,9}\s*$/), (row, digits) => row.courseNumeric === Number(digits)],
  titleContains: [name, ({ title }, part) => holds(title, part)],
  descriptionContains: [name, ({ description }, part) => holds(description, part)],
  courseLevel: [DIVISIONS, (row, level) => isOf(row.courseNumeric, level)],
  minUnits: [UNITS, ({ minUnits }, least) => minUnits >= Number(least)],
  maxUnits: [UNITS, ({ maxUnits }, most) => maxUnits <= Number(most)],
  taughtByInstructors: [any, ({ instructorHistory }, netid) => has(instructorHistory, netid)],
  geCategory: [CATEGORIES, ({ geList }, category) => has(geList, category)],
  taughtInTerms: [any, ({ terms, courseHistory }, term) => has(terms ?? Object.values(courseHistory).flat(), term)],
  nameContains: [name, (row, part) => plainName(row.name).includes(plainName(part))],
  shortenedName: [name, (row, asked) => plainName(row.shortenedName) === plainName(asked)],
  departmentContains: [name, ({ department }, part) => holds(department, part)],
  schoolsContains: [any, ({ schools }, school) => has(schools, school)],
  relatedDepartmentsContains: [any, ({ relatedDepartments }, code) => has(relatedDepartments, code)],
  instructorName: [name, isTaughtBy],
  kind: [of(KINDS, "any"), (row, kind) => row.kind === kind],
  building: [{ how: "one" }, isAt],
  room: [{ how: "one" }, () => true],
  numbers: [
    { how: "any", isValid: isNumbers },
    (row, item) => (item.includes("-") ? within(row.courseNumber, endsOf(item)) : same(row.courseNumber, item)),
    "courseNumber",
  ],
  courseTitle: [name, ({ courseTitle }, part) => holds(courseTitle, part)],
  units: [of(/^(VAR|\d{1,6}(\.\d{1,6})?|\.\d{1,6})$/, "any"), hasUnits],
  days: [{ how: "every", isValid: isDays }, meetsOn],
  startTime: [
    CLOCK,
    (row, time) => row.meetings.length > 0 && timesOf(row, "startTime").every((start) => start >= minutesOf(time)),
  ],
  endTime: [
    CLOCK,
    (row, time) => row.meetings.length > 0 && timesOf(row, "endTime").every((end) => end <= minutesOf(time)),
  ],
  maxCapacity: [of(/^\s*[<>=]\s*\d{1,9}\s*$/), seats],
  fullCourses: [oneOf("SkipFull SkipFullWaitlist FullOnly OverEnrolled Overenrolled"), fits],
  excludeRestrictionCodes: [
    of(/^[A-Z]$/, "every"),
    (row, letter) => !row.restrictions.split(/[^A-Za-z]+/).includes(letter),
  ],
};

/** The values that a filter is given; none where it is no filter. */
export function valuesOf(key: string, query: Query): string[] {
  const [{ how, isValid, isNone }, , param = key] = FILTERS[key] as (typeof FILTERS)[string];
  const one = () => [isValid ? query.one(param) : query.text(param, how === "name")].flatMap((value) => value ?? []);
  const values = how === "any" || how === "every" ? query.list(param) : one();
  if (isNone && values.some(isNone)) return [];
  if (isValid && !values.every(isValid)) query.refuse(param);
  return values;
}

/** Year and quarter, which both are required. */
export function termOf(query: Query): Term {
  const [year, quarter] = [valuesOf("year", query)[0], query.choice("quarter", QUARTERS.join(" "))];
  for (const [param, value] of Object.entries({ year, quarter })) if (value === undefined) query.refuse(param);
  return { year, quarter };
}

/** The filters of sections with grades and of enrollment histories. */
export const OF_SECTIONS = "year quarter instructor netid department courseNumber sectionCode";

/** The rows that pass the filters of these names, by AND. */
export function filtered<T extends object>(rows: readonly T[], names: string, query: Query, tables: Tables): T[] {
  const given = names
    .split(" ")
    .map((key) => [FILTERS[key] as (typeof FILTERS)[string], valuesOf(key, query)] as const);
  if (query.wrong.size > 0) return [];
  return rows.filter((row) =>
    given.every(([[{ how }, test], values]) => {
      const passes = (value: string) => test(row as unknown as Fields, value, tables, query);
      return values.length === 0 || (how === "every" ? values.every(passes) : values.some(passes));
    }),
  );
}
