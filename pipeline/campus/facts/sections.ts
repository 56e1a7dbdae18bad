/** Distributions of sections, from 12,632 sections of Fall 2020 as listed before enrolment opened; rounded. */
import type { TeachingStyle } from "./departments.ts";

/** The kind of a course, which determines the types of its sections. */
export type CourseKind =
  | "lecture"
  | "seminar"
  | "laboratory"
  | "studio"
  | "activity"
  | "field"
  | "colloquium"
  | "research"
  | "tutorial";

/** Kinds in which a course has a section for every member of the department. */
// oxfmt-ignore
export const INDIVIDUAL_KINDS: ReadonlySet<CourseKind> = new Set(["research", "tutorial"]);

/**
 * Share of a department's sections that are individual study (types Res and Tut: 47 % of all), and how often its other
 * courses are of each kind. Fitted so that a term has about the measured shares: Res 28, Tut 19, Dis 14, Lec 13, Sem
 * 12, Lab 8, Fld 3, Stu 2, Act 1.5 %.
 */
// oxfmt-ignore
export const STYLE_MIXTURES: Readonly<
  Record<TeachingStyle, { individual: number; kinds: readonly (readonly [CourseKind, number])[] }>
> = {
  science: { individual: 0.5, kinds: [["lecture", 58], ["seminar", 22], ["laboratory", 16], ["field", 2], ["colloquium", 2]] },
  engineering: { individual: 0.65, kinds: [["lecture", 70], ["seminar", 16], ["laboratory", 10], ["field", 3], ["colloquium", 1]] },
  social: { individual: 0.52, kinds: [["lecture", 55], ["seminar", 38], ["field", 6], ["laboratory", 1]] },
  humanities: { individual: 0.42, kinds: [["lecture", 45], ["seminar", 52], ["field", 2], ["studio", 1]] },
  language: { individual: 0.12, kinds: [["lecture", 30], ["seminar", 70]] },
  writing: { individual: 0.05, kinds: [["seminar", 92], ["lecture", 6], ["field", 2]] },
  arts: { individual: 0.1, kinds: [["studio", 46], ["activity", 30], ["lecture", 14], ["laboratory", 5], ["seminar", 5]] },
  professional: { individual: 0.25, kinds: [["lecture", 58], ["seminar", 18], ["laboratory", 4], ["field", 20]] },
  medical: { individual: 0.68, kinds: [["lecture", 30], ["field", 46], ["seminar", 14], ["laboratory", 10]] },
};

/** Units of sections by type; a discussion or laboratory beside a lecture has 0. */
// oxfmt-ignore
export const UNITS_BY_TYPE: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  Lec: [["4", 1255], ["5", 154], ["2", 133], ["1.3", 49], ["3", 26], ["1", 23], ["6", 12], ["2-4", 5], ["1.5", 3]],
  Sem: [["4", 796], ["2", 256], ["2-8", 96], ["2-4", 59], ["1", 57], ["4-12", 41], ["1-4", 39], ["1-12", 36], ["6", 18]],
  Lab: [["2-12", 60], ["3", 109], ["1", 83], ["2", 45], ["1.5", 26], ["4", 21], ["5", 18], ["1-4", 15], ["8-16", 2]],
  Stu: [["1-4", 114], ["4", 88], ["2", 51], ["2-4", 17], ["1", 10], ["1-6", 5]],
  Act: [["1-4", 91], ["1-3", 27], ["4", 16], ["1", 11], ["1-2", 2]],
  Fld: [["2-4", 118], ["8-16", 90], ["4", 46], ["16", 35], ["8", 17], ["4-16", 12], ["0-50", 8], ["2", 8]],
  Col: [["1", 5], ["4", 3], ["1.3", 3], ["2", 1], [".3", 1]],
  Res: [["2-12", 606], ["1-16", 551], ["4-12", 374], ["1-4", 363], ["1-5", 360], ["4", 322], ["1-12", 281], ["2", 124]],
  Tut: [["1-4", 549], ["4", 331], ["4-12", 268], ["2-12", 255], ["2-4", 241], ["2-8", 175], ["2", 132], ["2-5", 104]],
};

