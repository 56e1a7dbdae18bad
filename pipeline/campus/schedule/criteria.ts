/**
 * Reads the search form: a predicate for each field that restricts the search. Fields mean what users of the real form
 * expect; a field that is blank, or says "all", restricts nothing.
 */
import type { Params } from "../listening/response.ts";
import type { CampusSection } from "../sections/section.ts";
import {
  capacityTest,
  courseNumberTest,
  daysTest,
  divisionTest,
  earliestTest,
  fullTest,
  instructorTest,
  isOnline,
  latestTest,
  placeTest,
  readClock,
  unitsTest,
  type SectionView,
} from "./tests.ts";

export interface Criteria {
  readonly showComments: boolean;
  readonly showFinals: boolean;
  readonly department: string | undefined;
  readonly ge: string | undefined;
  /** Inclusive ranges. */
  readonly codes: readonly (readonly [number, number])[] | undefined;
  readonly cancelled: "Exclude" | "Include" | "Only";
  /** All of them must hold. */
  readonly tests: readonly ((view: SectionView) => boolean)[];
}

/** Codes from here on are found by code only. */
const FIRST_HIDDEN_CODE = 98_000;

/** Returns the criteria, or why the search is refused. */
export function readCriteria(params: Params): Criteria | { refused: string } {
  const text = (name: string): string => (params.get(name) ?? "").trim();
  const unlessAll = (name: string): string | undefined => {
    const value = text(name);
    return ["", "ANY", "ALL"].includes(value.toUpperCase()) ? undefined : value;
  };
  const department = unlessAll("Dept");
  const ge = unlessAll("Breadth");
  const codes = text("CourseCodes") === "" ? undefined : readCodes(text("CourseCodes"));
  const instructor = unlessAll("InstrName");
  if (department === undefined && ge === undefined && codes === undefined && instructor === undefined) {
    return { refused: "Please fill in at least one of the fields that are marked with a red asterisk." };
  }
  if (text("Room") !== "" && text("Bldg") === "")
    return { refused: "A room is searched together with its building code." };

  const tests: ((view: SectionView) => boolean)[] = [];
  const add = <T>(value: T | undefined, test: (value: T) => (view: SectionView) => boolean) => {
    if (value !== undefined && value !== "") tests.push(test(value));
  };
  add(
    department,
    (code) =>
      ({ section }) =>
        section.offering.department.code === code,
  );
  add(
    ge,
    (category) =>
      ({ section }) =>
        section.geCategories.some((held) => held === category),
  );
  if (codes) tests.push(({ section }) => codes.some(([low, high]) => section.code >= low && section.code <= high));
  else tests.push(({ section }) => isFindable(section));
  add(instructor, instructorTest);
  add(text("CourseNum"), courseNumberTest);
  add(unlessAll("Division"), divisionTest);
  add(
    text("CourseTitle").toUpperCase(),
    (part) =>
      ({ section }) =>
        section.offering.title.toUpperCase().includes(part),
  );
  add(
    unlessAll("ClassType")?.toUpperCase(),
    (type) =>
      ({ section }) =>
        section.type.toUpperCase() === type,
  );
  add(text("Units").toUpperCase(), unitsTest);
  add(text("Days"), daysTest);
  add(readClock(text("StartTime")), earliestTest);
  add(readClock(text("EndTime")), latestTest);
  add(text("MaxCap"), capacityTest);
  add(unlessAll("FullCourses"), fullTest);
  if (text("Bldg") !== "") tests.push(placeTest(text("Bldg").toUpperCase(), text("Room").toUpperCase()));
  add(
    text("Modality"),
    (modality) =>
      ({ section }) =>
        isOnline(section) === (modality === "O"),
  );
  return {
    showComments: text("ShowComments") === "on",
    showFinals: text("ShowFinals") === "on",
    department,
    ge,
    codes,
    cancelled: readCancelled(text("CancelledCourses")),
    tests,
  };
}

export const isFindable = ({ code }: CampusSection): boolean => code < FIRST_HIDDEN_CODE;

/** A blank field means the form's default. */
function readCancelled(text: string): Criteria["cancelled"] {
  return text === "Include" || text === "Only" ? text : "Exclude";
}

/** `14200, 29000-29100`; anything else matches nothing. */
function readCodes(text: string): (readonly [number, number])[] {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((item) => {
      const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(item);
      return match ? ([Number(match[1]), Number(match[2] ?? match[1])] as const) : ([1, 0] as const);
    });
}
