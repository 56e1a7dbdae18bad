/** A course that the catalogue does not have, as the page of a course shows it. */
import { addressOf, courseId } from "../data/addresses.ts";
import { fetchShared } from "../data/fetch-json.ts";
import type { Course } from "./course-node.tsx";
import { findUncatalogued, type UncataloguedCourse } from "./uncatalogued.ts";

/** With nothing that only the catalogue says. */
function courseFrom({ department, courseNumber, title, terms }: UncataloguedCourse): Course {
  const texts = { school: "", courseLevel: "", description: "", departmentName: "", geText: "", prerequisiteText: "" };
  const remarks = { repeatability: "", gradingOption: "", concurrent: "", sameAs: "", restriction: "", overlap: "" };
  return {
    ...{ id: courseId(department, courseNumber), department, courseNumber, title },
    ...{ courseNumeric: Number.parseInt(courseNumber.replaceAll(/\D/g, ""), 10) || 0, minUnits: 0, maxUnits: 0 },
    ...texts,
    ...remarks,
    corequisites: "",
    ...{ prerequisiteTree: {}, prerequisiteList: [], prerequisiteFor: [], instructorHistory: [], geList: [] },
    terms: [...terms],
  };
}

/** As `findUncatalogued` does. @throws Error as `fetchShared` does */
export async function lookUpUncatalogued(id: string, terms: readonly string[]): Promise<Course | undefined> {
  const published = terms.filter((term) => term !== "");
  const course = await findUncatalogued(id, published, (path, query) => fetchShared(addressOf(path, query)));
  return course && courseFrom(course);
}
