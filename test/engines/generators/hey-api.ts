/** The code of a user of the package by @hey-api/openapi-ts. */
import { calendar, courses, coursesById, gradesAggregate } from "generated/sdk.gen";
import { client } from "generated/client.gen";

const [url = "", id = "", department = ""] = process.argv.slice(2);
client.setConfig({ baseUrl: url });
const { data: terms } = await calendar();
const { data: days } = await calendar({ query: { year: "2026", quarter: "Fall" } });
const { data: aggregate } = await gradesAggregate({ query: { department: [department] } });
const answers = {
  course: (await coursesById({ path: { id } })).data?.id,
  courses: (await courses({ query: { department: [department] } })).data?.length,
  terms: Array.isArray(terms) ? terms.length : undefined,
  start: Array.isArray(days) ? undefined : days?.instructionStart,
  average: aggregate?.gradeDistribution.averageGPA,
};
process.stdout.write(`${JSON.stringify(answers)}\n`);
