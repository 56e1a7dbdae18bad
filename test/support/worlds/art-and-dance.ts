/** Eleven courses and five people, with a near miss for every filter, and how to ask about them. */
import { expect } from "vitest";
import { openFolder } from "../whole-run.ts";
import { courseRow, personRow } from "./catalogue-rows.ts";
import { openApp } from "../published/opened-app.ts";
import { publishRows } from "../published/published.ts";

export const COURSES = [
  courseRow({
    department: "ART",
    courseNumber: "1",
    title: "Drawing",
    geList: ["GE-4"],
    terms: ["2024 Fall", "2023 Spring"],
    instructorHistory: ["klee", "ramberley"],
  }),
  courseRow({
    department: "ART HIS",
    courseNumber: "1",
    title: "Art of 100% Drawings",
    geList: ["GE-4", "GE-8"],
    terms: ["2023 Spring"],
    instructorHistory: ["kleeman"],
  }),
  courseRow({ department: "ARTS", courseNumber: "100", title: "Painting", minUnits: 1, maxUnits: 12 }),
  courseRow({ department: "CRM/LAW", courseNumber: "C7", title: "Law" }),
  courseRow({ department: "DANCE", courseNumber: "W", title: "Walking", minUnits: 0.5, maxUnits: 0.5 }),
  courseRow({ department: "DANCE", courseNumber: "0", title: "Standing", minUnits: 0, maxUnits: 0 }),
  courseRow({ department: "DANCE", courseNumber: "99", title: "Turning", minUnits: 1.3, maxUnits: 4 }),
  courseRow({
    department: "DANCE",
    courseNumber: "199",
    title: "Leaping",
    description: "A Leap.",
    terms: ["2024 Summer1"],
  }),
  courseRow({ department: "DANCE", courseNumber: "200", title: "Flying" }),
  courseRow({ department: "DANCE", courseNumber: "H46A", title: "Honors Steps", terms: ["2024 Summer10wk"] }),
  courseRow({
    department: "I&C SCI",
    courseNumber: "46",
    title: "Data Structures",
    prerequisiteTree: '{"AND":["MATH 2A",{"OR":["I&C SCI 45C","I&C SCI 45J"]}]}',
    prerequisiteList: ["MATH 2A", "I&C SCI 45C", "I&C SCI 45J"],
    prerequisiteText: "MATH 2A AND (I&C SCI 45C OR I&C SCI 45J)",
  }),
];

export const PEOPLE = [
  personRow({
    netid: "klee",
    name: "Kim Lee",
    shortenedName: "LEE, K.",
    title: "Professor",
    department: "Art",
    schools: ["School of Arts"],
    relatedDepartments: ["ART", "ART HIS"],
    courseHistory: { "ART 1": ["2024 Fall", "2023 Spring"] },
  }),
  personRow({
    netid: "kleeman",
    name: "Kay Leeman",
    shortenedName: "LEEMAN, K.",
    title: "Associate Professor of Teaching",
    department: "Art History",
    schools: ["School of Humanities", "School of Arts"],
    relatedDepartments: ["ART HIS"],
    courseHistory: { "ART HIS 1": ["2023 Spring"] },
  }),
  personRow({
    netid: "klee2",
    name: "Kit Lee",
    shortenedName: "LEE, K.",
    title: "Lecturer, Unit 18",
    department: "Dance",
  }),
  personRow(),
  personRow({
    netid: "noname",
    name: "No Name",
    shortenedName: "",
    title: "",
    department: "",
    schools: [],
    relatedDepartments: [],
  }),
];

export const query = (filters: Record<string, string>) => new URLSearchParams(filters).toString();

export async function openArtAndDance() {
  const folder = await openFolder();
  await publishRows(folder.artifacts, { courses: COURSES.toReversed(), instructors: PEOPLE.toReversed() });
  const app = await openApp(folder.artifacts);
  return {
    app,
    async get<T>(path: string): Promise<T> {
      const response = await app.get(path);
      const text = await response.text();
      expect(response.status, text).toBe(200);
      return JSON.parse(text) as T;
    },
    async close() {
      await app.close();
      await folder.remove();
    },
  };
}
