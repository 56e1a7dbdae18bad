/** Free text as filters of `/schedule`. */
import { expect, it } from "vitest";
import { readText } from "../../../../server/site/app/find/read-text.ts";
import { queryInWords } from "../../../../server/site/app/find/sentence.ts";

it.each([
  ["GE IV", { ge: "GE-4" }],
  ["ge-4", { ge: "GE-4" }],
  ["geviii", { ge: "GE-8" }],
  ["GE Va", { ge: "GE-5A" }],
  ["ge 1 b", { ge: "GE-1B" }],
  ["open TuTh afternoon", { fullCourses: "SkipFull", days: "TuTh", startTime: "12:00" }],
  ["open ge 4 tuth afternoon", { fullCourses: "SkipFull", ge: "GE-4", days: "TuTh", startTime: "12:00" }],
  ["Open GE-4 on TuTh afternoons", { fullCourses: "SkipFull", ge: "GE-4", days: "TuTh", startTime: "12:00" }],
  [
    "GE-IV courses with open seats on Tuesday and Thursday afternoons",
    { ge: "GE-4", fullCourses: "SkipFull", days: "TuTh", startTime: "12:00" },
  ],
  ["MWF mornings", { days: "MWF", endTime: "12:00" }],
  ["thursdays, tuesdays", { days: "TuTh" }],
  ["TTh after 2", { days: "TuTh", startTime: "14:00" }],
  ["TR evening", { startTime: "17:00" }, "TR"],
  ["tu before 10", { days: "Tu", endTime: "10:00" }],
  ["saturdays and sunday", { days: "SuSa" }],
  ["SaSu", { days: "SuSa" }],
  ["tu/th or ge 2", { ge: "GE-2", days: "TuTh" }, "or"],
  ["th", { days: "Th" }],
  ["ge 2 between 9:30 and noon", { ge: "GE-2", startTime: "09:30", endTime: "12:00" }],
  ["ge 2 from 10 am to 2 pm", { ge: "GE-2", startTime: "10:00", endTime: "14:00" }],
  ["open ge iv mwf 10-11", { ge: "GE-4", fullCourses: "SkipFull", days: "MWF", startTime: "10:00", endTime: "11:00" }],
  ["fri 11:30 – 1 p.m.", { days: "F", startTime: "11:30", endTime: "13:00" }],
  ["open 3-4 units", { fullCourses: "SkipFull", units: "4" }, "3-"],
  ["after 12", { startTime: "12:00" }],
  ["after 8", { startTime: "08:00" }],
  ["after 7", { startTime: "19:00" }],
  ["before 12am ge 3", { ge: "GE-3", endTime: "00:00" }],
  ["after 13:30", { startTime: "13:30" }],
  ["4 units upper division", { units: "4", division: "UpperDiv" }],
  ["online lower-div seminars", { building: "ON", division: "LowerDiv", sectionType: "Sem" }],
  ["open without restrictions that fits my plan", { fullCourses: "SkipFull", noRestriction: "true", fitsPlan: "true" }],
  ["what can I still take ge 4", { ge: "GE-4", fullCourses: "SkipFull", fitsPlan: "true", prerequisites: "true" }],
  // What is left may be a department, a course or a person.
  ["open dance", { fullCourses: "SkipFull" }, "dance"],
  ["compsci 161 open", { fullCourses: "SkipFull" }, "compsci 161"],
  ["open graduate math lectures on f", { fullCourses: "SkipFull", division: "Graduate", sectionType: "Lec" }, "math f"],
])("%s", (text, filters, rest = "") => {
  expect(readText(text)).toEqual({ filters, rest });
});

it.each([
  "dance",
  "I&C SCI 46",
  "34130",
  "",
  "  ",
  "GE 1",
  "ge",
  "ge 9",
  "Thai",
  "music",
  "Sun",
  "seminar in art",
  "research methods",
  "Mustafa",
  "sum",
  "Wu",
])("“%s” has no filters", (text) => {
  expect(readText(text)).toEqual({ filters: {}, rest: text.trim() });
});

it.each([
  [
    { ge: "GE-4", fullCourses: "SkipFull", days: "TuTh", startTime: "12:00" },
    "open GE-IV sections on Tuesday and Thursday after noon",
  ],
  [
    { department: "COMPSCI", division: "UpperDiv", units: "4", endTime: "09:30" },
    "upper-division 4-unit COMPSCI sections before 9:30 am",
  ],
  [{ building: "on" }, "sections that meet online"],
  [{ building: "hib", room: "100", startTime: "9:00", endTime: "17:00" }, "sections in HIB 100 between 9 am and 5 pm"],
  [
    { instructorName: "TAVOLAFORT, A", sectionType: "Lec", maxCapacity: ">100" },
    "lecture sections taught by A Tavolafort with more than 100 seats",
  ],
  [
    { department: "MATH", courseNumber: "2B", noRestriction: "true", fitsPlan: "true" },
    "MATH 2B sections without restrictions that fit your plan",
  ],
])("%j in words", (filters, words) => {
  expect(queryInWords(filters)).toBe(words);
});

it("one section in words", () => {
  expect(queryInWords({ building: "on", fitsPlan: "true" }, true)).toBe(
    "section that meets online that fits your plan",
  );
});
