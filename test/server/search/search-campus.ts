/** A campus whose courses, departments and people are easily taken for each other, and how to search it. */
import { expect } from "vitest";
import { openFolder } from "../../support/whole-run.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { openApp } from "../../support/published/opened-app.ts";
import { publishRows, type PublishedRows } from "../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";

export interface Hit {
  kind: string;
  id: string;
  title: string;
  subtitle: string;
  department: string;
  score: number;
  links: Record<string, string>;
}

const DEPARTMENTS = [
  ["ART", "Art"],
  ["ART HIS", "Art History"],
  ["BIO SCI", "Biological Sciences"],
  ["COGS", "Cognitive Sciences"],
  ["COM LIT", "Comparative Literature"],
  ["COMPSCI", "Computer Science"],
  ["CRM/LAW", "Criminology, Law and Society"],
  ["GEN&SEX", "Gender & Sexuality Studies"],
  ["I&C SCI", "Information & Computer Science"],
  ["IN4MATX", "Informatics"],
  ["MATH", "Mathematics"],
  ["PHYSICS", "Physics"],
] as const;

const COURSES = [
  ["ART HIS", "40A", "Ancient Art"],
  ["BIO SCI", "93", "From DNA to Organisms"],
  ["COGS", "161", "Memory"],
  ["COM LIT", "60", "Reading across Borders"],
  ["COMPSCI", "16", "Small Machines"],
  ["COMPSCI", "161", "Design and Analysis of Algorithms"],
  ["COMPSCI", "H161", "Honors Algorithms"],
  ["COMPSCI", "161L", "Algorithms Laboratory"],
  ["CRM/LAW", "C7", "Crime and Justice"],
  ["I&C SCI", "46", "Data Structure Implementation"],
  ["I&C SCI", "H32", "Honors Programming"],
  ["IN4MATX", "43", "Introduction to Software Engineering"],
  ["MATH", "2B", "Single-Variable Calculus"],
  ["PHYSICS", "7C", "Classical Physics"],
  ["PHYSICS", "46", "Café Thermodynamics"],
  // Only courses know this department.
  ["OLD DEP", "1", "What Was Taught Once"],
] as const;

const PEOPLE = [
  ["qosterwi", "Quillon Osterwick", "OSTERWICK, Q.", "Mathematics"],
  ["tosterwi", "Tamsin B Osterwick", "OSTERWICK, T.", "Physics"],
  ["mveludro", "Maré Veludros", "VELUDROS, M.", "Computer Science"],
] as const;

const sections = (["2023 Fall", "2024 Winter", "2024 Spring", "2024 Fall"] as const).map((name, i) => {
  const [year = "", quarter] = name.split(" ");
  return sectionRow({
    year,
    quarter: quarter as "Fall",
    sectionCode: i === 3 ? "34250" : "34240",
    deptCode: "I&C SCI",
    courseNumber: "46",
    courseTitle: "Data Structures",
  });
});

export const rows: PublishedRows = {
  departments: DEPARTMENTS.map(([deptCode, deptName]) => ({ deptCode, deptName })),
  courses: COURSES.map(([department, courseNumber, title]) => courseRow({ department, courseNumber, title })),
  instructors: PEOPLE.map(([netid, name, shortenedName, department]) =>
    personRow({ netid, name, shortenedName, department, relatedDepartments: [] }),
  ),
  sections,
  headings: headingsOf(sections),
};

export async function openSearch() {
  const folder = await openFolder();
  await publishRows(folder.artifacts, rows);
  const app = await openApp(folder.artifacts);
  const get = (q: string, more = "") => app.get(`/search?q=${encodeURIComponent(q)}${more}`);
  return {
    app,
    get,
    async search(q: string, more = ""): Promise<Hit[]> {
      const response = await get(q, more);
      expect([q, response.status]).toEqual([q, 200]);
      return (await response.json()) as Hit[];
    },
    async close() {
      await app.close();
      await folder.remove();
    },
  };
}
