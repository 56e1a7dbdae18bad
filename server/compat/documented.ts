/** Documents COMPAT=1: description, schemas and examples. */
import { courseIdKey } from "../../pipeline/contract/course-name.ts";
import { createFormerNames } from "../../pipeline/contract/former-names.ts";
import type { RequirementTree } from "../../pipeline/contract/rows/course.ts";
import type { DocumentedMode } from "../response/mode.ts";
import { VALID_REQUEST_ID } from "../telemetry/observation.ts";
import type { Shape } from "../response/shapes/shape.ts";
import { type ShapeName, SHAPES } from "../response/shapes/shapes.ts";
import { toLogTime } from "./responses.ts";
import { type Previews, ROWS } from "./rows.ts";
import { COMPAT_PARTS, COMPAT_SHAPES } from "./shapes.ts";

const ABOUT = `
**This server was started with \`COMPAT=1\`**: it replaces the predecessor, and this document describes its responses.

- Successful JSON bodies have an envelope \`{statusCode, timestamp, requestId, payload, success: true}\`, errors carry \`success: false\`; both have times such as \`04/Mar/2026:21:04:09 +0000\`. Tags of JSON answers are weak.
- The schedule's paths have their former names too. Booleans may be \`True\`, \`False\`, \`1\` and \`0\`; \`days\` may be in any case, and \`T\` alone is \`Tu\`.
- Courses carry previews (\`instructors\`, \`prerequisites\`, \`dependencies\`), objects as leaves of \`prerequisiteTree\` with minimum grades, corequisites and exclusions, and names in \`geList\`; instructors carry \`ucinetid\` and \`courses\`, tutorials \`days\` and \`bldg\`; a \`sectionCode\` of the enrollment history is a string.
- CSV, NDJSON and Parquet do not change.
- There is no GraphQL endpoint.
`;

const TIME = {
  type: "string",
  pattern: "^\\d\\d/[A-Z][a-z][a-z]/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000$",
  description: "time of the response, such as `04/Mar/2026:21:04:09 +0000`",
};
const EXAMPLE_TIME = toLogTime(new Date("2026-11-21T08:00:00Z"));

const enveloped: DocumentedMode["bodyOf"] = (payload) => ({
  type: "object",
  properties: {
    statusCode: { type: "integer", const: 200, description: "the HTTP status" },
    timestamp: TIME,
    requestId: { type: "string", pattern: VALID_REQUEST_ID.source, description: "the same as X-Request-Id" },
    payload,
    success: { type: "boolean", const: true, description: "false for an error" },
  },
  required: ["statusCode", "timestamp", "requestId", "payload", "success"],
  additionalProperties: false,
});

const required = (courseId: string, minGrade?: string) =>
  ({ prereqType: "course", coreq: false, courseId, ...(minGrade === undefined ? {} : { minGrade }) }) as const;
const requirement: RequirementTree = {
  AND: [required("I&C SCI 46", "C"), { OR: [required("MATH 2B"), required("MATH 5B")] }],
};
const COURSES = [
  ["COMPSCI161", "COMPSCI", "161", "Design and Analysis of Algorithms"],
  ["COMPSCI162", "COMPSCI", "162", "Formal Languages and Automata"],
  ["I&CSCI46", "I&C SCI", "46", "Data Structure Implementation and Analysis"],
  ["MATH2B", "MATH", "2B", "Single-Variable Calculus II"],
] as const;
const { netid, name: personName, shortenedName } = SHAPES.Instructor.example;
const examplePreviews: Previews = {
  courses: new Map(
    COURSES.map(([id, department, courseNumber, title]) => [courseIdKey(id), { id, department, courseNumber, title }]),
  ),
  formerNames: createFormerNames([]),
  requirements: new Map(COURSES.map(([id]) => [id, JSON.stringify(requirement)])),
  people: new Map([[netid, { ucinetid: netid, name: personName, shortenedName }]]),
  rewritten: new WeakMap(),
};

function envelopedExample({ name, example }: Shape): unknown {
  const change = ROWS[name as ShapeName] as ((row: unknown, of: Previews) => unknown) | undefined;
  const changed = (row: unknown) => (change ? change(row, examplePreviews) : row);
  return {
    statusCode: 200,
    timestamp: EXAMPLE_TIME,
    requestId: "6f1c8a52-3b0e-4b6e-9a3f-2f6d1f0c7e11",
    payload: Array.isArray(example) ? example.map(changed) : changed(example),
    success: true,
  };
}

export const documented: DocumentedMode = {
  name: "compat",
  about: ABOUT,
  bodyOf: enveloped,
  exampleOf: envelopedExample,
  placeOfFields: "\nThe fields of `payload`.\n",
  shapes: { ...COMPAT_SHAPES, ...COMPAT_PARTS },
  problem: {
    properties: { timestamp: TIME, success: { type: "boolean", const: false, description: "false for an error" } },
    example: { timestamp: EXAMPLE_TIME, success: false },
  },
};
