/**
 * The schedule endpoint once more, as plainly as the documents put it: from a query as a client writes it to the sections that it must find. It
 * shares no code with the server, neither reading nor filtering nor sorting. The query has to be a good one.
 */
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import type { Meeting, Section } from "../../../pipeline/contract/rows/section.ts";

type Test = (section: Section) => boolean;
type Clock = { hour: number; minute: number };

export const digitsOf = (text: string): number => Number([...text].filter((c) => c >= "0" && c <= "9").join("") || "0");
const minutesOf = ({ hour, minute }: Clock): number => 60 * hour + minute;
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** "comma list, repeated parameter, or both; items trimmed, empties dropped" */
const listOf = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .join(",")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** "Empty value: same as absent"; ANY and ALL are no filter. */
const choiceOf = (query: URLSearchParams, name: string): string | undefined => {
  const value = query.get(name) ?? "";
  return ["", "ANY", "ALL"].includes(value) ? undefined : value;
};

/** Greedily, so that `TuTh` is two days and `SuSa` too. */
function daysOf(text: string): string[] {
  const days: string[] = [];
  for (let at = 0; at < text.length;) {
    const two = text.slice(at, at + 2);
    const day = ["Su", "Tu", "Th", "Sa"].includes(two) ? two : text.slice(at, at + 1);
    if (day.trim() !== "") days.push(day);
    at += day.length;
  }
  return days;
}

/** `9:30am`, `1:00 PM`, `13:30` → minutes since midnight. */
function clockOf(text: string): number {
  const [hour = "", rest = ""] = text.toLowerCase().replaceAll(" ", "").split(":");
  const minute = Number(rest.slice(0, 2));
  if (rest.endsWith("am")) return (Number(hour) === 12 ? 0 : Number(hour)) * 60 + minute;
  if (rest.endsWith("pm")) return (Number(hour) === 12 ? 12 : Number(hour) + 12) * 60 + minute;
  return Number(hour) * 60 + minute;
}

function instructorTest(given: string): Test {
  // "People's names match regardless of case and diacritics everywhere" (server/RULES.md, Instructors and courses).
  const wanted = nameKey(given.trim());
  return ({ instructors }) =>
    instructors.map(nameKey).some((name) => {
      const lastName = name.split(",")[0] ?? "";
      if (!wanted.includes(",")) return lastName.includes(wanted);
      if (wanted.endsWith(",")) return lastName === wanted.slice(0, -1);
      return name.startsWith(wanted);
    });
}

function placeTest(building: string, room: string | undefined): Test {
  const isThere = (label: string): boolean => {
    const [first = "", ...rest] = label.split(" ");
    return same(first, building) && (room === undefined || same(rest.join(" "), room));
  };
  return ({ meetings }) => meetings.some(({ bldg }) => bldg.some(isThere));
}

/** Times of all meetings; undefined where one is to be announced. */
function timesOf(meetings: readonly Meeting[], which: "startTime" | "endTime"): number[] | undefined {
  const times = meetings.map((meeting) => (meeting.timeIsTBA ? null : meeting[which]));
  if (times.length === 0 || times.includes(null)) return undefined;
  return times.map((time) => minutesOf(time as Clock));
}

const isFullOrWaitlisted: Test = ({ status }) => ["FULL", "Waitl"].includes(status);
const count = (text: string): number => (text === "" ? Number.NaN : Number(text));
const isOverEnrolled: Test = ({ numCurrentlyEnrolled, maxCapacity }) =>
  count(numCurrentlyEnrolled.totalEnrolled) > count(maxCapacity);

