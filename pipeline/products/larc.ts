/**
 * Learning-assistance tutorials, once a day.
 * **Output:** larc of each term that has any.
 */
import { larc } from "../contract/larc.ts";
import { toLarcCourses } from "../normalize/larc.ts";
import { parseLarcPage } from "../parse/larc-html.ts";
import { writePartition } from "../publish/partition.ts";
import { loadRows } from "../publish/rows.ts";
import { walkLarc } from "../sources/larc.ts";
import { DAY_MS, isOlderThan, type ProductStep } from "./context.ts";

export const larcStep: ProductStep = {
  product: "larc",
  plan: (context) =>
    context.addresses.larc !== undefined && (context.mode === "build" || isOlderThan(context, "larc", DAY_MS)),
  async run({ addresses, client, database, staging, today }, tally) {
    const { pages } = await walkLarc(
      client("larc"),
      addresses.larc as URL,
      parseLarcPage,
      Number(today.slice(0, 4)) + 1,
      tally,
    );
    for (const { term, page } of pages) {
      const rows = toLarcCourses(term, page, tally);
      if (rows.length === 0) continue;
      await loadRows(database.connection, larc, rows);
      const partition = { year: term.year, quarter: term.quarter };
      staging.put(
        await writePartition(database.connection, staging, {
          table: larc,
          partition,
          select: "SELECT * FROM rows_larc",
        }),
      );
    }
  },
};
