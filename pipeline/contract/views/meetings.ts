/** Meetings and finals, a row for each time and place. */
import { sections } from "../rows/section.ts";
import { DAYS, WEEKDAYS } from "../vocabulary.ts";
import { descriptionsOf, type View } from "./view.ts";

/** From Monday on, as ISO 8601 counts: DuckDB's `isodow`. */
const fromMonday = (names: readonly string[]): string =>
  `[${[...names.slice(1), names[0]].map((name) => `'${name}'`).join(", ")}]`;
const SECTION_COLUMNS = "courseNumber, courseNumeric, sectionType, sectionNum, cancelled";
const SECTION = `year, quarter, sectionCode, department, ${SECTION_COLUMNS}`;
const SECTION_OF_TABLE = `year, quarter, sectionCode, deptCode AS department, ${SECTION_COLUMNS}`;

/** A list's elements, a row each; one row with NULL where it has none. */
const eachOf = (list: string): string => `unnest(CASE WHEN len(${list}) > 0 THEN ${list} ELSE [NULL] END)`;

/** A time of day in minutes and as text. */
const timeColumns = (time: string, name: string): string => `${time}.hour * 60 + ${time}.minute AS ${name}Minute,
    lpad(${time}.hour::VARCHAR, 2, '0') || ':' || lpad(${time}.minute::VARCHAR, 2, '0') AS ${name}Time`;
const TIMES = {
  startMinute: "when it begins, in minutes after midnight; NULL when that is to be announced",
  startTime: "when it begins, such as `09:30`; NULL when that is to be announced",
  endMinute: "when it ends, in minutes after midnight; past 1439 where it runs past midnight",
  endTime: "when it ends, such as `10:50`; past `23:59` where it runs past midnight",
};

/** Labels that are no place on campus. */
const ONLINE = "('ON LINE', 'VRTL REMOTE')";
const NO_BUILDING = "('TBA', 'ON LINE', 'VRTL REMOTE')";

export const meetingsFlat: View = {
  name: "meetings_flat",
  about:
    "one row a section, meeting, weekday and place; a meeting without days or times has one row for each place, a meeting in two places two rows for each day",
  tables: [sections.name],
  select: `SELECT ${SECTION}, meeting::INTEGER AS meeting,
    list_position(${fromMonday(DAYS)}, weekdayCode)::INTEGER AS weekday,
    ${fromMonday(WEEKDAYS)}[list_position(${fromMonday(DAYS)}, weekdayCode)] AS weekdayName,
    ${timeColumns("one.startTime", "start")}, ${timeColumns("one.endTime", "end")}, place,
    CASE WHEN place NOT IN ${NO_BUILDING} THEN split_part(place, ' ', 1) END AS building,
    CASE WHEN place NOT IN ${NO_BUILDING} AND contains(place, ' ') THEN substr(place, strpos(place, ' ') + 1) END AS room,
    coalesce(place IN ${ONLINE}, false) AS isOnline
    FROM (SELECT ${SECTION}, meeting, one, weekdayCode, ${eachOf("one.bldg")} AS place
      FROM (SELECT ${SECTION}, meeting, one, ${eachOf(`regexp_extract_all(one.days, '${DAYS.join("|")}')`)} AS weekdayCode
        FROM (SELECT ${SECTION_OF_TABLE}, unnest(range(1, len(meetings) + 1)) AS meeting, unnest(meetings) AS one
          FROM ${sections.name})))`,
  descriptions: {
    ...descriptionsOf(sections),
    meeting: "which of the section's meetings, counted from 1",
    weekday: "1 = Monday to 7 = Sunday; NULL for a meeting without days",
    weekdayName: "such as `Mon`; NULL for a meeting without days",
    ...TIMES,
    place: "building and room, such as `ALP 2300`; also `ON LINE`, `VRTL REMOTE` or `TBA`; NULL where there is none",
    building:
      "code of the building, such as `ALP`; NULL for a meeting that is online, or whose place is to be announced",
    room: "room in the building, such as `2300`; NULL where there is none",
    isOnline: "true for `ON LINE` and `VRTL REMOTE`",
  },
};

const FINAL_DATE = `TRY_CAST(year || '-' || lpad((finalExam.month + 1)::VARCHAR, 2, '0') || '-' || lpad(finalExam.day::VARCHAR, 2, '0') AS DATE)`;

export const finals: View = {
  name: "finals",
  about: "one row a section whose final is scheduled, with the day of it as a date",
  tables: [sections.name],
  select: `SELECT ${SECTION_OF_TABLE}, ${FINAL_DATE} AS date, isodow(${FINAL_DATE})::INTEGER AS weekday,
    ${timeColumns("finalExam.startTime", "start")}, ${timeColumns("finalExam.endTime", "end")}, finalExam.bldg AS places
    FROM ${sections.name} WHERE finalExam.examStatus = 'SCHEDULED_FINAL'`,
  descriptions: {
    ...descriptionsOf(sections),
    date: "the day of the final, in the year of its term; NULL where the schedule names no day that exists",
    weekday: "1 = Monday to 7 = Sunday",
    ...TIMES,
    places: "where it takes place; may differ from the meetings' places",
  },
};
