/** Version 4 says of every grade row which export it came from; what version 3 published does not know. The next run reads the exports again. */
import { columnsOf, rewritingStep, rowsOf } from "./step.ts";

export const from3to4 = rewritingStep({
  to: 4,
  table: "grades",
  orderBy: "quarter, sectionCode",
  async select(located, context) {
    if ((await columnsOf(context, located)).includes("exportFile")) return undefined;
    return `SELECT *, NULL::VARCHAR AS exportFile, NULL::VARCHAR AS exportSha256, NULL::VARCHAR AS exportSheet, NULL::INTEGER AS exportRow
      FROM ${rowsOf(located)}`;
  },
});
