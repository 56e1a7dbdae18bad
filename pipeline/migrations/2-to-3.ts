/** Version 2 stored 0 for an average that the records office left blank. Version 3 stores null, so that a mean over the files is right. */
import { readValue, rewritingStep, rowsOf } from "./step.ts";

/** An average of 0 is true only where every letter grade is an F. */
const BLANK = "averageGPA = 0 AND NOT (gradeFCount > 0 AND gradeACount + gradeBCount + gradeCCount + gradeDCount = 0)";

export const from2to3 = rewritingStep({
  to: 3,
  table: "grades",
  orderBy: "quarter, sectionCode",
  async select(located, context) {
    const blanks = await readValue(context, `SELECT count(*) FROM ${rowsOf(located)} WHERE ${BLANK}`);
    if (blanks === "0") return undefined;
    return `SELECT * REPLACE (CASE WHEN ${BLANK} THEN NULL ELSE averageGPA END AS averageGPA) FROM ${rowsOf(located)}`;
  },
});
