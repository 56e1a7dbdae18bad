/** Version 2 stored 0 for an average that the records office left blank. Version 3 stores null, so that a mean over the files is right. */
import { join } from "node:path";
import { ROWS_PER_GROUP, writeSorted } from "../publish/partition.ts";
import { type MigrationStep, readValue, rowsOf } from "./step.ts";

/** An average of 0 is true only where every letter grade is an F. */
const BLANK = "averageGPA = 0 AND NOT (gradeFCount > 0 AND gradeACount + gradeBCount + gradeCCount + gradeDCount = 0)";

export const from2to3: MigrationStep = {
  to: 3,
  rewrites: ["grades"],
  async rewrite(located, context) {
    const blanks = await readValue(context, `SELECT count(*) FROM ${rowsOf(located)} WHERE ${BLANK}`);
    if (blanks === "0") return [located];
    const file = await writeSorted(context.connection, context, {
      table: "grades",
      partition: located.file.partition,
      select: `SELECT * REPLACE (CASE WHEN ${BLANK} THEN NULL ELSE averageGPA END AS averageGPA) FROM ${rowsOf(located)}`,
      orderBy: "quarter, sectionCode",
      rowsPerGroup: ROWS_PER_GROUP,
      count: () => Promise.resolve(located.file.rows),
    });
    return [{ file, at: join(context.filesFolder, file.path) }];
  },
};
