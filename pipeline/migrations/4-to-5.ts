/**
 * Version 5 publishes a course's requirement as a tree of objects too. Version 4 knows the names of its leaves only: they become objects without grades,
 * until the next run that reads the prerequisite pages.
 */
import { columnsOf, rewritingStep, rowsOf } from "./step.ts";

/** The inside of a JSON string. */
const TEXT = String.raw`(?:[^"\\]|\\.)*`;
/** Begins as an exam does, or its last word has no digit. */
const EXAM = String.raw`(?:AP|IB|SAT|ACT|CLEP) ${TEXT}|(?:${TEXT} )?[^"\\\d ]+`;

/** A name stands right behind `[` or `,`, a key behind `{`; blanks keep the second replacement off the objects of the first. */
const AS_OBJECTS = String.raw`regexp_replace(
  regexp_replace(prerequisiteTree, '([\[,])"(${EXAM})"', '\1{"prereqType": "exam", "examName": "\2"}', 'g'),
  '([\[,])"(${TEXT})"', '\1{"prereqType": "course", "coreq": false, "courseId": "\2"}', 'g')`;

export const from4to5 = rewritingStep({
  to: 5,
  table: "courses",
  orderBy: "id",
  async select(located, context) {
    const columns = await columnsOf(context, located);
    if (columns.includes("requirementTree")) return undefined;
    const selected = columns.map((name) =>
      name === "prerequisiteText" ? `"${name}", ${AS_OBJECTS} AS "requirementTree"` : `"${name}"`,
    );
    return `SELECT ${selected.join(", ")} FROM ${rowsOf(located)}`;
  },
});