/** The most frequent restriction texts → sections; the letters' order is not fixed, and `or` occurs. */
// oxfmt-ignore
export const RESTRICTIONS: readonly (readonly [string, number])[] = [
  ["K", 1788], ["", 1777], ["B", 1182], ["A", 1049], ["K and S", 891], ["B and K", 566], ["K and L", 496], ["X", 406], ["K and N", 364],
  ["A and L", 345], ["K and B", 296], ["A and N", 243], ["B and N", 238], ["L and R", 230], ["L", 202], ["B and D", 172], ["K and X", 148],
  ["D and L", 146], ["L and S", 140], ["A and C", 128], ["L and I", 119], ["A and D", 113], ["I and N", 93], ["J and L", 63], ["A and M", 60],
  ["G", 42], ["G or L", 40], ["C and M", 41], ["D and E", 7], ["L or B", 7], ["K or J", 2], ["O", 2], ["J or F", 1],
];

/** Names on a section before the term: one 79.5 %, two 18 %, three 2.5 %. */
// oxfmt-ignore
export const INSTRUCTOR_COUNTS = [[1, 795], [2, 180], [3, 25]] as const;
/** STAFF stands for the instructor of 28 % of the sections when the schedule appears; two in three are named later. */
// oxfmt-ignore
export const STAFF_SHARE = 0.28;
// oxfmt-ignore
export const STAFF_NAMED_LATER = 0.66;

/** Capacity by type as percentiles; 999 and 9999 stand for no limit. */
// oxfmt-ignore
export const CAPACITIES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  Lec: [[0, 0], [0.06, 0], [0.12, 10], [0.25, 24], [0.5, 45], [0.75, 100], [0.9, 250], [0.95, 350], [0.99, 440], [0.995, 999], [1, 999]],
  Dis: [[0, 0], [0.05, 0], [0.1, 15], [0.25, 25], [0.5, 30], [0.75, 45], [0.9, 56], [0.95, 66], [0.99, 175], [1, 200]],
  Sem: [[0, 0], [0.04, 0], [0.1, 8], [0.25, 14], [0.5, 20], [0.75, 30], [0.9, 34], [0.95, 45], [0.99, 120], [1, 347]],
  Lab: [[0, 0], [0.05, 0], [0.12, 12], [0.25, 18], [0.5, 25], [0.75, 45], [0.85, 60], [0.9, 999], [1, 999]],
  Stu: [[0, 0], [0.05, 4], [0.25, 12], [0.5, 20], [0.75, 30], [0.9, 45], [0.95, 60], [1, 100]],
  Act: [[0, 5], [0.05, 10], [0.5, 15], [0.9, 24], [0.95, 40], [1, 200]],
  Fld: [[0, 1], [0.05, 4], [0.1, 10], [0.25, 15], [0.5, 35], [0.7, 999], [1, 999]],
  Col: [[0, 10], [0.25, 18], [0.5, 50], [0.75, 98], [0.95, 138], [0.951, 9999], [1, 9999]],
  Res: [[0, 0], [0.05, 3], [0.25, 10], [0.75, 15], [0.9, 30], [0.94, 999], [1, 999]],
  Tut: [[0, 0], [0.05, 2], [0.25, 10], [0.5, 12], [0.75, 15], [0.9, 30], [0.95, 70], [0.97, 999], [1, 999]],
};

/** Finals once their table is published: share of sections with a date, with TBA; the rest has none. */
// oxfmt-ignore
export const FINAL_SHARES: Readonly<Record<string, readonly [scheduled: number, tba: number]>> = {
  Lec: [0.8, 0.16], Dis: [0, 0.02], Sem: [0.12, 0.85], Lab: [0.03, 0.57], Stu: [0, 0.95], Act: [0, 0.99], Fld: [0, 0.99], Col: [0, 1],
  Res: [0, 1], Tut: [0, 0.99],
};
