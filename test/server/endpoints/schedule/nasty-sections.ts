/** A term of 2024 Fall with everything that a filter may stumble over. */
import * as fc from "fast-check";
import type { Heading, Section } from "../../../../pipeline/contract/rows/section.ts";
import { courseDigits } from "../../../../pipeline/contract/vocabulary.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";

const anyOf = fc.constantFrom<string[]>;
const times = ["0:00", "8:00", "9:00", "10:00", "13:30", "18:00", "23:00"];
const later: Record<string, string> = {
  "0:00": "0:50",
  "8:00": "8:50",
  "9:00": "10:50",
  "10:00": "10:50",
  "13:30": "16:50",
  "18:00": "23:59",
  "23:00": "25:50",
};
const places = [
  "ALP 2300",
  "EH 1200",
  "SEH 1200",
  "eh 1200",
  "ON LINE",
  "VRTL REMOTE",
  "TBA",
  "HIB 100",
  "HIB 10",
  "H_B 100",
];
const names = [
  "STAFF",
  "SMITH, J.",
  "Smith, K.",
  "SMITHSON, J.",
  "O'NEIL, P.",
  "DE LA CRUZ, M.",
  "A_B, C.",
  "100%, D.",
  "ÉRARD, É.",
];

/** Everything that a filter may stumble over, in a small vocabulary, so that near misses abound. */
const nastySection: fc.Arbitrary<Partial<Section>> = fc.record({
  schoolName: anyOf("School of Arts", "School of Arts and Letters", "school of arts", "Élan", ""),
  deptCode: anyOf("I&C SCI", "IC SCI", "ART", "ART HIS", "CRM/LAW", "100%", "A_T", "i&c sci"),
  courseNumber: anyOf(
    "1",
    "1A",
    "1a",
    "H1",
    "161",
    "161H",
    "M118L",
    "118",
    "LAB",
    "99",
    "100",
    "199",
    "200",
    "0",
    "32A",
    "33B",
  ),
  courseTitle: anyOf("INTRO", "INTRO TO BALLET", "Intro", "100% X_Y", 'O\'NEIL \\ "Q"', "ÉTUDES", ""),
  sectionType: anyOf("Act", "Dis", "Lab", "Lec", "Lec", "Tut", "Xyz"),
  units: anyOf("4", "4.0", "1-4", "2.0-4", "0", "1.3", "0.5", "12", ""),
  instructors: fc.subarray(names, { maxLength: 3 }),
  meetings: fc.array(
    fc.oneof(
      fc
        .tuple(
          anyOf("MWF", "TuTh", "Tu", "Th", "Sa", "Su", "SuSa", "MTuWThF", ""),
          anyOf(...times),
          fc.subarray(places, { maxLength: 2 }),
        )
        .map(([days, start, bldg]) => meeting(days, start, later[start], ...bldg)),
      anyOf(...places).map((place) => tba(place)),
    ),
    { maxLength: 3 },
  ),
  maxCapacity: anyOf("", "0", "1", "30", "30", "100"),
  numCurrentlyEnrolled: fc.record({ totalEnrolled: anyOf("", "0", "1", "30", "31"), sectionEnrolled: anyOf("", "1") }),
  restrictions: anyOf("", "A", "A and L", "B or K", "A or B and X", "XA", "l", "N"),
  status: anyOf("OPEN", "Waitl", "FULL", "NewOnly", ""),
  cancelled: fc.nat(5).map((n) => n === 0),
  geCategories: fc.subarray(["GE-1A", "GE-1B", "GE-2", "GE-5A", "GE-5B"] as const),
  sectionComment: anyOf("", '<p>\n\t\u2028 "quoted" 😀 </p>'),
});

export function nastyTerm(count = 500, seed = 20_241): { sections: Section[]; headings: Heading[] } {
  const sections = fc.sample(nastySection, { numRuns: count, seed }).map((change, i) =>
    sectionRow({
      ...change,
      courseNumeric: courseDigits(change.courseNumber ?? ""),
      sectionCode: String(1 + i * 199).padStart(5, "0"),
    }),
  );
  // Every fifth department has no heading.
  return { sections, headings: headingsOf(sections).filter((_, i) => i % 5 !== 4) };
}