/** One test for each filter that the query asks for. */
function testsOf(query: URLSearchParams): Test[] {
  const tests: Test[] = [];
  const ge = choiceOf(query, "ge");
  if (ge) tests.push(({ geCategories }) => geCategories.some((category) => category === ge));

  const department = (query.get("department") ?? "").replaceAll(" ", "").toUpperCase();
  if (!["", "ALL", "ANY"].includes(department))
    tests.push(({ deptCode }) => deptCode.replaceAll(" ", "").toUpperCase() === department);

  const codes = listOf(query, "sectionCodes").map((item) => item.split("-").map((end) => end.trim()));
  if (codes.length > 0)
    tests.push(({ sectionCode }) => codes.some(([low = "", high = low]) => sectionCode >= low && sectionCode <= high));

  const instructor = query.get("instructorName") ?? "";
  if (instructor.trim() !== "") tests.push(instructorTest(instructor));

  const [building, room] = [query.get("building")?.trim(), query.get("room")?.trim()];
  if (building) tests.push(placeTest(building, room === "" ? undefined : room));

  const division = choiceOf(query, "division");
  if (division === "LowerDiv") tests.push(({ courseNumber }) => digitsOf(courseNumber) <= 99);
  if (division === "UpperDiv")
    tests.push(({ courseNumber }) => digitsOf(courseNumber) >= 100 && digitsOf(courseNumber) <= 199);
  if (division === "Graduate") tests.push(({ courseNumber }) => digitsOf(courseNumber) >= 200);

  const numbers = listOf(query, "courseNumber");
  if (numbers.length > 0)
    tests.push(({ courseNumber }) =>
      numbers.some((item) => {
        const [low = "", high] = item.split("-");
        if (high === undefined) return same(courseNumber, item);
        return digitsOf(courseNumber) >= digitsOf(low) && digitsOf(courseNumber) <= digitsOf(high);
      }),
    );

  const title = query.get("courseTitle") ?? "";
  if (title.trim() !== "") tests.push(({ courseTitle }) => courseTitle.toLowerCase().includes(title.toLowerCase()));

  const type = choiceOf(query, "sectionType");
  if (type) tests.push(({ sectionType }) => sectionType === type);

  const units = listOf(query, "units");
  if (units.length > 0)
    tests.push((section) =>
      units.some((item) => {
        const isVariable = section.units.includes("-");
        if (item === "VAR") return isVariable;
        return !isVariable && section.units !== "" && Number(section.units) === Number(item);
      }),
    );

  const days = listOf(query, "days").flatMap(daysOf);
  if (days.length > 0)
    tests.push(({ meetings }) => {
      const met = meetings.flatMap((meeting) => daysOf(meeting.days ?? ""));
      return days.every((day) => met.includes(day));
    });

  const [start, end] = [query.get("startTime") ?? "", query.get("endTime") ?? ""];
  if (start !== "")
    tests.push(({ meetings }) => timesOf(meetings, "startTime")?.every((time) => time >= clockOf(start)) ?? false);
  if (end !== "")
    tests.push(({ meetings }) => timesOf(meetings, "endTime")?.every((time) => time <= clockOf(end)) ?? false);

  const capacity = query.get("maxCapacity") ?? "";
  const bound = Number(capacity.slice(1));
  if (capacity.startsWith(">")) tests.push(({ maxCapacity }) => count(maxCapacity) > bound);
  if (capacity.startsWith("<")) tests.push(({ maxCapacity }) => count(maxCapacity) < bound);
  if (capacity.startsWith("=")) tests.push(({ maxCapacity }) => count(maxCapacity) === bound);

  const letters = listOf(query, "excludeRestrictionCodes");
  if (letters.length > 0)
    tests.push(({ restrictions }) => !restrictions.split(/[^A-Za-z]+/).some((code) => letters.includes(code)));

  const full = choiceOf(query, "fullCourses");
  if (full === "SkipFull") tests.push((section) => !isFullOrWaitlisted(section));
  if (full === "SkipFullWaitlist") tests.push(({ status }) => status !== "FULL");
  if (full === "FullOnly") tests.push(isFullOrWaitlisted);
  if (full === "OverEnrolled" || full === "Overenrolled") tests.push(isOverEnrolled);
  return tests;
}

const isOneCourse = (a: Section, b: Section): boolean =>
  a.deptCode === b.deptCode && a.courseNumber === b.courseNumber && a.courseTitle === b.courseTitle;

/** The sections that a query finds, in no order. */
export function plainMatches(sections: readonly Section[], query: URLSearchParams): Section[] {
  const tests = testsOf(query);
  const cancelled = query.get("cancelledCourses") ?? "";
  const isWanted: Test = (section) =>
    ["Include", "ANY", "ALL"].includes(cancelled) || section.cancelled === (cancelled === "Only");
  const found = sections.filter((section) => isWanted(section) && tests.every((test) => test(section)));
  if (query.get("includeCoCourses") !== "true") return found;
  return sections.filter((section) => isWanted(section) && found.some((one) => isOneCourse(one, section)));
}
