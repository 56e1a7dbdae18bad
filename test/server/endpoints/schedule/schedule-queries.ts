/** Random questions to the schedule endpoint, near to what a list of sections can answer; each is written as clients write. */
import * as fc from "fast-check";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";

/** Parameter and value pairs, in the order in which they are sent. */
export type Query = [name: string, value: string][];

const GE = ["GE-1A", "GE-1B", "GE-2", "GE-3", "GE-4", "GE-5A", "GE-5B", "GE-6", "GE-7", "GE-8", "ANY", "ALL", ""];
const TYPES = ["Act", "Col", "Dis", "Fld", "Lab", "Lec", "Qiz", "Res", "Sem", "Stu", "Tap", "Tut", "ANY"];
const FULL = ["SkipFull", "SkipFullWaitlist", "FullOnly", "OverEnrolled", "Overenrolled", "ANY", ""];

type Spelled = fc.Arbitrary<Query>;
const one = (name: string, value: fc.Arbitrary<string>): Spelled => value.map((text) => [[name, text]]);
const choice = (name: string, values: readonly string[]): Spelled => one(name, fc.constantFrom(...values));

/** A list as a comma list, by repetition, or both, with blanks and empties. */
const many = (name: string, item: fc.Arbitrary<string>): Spelled =>
  fc.tuple(fc.array(item, { minLength: 1, maxLength: 4 }), fc.nat(3)).map(([items, way]): Query => {
    if (way === 0) return items.map((text) => [name, text]);
    if (way === 1) return [[name, items.join(" , ")]];
    if (way === 2)
      return [[name, `${items[0] as string},`], ...items.slice(1).map((text): [string, string] => [name, text])];
    return [[name, items.join(",")]];
  });

/** The text in some case. */
const cased = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat(2)).map(([t, way]) => (way === 0 ? t : way === 1 ? t.toLowerCase() : t.toUpperCase()));

const fiveDigits = (code: number): string => String(code).padStart(5, "0");

function toClock(minutes: number, way: number): string {
  const [hour, minute] = [Math.floor(minutes / 60) % 24, String(minutes % 60).padStart(2, "0")];
  const half = hour < 12 ? "am" : "pm";
  if (way === 0) return `${hour}:${minute}`;
  if (way === 1) return `${String(hour).padStart(2, "0")}:${minute}`;
  return `${hour % 12 || 12}:${minute}${way === 2 ? half : ` ${half.toUpperCase()}`}`;
}

/** One arbitrary for each filter, drawn from what the sections hold. */
export function filterArbitraries(sections: readonly Section[]): Record<string, Spelled> {
  const section = fc.constantFrom(...sections);
  const place = fc
    .constantFrom(...sections.flatMap(({ meetings }) => meetings.flatMap(({ bldg }) => bldg)))
    .map((label) => label.split(" "));
  const name = fc.constantFrom(...sections.flatMap(({ instructors }) => instructors), "NOBODY, N.");
  const time = fc.tuple(fc.constantFrom(480, 540, 599, 600, 650, 660, 720, 770, 810, 1010, 1080, 1439), fc.nat(3));
  return {
    ge: choice("ge", GE),
    department: one(
      "department",
      cased(
        fc.oneof({ weight: 8, arbitrary: section.map((s) => s.deptCode) }, fc.constantFrom("ALL", "ANY", "")),
      ).chain((code) => fc.constantFrom(code, code.replaceAll(" ", ""), ` ${code} `)),
    ),
    sectionCodes: many(
      "sectionCodes",
      fc.tuple(section, fc.constantFrom(0, 0, 1, 40, 4_000)).map(([{ sectionCode }, width]) => {
        const high = Math.min(99_999, Number(sectionCode) + width);
        return width === 0 ? sectionCode : `${sectionCode}-${fiveDigits(high)}`;
      }),
    ),
    instructorName: one(
      "instructorName",
      cased(
        fc.oneof(
          name,
          name.map((text) => `${text.split(",")[0] as string},`),
          name.map((text) => text.slice(0, text.indexOf(",") + 3)),
          fc.tuple(name, fc.nat(4), fc.integer({ min: 1, max: 4 })).map(([text, from, length]) => {
            return (text.split(",")[0] as string).slice(from, from + length);
          }),
        ),
      ),
    ),
    building: fc.tuple(place, fc.nat(2)).chain(([[building = "", ...room], way]) => {
      const spelled = cased(fc.constant(building)).map((text): Query => [["building", text]]);
      if (way === 0 || room.length === 0) return spelled;
      return cased(fc.constant(room.join(" "))).chain((text) => spelled.map((query) => [...query, ["room", text]]));
    }),
    division: choice("division", ["LowerDiv", "UpperDiv", "Graduate", "ANY"]),
    courseNumber: many(
      "courseNumber",
      fc.oneof(
        cased(section.map(({ courseNumber }) => courseNumber)),
        fc
          .tuple(section, fc.nat(60))
          .map(([{ courseNumber, courseNumeric }, width]) =>
            /\d/.test(courseNumber) ? `${courseNumber}-${courseNumeric + width}B` : "0-9",
          ),
      ),
    ),
    courseTitle: one(
      "courseTitle",
      cased(
        fc.tuple(section, fc.nat(6), fc.integer({ min: 1, max: 5 })).map(([{ courseTitle }, from, length]) => {
          return courseTitle.slice(from, from + length);
        }),
      ),
    ),
    sectionType: choice("sectionType", TYPES),
    units: many("units", fc.constantFrom("4", "4.0", "VAR", "0", ".5", "0.5", "1.3", "2", "12")),
    days: many(
      "days",
      fc
        .subarray(["Su", "M", "Tu", "W", "Th", "F", "Sa"], { minLength: 1, maxLength: 2 })
        .map((days) => days.toReversed().join("")),
    ),
    startTime: one(
      "startTime",
      time.map(([minutes, way]) => toClock(minutes, way)),
    ),
    endTime: one(
      "endTime",
      time.map(([minutes, way]) => toClock(minutes, way)),
    ),
    maxCapacity: one(
      "maxCapacity",
      fc.tuple(fc.constantFrom(">", "<", "="), section).map(([operator, s]) => `${operator}${s.maxCapacity || "0"}`),
    ),
    fullCourses: choice("fullCourses", FULL),
    excludeRestrictionCodes: many("excludeRestrictionCodes", fc.constantFrom("A", "B", "K", "L", "N", "X", "D")),
    cancelledCourses: choice("cancelledCourses", ["Exclude", "Include", "Only", "ALL", ""]),
    includeCoCourses: choice("includeCoCourses", ["true", "true", "false"]),
  };
}

/** A question with so many of the filters, or now and then with all of them. */
export function queryArbitrary(
  filters: Record<string, Spelled>,
  { least = 2, most = 4 }: { least?: number; most?: number } = {},
): fc.Arbitrary<Query[]> {
  const names = Object.keys(filters);
  return fc
    .tuple(fc.subarray(names, { minLength: least, maxLength: most }), fc.record(filters), fc.nat(30))
    .map(([chosen, all, way]) => (way === 0 ? names : chosen).flatMap((name) => [all[name] as Query]));
}
