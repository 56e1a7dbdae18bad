/** Version 4 says of every grade row which export it came from; what version 3 published does not know. The next run reads the exports again. */
import { join } from "node:path";
import { ROWS_PER_GROUP, writeSorted } from "../publish/partition.ts";
import { columnsOf, type MigrationStep, rowsOf } from "./step.ts";

export const from3to4: MigrationStep = {
  to: 4,
  rewrites: ["grades"],
  async rewrite(located, context) {
    if ((await columnsOf(context, located)).includes("exportFile")) return [located];
    const file = await writeSorted(context.connection, context, {
      table: "grades",
      partition: located.file.partition,
      select: `SELECT *, NULL::VARCHAR AS exportFile, NULL::VARCHAR AS exportSha256, NULL::VARCHAR AS exportSheet, NULL::INTEGER AS exportRow
        FROM ${rowsOf(located)}`,
      orderBy: "quarter, sectionCode",
      rowsPerGroup: ROWS_PER_GROUP,
      count: () => Promise.resolve(located.file.rows),
    });
    return [{ file, at: join(context.filesFolder, file.path) }];
  },
};
