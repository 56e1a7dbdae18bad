/** Learning-assistance tutorials, once a day. **Output:** larc of each term that has any. */
import { courseIdKey, courseName } from "../contract/course-name.ts";
import type { CatalogueCourse } from "../contract/rows/course.ts";
import { larc } from "../contract/rows/larc.ts";
import { sections } from "../contract/rows/section.ts";
import type { Source } from "../contract/rows/source.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { tableRows } from "../contract/sql-text.ts";
import type { Term } from "../contract/vocabulary.ts";
import { type CourseTitles, noteTutorials, toLarcCourses } from "../normalize/larc.ts";
import { parseLarcPage } from "../parse/larc-html.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { tutorialsOf, walkLarc } from "../sources/larc.ts";
import { readPublishedCourses } from "./catalogue.ts";
import { DAY_MS, isDue, crawlSource, type ProductStep, type RunContext } from "./context.ts";
import { writeRows } from "./rows.ts";
import { isOver } from "./schedule/term-scope.ts";
import { stage, unstage } from "./stage.ts";

export const larcStep: ProductStep = {
  product: "larc",
  system: "larc",
  tables: ["larc"],
  plan: (context) => context.addresses.larc !== undefined && isDue(context, "larc", DAY_MS),
  async run(context, tally) {
    const { addresses, client, today } = context;
    const { pages, damaged } = await walkLarc(
      client("larc"),
      addresses.larc as URL,
      parseLarcPage,
      Number(today.slice(0, 4)) + 1,
      tally,
    );
    const read = new Set(damaged);
    const received: Source[] = [];
    const catalogue = context.catalogue ?? (await readPublishedCourses(context));
    for (const { term, page } of pages) {
      const rows = toLarcCourses(term, page, tally);
      if (rows.length === 0) continue;
      noteTutorials(term, rows, await readTitles(context, term, catalogue), tally);
      read.add(tutorialsOf(term));
      const partition = { year: term.year, quarter: term.quarter };
      const file = await writeRows(context, larc, rows, partition);
      if (await stage(context, file, { what: tutorialsOf(term), rows: {} }, tally))
        received.push(...crawlSource(context, "larc", { tableName: "larc", partition, rows: rows.length }));
    }
    guardGone(context, read, tally);
    return { received };
  },
};

/** The titles of the courses in the catalogue and in the term's schedule. */
async function readTitles(
  { database, staging }: RunContext,
  { year, quarter }: Term,
  catalogue: readonly CatalogueCourse[],
): Promise<CourseTitles> {
  const from = tableRows(sections, staging.paths("sections", { year, quarter }));
  const reader = await database.connection.runAndReadAll(
    `SELECT DISTINCT deptCode, courseNumber, courseTitle FROM ${from} ORDER BY ALL`,
  );
  const titles = new Map<string, string[]>();
  for (const [department, courseNumber, title] of [
    ...catalogue.map((course) => [course.department, course.courseNumber, course.title] as const),
    ...(reader.getRowsJS() as [string, string, string][]),
  ]) {
    const key = courseIdKey(courseName({ department, courseNumber }));
    titles.set(key, [...(titles.get(key) ?? []), title]);
  }
  return titles;
}

/**
 * Guards published tutorials of terms that were not found any more. Those of past terms always stay published, because
 * nobody can send them again. For other terms this is damage until an operator accepts it.
 * @throws UpstreamBadResponse when no term has tutorials, unless everything is accepted: then all stay
 */
function guardGone(context: RunContext, read: ReadonlySet<string>, tally: Tally): void {
  const { calendar, config, staging, today } = context;
  const published = staging.files().filter(({ table }) => table === "larc");
  const gone = published.flatMap(({ partition: { year, quarter } }) =>
    year && quarter && !read.has(tutorialsOf({ year, quarter })) ? [{ year, quarter }] : [],
  );
  if (gone.length > 0 && gone.length === published.length) {
    const text = "no term has tutorials any more, what is published stays (LARC_URL=none where they are gone for good)";
    if (!config.allowShrink) throw new UpstreamBadResponse("larc", text);
    tally.note("accepted by ALLOW_SHRINK", text);
    return;
  }
  for (const term of gone) {
    const text = `${tutorialsOf(term)}: there are none any more`;
    if (isOver(term, calendar, today)) {
      tally.note("a term that is over has no tutorials any more", `${text}, what is published stays`);
      continue;
    }
    unstage(context, { table: "larc", partition: term }, text, tally);
  }
}
