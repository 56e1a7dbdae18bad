/** The code of a user of the package by openapi-generator for TypeScript. */
import { CalendarApi, Configuration, CoursesApi, GradesApi } from "generated";

const [url = "", id = "", department = ""] = process.argv.slice(2);
const configuration = new Configuration({ basePath: url });
const calendar = new CalendarApi(configuration);
const courses = new CoursesApi(configuration);
const terms = await calendar.calendar();
const days = await calendar.calendar({ year: "2026", quarter: "Fall" });
const { gradeDistribution } = await new GradesApi(configuration).gradesAggregate({ department: [department] });
const answers = {
  course: (await courses.coursesById({ id })).id,
  courses: (await courses.courses({ department: [department] })).length,
  terms: Array.isArray(terms) ? terms.length : undefined,
  start: Array.isArray(days) ? undefined : days.instructionStart.toISOString().slice(0, 10),
  average: gradeDistribution.averageGPA,
};
process.stdout.write(`${JSON.stringify(answers)}\n`);
