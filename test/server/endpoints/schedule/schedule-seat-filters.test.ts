/** Filters of the schedule endpoint that look at seats and at what is cancelled, what stands beside, and several at once. */
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import { testFilters } from "./schedule-filter-rows.ts";
import { tba } from "../../../support/worlds/section-rows.ts";

const lectures = ["10001", "10002", "10003", "10004", "10005", "10006"];
const seats = (status: string, enrolled: string, capacity: string): Partial<Section> => ({
  status,
  maxCapacity: capacity,
  numCurrentlyEnrolled: { totalEnrolled: enrolled, sectionEnrolled: "" },
});

testFilters([
  {
    filter: "maxCapacity",
    rule: "`>n`, `<n`, `=n` against the integer capacity",
    sections: {
      "10001": { maxCapacity: "9" },
      "10002": { maxCapacity: "30" },
      "10003": { maxCapacity: "100" },
      "10004": { maxCapacity: "" },
      "10005": { maxCapacity: "0" },
    },
    asks: [
      ["maxCapacity=%3E30", ["10003"]],
      ["maxCapacity=%3C30", ["10001", "10005"]],
      ["maxCapacity=%3D30", ["10002"]],
      ["maxCapacity==30", ["10002"]],
      ["maxCapacity=%3E%209", ["10002", "10003"]],
      ["maxCapacity=%3C1", ["10005"]],
      ["maxCapacity=%3D030", ["10002"]],
    ],
  },
  {
    filter: "fullCourses",
    rule:
      "SkipFull: status not FULL and not Waitl · SkipFullWaitlist: status not FULL · FullOnly: FULL or Waitl · OverEnrolled: enrolled > capacity; " +
      "`Overenrolled` is accepted as the same",
    sections: {
      "10001": seats("OPEN", "10", "30"),
      "10002": seats("Waitl", "30", "30"),
      "10003": seats("FULL", "31", "30"),
      "10004": seats("NewOnly", "9", "30"),
      "10005": seats("OPEN", "100", "99"),
      "10006": seats("FULL", "0", "0"),
    },
    asks: [
      ["fullCourses=SkipFull", ["10001", "10004", "10005"]],
      ["fullCourses=SkipFullWaitlist", ["10001", "10002", "10004", "10005"]],
      ["fullCourses=FullOnly", ["10002", "10003", "10006"]],
      ["fullCourses=OverEnrolled", ["10003", "10005"]],
      ["fullCourses=Overenrolled", ["10003", "10005"]],
      ["fullCourses=ANY", lectures],
      ["fullCourses=ALL", lectures],
      ["fullCourses=", lectures],
    ],
  },
  {
    filter: "excludeRestrictionCodes",
    rule: "omits sections whose restrictions contain any of the letters as a code",
    sections: {
      "10001": { restrictions: "" },
      "10002": { restrictions: "A" },
      "10003": { restrictions: "A and L" },
      "10004": { restrictions: "B or K" },
      // Words hold letters too, but no codes.
      "10005": { restrictions: "AND see BELOW" },
      "10006": { restrictions: "A,X" },
    },
    asks: [
      ["", lectures],
      ["excludeRestrictionCodes=", lectures],
      ["excludeRestrictionCodes=A", ["10001", "10004", "10005"]],
      ["excludeRestrictionCodes=L", ["10001", "10002", "10004", "10005", "10006"]],
      ["excludeRestrictionCodes=L,B", ["10001", "10002", "10005", "10006"]],
      ["excludeRestrictionCodes=K&excludeRestrictionCodes=X, ", ["10001", "10002", "10003", "10005"]],
      ["excludeRestrictionCodes=D,N", lectures],
    ],
  },
  {
    filter: "cancelledCourses",
    rule: "Exclude (default), Include, Only",
    sections: {
      "10001": {},
      "10002": { cancelled: true, sectionComment: "<p>***  CANCELLED  ***</p>" },
      // The bare word in prose is no marker.
      "10003": { sectionComment: "the trip was CANCELLED last year" },
    },
    asks: [
      ["", ["10001", "10003"]],
      ["cancelledCourses=", ["10001", "10003"]],
      ["cancelledCourses=Exclude", ["10001", "10003"]],
      ["cancelledCourses=Include", ["10001", "10002", "10003"]],
      ["cancelledCourses=Only", ["10002"]],
      ["cancelledCourses=ANY", ["10001", "10002", "10003"]],
      ["cancelledCourses=ALL", ["10001", "10002", "10003"]],
    ],
  },
  {
    filter: "includeCoCourses",
    rule:
      "adds every section of the matched sections' courses, same term, cancelledCourses still applied; a course is department, number and title; " +
      "it works with any filter, not only `ge`",
    sections: {
      "10001": { geCategories: ["GE-2"] },
      "10002": { sectionType: "Dis", units: "0", meetings: [tba("TBA")] },
      "10003": { sectionType: "Lab", units: "0", cancelled: true, sectionComment: "*** CANCELED ***" },
      "10004": { courseTitle: "MOVEMENT II", sectionType: "Dis" },
      "10005": { courseNumber: "10A", sectionType: "Dis" },
      "10006": { deptCode: "DRAMA", sectionType: "Dis" },
      "10007": { courseNumber: "20", geCategories: ["GE-3"], cancelled: true, sectionComment: "*** CANCELLED ***" },
      "10008": { courseNumber: "20", sectionType: "Dis" },
    },
    asks: [
      ["ge=GE-2", ["10001"]],
      ["ge=GE-2&includeCoCourses=true", ["10001", "10002"]],
      ["ge=GE-2&includeCoCourses=true&cancelledCourses=Include", ["10001", "10002", "10003"]],
      // Only: the matched section has to be cancelled itself.
      ["ge=GE-2&includeCoCourses=true&cancelledCourses=Only", []],
      ["ge=GE-3&includeCoCourses=true", []],
      ["ge=GE-3&includeCoCourses=true&cancelledCourses=Only", ["10007"]],
      ["ge=GE-3&includeCoCourses=true&cancelledCourses=Include", ["10007", "10008"]],
      ["sectionCodes=10002&includeCoCourses=true", ["10001", "10002"]],
      ["startTime=9:00am&sectionType=Lec&includeCoCourses=true", ["10001", "10002"]],
      ["courseTitle=movement%20ii&includeCoCourses=true", ["10004"]],
      ["department=drama&includeCoCourses=true", ["10006"]],
    ],
  },
  {
    filter: "several",
    rule: "Filters are ANDed; values inside one parameter are ORed",
    sections: {
      "10001": { courseNumber: "161", units: "4" },
      "10002": { courseNumber: "161", units: "2" },
      "10003": { courseNumber: "162", units: "4" },
      "10004": { courseNumber: "163", units: "2" },
    },
    asks: [
      ["courseNumber=161&units=4", ["10001"]],
      ["courseNumber=161,162&units=4", ["10001", "10003"]],
      ["courseNumber=161,162&units=4,2", ["10001", "10002", "10003"]],
      ["sectionCodes=10002,10003,10004&courseNumber=161-162&units=2", ["10002"]],
      ["courseNumber=161&units=4&instructorName=nobody", []],
    ],
  },
]);
