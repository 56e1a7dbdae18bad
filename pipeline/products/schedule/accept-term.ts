/** Stages a crawled term for publication, unless the published term must stay or is equal. */
import type { Tally } from "../../contract/documents/tally.ts";
import type { Source } from "../../contract/rows/source.ts";
import { headings, landedGe, landedSections, sections } from "../../contract/rows/section.ts";
import { SCHEDULE_FIELDS } from "../../parse/schedule/schedule-elements.ts";
import { type Term, termName } from "../../contract/vocabulary.ts";
import type { CrawledTerm } from "../../crawl/crawl-term.ts";
import { GuardError } from "../../errors.ts";
import { landedRows } from "../../landing/landing-file.ts";
import type { PublishedAs } from "../../landing/term-landing.ts";
import { writePartition } from "../../publish/partition.ts";
import { type AcceptedTerm, isDamaged, type RunContext } from "../context.ts";
import { noteUnknown, remember } from "../guard/causes.ts";
import { soundRows } from "../guard/references.ts";
import { refuse } from "../guard/refusals.ts";
import { lostDepartments } from "../guard/shrink.ts";
import { reasonsOf, rowsOf } from "../stage.ts";

/**
 * Stages a crawled term; `withEnded` is true when all ended departments were requested. A refused term is crawled again
 * by the next run. @throws GuardError when it must not replace the published term
 */
export async function acceptTerm(
  context: RunContext,
  crawled: CrawledTerm,
  { withEnded }: { readonly withEnded: boolean },
  tally: Tally,
): Promise<{ accepted: AcceptedTerm; source: Source; published: PublishedAs }> {
  let published: PublishedAs;
  try {
    published = await stageTerm(context, crawled, tally);
  } catch (error) {
    if (error instanceof GuardError) await crawled.discard();
    throw error;
  }
  const { sections: rows, sha256, startedAt, term } = crawled;
  const upstreamDate = context.client("schedule").latestDate();
  const { year, quarter } = term;
  const of = { system: "schedule", name: context.sourceName("schedule"), tableName: "sections", year, quarter };
  return {
    accepted: { term, startedAt, withEnded, ...(upstreamDate === undefined ? {} : { upstreamDate }) },
    source: { ...of, sha256, fetchedAt: startedAt, rows },
    published,
  };
}

/** Stages the term, and returns the hashes of its files. */
async function stageTerm(context: RunContext, crawled: CrawledTerm, tally: Tally): Promise<PublishedAs> {
  const { term, unknown } = crawled;
  const partition = { year: term.year, quarter: term.quarter };
  const part = { table: "sections", partition } as const;
  noteUnknown(context, { part, what: termName(term), unknown }, tally);
  const { published } = crawled;
  const staged =
    published && isPublished(context, term, published) ? published : await writeTerm(context, crawled, tally);
  remember(context, part, unknown);
  remember(context, { table: "headings", partition }, unknown);
  return staged;
}

/** True when these are the files of the term in the published snapshot, and both are sound. */
const isPublished = (context: RunContext, { year, quarter }: Term, as: PublishedAs): boolean =>
  (["sections", "headings"] as const).every(
    (table) =>
      context.staging.find(table, { year, quarter })?.sha256 === as[table] &&
      !isDamaged(context, table, { year, quarter }),
  );

/** Writes the files of the term and stages them, unless they are published already. */
async function writeTerm(context: RunContext, crawled: CrawledTerm, tally: Tally): Promise<PublishedAs> {
  const { database, staging } = context;
  const { departmentPaths, gePaths, term, unknown } = crawled;
  const partition = { year: term.year, quarter: term.quarter };
  const part = { table: "sections", partition } as const;
  const file = await writePartition(database.connection, staging, {
    table: sections,
    partition,
    select: sectionsSelect(landedRows(landedSections, departmentPaths), landedRows(landedGe, gePaths)),
    allowEmpty: true,
  });
  const aboveFile = await writePartition(database.connection, staging, {
    table: headings,
    partition,
    select: headingsSelect(landedRows(headings, departmentPaths)),
    allowEmpty: true,
  });
  const written = { sections: file.sha256, headings: aboveFile.sha256 };
  if (isPublished(context, term, written)) return written;
  const guarded = (name: string) => ({ what: `${termName(term)}, in ${name},`, known: SCHEDULE_FIELDS, unknown });
  refuse(
    context,
    [
      ...(await reasonsOf(context, file, { ...guarded("sections"), rows: {} }, tally)),
      ...lostDepartments(
        part,
        termName(term),
        await countDepartments(context, await soundRows(context, part)),
        await countDepartments(context, rowsOf(context, file)),
        tally,
      ),
      ...(await reasonsOf(context, aboveFile, guarded("headings"), tally)),
    ],
    tally,
  );
  staging.put(aboveFile);
  staging.put(file);
  return written;
}

/** Counts the sections of each department of `from`. */
export async function countDepartments({ database }: RunContext, from: string): Promise<Map<string, number>> {
  const reader = await database.connection.runAndReadAll(
    `SELECT deptCode, count(*)::INTEGER FROM ${from} GROUP BY deptCode`,
  );
  const [codes = [], counts = []] = reader.getColumnsJS();
  return new Map((codes as string[]).map((code, i) => [code, counts[i] as number]));
}

/** GE categories come from separate searches. */
const sectionsSelect = (landed: string, ge: string) => `
  SELECT s.*, coalesce(g.categories, []) AS geCategories
  FROM ${landed} s
  LEFT JOIN (SELECT sectionCode, list(category ORDER BY category) AS categories FROM ${ge} GROUP BY sectionCode) g USING (sectionCode)`;

/** Among equally long values the last in order wins, so that the result does not depend on the order of rows. */
const longest = (column: string) => `arg_max(${column}, {'length': len(${column}), 'value': ${column}})`;

/** A department may be in the pages of several: its heading has the longest values. */
const headingsSelect = (landed: string) => `
  SELECT year, quarter, schoolName, max(schoolComment) AS schoolComment, deptCode,
    ${longest("deptName")} AS deptName, max(deptComment) AS deptComment,
    ${longest("sectionCodeRangeComments")} AS sectionCodeRangeComments,
    ${longest("courseNumberRangeComments")} AS courseNumberRangeComments
  FROM ${landed} GROUP BY year, quarter, schoolName, deptCode`;
