/** The code of a user of the module by orval. */
import axios from "axios";
import { calendar, courses, coursesById, gradesAggregate } from "generated";

const [url = "", id = "", department = ""] = process.argv.slice(2);
axios.defaults.baseURL = url;
axios.defaults.paramsSerializer = { indexes: null };
const { data: terms } = await calendar();
const { data: days } = await calendar({ year: "2026", quarter: "Fall" });
const answers = {
  course: (await coursesById(encodeURIComponent(id))).data.id,
  courses: (await courses({ department: [department] })).data.length,
  terms: Array.isArray(terms) ? terms.length : undefined,
  start: Array.isArray(days) ? undefined : days.instructionStart,
  average: (await gradesAggregate({ department: [department] })).data.gradeDistribution.averageGPA,
};
process.stdout.write(`${JSON.stringify(answers)}\n`);
