/** Meetings and finals, a row for each time and place. */
import { z } from "zod";
import { place, sections } from "../rows/section.ts";
import { day, integer } from "../table.ts";
import { DAYS, WEEKDAYS } from "../vocabulary.ts";
import { weekday } from "./calendar.ts";
import { SECTION, SECTION_OF_TABLE, sectionFields } from "./section.ts";
import { defineView } from "./view.ts";

/** Days from Monday on, as ISO 8601 counts: DuckDB's `isodow`. */
const fromMonday = (names: readonly string[]): string =>
  `[${[...names.slice(1), names[0]].map((name) => `'${name}'`).join(", ")}]`;
/** A row for each element of a list; a row with NULL if it is empty. */
const eachOf = (list: string): string => `unnest(CASE WHEN len(${list}) > 0 THEN ${list} ELSE [NULL] END)`;

/** A time of day in minutes and as text. */
const timeColumns = (time: string, name: string): string => `${time}.hour * 60 + ${time}.minute AS ${name}Minute,
    lpad(${time}.hour::VARCHAR, 2, '0') || ':' || lpad(${time}.minute::VARCHAR, 2, '0') AS ${name}Time`;
const times = {
  startMinute: integer()
    .nullable()
    .describe("when it begins, in minutes after midnight; NULL when that is to be announced"),
  startTime: z.string().nullable().describe("when it begins, such as `09:30`; NULL when that is to be announced"),
  endMinute: integer()
    .nullable()
    .describe("when it ends, in minutes after midnight; past 1439 where it runs past midnight"),
  endTime: z.string().nullable().describe("when it ends, such as `10:50`; past `23:59` where it runs past midnight"),
};

/** Labels that are not places on campus. */
const ONLINE = "('ON LINE', 'VRTL REMOTE')";
const NO_BUILDING = "('TBA', 'ON LINE', 'VRTL REMOTE')";

export const meetingsFlat = defineView({
  name: "meetings_flat",
  about:
    "one row per section, meeting, weekday and place; a meeting without days or times has one row for each place, a meeting in two places two rows for each day",
  row: z.object({
    ...sectionFields,
    meeting: integer().describe("which of the section's meetings, counted from 1"),
    weekday: integer().nullable().describe("1 = Monday to 7 = Sunday; NULL for a meeting without days"),
    weekdayName: z.string().nullable().describe("such as `Mon`; NULL for a meeting without days"),
    ...times,
    place: place()
      .nullable()
      .describe(
        "building and room, such as `ALP 2300`; also `ON LINE`, `VRTL REMOTE` or `TBA`; NULL where there is none",
      ),
    building: z
      .string()
      .nullable()
      .describe(
        "code of the building, such as `ALP`; NULL for a meeting that is online, or whose place is to be announced",
      ),
    room: z.string().nullable().describe("room in the building, such as `2300`; NULL where there is none"),
    isOnline: z.boolean().describe("true for `ON LINE` and `VRTL REMOTE`"),
  }),
  tables: [sections.name],
  partitionedBy: sections.partitionedBy,
  sortedBy: [],
  key: [],
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
});

const FINAL_DATE = `TRY_CAST(year || '-' || lpad((finalExam.month + 1)::VARCHAR, 2, '0') || '-' || lpad(finalExam.day::VARCHAR, 2, '0') AS DATE)`;

export const finals = defineView({
  name: "finals",
  about: "one row per section whose final is scheduled, with the day of it as a date",
  row: z.object({
    ...sectionFields,
    date: day()
      .nullable()
      .describe("the day of the final, in the year of its term; NULL where the schedule names no day that exists"),
    weekday: weekday().nullable(),
    ...times,
    places: z.array(place()).nullable().describe("where it takes place; may differ from the meetings' places"),
  }),
  tables: [sections.name],
  partitionedBy: sections.partitionedBy,
  sortedBy: ["sectionCode"],
  key: ["sectionCode"],
  select: `SELECT ${SECTION_OF_TABLE}, ${FINAL_DATE} AS date, isodow(${FINAL_DATE})::INTEGER AS weekday,
    ${timeColumns("finalExam.startTime", "start")}, ${timeColumns("finalExam.endTime", "end")}, finalExam.bldg AS places
    FROM ${sections.name} WHERE finalExam.examStatus = 'SCHEDULED_FINAL'`,
});
